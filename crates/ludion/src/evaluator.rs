//! Judging a state without searching.

use crate::game::Game;

/// A won game on the scale of evaluators and depth-limited searches. A value strictly
/// between −`WIN` and `WIN` is an opinion; ±`WIN` is certainty.
pub const WIN: i32 = 10_000;

/// Judges states in which the game goes on.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What `s` is worth to the side to move, strictly between −[`WIN`] and [`WIN`].
    fn value(&self, g: &G, s: &G::State) -> i32;

    /// No value is farther from 0 than this.
    fn most(&self) -> i32 {
        WIN - 1
    }
}

/// Knows nothing: every unfinished game is worth 0.
#[derive(Clone, Copy, Default, Debug)]
pub struct ZeroEvaluator;

impl<G: Game> Evaluator<G> for ZeroEvaluator {
    #[inline]
    fn value(&self, _g: &G, _s: &G::State) -> i32 {
        0
    }

    #[inline]
    fn most(&self) -> i32 {
        0
    }
}
