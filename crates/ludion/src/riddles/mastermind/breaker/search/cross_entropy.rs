//! Cross-entropy on consistency: a law of codes is moved towards the codes of the least energy,
//! and every consistent code drawn on the way is kept.

use super::super::super::Code;
use super::consistent::ConsistentCodes;
use super::history::History;
use crate::optimise::cross_entropy::categorical::CategoricalDistribution;
use crate::optimise::cross_entropy::permutation::PermutationDistribution;
use crate::optimise::cross_entropy::{CrossEntropy, CrossEntropyOptions, DistributionFamily};
use crate::optimise::{Maximiser, SetupError};
use crate::random::Rng;

/// How often the search begins anew, and how long it goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CrossEntropyRestarts {
    /// Runs once a consistent code is known.
    pub(super) usual: u32,
    /// Runs for the first one.
    pub(super) most: u32,
    /// Iterations of a run.
    pub(super) iterations: u32,
}

impl CrossEntropyRestarts {
    /// Looks for consistent codes.
    pub(super) fn find(&self, past: &History, wanted: usize, rng: &mut Rng) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        for run in 0..self.most {
            if found.codes.len() >= wanted || run >= self.usual && !found.codes.is_empty() {
                break;
            }
            self.run(past, &mut found, wanted, rng.bits())
                .expect("a riddle has pegs and colours, enough of them where none comes twice");
        }
        found
    }

    fn run(
        &self,
        past: &History,
        found: &mut ConsistentCodes,
        most: usize,
        seed: u64,
    ) -> Result<(), SetupError> {
        let (pegs, colours) = (past.rules.pegs, past.rules.colours);
        let options =
            CrossEntropyOptions { iterations: self.iterations, ..CrossEntropyOptions::default() };
        if past.rules.repeats {
            let law = CategoricalDistribution::uniform(pegs, colours)?;
            converge(CrossEntropy::new(law, options, seed)?, past, found, most);
        } else {
            let law = PermutationDistribution::uniform(pegs, colours)?;
            converge(CrossEntropy::new(law, options, seed)?, past, found, most);
        }
        Ok(())
    }
}

/// Runs one search to its end, or until there are enough codes.
fn converge<F: DistributionFamily<Sample = Code>>(
    mut search: CrossEntropy<F>,
    past: &History,
    found: &mut ConsistentCodes,
    most: usize,
) {
    while search.finished().is_none() && found.codes.len() < most {
        let judge = |code: &Code| -f64::from(found.judge(past, code));
        let scores: Vec<f64> = search.ask().iter().map(judge).collect();
        search.tell(&scores).expect("a score for each candidate, and each a number");
    }
}
