//! One game between two players, refereed: the players choose, the rules decide. A player
//! that gives no move forfeits the game, with its reason kept.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::game::{Game, Side, Status};
use crate::outcome::{Duel, Wdl};
use crate::player::{Budget, MoveRequest, Player};

/// How a game in the arena ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameEnd {
    /// By the rules.
    Rules(Duel),
    /// A side gave no legal move and loses.
    Forfeit {
        /// The side that loses.
        by: Side,
        /// Why.
        reason: String,
    },
    /// More plies than allowed: a draw.
    Endless,
}

impl GameEnd {
    /// The result in the standings.
    #[must_use]
    pub fn duel(&self) -> Duel {
        match self {
            GameEnd::Rules(duel) => *duel,
            GameEnd::Forfeit { by, .. } => Duel::Won(by.other()),
            GameEnd::Endless => Duel::Drawn,
        }
    }

    /// What the game is worth to a side: 1, ½ or 0.
    #[must_use]
    pub fn score(&self, side: Side) -> f64 {
        match self.duel().seen_by(side) {
            Wdl::Win => 1.0,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.0,
        }
    }
}

/// One move of a game, with what it cost and what its player thought of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedMove<M> {
    /// Who moved.
    pub side: Side,
    /// The move.
    pub play: M,
    /// What the player thought it worth, for the side that moved.
    pub value: Option<f64>,
    /// States visited, or random games where the player counts those.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame<M> {
    /// Moves given to both before the players were asked.
    pub opening: Vec<M>,
    /// Moves the players chose.
    pub plies: Vec<PlayedMove<M>>,
    /// How it ended.
    pub end: GameEnd,
}

impl<M> PlayedGame<M> {
    /// All plies, the opening included.
    #[must_use]
    pub fn length(&self) -> usize {
        self.opening.len() + self.plies.len()
    }
}

/// Plays one game from the start: first the moves of `opening`, then what the players choose,
/// `players[0]` as the first side. After `longest` plies it is a draw.
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
        let turn = MoveRequest::new(g, &s, budgets[side.index()]);
        match players[side.index()].choose(&turn) {
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
