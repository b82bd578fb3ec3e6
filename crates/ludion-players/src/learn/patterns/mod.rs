//! Pattern evaluators: each pattern, a small group of cells, has a weight for every content, and
//! the sum of the weights is the log-odds of winning (Buro's evaluation of Othello, 1998, since
//! used in draughts programs). The weights are trained by logistic regression on self-play games,
//! round after round, starting from zero.
//!
//! ```text
//! v(s) = Σ over patterns  w[pattern][its content]  +  kings, piece counts, having the move
//! P(the side to move wins) = 1 / (1 + e^−v)
//! ```
//!
//! The board is seen by the side to move, rotated if necessary, so one set of weights serves both
//! sides: a state and the same state with the sides swapped have the same value for the side to
//! move.

mod blended;
mod evaluator;
mod file;
mod indexer;
mod layout;
mod learner;
mod phased;
mod self_play;
mod self_play_game;
mod training;
mod value_cache;

#[cfg(test)]
mod tests;

pub use evaluator::PatternEvaluator;
pub use file::PatternFileError;
pub use indexer::PatternIndexer;
pub use layout::{MAX_PHASES, PatternLayout};
pub use learner::{AnyLearner, LearningOptions, PatternLearner, SelfPlayFn};
pub use self_play::{SelfPlayOptions, play, play_or_stop};
pub use self_play_game::{SelfPlayGame, SelfPlayGameError};
pub use training::{
    PatternTrainingOptions, PatternTrainingReport, TrainingExample, gradient, loss,
    training_examples,
};

use crate::grid::GridGame;

/// The log-odds of a weight of 1; weights are stored as integers.
pub const UNIT: f32 = 1.0 / 1024.0;

/// A pattern evaluator as data: patterns, their weights, and the record of their training.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternModel {
    /// The shortest spec of the model's game.
    pub game: String,
    /// The patterns of the board and the order of the weights.
    pub layout: PatternLayout,
    /// The weights in multiples of [`UNIT`], phase after phase. Each phase has the weights of the
    /// patterns, of kings by cell (own, then the opponent's), of the piece counts (own men,
    /// opponent's men, own kings, opponent's kings), and of being the side to move. In a balanced
    /// layout the weights of the opponent's pieces are those of own pieces, negated; there the
    /// counts are men, kings and having a king, and the features of the balance follow them.
    pub weights: Vec<i16>,
    /// The record of how the model was trained, as free-form JSON.
    pub training: serde_json::Value,
}

impl PatternModel {
    /// Returns an untrained model, in which all weights are 0, for the game `g` with spec `spec`.
    #[must_use]
    pub fn blank<G: GridGame>(g: &G, spec: &str, phases: u32) -> Self {
        let layout = PatternLayout::for_game(g, phases);
        let weights = vec![0; layout.weights()];
        PatternModel { game: spec.to_owned(), layout, weights, training: serde_json::Value::Null }
    }

    /// Returns whether the model is untrained, so that all weights are 0.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 0)
    }
}
