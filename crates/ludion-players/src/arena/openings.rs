//! A list of openings as states and moves of one type of game.

use super::conditions::{Opening, OpeningError, OpeningList, OpeningOrder};
use super::pair::PairId;
use crate::game::Game;
use crate::random::{Rng, derive_seed};
use crate::repetition::GamePath;

/// An opening of a game of type `G`.
pub(crate) struct TypedOpening<G: Game> {
    /// The position in which the game begins; `None` for the start position.
    pub(crate) start: Option<G::State>,
    /// The moves made from there.
    pub(crate) moves: Vec<G::Move>,
}

impl<G: Game> Clone for TypedOpening<G> {
    fn clone(&self) -> Self {
        TypedOpening { start: self.start.clone(), moves: self.moves.clone() }
    }
}

impl<G: Game> TypedOpening<G> {
    /// Reads an opening and plays its moves.
    fn read(g: &G, opening: &Opening) -> Result<Self, String> {
        let read = |text: &String| g.read_state(text).map_err(|error| error.to_string());
        let start = opening.start.as_ref().map(read).transpose()?;
        let mut s = start.clone().unwrap_or_else(|| g.start());
        let (mut path, mut moves) = (GamePath::new(), Vec::new());
        for text in &opening.moves {
            let m = path.read_legal_move(g, &s, text).map_err(|error| error.to_string())?;
            path.play(g, &mut s, m);
            moves.push(m);
        }
        match path.status(g, &s).turn() {
            Some(_) => Ok(TypedOpening { start, moves }),
            None => Err("the game is over after it".to_owned()),
        }
    }

    /// Returns the state after the opening, with its path and the moves.
    pub(crate) fn played(&self, g: &G) -> (G::State, GamePath, Vec<G::Move>) {
        let mut s = self.start.clone().unwrap_or_else(|| g.start());
        let mut path = GamePath::new();
        for &m in &self.moves {
            path.play(g, &mut s, m);
        }
        (s, path, self.moves.clone())
    }
}

/// A list of openings, and the order in which pairs of games use it.
pub(crate) struct TypedOpenings<G: Game> {
    openings: Vec<TypedOpening<G>>,
    order: OpeningOrder,
    /// The seed of a run, and the order that was drawn with it.
    drawn: Option<(u64, Vec<u32>)>,
}

/// The index for [`derive_seed`] of the order of openings; pairs of games use three indices.
const ORDER_STREAM: u64 = 0x006f_7065_6e69_6e67;

impl<G: Game> TypedOpenings<G> {
    /// Reads the openings of a list.
    pub(crate) fn new(g: &G, list: &OpeningList) -> Result<Self, OpeningError> {
        let read = |(i, opening)| {
            TypedOpening::read(g, opening).map_err(|reason| OpeningError { number: i + 1, reason })
        };
        let openings = list.openings.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        if openings.is_empty() {
            return Err(OpeningError { number: 1, reason: "the list has no opening".to_owned() });
        }
        Ok(TypedOpenings { openings, order: list.order, drawn: None })
    }

    /// Returns the opening of a pair of games in a run with this seed.
    pub(crate) fn of_pair(&mut self, seed: u64, pair: PairId) -> &TypedOpening<G> {
        let PairId { players: [a, b], number } = pair;
        let index = (number % self.openings.len() as u64) as usize;
        match self.order {
            OpeningOrder::Drawn => {
                let indices = [ORDER_STREAM, a.into(), b.into(), number];
                let mut rng = Rng::new(derive_seed(seed, &indices));
                &self.openings[rng.below(self.openings.len())]
            }
            OpeningOrder::Sequential => &self.openings[index],
            OpeningOrder::Random => {
                let count = self.openings.len();
                let (drawn_with, order) =
                    self.drawn.get_or_insert_with(|| (seed, drawn(seed, count)));
                if *drawn_with != seed {
                    (*drawn_with, *order) = (seed, drawn(seed, count));
                }
                &self.openings[order[index] as usize]
            }
        }
    }
}

/// Draws an order of `count` openings.
fn drawn(seed: u64, count: usize) -> Vec<u32> {
    let mut rng = Rng::new(derive_seed(seed, &[ORDER_STREAM]));
    let mut order: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion::games::tictactoe::TicTacToe;

    fn list(order: OpeningOrder) -> OpeningList {
        let moves = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let openings = (0..9).map(|i| Opening {
            start: None,
            moves: moves(&[["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"][i]]),
        });
        OpeningList { source: "a test".to_owned(), order, openings: openings.collect() }
    }

    #[test]
    fn every_opening_is_used_once_before_any_is_used_again() {
        for order in [OpeningOrder::Sequential, OpeningOrder::Random] {
            let mut openings = TypedOpenings::new(&TicTacToe, &list(order)).expect("openings");
            let mut of = |seed, number| {
                let pair = PairId { players: [0, 1], number };
                openings.of_pair(seed, pair).moves.clone()
            };
            let first: Vec<_> = (0..9).map(|n| of(7, n)).collect();
            let second: Vec<_> = (9..18).map(|n| of(7, n)).collect();
            assert_eq!(first, second);
            let mut sorted = first.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), 9);
            let other: Vec<_> = (0..9).map(|n| of(8, n)).collect();
            assert_eq!(first == other, order == OpeningOrder::Sequential);
        }
    }

    #[test]
    fn pairs_that_draw_their_openings_use_all_of_them_about_as_often() {
        let mut openings =
            TypedOpenings::new(&TicTacToe, &list(OpeningOrder::Drawn)).expect("openings");
        let mut counts = std::collections::HashMap::new();
        for meeting in 0..900 {
            let pair = PairId { players: [2 * meeting, 2 * meeting + 1], number: 0 };
            *counts.entry(openings.of_pair(7, pair).moves.clone()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 9);
        assert!(counts.values().all(|count| (70..=130).contains(count)), "{counts:?}");
    }

    #[test]
    fn an_opening_that_cannot_be_played_is_named() {
        let refused = |start: Option<&str>, moves: &str| {
            let moves = moves.split_whitespace().map(str::to_owned).collect();
            let mut list = list(OpeningOrder::Sequential);
            list.openings.push(Opening { start: start.map(str::to_owned), moves });
            TypedOpenings::new(&TicTacToe, &list).err().expect("a wrong opening").to_string()
        };
        assert!(refused(None, "a1 a1").starts_with("opening 10: "));
        assert!(refused(Some("nonsense"), "").starts_with("opening 10: "));
        assert_eq!(refused(Some("xxx/oo./..."), ""), "opening 10: the game is over after it");
    }
}
