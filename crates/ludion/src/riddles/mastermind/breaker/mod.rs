//! Code breakers: one guess, one answer, until the code is found.

pub mod advice;
pub mod codes;
pub mod conflict;
mod growth;
pub mod list_breaker;
pub mod optimal;
pub mod score;
pub mod search;
pub mod strategy;
pub mod symmetry;
pub mod tree;

use super::{Code, PegFeedback};

/// A guess and what was said to it.
pub type GuessAndFeedback = (Code, PegFeedback);

/// Somebody who guesses.
pub trait CodeBreaker: Send {
    /// Begins a game: what is random in it follows from the seed.
    fn begin(&mut self, seed: u64);

    /// The next guess after these questions and answers.
    ///
    /// # Errors
    /// When no code fits all the answers.
    fn guess(&mut self, asked: &[GuessAndFeedback]) -> Result<Code, NoCodeLeftError>;

    /// Whether the last guess was made without a code that fits all the answers: none was found,
    /// nor that there is none.
    fn at_a_loss(&self) -> bool {
        false
    }
}

/// No code fits the answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no code fits all the answers")]
pub struct NoCodeLeftError;
