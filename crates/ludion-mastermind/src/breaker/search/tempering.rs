//! Parallel tempering (replica exchange): random walks among codes at several temperatures, each
//! with the stationary distribution exp(−energy / temperature). Neighbouring walks exchange their
//! codes with probability min(1, exp((1/T₁ − 1/T₂)·(E₁ − E₂))) (Hukushima & Nemoto, *Exchange Monte
//! Carlo Method*, 1996). Hot replicas cross barriers, cold ones descend into minima.
//!
//! Replicas are kept from guess to guess, because a code of low energy still has a low energy after
//! another feedback.

use super::super::super::Code;
use super::annealing_kernel::{AcceptanceThresholds, AnnealingState, GuessBytes};
use super::consistency::ConsistentCodes;
use super::consistency::History;
use ludion_core::random::Rng;
use ludion_core::riddle::Riddle;

/// Number of replicas. Their temperatures form a geometric sequence.
///
/// At the lowest temperature a replica soon meets a consistent code if there is one near its local
/// minimum; at the highest even the colours change freely. Neighbours are exchanged in two of five
/// attempts.
const REPLICAS: usize = 8;
/// Temperature of the coldest replica.
const MIN_TEMPERATURE: f64 = 0.27;
/// Temperature of the hottest replica.
const MAX_TEMPERATURE: f64 = 1.0;
/// Number of changes that a replica tries between two exchanges.
const STEPS_PER_ROUND: usize = 2000;
/// Maximum number of rounds for a guess; in a round every replica walks, then neighbours are
/// exchanged.
const ROUNDS: usize = 3000;
/// Number of blocks of past guesses up to which there are so many rounds.
const ROUND_BLOCKS: usize = 2;
/// Maximum number of rounds after the first consistent code is found.
const ROUNDS_AFTER_FIRST: usize = 500;
/// Number of coldest replicas whose codes are recorded after each round.
const RECORDED_REPLICAS: usize = 2;
/// Maximum number of recorded codes; then the oldest are overwritten.
const MAX_RECORDED: usize = 1000;

/// State of parallel tempering, kept from guess to guess of a game.
#[derive(Default)]
pub(super) struct ParallelTempering {
    /// Codes of the replicas, the coldest first.
    codes: Vec<Code>,
    /// Recorded codes of the coldest replicas, which contradict little feedback.
    near: Vec<Code>,
}

impl ParallelTempering {
    /// Returns the recorded codes of the coldest replicas, which are consistent or nearly so.
    pub(super) fn near(&self) -> &[Code] {
        &self.near
    }

    /// Searches for `wanted` consistent codes; the consistent codes of `pool` are included.
    pub(super) fn find(
        &mut self,
        past: &History,
        pool: &[Code],
        wanted: usize,
        rng: &mut Rng,
    ) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        pool.iter()
            .filter(|code| past.is_consistent(code))
            .for_each(|code| found.keep(code.clone()));
        self.codes.resize_with(REPLICAS, || past.rules.draw_secret(rng));
        self.near.clear();
        let bytes = GuessBytes::new(past);
        let temperatures: [f64; REPLICAS] = std::array::from_fn(temperature);
        let acceptance = temperatures.map(AcceptanceThresholds::new);
        let mut states: Vec<AnnealingState> =
            self.codes.iter().map(|code| AnnealingState::new(&bytes, code)).collect();
        let mut last = if found.codes.is_empty() { ROUNDS } else { ROUNDS_AFTER_FIRST };
        // Each further block of guesses makes a step longer.
        let rounds = ROUNDS * ROUND_BLOCKS / bytes.blocks().max(ROUND_BLOCKS);
        for round in 0..rounds {
            if round >= last || found.codes.len() >= wanted {
                break;
            }
            for (state, acceptance) in states.iter_mut().zip(&acceptance) {
                if let Some(code) = state.walk(&bytes, acceptance, STEPS_PER_ROUND, rng) {
                    found.keep(code);
                    last = last.min(round + ROUNDS_AFTER_FIRST);
                }
            }
            exchange_replicas(&mut states, &temperatures, round % 2, rng);
            self.record(&states, round);
        }
        for (code, state) in self.codes.iter_mut().zip(&states) {
            *code = state.code();
            if state.energy() > 0 {
                found.note_inconsistent(code, state.energy());
            }
        }
        found
    }

    /// Records the codes of the coldest replicas, overwriting the oldest records when there are too
    /// many.
    fn record(&mut self, states: &[AnnealingState], round: usize) {
        for (i, state) in states[..RECORDED_REPLICAS].iter().enumerate() {
            let place = (RECORDED_REPLICAS * round + i) % MAX_RECORDED;
            if place < self.near.len() {
                self.near[place] = state.code();
            } else {
                self.near.push(state.code());
            }
        }
    }
}

/// Returns the temperature of the replica with this index; the coldest has index 0.
fn temperature(walk: usize) -> f64 {
    MIN_TEMPERATURE * (MAX_TEMPERATURE / MIN_TEMPERATURE).powf(walk as f64 / (REPLICAS - 1) as f64)
}

/// Exchanges the codes of neighbouring replicas with the probability of parallel tempering. The
/// pairs of neighbours begin at the indices `first`, `first + 2`, and so on.
fn exchange_replicas(
    states: &mut [AnnealingState],
    temperatures: &[f64],
    first: usize,
    rng: &mut Rng,
) {
    for cold in (first..states.len() - 1).step_by(2) {
        let inverse_difference = 1.0 / temperatures[cold] - 1.0 / temperatures[cold + 1];
        let energy_difference = states[cold].energy() - states[cold + 1].energy();
        if rng.unit() < (inverse_difference * f64::from(energy_difference)).exp() {
            states.swap(cold, cold + 1);
        }
    }
}
