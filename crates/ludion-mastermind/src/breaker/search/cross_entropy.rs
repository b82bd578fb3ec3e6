//! The cross-entropy method: a distribution of codes is fitted to the codes of smallest energy
//! (those that contradict the feedback least), and every consistent code drawn is kept.

use super::super::super::Code;
use super::consistency::ConsistentCodes;
use super::consistency::History;
use ludion_core::random::Rng;
use ludion_optimise::cross_entropy::categorical::CategoricalDistribution;
use ludion_optimise::cross_entropy::permutation::PermutationDistribution;
use ludion_optimise::cross_entropy::{
    CrossEntropy, CrossEntropyOptions, DistributionFamily, SampleSize,
};
use ludion_optimise::{Maximiser, SetupError};

/// Limits of the repeated runs of the cross-entropy search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CrossEntropyRestarts {
    /// Number of runs after which the search stops if a consistent code is known.
    pub(super) runs: u32,
    /// Maximum number of runs until the first consistent code.
    pub(super) max_runs: u32,
    /// Maximum number of iterations of a run.
    pub(super) iterations: u32,
}

/// Number of iterations for which there must be codes.
const MIN_ITERATIONS: usize = 20;
/// Minimum number of codes in an iteration.
const MIN_SAMPLES: usize = 20;

impl CrossEntropyRestarts {
    /// Searches for `wanted` consistent codes by repeated runs that draw about `max_codes` codes in
    /// total.
    pub(super) fn find(
        &self,
        past: &History,
        wanted: usize,
        max_codes: usize,
        rng: &mut Rng,
    ) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        let mut left = max_codes;
        for run in 0..self.max_runs {
            let enough = run >= self.runs && !found.codes.is_empty();
            if found.codes.len() >= wanted || enough || left == 0 {
                break;
            }
            self.run(past, &mut found, wanted, &mut left, rng.bits())
                .expect("valid rules give a valid distribution");
        }
        found
    }

    fn run(
        &self,
        past: &History,
        found: &mut ConsistentCodes,
        max: usize,
        left: &mut usize,
        seed: u64,
    ) -> Result<(), SetupError> {
        let (pegs, colours) = (past.rules.pegs, past.rules.colours);
        let defaults = CrossEntropyOptions::default();
        // Large codes get fewer codes an iteration than usual, so that there are some iterations.
        let samples = defaults.samples.count(pegs * colours);
        let samples = samples.min((*left / MIN_ITERATIONS).max(MIN_SAMPLES));
        let options = CrossEntropyOptions {
            iterations: self.iterations.min((*left / samples).max(1) as u32),
            samples: SampleSize::Fixed(samples),
            ..defaults
        };
        *left = left.saturating_sub(samples * options.iterations as usize);
        if past.rules.repeats {
            let distribution = CategoricalDistribution::uniform(pegs, colours)?;
            converge(CrossEntropy::new(distribution, options, seed)?, past, found, max);
        } else {
            let distribution = PermutationDistribution::uniform(pegs, colours)?;
            converge(CrossEntropy::new(distribution, options, seed)?, past, found, max);
        }
        Ok(())
    }
}

/// Runs one cross-entropy search until it ends or `max` consistent codes are found.
fn converge<F: DistributionFamily<Sample = Code>>(
    mut search: CrossEntropy<F>,
    past: &History,
    found: &mut ConsistentCodes,
    max: usize,
) {
    while search.finished().is_none() && found.codes.len() < max {
        let score = |code: &Code| -f64::from(found.record(past, code));
        let scores: Vec<f64> = search.ask().iter().map(score).collect();
        search.tell(&scores).expect("a finite score for each candidate");
    }
}
