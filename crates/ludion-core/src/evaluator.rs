//! The [`Evaluator`] trait: static evaluation of a state, without searching.

use crate::game::Game;

/// The value of a won game for evaluators and depth-limited searches. Values strictly between
/// −`WIN` and `WIN` are estimates; ±`WIN` is exact.
pub const WIN: i32 = 10_000;

/// Estimates the value of states in which the game is not over.
pub trait Evaluator<G: Game>: Send + Sync {
    /// Returns the estimated value of `s` for the side to move, strictly between −[`WIN`] and
    /// [`WIN`].
    fn value(&self, g: &G, s: &G::State) -> i32;

    /// Returns an upper bound on the absolute value of every estimate.
    fn max_abs_value(&self) -> i32 {
        WIN - 1
    }
}

/// An evaluator that returns 0 for every state.
#[derive(Clone, Copy, Default, Debug)]
pub struct ZeroEvaluator;

impl<G: Game> Evaluator<G> for ZeroEvaluator {
    #[inline]
    fn value(&self, _g: &G, _s: &G::State) -> i32 {
        0
    }

    #[inline]
    fn max_abs_value(&self) -> i32 {
        0
    }
}
