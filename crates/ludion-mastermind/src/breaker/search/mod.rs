//! Code breaking by search, also for rules with too many codes to list: one of several
//! [methods](SearchMethod) finds codes that are consistent with the history; then, among these and
//! codes near them, the guess with the largest expected information is chosen.
//!
//! The effort per guess is limited in steps, never in time, so that a game depends only on its
//! seed. If no consistent code is found, nearly consistent ones are used. The breaker reports that
//! there is none only after an exhaustive search.

mod annealing;
#[cfg(target_arch = "x86_64")]
mod annealing_avx2;
mod annealing_kernel;
mod consistency;
mod cross_entropy;
mod exact;
mod genetic;
mod guess_choice;
mod halving;
mod lanes;
mod listed;
mod look_ahead;
mod tempering;
#[cfg(test)]
mod tests;

use super::super::{Code, Mastermind};
use super::codes::{CodeIndex, CodeTable};
use super::exhaustive::symmetry;
use super::tree::{StrategyTree, TreeBuildOptions};
use super::{CodeBreaker, GuessAndFeedback, NoCodeLeftError};
use annealing::Annealing;
use annealing_kernel::GuessBytes;
use consistency::ConsistentCodes;
use guess_choice::{SampleCoverage, SearchEffort};
use listed::CostEstimates;
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
/// Maximum number of pegs in all random codes drawn for a guess.
const MAX_DRAWN_PEGS: usize = 40_000_000;
/// Maximum number of nodes of the enumeration tree.
const MAX_NODES: u64 = 3_000_000;
/// Maximum number of counts updated in the enumeration tree: those of every past guess, for every
/// colour at every node.
const MAX_NODE_COUNTS: u64 = 2_000_000_000;
/// Maximum number of pegs compared, in all past guesses, by a search that compares whole codes.
const MAX_COMPARED_PEGS: usize = 250_000_000;

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
    /// All codes, if they are few enough to compare guesses by their costs; `None` until needed.
    listed: Option<Box<(CodeTable, CostEstimates)>>,
}

/// Creates a breaker with the strongest search method.
#[must_use]
pub fn strongest_search(rules: Mastermind) -> SearchBreaker {
    SearchBreaker::new(rules, SearchMethod::default())
}

/// Builds the strategy tree of [`SearchMethod::Mixed`], which makes the same guesses as a breaker
/// that begins every game with the seed of `options`.
#[must_use]
pub fn tree(codes: &CodeTable, options: TreeBuildOptions<'_>) -> StrategyTree {
    let rules = codes.rules();
    if codes.len() <= listed::MAX_CODES {
        let estimates = CostEstimates::new(codes.len());
        return StrategyTree::build(codes, options, |set, path| {
            let guesses = path.iter().map(|&guess| codes.code(guess));
            listed::choose(codes, &estimates, set, &symmetry(rules, guesses))
        });
    }
    StrategyTree::build(codes, options, |set, path| {
        let asked = |&guess: &CodeIndex| {
            let guess = codes.code(guess).clone();
            let feedback = rules.answer(codes.code(set[0]), &guess);
            (guess, feedback)
        };
        let history: Vec<GuessAndFeedback> = path.iter().map(asked).collect();
        let mut breaker = strongest_search(*rules);
        breaker.begin(options.seed);
        let guess = breaker.guess(&history).expect("the codes of the set are left");
        codes.index_of(&guess).expect("a guess obeys the rules")
    })
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
            listed: None,
        }
    }

    /// Returns the next guess of [`SearchMethod::Mixed`] if all codes can be listed, otherwise
    /// `None`.
    fn guess_listed(
        &mut self,
        history: &[GuessAndFeedback],
    ) -> Option<Result<Code, NoCodeLeftError>> {
        if self.method != SearchMethod::Mixed {
            return None;
        }
        if self.listed.is_none() {
            let codes = CodeTable::with_limit(&self.rules, listed::MAX_CODES).ok()?;
            let estimates = CostEstimates::new(codes.len());
            self.listed = Some(Box::new((codes, estimates)));
        }
        let (codes, estimates) = &**self.listed.as_ref()?;
        if let Some(opening) = self.opening.as_ref().filter(|_| history.is_empty()) {
            return Some(Ok(opening.clone()));
        }
        let set = codes.consistent(history);
        if set.is_empty() {
            return Some(Err(NoCodeLeftError));
        }
        let symmetry = symmetry(&self.rules, history.iter().map(|(guess, _)| guess));
        let guess = codes.code(listed::choose(codes, estimates, &set, &symmetry)).clone();
        if history.is_empty() {
            self.opening = Some(guess.clone());
        }
        Some(Ok(guess))
    }

    /// Finds codes that are consistent with the history, or else a nearly consistent one.
    fn find(&mut self, past: &History, rng: &mut Rng) -> ConsistentCodes {
        let found = match self.method {
            SearchMethod::Mixed => {
                let max = MAX_DRAWS.min(MAX_DRAWN_PEGS / self.rules.pegs);
                let draws = MIN_DRAWS.min(max / 10)..max;
                let drawn = exact::sample(past, MAX_SAMPLE, draws, rng);
                if drawn.codes.len() >= MAX_SAMPLE {
                    return drawn;
                }
                if let Some(found) = exact::enumerate(past, MAX_SAMPLE, max_nodes(past), rng) {
                    return found;
                }
                let pool = [&self.pool[..], &drawn.codes].concat();
                if self.rules.pegs * self.rules.colours > MAX_ANNEALING_CELLS
                    && GuessBytes::fit(&self.rules)
                {
                    return self.tempering.find(past, &pool, TARGET_CODES, rng);
                }
                return Annealing::new(past).find(past, &pool, TARGET_CODES, rng);
            }
            SearchMethod::Annealing => {
                Annealing::new(past).find(past, &self.pool, TARGET_CODES, rng)
            }
            SearchMethod::CrossEntropy => {
                CROSS_ENTROPY.find(past, TARGET_CODES, max_compared(past), rng)
            }
            SearchMethod::Genetic => {
                GENETIC.limited_to(max_compared(past)).find(past, &self.pool, TARGET_CODES, rng)
            }
        };
        if found.codes.is_empty() {
            return exact::enumerate(past, MAX_SAMPLE, max_nodes(past), rng).unwrap_or(found);
        }
        found
    }
}

