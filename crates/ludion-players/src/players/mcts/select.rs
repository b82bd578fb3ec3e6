//! The selection formulas of a descent: φ of Mauffret and Pruvot (2019), UCB1 (Auer, Cesa-Bianchi &
//! Fischer 2002), and PUCT (Rosin 2011) with a prior. Of equal scores the first move is selected.
//!
//! UCB1 and PUCT explore less and less as visits grow: their exploration terms fall, while the gap
//! between two moves does not. After millions of visits nearly all of them go to one move, even if
//! another is better and needs many visits to show it. So in a search of more than [`GROWTH_FROM`]
//! simulations the exploration factor c is multiplied by [`growth_factor`]. Up to there the formulas
//! are unchanged. The factor depends on the simulations of the whole search, not on the visits of
//! each node: what a large search lacks is exploration in its many small nodes, where the replies
//! are that refute a move.
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
    /// parent's visits. With a policy, instead of the draw a result somewhat worse than the mean of
    /// the parent is added.
    Puct {
        /// Exploration factor: a larger value gives a broader search.
        c: f64,
    },
}

/// The number of simulations of a search beyond which exploration grows.
pub const GROWTH_FROM: u64 = 100_000;

/// Returns the factor of exploration in a search that has made this many simulations: 1 up to
/// [`GROWTH_FROM`], then (simulations / [`GROWTH_FROM`])^`growth`.
pub(super) fn growth_factor(simulations: u64, growth: f64) -> f32 {
    if simulations <= GROWTH_FROM {
        return 1.0;
    }
    (simulations as f64 / GROWTH_FROM as f64).powf(growth) as f32
}

/// The parent of the children among which a formula selects.
#[derive(Clone, Copy)]
pub(super) struct SelectionParent<'a> {
    /// Number of visits of the parent, in simulations.
    pub(super) visits: u32,
    /// Number that the statistics of the children count for one visit; see
    /// [`LeafEvaluation::visits_per_simulation`](super::leaf::LeafEvaluation).
    pub(super) unit: u32,
    /// The present [`growth_factor`] of the search.
    pub(super) growth: f32,
    /// The points that playouts of a puzzle reached.
    pub(super) range: &'a ObservedPointsRange,
    /// Whether the children have priors; otherwise all moves have the same.
    pub(super) has_prior: bool,
    /// The mean reward, from 0 to 1, that PUCT gives every child in advance, as one visit; 0.5 is that
    /// of a draw.
    pub(super) untried: f32,
}

impl SelectionFormula {
    /// Returns the index among `children` of the child to visit.
    #[inline]
    pub(super) fn select_child<S: NodeStats, M: Copy>(
        self,
        parent: SelectionParent<'_>,
        children: &[TreeNode<S, M>],
    ) -> u32 {
        let (range, visits) = (parent.range, parent.visits as f32);
        // Visits and rewards of the children are `unit` times as large, so the other terms of the
        // fractions are, too.
        let unit = parent.unit as f32;
        match self {
            SelectionFormula::Phi { a, b } => {
                let (a, b) = (unit * 2.0 * a as f32, unit * 2.0 * b as f32);
                first_best(children, range, |_, stats| (a + stats.won) / (b + 2.0 * stats.visits))
            }
            SelectionFormula::Puct { c } => {
                let spread = unit * 2.0 * c as f32 * parent.growth * visits.sqrt();
                let (given, draws) = (parent.untried * unit * 2.0, unit * 2.0);
                let score =
                    |a: f32, stats: SelectionStats| (a + stats.won) / (draws + 2.0 * stats.visits);
                if parent.has_prior {
                    first_best(children, range, |node, stats| {
                        score(given + spread * decode_prior(node.prior), stats)
                    })
                } else {
                    let a = unit + spread / children.len() as f32;
                    first_best(children, range, |_, stats| score(a, stats))
                }
            }
            SelectionFormula::Ucb1 { c } => {
                let c = c as f32 * parent.growth * unit.sqrt();
                let spread = larger(c * larger(visits, 1.0).ln().sqrt(), 1e-6);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exploration_grows_steadily_beyond_its_threshold() {
        for simulations in [0, 1, 1000, GROWTH_FROM] {
            assert_eq!(growth_factor(simulations, 0.65), 1.0);
        }
        assert_eq!(growth_factor(u64::MAX, 0.0), 1.0);
        assert!((growth_factor(10 * GROWTH_FROM, 0.5) - 10f32.sqrt()).abs() < 1e-5);
        let factors: Vec<f32> = (1..50).map(|k| growth_factor(k * GROWTH_FROM, 0.65)).collect();
        assert!(factors.is_sorted());
    }
}
