//! Pattern evaluators: each pattern, a small group of cells, has a weight for every content, and
//! the sum of the weights is the log-odds of winning (Buro's evaluation of Othello, 1998, since
//! used in draughts programs). The weights are trained by logistic regression on games of
//! self-play, round after round, starting from zero.
//!
//! ```text
//! v(s) = Σ over patterns  w[pattern][its content]  +  kings, piece counts, having the move
//! P(the side to move wins) = 1 / (1 + e^−v)
//! ```
//!
//! The board is seen by the side to move, rotated if necessary, so one set of weights serves both
//! sides: a state and the same state with the sides swapped have the same value for the side to
//! move.

mod evaluator;
mod file;
mod indexer;
mod layout;
mod learner;
mod self_play;
mod self_play_game;
mod training;
mod varint;

#[cfg(test)]
mod tests;

pub use evaluator::PatternEvaluator;
pub use file::PatternFileError;
pub use indexer::PatternIndexer;
pub use layout::{MAX_PHASES, PatternLayout};
pub use learner::{AnyLearner, LearningOptions, PatternLearner};
pub use self_play::{SelfPlayOptions, play};
pub use self_play_game::{SelfPlayGame, SelfPlayGameError};
pub use training::{
    PatternTrainingOptions, PatternTrainingReport, TrainingExample, gradient, loss,
    training_examples,
};

use crate::grid::GridGame;

/// The log-odds of one unit of a weight; weights are stored as integers.
pub const UNIT: f32 = 1.0 / 1024.0;

/// A pattern evaluator as data: patterns with their weights.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternModel {
    /// The shortest spec of the game.
    pub game: String,
    /// The patterns and the order of their weights.
    pub layout: PatternLayout,
    /// The weights of each phase, in units of [`UNIT`]: those of the patterns, of kings by cell
    /// (own, the opponent's), of the piece counts (men and kings, own and the opponent's), and of
    /// having the move.
    pub weights: Vec<i16>,
    /// A free-form record of how the model was trained.
    pub training: serde_json::Value,
}

impl PatternModel {
    /// Returns an untrained model for the game `g` with spec `spec`: all weights are 0.
    #[must_use]
    pub fn blank<G: GridGame>(g: &G, spec: &str, phases: u32) -> Self {
        let layout = PatternLayout::for_game(g, phases);
        let weights = vec![0; layout.weights()];
        PatternModel { game: spec.to_owned(), layout, weights, training: serde_json::Value::Null }
    }

    /// Returns whether the model is untrained: all weights are 0.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 0)
    }
}
