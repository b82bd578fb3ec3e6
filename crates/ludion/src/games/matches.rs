//! Matches (French: *allumettes*), the subtraction game: a move takes one, two or three
//! matches from one heap. The side that takes the last match wins; in the misère variant it
//! loses.

use crate::erased::GameBuilder;
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, heap_counts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::Rng;
use crate::scene::{Coord, Piece, PieceShape, Scene};

/// The most matches that a game may start with.
const MOST: usize = 1000;

/// The rules of Matches: the size of the heap, and whether the last match wins or loses.
#[derive(Clone, Copy, Debug)]
pub struct Matches {
    /// The number of matches at the start.
    pub n: u16,
    /// Whether the side that takes the last match loses.
    pub misere: bool,
}

/// The number of matches left and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchesState {
    /// The number of matches left.
    pub left: u16,
    /// The side to move.
    pub turn: Side,
}

impl Game for Matches {
    type State = MatchesState;
    /// The number of matches that the move takes, 1 to 3.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> MatchesState {
        MatchesState { left: self.n, turn: Side::First }
    }

    #[inline]
    fn status(&self, s: &MatchesState) -> Status<Duel> {
        if s.left > 0 {
            Status::Turn(s.turn)
        } else {
            Status::Over(Duel::Won(if self.misere { s.turn } else { s.turn.other() }))
        }
    }

    #[inline]
    fn moves(&self, s: &MatchesState, out: &mut Vec<u8>) {
        out.reserve(3);
        for count in 1..=3 {
            if u16::from(count) <= s.left {
                out.push(count);
            }
        }
    }

    #[inline]
    fn count_moves(&self, s: &MatchesState, _scratch: &mut Vec<u8>) -> usize {
        s.left.min(3).into()
    }

    #[inline]
    fn play(&self, s: &mut MatchesState, m: u8) {
        s.left -= u16::from(m);
        s.turn = s.turn.other();
    }

    #[inline]
    fn key(&self, s: &MatchesState) -> u64 {
        u64::from(s.left) << 1 | s.turn as u64
    }

    #[inline]
    fn playout(&self, mut s: MatchesState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        loop {
            match self.status(&s) {
                Status::Over(end) => return end,
                Status::Turn(_) => {
                    let most = s.left.min(3).into();
                    self.play(&mut s, 1 + rng.below(most) as u8);
                }
            }
        }
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        !self.misere
    }

    fn show_state(&self, s: &MatchesState) -> String {
        format!("{} {}", s.left, s.turn)
    }

    fn read_state(&self, text: &str) -> Result<MatchesState, NotationError> {
        let mut reader = NotationReader::new(text);
        let left = reader.number("the number of matches", 0, MOST as i64)? as u16;
        let turn = reader.side()?;
        reader.end()?;
        if left > self.n {
            return Err(reader.whole(format!("there are only {} matches", self.n)));
        }
        Ok(MatchesState { left, turn })
    }

    fn show_move(&self, _s: &MatchesState, m: u8) -> String {
        m.to_string()
    }

    fn scene(&self, s: &MatchesState) -> Scene {
        let mut scene = Scene::heaps(&[s.left.into()], &[self.n.into()], &PieceShape::Match);
        scene.caption = format!("{} left", s.left);
        scene
    }

    /// Returns the cell to click: of the matches that the move takes from the end of the heap, the
    /// one nearest to its beginning.
    fn touches(&self, s: &MatchesState, m: u8) -> Vec<Coord> {
        vec![Coord::new(0, usize::from(s.left) - usize::from(m))]
    }

    fn state_of_pieces(&self, pieces: &[Piece], turn: Side) -> Result<MatchesState, NotationError> {
        let [left] = heap_counts(pieces);
        self.read_state(&format!("{left} {turn}"))
    }

    fn removes(&self, s: &MatchesState, m: u8) -> Vec<Coord> {
        let left = usize::from(s.left);
        (left - usize::from(m)..left).map(|i| Coord::new(0, i)).collect()
    }
}

/// Evaluates a position by the exact theory of the game: the side to move loses if the number of
/// matches is a multiple of four, in the misère variant if it is one more than a multiple of four.
#[derive(Clone, Copy, Debug)]
pub struct Mod4Evaluator;

impl Evaluator<Matches> for Mod4Evaluator {
    fn value(&self, g: &Matches, s: &MatchesState) -> i32 {
        if s.left % 4 == u16::from(g.misere) { 1 - WIN } else { WIN - 1 }
    }
}

/// Returns the registry entry of Matches, with the evaluator `mod4`.
#[must_use]
pub fn entry() -> GameBuilder<Matches> {
    GameBuilder::duel().compiled_searches().evaluator(
        "mod4",
        "the theory: lost at a multiple of four, misère at one more",
        Mod4Evaluator,
    )
}

impl NamedGame for Matches {
    const NAME: &'static str = "matches";
    const TITLE: &'static str = "Matches";
    const RULES: &'static str = "There is one heap of matches. On your turn take one, two or three of them. The player who \
        takes the last match wins; in the misère variant that player loses.";
    const LEVELS: &'static [StrengthLevel] =
        &[StrengthLevel::perfect_in("deepening(secs=0)", &["matches", "matches(21, misere)"])];
    const HELP: &'static str = "take 1, 2 or 3 matches; whoever takes the last one wins";
    const PARAMS: &'static [Param] = &[
        Param::int("n", 13, 1, MOST as i64, "matches at the start"),
        Param::flag("misere", "whoever takes the last match loses"),
    ];
    const EXAMPLES: &'static [&'static str] = &["matches", "matches(21, misere)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Matches { n: args.size("n") as u16, misere: args.flag("misere") })
    }
}
