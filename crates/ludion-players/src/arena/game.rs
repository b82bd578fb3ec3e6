//! Plays one game between two players. A player that returns no legal move forfeits the game, and
//! the reason is kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::game::{Game, Side, Status};
use crate::outcome::{Duel, Wdl};
use crate::player::{Budget, MoveRequest, Player, StopOnFlag};
use crate::repetition::GamePath;

/// The way in which a game between two players ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameEnd {
    /// The game ended by its rules, with this outcome.
    Rules(Duel),
    /// A player failed to return a legal move; its side loses.
    Forfeit {
        /// The side that forfeits and loses.
        by: Side,
        /// The reason why there was no legal move, as a sentence.
        reason: String,
    },
    /// The game reached the ply limit and counts as a draw.
    Endless,
}

impl GameEnd {
    /// Returns the outcome that counts in the standings: a forfeit is a loss, the ply limit a draw.
    #[must_use]
    pub fn duel(&self) -> Duel {
        match self {
            GameEnd::Rules(duel) => *duel,
            GameEnd::Forfeit { by, .. } => Duel::Won(by.other()),
            GameEnd::Endless => Duel::Drawn,
        }
    }

    /// Returns the score of `side` in the game: 1, ½ or 0.
    #[must_use]
    pub fn score(&self, side: Side) -> f64 {
        match self.duel().seen_by(side) {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        }
    }
}

/// One move that a player chose, with its cost and the player's estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedMove<M> {
    /// The side that made the move.
    pub side: Side,
    /// The move that was made.
    pub play: M,
    /// The player's estimate of the state for the side that moved, from −1 to 1; `None` without
    /// one.
    pub value: Option<f64>,
    /// Number of nodes visited or simulations run for this move, whichever is larger.
    pub nodes: u64,
    /// Time that the player took for this move.
    pub time: Duration,
}

/// A finished game with all its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame<M> {
    /// Moves of the opening, made before the players took over.
    pub opening: Vec<M>,
    /// Moves chosen by the players, in the order of play.
    pub plies: Vec<PlayedMove<M>>,
    /// How the game ended.
    pub end: GameEnd,
}

impl<M> PlayedGame<M> {
    /// Returns the number of plies of the game, including the opening.
    #[must_use]
    pub fn length(&self) -> usize {
        self.opening.len() + self.plies.len()
    }
}

/// Plays one game: first the moves of `opening`, then moves that the players choose. `players[0]`
/// plays the first side with `budgets[0]` per move. After `longest` plies the game is drawn.
pub fn play<G: Game<Outcome = Duel>>(
    g: &G,
    opening: &[G::Move],
    players: [&mut dyn Player<G>; 2],
    budgets: [Budget; 2],
    longest: usize,
) -> PlayedGame<G::Move> {
    let never = AtomicBool::new(false);
    play_or_stop(g, opening, players, budgets, longest, &never).expect("nothing stops the game")
}

/// Plays one game like [`play`]. Returns `None` if `stop` is set before the last move is chosen: the
/// search under way is stopped, and what it chose does not count.
pub fn play_or_stop<G: Game<Outcome = Duel>>(
    g: &G,
    opening: &[G::Move],
    players: [&mut dyn Player<G>; 2],
    budgets: [Budget; 2],
    longest: usize,
    stop: &AtomicBool,
) -> Option<PlayedGame<G::Move>> {
    let observer = StopOnFlag(stop);
    let (mut s, mut path) = (g.start(), GamePath::new());
    for &m in opening {
        path.play(g, &mut s, m);
    }
    let mut plies = Vec::new();
    let end = loop {
        let side = match path.status(g, &s) {
            // Rules that fail stop the run and end their games, which then do not count.
            Status::Over(_) if stop.load(Ordering::Relaxed) => return None,
            Status::Over(duel) => break GameEnd::Rules(duel),
            Status::Turn(_) if opening.len() + plies.len() >= longest => break GameEnd::Endless,
            Status::Turn(side) => side,
        };
        let began = Instant::now();
        let budget = budgets[side.index()];
        let request = MoveRequest { game: g, state: &s, path: &path, budget, observer: &observer };
        let chosen = players[side.index()].choose(&request);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        match chosen {
            Err(refusal) => break GameEnd::Forfeit { by: side, reason: refusal.to_string() },
            Ok(choice) => {
                plies.push(PlayedMove {
                    side,
                    play: choice.best,
                    value: choice.best_line().and_then(|line| line.value),
                    nodes: choice.nodes.max(choice.simulations),
                    time: began.elapsed(),
                });
                path.play(g, &mut s, choice.best);
            }
        }
    };
    Some(PlayedGame { opening: opening.to_vec(), plies, end })
}
