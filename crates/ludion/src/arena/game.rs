//! Plays one game between two players. A player that returns no legal move forfeits the game, and
//! the reason is kept.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::game::{Game, Side, Status};
use crate::outcome::{Duel, Wdl};
use crate::player::{Budget, MoveRequest, Player};

/// How a game of the arena ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameEnd {
    /// The game ended by its rules.
    Rules(Duel),
    /// A side returned no move and loses.
    Forfeit {
        /// The side that loses.
        by: Side,
        /// The reason.
        reason: String,
    },
    /// The game reached the ply limit, which is a draw.
    Endless,
}

impl GameEnd {
    /// Returns the result for the standings.
    #[must_use]
    pub fn duel(&self) -> Duel {
        match self {
            GameEnd::Rules(duel) => *duel,
            GameEnd::Forfeit { by, .. } => Duel::Won(by.other()),
            GameEnd::Endless => Duel::Drawn,
        }
    }

    /// Returns the score of a side: 1, ½ or 0.
    #[must_use]
    pub fn score(&self, side: Side) -> f64 {
        match self.duel().seen_by(side) {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        }
    }
}

/// One move of a game, with its cost and its player's estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedMove<M> {
    /// The side that moved.
    pub side: Side,
    /// The move.
    pub play: M,
    /// The player's estimated value for the side that moved.
    pub value: Option<f64>,
    /// Nodes visited or simulations run, whichever is more.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// A finished game with all its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame<M> {
    /// Moves of the opening, before the players took over.
    pub opening: Vec<M>,
    /// Moves chosen by the players.
    pub plies: Vec<PlayedMove<M>>,
    /// How the game ended.
    pub end: GameEnd,
}

impl<M> PlayedGame<M> {
    /// Returns the number of plies, including the opening.
    #[must_use]
    pub fn length(&self) -> usize {
        self.opening.len() + self.plies.len()
    }
}

/// Plays one game: first the moves of `opening`, then those that the players choose, `players[0]`
/// as the first side. After `longest` plies the game is a draw.
pub fn play<G: Game<Outcome = Duel>>(
    g: &G,
    opening: &[G::Move],
    players: [&mut dyn Player<G>; 2],
    budgets: [Budget; 2],
    longest: usize,
) -> PlayedGame<G::Move> {
    let mut s = g.start();
    for &m in opening {
        g.play(&mut s, m);
    }
    let mut plies = Vec::new();
    let end = loop {
        let side = match g.status(&s) {
            Status::Over(duel) => break GameEnd::Rules(duel),
            Status::Turn(_) if opening.len() + plies.len() >= longest => break GameEnd::Endless,
            Status::Turn(side) => side,
        };
        let began = Instant::now();
        let request = MoveRequest::new(g, &s, budgets[side.index()]);
        match players[side.index()].choose(&request) {
            Err(refusal) => break GameEnd::Forfeit { by: side, reason: refusal.to_string() },
            Ok(choice) => {
                plies.push(PlayedMove {
                    side,
                    play: choice.best,
                    value: choice.best_line().and_then(|line| line.value),
                    nodes: choice.nodes.max(choice.simulations),
                    time: began.elapsed(),
                });
                g.play(&mut s, choice.best);
            }
        }
    };
    PlayedGame { opening: opening.to_vec(), plies, end }
}
