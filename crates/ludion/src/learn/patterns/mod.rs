//! A judgement by patterns: what stands on small groups of cells is looked up, weight by
//! weight, and the sum is the log-odds of winning (Buro's evaluation of Othello, 1998, as it
//! is used in draughts since). Weights are learned by logistic regression on games that the
//! judgement played against itself, round after round, from nothing.
//!
//! ```text
//! v(s) = Σ over patterns  w[pattern][what stands on it]  +  kings, counts, the move
//! P(the side to move wins) = 1 / (1 + e^−v)
//! ```
//!
//! Everything is seen by the side to move, on a board turned to it, so one set of weights
//! serves both sides: a state and the same with sides exchanged are worth the same to whoever
//! moves.

mod codes;
mod evaluator;
mod file;
mod indexer;
mod learner;
mod record;
mod self_play;
mod shape;
mod training;

#[cfg(test)]
mod tests;

pub use evaluator::PatternEvaluator;
pub use file::PatternFileError;
pub use indexer::PatternIndexer;
pub use learner::{AnyLearner, LearningOptions, PatternLearner};
pub use record::{SelfPlayGame, SelfPlayGameError};
pub use self_play::{SelfPlayOptions, play};
pub use shape::{PHASES, PatternShape};
pub use training::{PatternTraining, TrainedPatterns, TrainingExample, gradient, lessons, loss};

use crate::grid::GridGame;

/// Log-odds of one unit of a weight.
pub const UNIT: f32 = 1.0 / 1024.0;

/// Patterns with their weights.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternModel {
    /// The game it is for, by the shortest text that names it.
    pub game: String,
    /// What it looks at.
    pub shape: PatternShape,
    /// The weights of every phase in units of [`UNIT`]: those of the patterns, of kings by
    /// cell (mine, theirs), of counts (men and kings, mine and theirs), and of having the move.
    pub weights: Vec<i16>,
    /// How it was trained, for whoever wants to know.
    pub training: serde_json::Value,
}

impl PatternModel {
    /// A model of the game `g`, called `spec`, that knows nothing: all weights are 0.
    #[must_use]
    pub fn blank<G: GridGame>(g: &G, spec: &str, phases: u32) -> Self {
        let shape = PatternShape::suited(g, phases);
        let weights = vec![0; shape.weights()];
        PatternModel { game: spec.to_owned(), shape, weights, training: serde_json::Value::Null }
    }

    /// Whether it knows nothing.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 0)
    }
}
