//! Annealing: small changes of a code, accepted when they lower the energy, else with
//! probability exp(−Δ / temperature), while the temperature falls (Kirkpatrick, Gelatt & Vecchi,
//! 1983). Once a consistent code is found, the walk goes on at a constant temperature and keeps
//! what it meets: the chain is in balance for exp(−energy / temperature), so that all consistent
//! codes are equally likely in the long run.

use super::super::super::{Code, Mastermind};
use super::consistent::ConsistentCodes;
use super::history::{History, energy, energy_after};
use crate::random::Rng;
use crate::riddle::Riddle;

/// The temperatures and the length of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Annealing {
    /// Most descents for the first consistent code.
    pub(super) descents: u64,
    /// Changes tried to find more of them.
    pub(super) steps: u64,
    /// Changes tried by one descent.
    pub(super) descent: u64,
    /// Temperature at its beginning.
    pub(super) hot: f64,
    /// Temperature at its end.
    pub(super) cold: f64,
    /// Temperature of the walk among consistent codes.
    pub(super) walk: f64,
}

/// Changes tried by one descent for every pair of cells, a cell being a colour of a peg, and in
/// a small riddle. Few long descents find more than many short ones where codes are large.
const PER_PAIR: u64 = 4;
const SHORTEST: u64 = 200_000;
/// Changes tried by all descents of a move.
const DESCENTS: u64 = 10_000_000;
/// The temperature falls so many times in a descent.
const STAGES: u64 = 200;
/// Differences of energy with a chance of their own; larger ones have none.
const STEPS_UP: usize = 32;

/// Chances to go up by each difference of energy, of 2³².
struct AcceptanceOdds([u64; STEPS_UP]);

impl AcceptanceOdds {
    fn new(temperature: f64) -> Self {
        let chance = |up: usize| ((-(up as f64) / temperature).exp() * (1_u64 << 32) as f64) as u64;
        AcceptanceOdds(std::array::from_fn(chance))
    }

    fn accept(&self, up: i32, rng: &mut Rng) -> bool {
        up <= 0 || self.0.get(up as usize).is_some_and(|&chance| rng.bits() >> 32 < chance)
    }
}

impl Annealing {
    /// The settings for a size: temperatures and lengths were chosen on a few games.
    pub(super) fn new(rules: &Mastermind) -> Self {
        let cells = (rules.pegs * rules.colours) as u64;
        let descent = (PER_PAIR * cells * cells).clamp(SHORTEST, DESCENTS);
        Annealing {
            descents: DESCENTS / descent,
            steps: 1_000_000,
            descent,
            hot: 1.0,
            cold: 0.5,
            walk: 0.5,
        }
    }

    /// Looks for consistent codes from those of `pool` that are, or from nowhere.
    pub(super) fn find(
        &self,
        past: &History,
        pool: &[Code],
        wanted: usize,
        rng: &mut Rng,
    ) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        for code in pool.iter().filter(|code| past.fits(code)) {
            found.keep(code.clone());
        }
        for _ in 0..self.descents {
            if !found.codes.is_empty() {
                break;
            }
            let start = past.rules.draw_secret(rng);
            self.descend(past, start, &mut found, rng);
        }
        self.wander(past, &mut found, wanted, self.steps, rng);
        found
    }

    /// One fall of the temperature, until a consistent code is met.
    fn descend(&self, past: &History, start: Code, found: &mut ConsistentCodes, rng: &mut Rng) {
        let mut tally = past.tally(start);
        let mut now = energy(&tally);
        for stage in 0..STAGES {
            let share = stage as f64 / (STAGES - 1) as f64;
            let chances = AcceptanceOdds::new(self.hot * (self.cold / self.hot).powf(share));
            for _ in 0..self.descent / STAGES {
                if now == 0 {
                    found.keep(tally.code().clone());
                    return;
                }
                let Some(change) = tally.draw_change(&past.rules, rng) else { continue };
                let next = energy_after(&tally, change);
                if chances.accept(next - now, rng) {
                    tally.make(change);
                    now = next;
                }
            }
            found.see(tally.code(), now);
        }
    }

    /// Walks from every code found by turns and keeps the consistent codes it meets.
    fn wander(
        &self,
        past: &History,
        found: &mut ConsistentCodes,
        wanted: usize,
        steps: u64,
        rng: &mut Rng,
    ) {
        let chances = AcceptanceOdds::new(self.walk);
        // Each kept code gets an equal part of what is left.
        let part = steps / wanted.max(1) as u64;
        let mut from = 0;
        let mut left = steps;
        while left >= part.max(1) && !found.codes.is_empty() && found.codes.len() < wanted {
            left -= part.max(1);
            let mut tally = past.tally(found.codes[from % found.codes.len()].clone());
            from += 1;
            let (mut now, mut last) = (0, None);
            for _ in 0..part {
                let Some(change) = tally.draw_change(&past.rules, rng) else { continue };
                let next = energy_after(&tally, change);
                if chances.accept(next - now, rng) {
                    tally.make(change);
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