/// Maximum number of bits of a code for which consistent codes are searched, for at most this many colours;
/// with few colours it is harder to find one. In one game each, search and halving took 53 and 129 guesses at
/// (44, 32) with 220 bits, 80 and 114 at (45, 20) with 194 bits, 53 and 86 at (45, 8) with 135 bits, and 42
/// and 63 at (40, 6) with 103 bits; but 136 and 78 at (60, 4) with 120 bits and 172 and 99 at (60, 6) with
/// 155 bits. Games of (50, 20), (50, 12), (50, 10) and (50, 6) were not over after 40 s of search.
const MAX_SEARCHED_BITS: [(usize, f64); 6] =
    [(4, 100.0), (7, 110.0), (11, 136.0), (15, 150.0), (31, 195.0), (usize::MAX, 221.0)];
/// Number of bits that a guess tells at least, as long as a search finds consistent codes; a longer
/// game is finished by halving.
const MIN_BITS_PER_GUESS: f64 = 2.5;

/// Returns whether a guess after this number of guesses is chosen by [`halving`], because a search
/// would not find consistent codes.
fn is_halved(rules: &Mastermind, guesses: usize) -> bool {
    let bits = rules.pegs as f64 * (rules.colours as f64).log2();
    let limit = MAX_SEARCHED_BITS.iter().find(|(colours, _)| rules.colours <= *colours);
    let max = limit.map_or(0.0, |&(_, bits)| bits);
    rules.repeats && (bits > max || guesses as f64 > 8.0 + bits / MIN_BITS_PER_GUESS)
}

/// Returns the maximum number of nodes of the enumeration tree for this history.
fn max_nodes(past: &History) -> u64 {
    MAX_NODES.min(MAX_NODE_COUNTS / (past.rules.colours * past.lanes.width()) as u64)
}

/// Returns the maximum number of codes that are compared with the whole history.
fn max_compared(past: &History) -> usize {
    MAX_COMPARED_PEGS / (past.rules.pegs * past.lanes.count().max(4))
}

impl CodeBreaker for SearchBreaker {
    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.pool.clear();
        self.tempering = ParallelTempering::default();
    }

    fn guess(&mut self, history: &[GuessAndFeedback]) -> Result<Code, NoCodeLeftError> {
        self.no_consistent_code = false;
        if let Some(guess) = self.guess_listed(history) {
            return guess;
        }
        if self.method == SearchMethod::Mixed && is_halved(&self.rules, history.len()) {
            return halving::next_guess(&self.rules, history);
        }
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
