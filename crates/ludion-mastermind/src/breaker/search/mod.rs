//! Code breaking by search, also for rules with too many codes to list: one of several
//! [methods](SearchMethod) finds codes that are consistent with the history; then, among these and
//! codes near them, the guess with the largest expected information is chosen.
//!
//! The effort per guess is limited in steps, never in time, so that a game depends only on its
//! seed. If no consistent code is found, nearly consistent ones are used. The breaker reports that
//! there is none only after an exhaustive search.

mod annealing;
mod annealing_kernel;
mod consistency;
mod cross_entropy;
mod exact;
mod genetic;
mod guess_choice;
mod lanes;
mod look_ahead;
mod tempering;
#[cfg(test)]
mod tests;

use super::super::{Code, Mastermind};
use super::{CodeBreaker, GuessAndFeedback, NoCodeLeftError};
use annealing::Annealing;
use annealing_kernel::GuessBytes;
use consistency::ConsistentCodes;
use guess_choice::{SampleCoverage, SearchEffort};
use ludion_core::random::{Rng, derive_seed};
use ludion_core::riddle::Riddle;

use consistency::History;
use cross_entropy::CrossEntropyRestarts;
use genetic::GeneticSettings;
use tempering::ParallelTempering;

/// Method of finding codes that are consistent with all feedback.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchMethod {
    /// Uniform sampling while many codes are consistent, enumeration when few are; otherwise
    /// simulated annealing, or parallel tempering for large codes.
    #[default]
    Mixed,
    /// Simulated annealing.
    Annealing,
    /// The cross-entropy method.
    CrossEntropy,
    /// A genetic algorithm.
    Genetic,
}

impl SearchMethod {
    /// All methods, from the strongest to the weakest.
    pub const ALL: [SearchMethod; 4] = [
        SearchMethod::Mixed,
        SearchMethod::Annealing,
        SearchMethod::CrossEntropy,
        SearchMethod::Genetic,
    ];

    /// Returns the name of the method that users type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SearchMethod::Mixed => "mixed",
            SearchMethod::Annealing => "annealing",
            SearchMethod::CrossEntropy => "ce",
            SearchMethod::Genetic => "genetic",
        }
    }

    /// Returns the method with this name, or `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<SearchMethod> {
        SearchMethod::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// Number of consistent codes at which a heuristic search stops.
const TARGET_CODES: usize = 1000;
/// Number of consistent codes at which uniform sampling stops, and maximum number kept from an
/// enumeration; more than for a heuristic search, because they are cheaper to find.
const MAX_SAMPLE: usize = 4000;
/// Number of random codes drawn for a guess before uniform sampling may give up.
const MIN_DRAWS: usize = 100_000;
/// Maximum number of random codes drawn for a guess, if the first [`MIN_DRAWS`] promise enough
/// consistent ones.
const MAX_DRAWS: usize = 1_000_000;
/// Maximum number of nodes of the enumeration tree.
const MAX_NODES: u64 = 3_000_000;

/// Maximum product of pegs and colours for which annealing is used, because it finds more and more
/// diverse codes; for larger codes, parallel tempering still finds codes where annealing often
/// finds none.
const MAX_ANNEALING_CELLS: usize = 400;

/// Limits of the computation that chooses one guess.
const EFFORT: SearchEffort =
    SearchEffort { sample: MAX_SAMPLE, compared: 4_000_000, climbed: 8_000_000 };
/// Limits of the cross-entropy search for consistent codes.
const CROSS_ENTROPY: CrossEntropyRestarts =
    CrossEntropyRestarts { runs: 3, max_runs: 10, iterations: 60 };
/// Settings of the genetic search for consistent codes.
const GENETIC: GeneticSettings = GeneticSettings {
    population: 200,
    kept: 20,
    generations: 100,
    max_generations: 1000,
    restart_after: 200,
};

