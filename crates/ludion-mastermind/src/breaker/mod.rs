//! Code breakers: strategies that find the secret of Mastermind by guesses and feedback.

pub mod advice;
pub mod codes;
pub mod conflict;
pub mod exhaustive;
pub mod optimal;
pub mod score;
pub mod search;
pub mod strategy;
pub mod symmetry;
pub mod tree;

use super::{Code, PegFeedback};

/// A guess and the feedback to it.
pub type GuessAndFeedback = (Code, PegFeedback);

/// A strategy that plays Mastermind by making guesses.
pub trait CodeBreaker: Send {
    /// Starts a new game, in which all random choices follow from `seed`.
    fn begin(&mut self, seed: u64);

    /// Returns the next guess after this history.
    ///
    /// # Errors
    /// Returns an error if no code is consistent with the history.
    fn guess(&mut self, history: &[GuessAndFeedback]) -> Result<Code, NoCodeLeftError>;

    /// Returns whether the last guess was made without knowing a code that is consistent with all
    /// feedback; such a code may still exist.
    fn no_consistent_code(&self) -> bool {
        false
    }
}

/// Error returned when no code is consistent with all feedback.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no code fits all the answers")]
pub struct NoCodeLeftError;
