//! Which child a descent goes to: φ of seed 003, UCB1 (Auer, Cesa-Bianchi & Fischer), or
//! PUCT (Rosin) with a prior. Ties go to the first move.

use crate::outcome::Verdict;
use crate::search::score::{Look, Scale, Stats};
use crate::search::tree::{Node, decode_prior};

/// The formula a descent maximises; W points of 0 to 2 a visit, n visits, N of the parent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Select {
    /// (2a + W) / (2b + 2n): the seed's φ, whose C counts two a visit.
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
    /// W/2n + c P √N / (1 + n) with a prior P; a move never tried counts as an even one.
    Puct {
        /// Weight of exploration.
        c: f64,
    },
}

/// The value of a move never tried, for PUCT.
const EVEN: f32 = 0.5;

impl Select {
    /// Which of the `children` of a node with `visits` to try.
    #[inline]
    pub(super) fn pick<'t, S: Stats + 't, M: Copy + 't>(
        self,
        visits: u32,
        scale: &Scale,
        children: impl Iterator<Item = &'t Node<S, M>>,
    ) -> u32 {
        let looks = children.map(|node| (node.stats.look(scale), node.prior));
        match self {
            Select::Phi { a, b } => {
                let (a, b) = (2.0 * a as f32, 2.0 * b as f32);
                first_best(looks, |look, _| (a + look.won) / (b + 2.0 * look.visits))
            }
            Select::Ucb1 { c } => {
                let spread = c as f32 * (visits.max(1) as f32).ln().sqrt();
                first_best(looks, |look, _| {
                    if look.visits > 0.0 {
                        0.5 * look.won / look.visits + spread / look.visits.sqrt()
                    } else {
                        f32::MAX / 2.0
                    }
                })
            }
            Select::Puct { c } => {
                let spread = c as f32 * (visits as f32).sqrt();
                first_best(looks, |look, prior| {
                    let mean = if look.visits > 0.0 { 0.5 * look.won / look.visits } else { EVEN };
                    mean + spread * decode_prior(prior) / (1.0 + look.visits)
                })
            }
        }
    }
}

/// The first of greatest score; one that is proven lost only when all are. Scores are not
/// negative, so their bits are in their order and share a word with the place.
#[inline]
fn first_best(looks: impl Iterator<Item = (Look, u8)>, score: impl Fn(Look, u8) -> f32) -> u32 {
    let key = |(i, (look, prior)): (u32, (Look, u8))| {
        let score = match look.proof {
            Some(Verdict::Loss) => 0.0,
            Some(Verdict::Win) => f32::MAX,
            _ => score(look, prior).max(f32::MIN_POSITIVE),
        };
        u64::from(score.to_bits()) << 32 | u64::from(!i)
    };
    !((0..).zip(looks).map(key).fold(0, u64::max) as u32)
}
