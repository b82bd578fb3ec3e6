//! Replica exchange: walks at several temperatures side by side, each in balance for
//! exp(−energy / temperature), of which neighbours change places with probability
//! min(1, exp((1/T₁ − 1/T₂)·(E₁ − E₂))) (Hukushima & Nemoto, *Exchange Monte Carlo Method*, 1996).
//! The hot ones cross from valley to valley, the cold ones look for their bottom.
//!
//! The walks outlive a move: what was near the secret before an answer is near it after.

use super::super::super::Code;
use super::byte_kernel::{AcceptanceOdds, AnnealingState, GuessBytes};
use super::consistent::ConsistentCodes;
use super::history::History;
use crate::random::Rng;
use crate::riddle::Riddle;

/// Walks, and the temperatures of the first and the last; those between are in geometric
/// progression. At the coldest a code that fits is met as soon as its valley is, at the hottest
/// even the colours of a code change freely; neighbours change places in two of five attempts.
const WALKS: usize = 8;
const COLDEST: f64 = 0.27;
const HOTTEST: f64 = 1.0;
/// Changes tried by a walk between two exchanges.
const STRETCH: usize = 2000;
/// Rounds of all walks in a move, and after the first consistent code.
const ROUNDS: usize = 1500;
const MORE_ROUNDS: usize = 250;
/// Walks whose codes are remembered, the coldest, and how many of these codes.
const REMEMBERED_WALKS: usize = 2;
const REMEMBERED: usize = 1000;

/// Walks that live as long as a game.
#[derive(Default)]
pub(super) struct ParallelTempering {
    /// Where the walks are, the coldest first.
    codes: Vec<Code>,
    /// The last codes of the coldest walks of a move: few answers contradict them.
    near: Vec<Code>,
}

impl ParallelTempering {
    /// The last codes of the coldest walks, consistent or nearly so.
    pub(super) fn near(&self) -> &[Code] {
        &self.near
    }

    /// Looks for consistent codes beside those of `pool` that are.
    pub(super) fn find(
        &mut self,
        past: &History,
        pool: &[Code],
        wanted: usize,
        rng: &mut Rng,
    ) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        pool.iter().filter(|code| past.fits(code)).for_each(|code| found.keep(code.clone()));
        self.codes.resize_with(WALKS, || past.rules.draw_secret(rng));
        self.near.clear();
        let bytes = GuessBytes::new(past);
        let temperatures: [f64; WALKS] = std::array::from_fn(temperature);
        let chances = temperatures.map(AcceptanceOdds::new);
        let mut walkers: Vec<AnnealingState> =
            self.codes.iter().map(|code| AnnealingState::new(&bytes, code)).collect();
        let mut last = if found.codes.is_empty() { ROUNDS } else { MORE_ROUNDS };
        for round in 0..ROUNDS {
            if round >= last || found.codes.len() >= wanted {
                break;
            }
            for (walker, chances) in walkers.iter_mut().zip(&chances) {
                if let Some(code) = walker.walk(&bytes, chances, STRETCH, rng) {
                    found.keep(code);
                    last = last.min(round + MORE_ROUNDS);
                }
            }
            exchange(&mut walkers, &temperatures, round % 2, rng);
            self.remember(&walkers, round);
        }
        for (code, walker) in self.codes.iter_mut().zip(&walkers) {
            *code = walker.code();
            if walker.energy() > 0 {
                found.see(code, walker.energy());
            }
        }
        found
    }

    /// Keeps the codes of the coldest walks in the places of the oldest.
    fn remember(&mut self, walkers: &[AnnealingState], round: usize) {
        for (i, walker) in walkers[..REMEMBERED_WALKS].iter().enumerate() {
            let place = (REMEMBERED_WALKS * round + i) % REMEMBERED;
            if place < self.near.len() {
                self.near[place] = walker.code();
            } else {
                self.near.push(walker.code());
            }
        }
    }
}

/// The temperature of a walk.
fn temperature(walk: usize) -> f64 {
    COLDEST * (HOTTEST / COLDEST).powf(walk as f64 / (WALKS - 1) as f64)
}

/// Lets every second pair of neighbours change places, if chance wills.
fn exchange(walkers: &mut [AnnealingState], temperatures: &[f64], first: usize, rng: &mut Rng) {
    for cold in (first..walkers.len() - 1).step_by(2) {
        let colder = 1.0 / temperatures[cold] - 1.0 / temperatures[cold + 1];
        let higher = walkers[cold].energy() - walkers[cold + 1].energy();
        if rng.unit() < (colder * f64::from(higher)).exp() {
            walkers.swap(cold, cold + 1);
        }
    }
}
