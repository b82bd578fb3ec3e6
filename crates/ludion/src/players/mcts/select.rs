//! The selection formulas of a descent: φ of Mauffret and Pruvot (2019), UCB1 (Auer, Cesa-Bianchi &
//! Fischer 2002), and PUCT (Rosin 2011) with a prior. Of equal scores the first move is selected.
//!
//! Descents spend most of their time here, so the loop over the children has no branches: a proven
//! result enters as a factor that outweighs any statistics. A child that is proven a draw or loss
//! is selected only if all children are proven, because there is nothing more to learn about it.

use crate::search::rewards::{NodeStats, ObservedPointsRange, SelectionStats};
use crate::search::tree::{TreeNode, decode_prior};

/// The formula that a descent maximises to select a child. W is the sum of the child's rewards,
/// from 0 to 2 per visit, n the number of its visits, and N the number of its parent's visits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SelectionFormula {
    /// φ = (2a + W) / (2b + 2n), the formula of Mauffret and Pruvot; they write C for 2n.
    Phi {
        /// Wins that every move is given in advance; a larger value gives a broader search.
        a: f64,
        /// Visits that every move is given in advance.
        b: f64,
    },
    /// UCB1: W/2n + c √(ln N / n). Moves without visits come first.
    Ucb1 {
        /// Exploration factor: a larger value gives a broader search.
        c: f64,
    },
    /// PUCT with the prior P of the move: (1 + W) / (2 + 2n) + c P √N / (1 + n). The first term is
    /// the mean reward with one draw added, so the formula is φ with an `a` that grows with the
    /// parent's visits.
    Puct {
        /// Exploration factor: a larger value gives a broader search.
        c: f64,
    },
}

impl SelectionFormula {
    /// Returns the index among `children` of the child to visit. `visits` are those of the parent.
    /// If `prior` is false, all moves have the same prior.
    #[inline]
    pub(super) fn select_child<S: NodeStats, M: Copy>(
        self,
        visits: u32,
        range: &ObservedPointsRange,
        children: &[TreeNode<S, M>],
        prior: bool,
    ) -> u32 {
        match self {
            SelectionFormula::Phi { a, b } => {
                let (a, b) = (2.0 * a as f32, 2.0 * b as f32);
                first_best(children, range, |_, stats| (a + stats.won) / (b + 2.0 * stats.visits))
            }
            SelectionFormula::Puct { c } => {
                let spread = 2.0 * c as f32 * (visits as f32).sqrt();
                let score =
                    |a: f32, stats: SelectionStats| (a + stats.won) / (2.0 + 2.0 * stats.visits);
                if prior {
                    first_best(children, range, |node, stats| {
                        score(1.0 + spread * decode_prior(node.prior), stats)
                    })
                } else {
                    let a = 1.0 + spread / children.len() as f32;
                    first_best(children, range, |_, stats| score(a, stats))
                }
            }
            SelectionFormula::Ucb1 { c } => {
                let spread = larger(c as f32 * (visits.max(1) as f32).ln().sqrt(), 1e-6);
                first_best(children, range, |_, stats| {
                    // The visits of an untried move are replaced by a tiny number, so that it comes
                    // before all others.
                    let n = larger(stats.visits, 1e-20);
                    0.5 * stats.won / n + spread / n.sqrt()
                })
            }
        }
    }
}

/// Returns the index of the first child with the greatest score. Scores are not negative, so their
/// bits sort as integers. Score and index share a 64-bit word, so that one comparison decides both.
#[inline]
fn first_best<S: NodeStats, M: Copy>(
    children: &[TreeNode<S, M>],
    range: &ObservedPointsRange,
    score: impl Fn(&TreeNode<S, M>, SelectionStats) -> f32,
) -> u32 {
    let mut best = 0;
    for (i, node) in (0u32..).zip(children) {
        let stats = node.stats.summary(range);
        let score = score(node, stats) * stats.factor;
        best = best.max(u64::from(score.to_bits()) << 32 | u64::from(!i));
    }
    !(best as u32)
}

/// Returns the larger of two numbers. It compiles to one instruction; `f32::max` needs more because
/// of NaN.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
