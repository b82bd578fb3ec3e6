//! The selection formulas of a descent: φ of Mauffret and Pruvot (2019), UCB1 (Auer, Cesa-Bianchi &
//! Fischer 2002), and PUCT (Rosin 2011) with a prior. Ties go to the first move.
//!
//! Descents spend most of their time here, so the loop over the children has no branches: a proven
//! result enters as a factor that outweighs any statistics. Proven children are selected only if
//! all are proven, because there is nothing more to learn about them.

use crate::search::rewards::{NodeStats, NodeSummary, RewardRange};
use crate::search::tree::{TreeNode, decode_prior};

/// The formula that a descent maximises, with W rewards of 0 to 2 per visit, n visits, and N visits
/// of the parent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SelectionFormula {
    /// φ = (2a + W) / (2b + 2n) of Mauffret and Pruvot, whose C is 2n.
    Phi {
        /// Prior wins of a move; a larger value gives a broader search.
        a: f64,
        /// Prior visits of a move.
        b: f64,
    },
    /// W/2n + c √(ln N / n); untried moves come first.
    Ucb1 {
        /// Exploration factor.
        c: f64,
    },
    /// (1 + W) / (2 + 2n) + c P √N / (1 + n) with a prior P: the mean with one draw added, so that
    /// it is φ with an `a` that grows with the parent's visits.
    Puct {
        /// Exploration factor.
        c: f64,
    },
}

impl SelectionFormula {
    /// Returns the index of the child to visit, of a node with `visits` visits. Without `prior` all
    /// moves have the same prior.
    #[inline]
    pub(super) fn select_child<S: NodeStats, M: Copy>(
        self,
        visits: u32,
        range: &RewardRange,
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
                    |a: f32, stats: NodeSummary| (a + stats.won) / (2.0 + 2.0 * stats.visits);
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
                    // An untried move gets so few visits that it comes before all others.
                    let n = larger(stats.visits, 1e-20);
                    0.5 * stats.won / n + spread / n.sqrt()
                })
            }
        }
    }
}

/// Returns the index of the first child with the greatest score. Scores are not negative, so their
/// bits sort as integers and share a word with the index: one comparison decides both.
#[inline]
fn first_best<S: NodeStats, M: Copy>(
    children: &[TreeNode<S, M>],
    range: &RewardRange,
    score: impl Fn(&TreeNode<S, M>, NodeSummary) -> f32,
) -> u32 {
    let mut best = 0;
    for (i, node) in (0u32..).zip(children) {
        let stats = node.stats.summary(range);
        let score = score(node, stats) * stats.factor;
        best = best.max(u64::from(score.to_bits()) << 32 | u64::from(!i));
    }
    !(best as u32)
}

/// Returns the larger of two numbers in one instruction; `f32::max` needs more.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
