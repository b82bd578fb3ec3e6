//! A Metropolis-Hastings chain whose law in the long run is the Mallows law.
//!
//! Its state is an order of all m symbols, of which the first n are the word. A step proposes to
//! swap a place of the word with any other place, and accepts with `min(1, e^{−lambda·Δd})`. The
//! exact sampler is faster and needs no burn-in; the chain is here to be looked at.
//!
//! With lambda 0 and n = m every swap is accepted, and even and odd orders take turns: then there
//! is no law in the long run, and an even thinning sees half of the words alone.

use super::sampler::shuffle_front;
use crate::random::Rng;

/// A chain somewhere on its way.
#[derive(Clone, Debug)]
pub struct MallowsChain<'a> {
    centre: &'a [u16],
    order: Vec<u16>,
    /// The chances to accept a step that leads 0, 1 or 2 further away.
    acceptance: [f64; 3],
}

impl<'a> MallowsChain<'a> {
    /// Begins at a random word.
    pub(super) fn new(centre: &'a [u16], symbols: usize, lambda: f64, rng: &mut Rng) -> Self {
        let mut order: Vec<u16> = (0..symbols).map(|symbol| symbol as u16).collect();
        shuffle_front(&mut order, symbols, rng);
        let acceptance = [1.0, (-lambda).exp(), (-2.0 * lambda).exp()];
        MallowsChain { centre, order, acceptance }
    }

    /// The word the chain is at.
    #[must_use]
    pub fn word(&self) -> &[u16] {
        &self.order[..self.centre.len()]
    }

    /// One step, which may stay where it is.
    pub fn step(&mut self, rng: &mut Rng) {
        if self.order.len() < 2 {
            return;
        }
        let i = rng.below(self.centre.len());
        let other = rng.below(self.order.len() - 1);
        let j = if other < i { other } else { other + 1 };
        let before = self.differs(i) + self.differs(j);
        self.order.swap(i, j);
        let further = (self.differs(i) + self.differs(j)).saturating_sub(before);
        if further > 0 && rng.unit() >= self.acceptance[further] {
            self.order.swap(i, j);
        }
    }

    /// 1 for a place of the word that differs from the centre.
    fn differs(&self, place: usize) -> usize {
        usize::from(self.centre.get(place).is_some_and(|&symbol| symbol != self.order[place]))
    }
}
