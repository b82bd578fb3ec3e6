//! The unit of measuring: two games between two players with seats swapped, from the same
//! opening. Everything in a pair follows from the terms, who plays, and the pair's number.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::game::{self, GameEnd, PlayedGame};
use crate::game::{Game, Side};
use crate::outcome::Duel;
use crate::player::{Budget, Player};
use crate::random::{Rng, derive_seed};

/// What holds for every game of a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameSettings {
    /// What a player may spend on a move.
    pub budget: Budget,
    /// Random plies before the players are asked, the same in both games of a pair.
    pub opening: u32,
    /// Plies after which a game is a draw.
    pub longest: u32,
    /// What all randomness of the run is drawn from.
    pub seed: u64,
}

/// Which pair is to be played: by whom, and the how manieth of theirs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct PairId {
    /// The two players, as numbers in the list of the run.
    pub players: [u32; 2],
    /// The number of the pair between them, from 0.
    pub number: u64,
}

/// A finished game as the standings need it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// The players in the first and the second seat.
    pub seats: [u32; 2],
    /// How it ended.
    pub end: GameEnd,
    /// Plies, the opening included.
    pub plies: u32,
    /// What each seat spent.
    pub spent: [SpentEffort; 2],
    /// The moves, where they are kept.
    pub record: Option<GameRecord>,
}

/// What a seat spent on a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SpentEffort {
    /// Moves chosen.
    pub moves: u32,
    /// States visited or games simulated.
    pub nodes: u64,
    /// Time.
    pub time: Duration,
}

impl SpentEffort {
    /// Counts one move.
    pub fn add(&mut self, nodes: u64, time: Duration) {
        self.moves += 1;
        self.nodes += nodes;
        self.time += time;
    }
}

/// The moves of a game in their notation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameRecord {
    /// Random moves before the players were asked.
    pub opening: Vec<String>,
    /// Moves of the players.
    pub plies: Vec<MoveRecord>,
}

/// One move in its notation, with what it cost and what its player thought of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Who moved.
    pub side: Side,
    /// The move.
    pub play: String,
    /// What the player thought it worth, for the side that moved.
    pub value: Option<f64>,
    /// States visited or games simulated.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

/// Plays pairs of one game with one list of players, on one thread.
pub trait AnyReferee: Send {
    /// Plays a pair; the moves are kept where asked.
    fn play_pair(&mut self, terms: &GameSettings, pairing: PairId, keep: bool) -> [GameResult; 2];
}

/// A referee for games of one type.
pub struct Referee<G: Game> {
    game: Arc<G>,
    players: Vec<Box<dyn Player<G>>>,
}

/// How often an opening that ends the game is drawn again before it is made shorter.
const MAX_OPENING_DRAWS: u32 = 20;

/// What the seeds of a pair are derived for.
const OPENING_STREAM: u64 = 2;

impl<G: Game<Outcome = Duel>> Referee<G> {
    /// A referee of `game` for these players.
    #[must_use]
    pub fn new(game: Arc<G>, players: Vec<Box<dyn Player<G>>>) -> Self {
        Referee { game, players }
    }

    /// Random moves from the start after which the game goes on.
    fn opening(&self, plies: u32, rng: &mut Rng) -> Vec<G::Move> {
        let mut moves = Vec::new();
        for length in (1..=plies).rev() {
            for _ in 0..MAX_OPENING_DRAWS {
                let (mut s, mut line) = (self.game.start(), Vec::new());
                for _ in 0..length {
                    moves.clear();
                    self.game.moves(&s, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let m = moves[rng.below(moves.len())];
                    self.game.play(&mut s, m);
                    line.push(m);
                }
                if self.game.status(&s).turn().is_some() {
                    return line;
                }
            }
        }
        Vec::new()
    }

    fn play_game(
        &mut self,
        terms: &GameSettings,
        seats: [u32; 2],
        opening: &[G::Move],
        seed: u64,
    ) -> PlayedGame<G::Move> {
        let [first, second] = seats.map(|player| player as usize);
        for (seat, player) in [(0, first), (1, second)] {
            self.players[player].begin(derive_seed(seed, &[seat]));
        }
        let budgets = [terms.budget; 2];
        let longest = terms.longest as usize;
        let [a, b] = self
            .players
            .get_disjoint_mut([first, second])
            .expect("a pair is between two different players of the list");
        game::play(&*self.game, opening, [a.as_mut(), b.as_mut()], budgets, longest)
    }

    fn result(&self, seats: [u32; 2], played: &PlayedGame<G::Move>, keep: bool) -> GameResult {
        let mut spent = [SpentEffort::default(); 2];
        for ply in &played.plies {
            spent[ply.side.index()].add(ply.nodes, ply.time);
        }
        GameResult {
            seats,
            end: played.end.clone(),
            plies: played.length() as u32,
            spent,
            record: keep.then(|| self.record(played)),
        }
    }

    fn record(&self, played: &PlayedGame<G::Move>) -> GameRecord {
        let mut s = self.game.start();
        let mut show = |m: G::Move| {
            let text = self.game.show_move(&s, m);
            self.game.play(&mut s, m);
            text
        };
        GameRecord {
            opening: played.opening.iter().map(|&m| show(m)).collect(),
            plies: played
                .plies
                .iter()
                .map(|ply| MoveRecord {
                    side: ply.side,
                    play: show(ply.play),
                    value: ply.value,
                    nodes: ply.nodes,
                    time: ply.time,
                })
                .collect(),
        }
    }
}

impl<G: Game<Outcome = Duel>> AnyReferee for Referee<G> {
    fn play_pair(&mut self, terms: &GameSettings, pairing: PairId, keep: bool) -> [GameResult; 2] {
        let PairId { players: [a, b], number } = pairing;
        let seed = derive_seed(terms.seed, &[a.into(), b.into(), number]);
        let opening =
            self.opening(terms.opening, &mut Rng::new(derive_seed(seed, &[OPENING_STREAM])));
        [(0, [a, b]), (1, [b, a])].map(|(game, seats)| {
            let played = self.play_game(terms, seats, &opening, derive_seed(seed, &[game]));
            self.result(seats, &played, keep)
        })
    }
}

impl GameResult {
    /// What the game is worth to a player: 1, ½ or 0.
    ///
    /// # Panics
    /// When the player did not play it.
    #[must_use]
    pub fn score(&self, player: u32) -> f64 {
        let seat = self.seats.iter().position(|&p| p == player);
        self.end.score(Side::BOTH[seat.expect("the player sat at this game")])
    }
}
