//! Simulated annealing: small changes of a code are accepted if they lower its energy (the
//! contradiction to the feedback), and otherwise with probability exp(−Δ / temperature), while the
//! temperature falls (Kirkpatrick, Gelatt & Vecchi, 1983).
//!
//! Once a consistent code is found, the search continues at a constant temperature and keeps the
//! consistent codes that it meets. The stationary distribution is proportional to exp(−energy /
//! temperature), so all consistent codes are equally likely in the long run.

use super::super::super::Code;
use super::consistency::ConsistentCodes;
use super::consistency::{History, energy, energy_after};
use ludion_core::random::Rng;
use ludion_core::riddle::Riddle;

/// Settings of simulated annealing: of the descents at falling temperature, which look for a first
/// consistent code, and of the walk at constant temperature, which looks for more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Annealing {
    /// Maximum number of descents, if none of them finds a consistent code.
    pub(super) descents: u64,
    /// Number of changes tried in the walk that looks for more consistent codes.
    pub(super) walk_steps: u64,
    /// Number of changes tried per descent.
    pub(super) descent_steps: u64,
    /// Temperature at the start of a descent.
    pub(super) start_temperature: f64,
    /// Temperature at the end of a descent.
    pub(super) end_temperature: f64,
    /// Temperature of the walk among consistent codes.
    pub(super) walk_temperature: f64,
}

/// Number of changes tried per descent, divided by the square of pegs × colours. Few long descents
/// find more than many short ones if codes are large.
const STEPS_PER_PAIR: u64 = 4;
/// Minimum number of changes tried per descent.
const MIN_DESCENT_STEPS: u64 = 200_000;
/// Maximum number of changes tried by all descents of one guess together.
const MAX_DESCENT_STEPS: u64 = 10_000_000;
/// Number of changes tried in the walk that looks for more consistent codes.
const WALK_STEPS: u64 = 1_000_000;
/// Maximum number of past guesses for which so many changes are tried; with more guesses, each change
/// takes longer, and fewer are tried.
const MAX_GUESSES_AT_FULL_EFFORT: u64 = 24;
/// Number of different temperatures in a descent, from the highest to the lowest.
const TEMPERATURE_LEVELS: u64 = 200;
/// Number of tabulated increases of energy, from 0; larger increases are always rejected.
const MAX_INCREASE: usize = 32;

/// Acceptance probability for each increase of energy, from 0, in units of 2⁻³².
struct AcceptanceProbabilities([u64; MAX_INCREASE]);

impl AcceptanceProbabilities {
    fn new(temperature: f64) -> Self {
        let probability =
            |up: usize| ((-(up as f64) / temperature).exp() * (1_u64 << 32) as f64) as u64;
        AcceptanceProbabilities(std::array::from_fn(probability))
    }

    fn accept(&self, up: i32, rng: &mut Rng) -> bool {
        up <= 0 || self.0.get(up as usize).is_some_and(|&threshold| rng.bits() >> 32 < threshold)
    }
}

impl Annealing {
    /// Returns settings for this history; temperatures and lengths were tuned on a few
    /// games.
    pub(super) fn new(past: &History) -> Self {
        let cells = (past.rules.pegs * past.rules.colours) as u64;
        let guesses = (past.lanes.width() as u64).max(MAX_GUESSES_AT_FULL_EFFORT);
        let limited = |steps: u64| steps * MAX_GUESSES_AT_FULL_EFFORT / guesses;
        let max = limited(MAX_DESCENT_STEPS);
        let descent_steps = (STEPS_PER_PAIR * cells * cells).max(MIN_DESCENT_STEPS).min(max);
        Annealing {
            descents: max / descent_steps,
            walk_steps: limited(WALK_STEPS),
            descent_steps,
            start_temperature: 1.0,
            end_temperature: 0.5,
            walk_temperature: 0.5,
        }
    }

    /// Searches for `wanted` consistent codes, starting from the consistent ones of `pool` or from
    /// random codes.
    pub(super) fn find(
        &self,
        past: &History,
        pool: &[Code],
        wanted: usize,
        rng: &mut Rng,
    ) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        for code in pool.iter().filter(|code| past.is_consistent(code)) {
            found.keep(code.clone());
        }
        for _ in 0..self.descents {
            if !found.codes.is_empty() {
                break;
            }
            let start = past.rules.draw_secret(rng);
            self.descend(past, start, &mut found, rng);
        }
        self.explore(past, &mut found, wanted, self.walk_steps, rng);
        found
    }

    /// Runs one descent at falling temperature from `start`, which ends early at a consistent code.
    /// Records in `found` that code, or else the nearest inconsistent code.
    fn descend(&self, past: &History, start: Code, found: &mut ConsistentCodes, rng: &mut Rng) {
        let mut tally = past.peg_counts(start);
        let mut now = energy(&tally);
        for stage in 0..TEMPERATURE_LEVELS {
            let progress = stage as f64 / (TEMPERATURE_LEVELS - 1) as f64;
            let acceptance = AcceptanceProbabilities::new(
                self.start_temperature
                    * (self.end_temperature / self.start_temperature).powf(progress),
            );
            for _ in 0..self.descent_steps / TEMPERATURE_LEVELS {
                if now == 0 {
                    found.keep(tally.code().clone());
                    return;
                }
                let Some(change) = tally.draw_change(&past.rules, rng) else { continue };
                let next = energy_after(&tally, change);
                if acceptance.accept(next - now, rng) {
                    tally.apply(change);
                    now = next;
                }
            }
            found.note_inconsistent(tally.code(), now);
        }
    }

    /// Walks at constant temperature from each of the codes found, in turn, and adds the last
    /// consistent code of each walk to `found`.
    fn explore(
        &self,
        past: &History,
        found: &mut ConsistentCodes,
        wanted: usize,
        walk_steps: u64,
        rng: &mut Rng,
    ) {
        let acceptance = AcceptanceProbabilities::new(self.walk_temperature);
        // Each walk gets an equal part of the steps, one part for each wanted code.
        let part = walk_steps / wanted.max(1) as u64;
        let mut from = 0;
        let mut left = walk_steps;
        while left >= part.max(1) && !found.codes.is_empty() && found.codes.len() < wanted {
            left -= part.max(1);
            let mut tally = past.peg_counts(found.codes[from % found.codes.len()].clone());
            from += 1;
            let (mut now, mut last) = (0, None);
            for _ in 0..part {
                let Some(change) = tally.draw_change(&past.rules, rng) else { continue };
                let next = energy_after(&tally, change);
                if acceptance.accept(next - now, rng) {
                    tally.apply(change);
                    now = next;
                    if now == 0 {
                        last = Some(tally.code().clone());
                    }
                }
            }
            if let Some(code) = last {
                found.keep(code);
            }
        }
    }
}
