//! A Metropolis-Hastings chain whose stationary distribution is the Mallows distribution.
//!
//! Its state is an order of all m symbols, of which the first n are the word. A step proposes to
//! swap a place of the word with any other place, and accepts with probability `min(1,
//! e^{−lambda·Δd})`. The exact sampler is faster and needs no burn-in; the chain exists to study
//! its convergence.
//!
//! With lambda 0 and n = m every swap is accepted, and even and odd permutations alternate: the
//! chain is periodic, and an even thinning sees only half of the words.

use super::sampler::shuffle_front;
use ludion_core::random::Rng;

/// A Metropolis-Hastings chain whose stationary distribution is a Mallows distribution.
#[derive(Clone, Debug)]
pub struct MallowsChain<'a> {
    centre: &'a [u16],
    order: Vec<u16>,
    /// Acceptance probabilities of steps that increase the distance to the centre by 0, 1 or 2.
    acceptance: [f64; 3],
}

impl<'a> MallowsChain<'a> {
    /// Starts a chain at a uniformly random word of distinct symbols.
    pub(super) fn new(centre: &'a [u16], symbols: usize, lambda: f64, rng: &mut Rng) -> Self {
        let mut order: Vec<u16> = (0..symbols).map(|symbol| symbol as u16).collect();
        shuffle_front(&mut order, symbols, rng);
        let acceptance = [1.0, (-lambda).exp(), (-2.0 * lambda).exp()];
        MallowsChain { centre, order, acceptance }
    }

    /// Returns the current word of the chain, a sequence of distinct symbols.
    #[must_use]
    pub fn word(&self) -> &[u16] {
        &self.order[..self.centre.len()]
    }

    /// Makes one step of the chain: proposes a swap of two symbols, and accepts or rejects it.
    pub fn step(&mut self, rng: &mut Rng) {
        if self.order.len() < 2 {
            return;
        }
        let i = rng.below(self.centre.len());
        let other = rng.below(self.order.len() - 1);
        let j = if other < i { other } else { other + 1 };
        let before = self.differs(i) + self.differs(j);
        self.order.swap(i, j);
        let increase = (self.differs(i) + self.differs(j)).saturating_sub(before);
        if increase > 0 && rng.unit() >= self.acceptance[increase] {
            self.order.swap(i, j);
        }
    }

    /// Returns 1 if the current word and the centre have different symbols at this place, else 0;
    /// also 0 for places beyond the end of the word.
    fn differs(&self, place: usize) -> usize {
        usize::from(self.centre.get(place).is_some_and(|&symbol| symbol != self.order[place]))
    }
}
