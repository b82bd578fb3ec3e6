//! The [`Evaluator`] trait: static evaluation of a state, without searching.

use crate::game::Game;
use crate::outcome::Wdl;
use crate::policy::PolicyEvaluator;

/// The value of a won game for evaluators and depth-limited searches. Values strictly between
/// −`WIN` and `WIN` are estimates; ±`WIN` is exact.
pub const WIN: i32 = 10_000;

/// Estimates the value of states in which the game is not over.
pub trait Evaluator<G: Game>: Send + Sync {
    /// Returns the estimated value of `s` for the side to move, strictly between −[`WIN`] and
    /// [`WIN`].
    fn value(&self, g: &G, s: &G::State) -> i32;

    /// Returns the value of `s` like [`value`](Self::value) if it lies inside the window from
    /// `alpha` to `beta`. Otherwise the result may be a bound: at most `alpha` if the value is too
    /// low, at least `beta` if it is too high. `moves` is a buffer; its contents stay as they were.
    /// An evaluator that searches overrides it.
    #[inline]
    fn value_within(
        &self,
        g: &G,
        s: &G::State,
        window: (i32, i32),
        moves: &mut Vec<G::Move>,
    ) -> i32 {
        let _ = (window, moves);
        self.value(g, s)
    }

    /// Returns whether `s` is so unsettled that the evaluator searches on before it estimates, for
    /// example because a capture is compulsory. Selective searches do not reduce moves to such states.
    #[inline]
    fn is_noisy(&self, g: &G, s: &G::State) -> bool {
        let _ = (g, s);
        false
    }

    /// Returns whether the opponent of the side to move threatens to capture in `s`, so that an
    /// estimate before the next move is unreliable. Selective searches do not prune by it.
    #[inline]
    fn is_threatened(&self, g: &G, s: &G::State) -> bool {
        let _ = (g, s);
        false
    }

    /// Returns whether [`known_result`](Self::known_result) knows any results.
    fn knows_results(&self) -> bool {
        false
    }

    /// Returns the result of `s` for the side to move if the evaluator knows it for certain, such as
    /// from an endgame table. A search then considers only root moves that keep it, and takes the value
    /// of a known position instead of searching on.
    fn known_result(&self, g: &G, s: &G::State) -> Option<Wdl> {
        let _ = (g, s);
        None
    }

    /// Returns the expected result of the game from `s` for the side to move, from −1 (loss) to 1
    /// (win), for searches that average results, such as `mcts(eval=…)`. By default it is
    /// proportional to the value. An evaluator whose values have another unit, such as a hundredth
    /// of a man, overrides it, usually with [`expected_result`].
    fn expected_result(&self, g: &G, s: &G::State) -> f64 {
        f64::from(self.value(g, s)) / f64::from(WIN)
    }

    /// Returns the evaluator as one that estimates policies, too; `None` if it estimates values only.
    fn as_policy(&self) -> Option<&dyn PolicyEvaluator> {
        None
    }

    /// Returns the value of a clear advantage, such as a man in draughts. Selective searches scale
    /// their margins by it.
    fn unit(&self) -> i32 {
        WIN / 10
    }

    /// Returns an upper bound on the absolute value of every estimate.
    fn max_abs_value(&self) -> i32 {
        WIN - 1
    }
}

/// Returns v/√(v² + `scale`²) for the value v: an expected result between −1 and 1 that grows with
/// the value, and is 0.71 at `scale`.
#[inline]
#[must_use]
pub fn expected_result(value: i32, scale: f64) -> f64 {
    let value = f64::from(value);
    value / value.hypot(scale)
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
