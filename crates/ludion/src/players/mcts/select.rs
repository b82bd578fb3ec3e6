//! Which child a descent goes to: φ of Mauffret and Pruvot (2019), UCB1 (Auer, Cesa-Bianchi &
//! Fischer 2002), or PUCT (Rosin 2011) with a prior. Ties go to the first move.
//!
//! A descent spends most of its time here, so there is no branch in the loop over the
//! children: a proven result enters as a factor that outweighs any count. What is proven
//! is visited only when all is, for there is nothing more to learn.

use crate::search::rewards::{NodeStats, NodeSummary, RewardRange};
use crate::search::tree::{TreeNode, decode_prior};

/// The formula a descent maximises; W points of 0 to 2 a visit, n visits, N of the parent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SelectionFormula {
    /// (2a + W) / (2b + 2n): their φ, whose C counts two a visit.
    Phi {
        /// What a move is given beforehand; more of it makes a broader search.
        a: f64,
        /// What its visits are given beforehand.
        b: f64,
    },
    /// W/2n + c √(ln N / n); a move never tried comes first.
    Ucb1 {
        /// Weight of exploration.
        c: f64,
    },
    /// (1 + W) / (2 + 2n) + c P √N / (1 + n) with a prior P: the mean with one draw
    /// beforehand, so that it is φ with an `a` that grows with the parent's visits.
    Puct {
        /// Weight of exploration.
        c: f64,
    },
}

impl SelectionFormula {
    /// Which of the `children` of a node with `visits` to try. Without a prior all moves
    /// are alike beforehand.
    #[inline]
    pub(super) fn pick<S: NodeStats, M: Copy>(
        self,
        visits: u32,
        scale: &RewardRange,
        children: &[TreeNode<S, M>],
        prior: bool,
    ) -> u32 {
        match self {
            SelectionFormula::Phi { a, b } => {
                let (a, b) = (2.0 * a as f32, 2.0 * b as f32);
                first_best(children, scale, |_, look| (a + look.won) / (b + 2.0 * look.visits))
            }
            SelectionFormula::Puct { c } => {
                let spread = 2.0 * c as f32 * (visits as f32).sqrt();
                let score = |a: f32, look: NodeSummary| (a + look.won) / (2.0 + 2.0 * look.visits);
                if prior {
                    first_best(children, scale, |node, look| {
                        score(1.0 + spread * decode_prior(node.prior), look)
                    })
                } else {
                    let a = 1.0 + spread / children.len() as f32;
                    first_best(children, scale, |_, look| score(a, look))
                }
            }
            SelectionFormula::Ucb1 { c } => {
                let spread = larger(c as f32 * (visits.max(1) as f32).ln().sqrt(), 1e-6);
                first_best(children, scale, |_, look| {
                    // A move never tried has so few visits that it comes before all others.
                    let n = larger(look.visits, 1e-20);
                    0.5 * look.won / n + spread / n.sqrt()
                })
            }
        }
    }
}

/// The first of greatest score. Scores are not negative, so their bits are in their order
/// and share a word with the place: one comparison settles both.
#[inline]
fn first_best<S: NodeStats, M: Copy>(
    children: &[TreeNode<S, M>],
    scale: &RewardRange,
    score: impl Fn(&TreeNode<S, M>, NodeSummary) -> f32,
) -> u32 {
    let mut best = 0;
    for (i, node) in (0u32..).zip(children) {
        let look = node.stats.look(scale);
        let score = score(node, look) * look.factor;
        best = best.max(u64::from(score.to_bits()) << 32 | u64::from(!i));
    }
    !(best as u32)
}

/// The larger of two numbers in one instruction, which `f32::max` is not.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