/// A code breaker that searches for consistent codes without listing all codes.
pub struct SearchBreaker {
    rules: Mastermind,
    method: SearchMethod,
    seed: u64,
    /// The first guess, which is the same in every game; `None` until it is computed.
    opening: Option<Code>,
    /// Consistent codes found for the last guess, some of which may still be consistent.
    pool: Vec<Code>,
    /// Whether no consistent code was found for the last guess.
    no_consistent_code: bool,
    /// Parallel tempering, whose replicas are kept from guess to guess.
    tempering: ParallelTempering,
}

/// Creates a breaker with the strongest search method.
#[must_use]
pub fn strongest_search(rules: Mastermind) -> SearchBreaker {
    SearchBreaker::new(rules, SearchMethod::default())
}

impl SearchBreaker {
    /// Creates a breaker with this search method.
    #[must_use]
    pub fn new(rules: Mastermind, method: SearchMethod) -> Self {
        SearchBreaker {
            rules,
            method,
            seed: 0,
            opening: None,
            pool: Vec::new(),
            no_consistent_code: false,
            tempering: ParallelTempering::default(),
        }
    }

    /// Finds codes that are consistent with the history, or else a nearly consistent one.
    fn find(&mut self, past: &History, rng: &mut Rng) -> ConsistentCodes {
        let found = match self.method {
            SearchMethod::Mixed => {
                let drawn = exact::sample(past, MAX_SAMPLE, MIN_DRAWS..MAX_DRAWS, rng);
                if drawn.codes.len() >= MAX_SAMPLE {
                    return drawn;
                }
                if let Some(found) = exact::enumerate(past, MAX_SAMPLE, MAX_NODES, rng) {
                    return found;
                }
                let pool = [&self.pool[..], &drawn.codes].concat();
                if self.rules.pegs * self.rules.colours > MAX_ANNEALING_CELLS
                    && GuessBytes::fit(&self.rules)
                {
                    return self.tempering.find(past, &pool, TARGET_CODES, rng);
                }
                return Annealing::new(&self.rules).find(past, &pool, TARGET_CODES, rng);
            }
            SearchMethod::Annealing => {
                Annealing::new(&self.rules).find(past, &self.pool, TARGET_CODES, rng)
            }
            SearchMethod::CrossEntropy => CROSS_ENTROPY.find(past, TARGET_CODES, rng),
            SearchMethod::Genetic => GENETIC.find(past, &self.pool, TARGET_CODES, rng),
        };
        if found.codes.is_empty() {
            return exact::enumerate(past, MAX_SAMPLE, MAX_NODES, rng).unwrap_or(found);
        }
        found
    }
}

impl CodeBreaker for SearchBreaker {
    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.pool.clear();
        self.tempering = ParallelTempering::default();
    }

    fn guess(&mut self, history: &[GuessAndFeedback]) -> Result<Code, NoCodeLeftError> {
        self.no_consistent_code = false;
        if history.is_empty() {
            let rules = self.rules;
            return Ok(self
                .opening
                .get_or_insert_with(|| guess_choice::first_guess(rules))
                .clone());
        }
        let mut rng = Rng::new(derive_seed(self.seed, &[history.len() as u64]));
        let past = History::new(self.rules, history);
        let found = self.find(&past, &mut rng);
        if found.total == Some(0) {
            return Err(NoCodeLeftError);
        }
        let coverage = match found.total {
            Some(all) if all == found.codes.len() as u64 => SampleCoverage::Complete,
            None if found.codes.len() >= TARGET_CODES => SampleCoverage::Partial,
            _ => SampleCoverage::Incomplete,
        };
        let sample = if found.codes.is_empty() { self.tempering.near() } else { &found.codes };
        // A repeated guess gives no information.
        let is_new = |code: &Code| history.iter().all(|(guess, _)| guess != code);
        let guess =
            guess_choice::choose(self.rules, sample, coverage, EFFORT, &mut rng).filter(is_new);
        let nearest = found.nearest.map(|(code, _)| code).filter(is_new);
        self.no_consistent_code = found.codes.is_empty();
        self.pool = found.codes;
        Ok(guess.or(nearest).unwrap_or_else(|| self.rules.draw_secret(&mut rng)))
    }

    fn no_consistent_code(&self) -> bool {
        self.no_consistent_code
    }
}
