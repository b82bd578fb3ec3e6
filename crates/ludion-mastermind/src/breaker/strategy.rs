//! The strategies of code breakers by name. Each is an entry of [`STRATEGIES`], which the commands
//! list.

use super::super::Mastermind;
use super::CodeBreaker;
use super::codes::{CodeTable, TooManyCodesError};
use super::exhaustive::{self, ExhaustiveBreaker};
use super::optimal::{OptimalTreeError, optimal, optimal_with_progress};
use super::score::GuessCriterion;
use super::search::{self, SearchBreaker, SearchMethod};
use super::tree::{self, StrategyTree, TreeBuildOptions};
use ludion_core::notation::nearest;

/// A named strategy of breaking codes.
pub struct NamedStrategy {
    /// Name of the strategy that users type.
    pub name: &'static str,
    /// One-line description, shown to users.
    pub help: &'static str,
    /// Maximum number of codes that the strategy can handle; `None` if there is no limit.
    pub max_codes: Option<usize>,
    /// Returns whether every guess takes less than a second for these rules.
    pub is_fast: fn(&Mastermind) -> bool,
    /// Creates a breaker that plays the strategy for these rules.
    pub build: fn(&Mastermind) -> Result<Box<dyn CodeBreaker>, StrategyError>,
    /// Builds the complete strategy tree; `None` for strategies whose guesses do not follow from the
    /// history and the seed alone.
    pub tree: Option<BuildTreeFn>,
}

/// Function that builds the complete tree of a strategy for given rules.
pub type BuildTreeFn = fn(&Mastermind, TreeBuildOptions<'_>) -> Result<StrategyTree, StrategyError>;

/// Reasons why a strategy is not available.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StrategyError {
    /// The rules have too many codes to list.
    #[error("{0}")]
    TooMany(#[from] TooManyCodesError),
    /// The optimal tree cannot be computed.
    #[error("{0}")]
    Optimal(#[from] OptimalTreeError),
    /// No strategy has the given name.
    #[error("no strategy is called {name:?}{}; there are auto, {}", suggestion(name), names())]
    Unknown {
        /// The name that was given.
        name: String,
    },
}

fn suggestion(name: &str) -> String {
    let known = STRATEGIES.iter().map(|strategy| strategy.name);
    nearest(name, known).first().map_or(String::new(), |near| format!(", did you mean {near}?"))
}

fn names() -> String {
    STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>().join(", ")
}

/// Maximum number of codes for which the optimal tree is found within a second; four times as many
/// take minutes.
pub const MAX_CODES_SOLVED_FAST: u128 = 1296;
/// Maximum number of codes for which guesses by a score are scored over all of them within a second;
/// the second guess is the slowest.
const MAX_CODES_SCORED_FAST: u128 = 100_000;
/// Maximum number of pegs for which this holds for all codes that can be listed, because few guesses
/// are different.
const MAX_PEGS_SCORED_FAST: usize = 3;

/// All strategies, from the strongest to the weakest.
pub const STRATEGIES: &[NamedStrategy] = &[
    NamedStrategy {
        name: "optimal",
        help: "the fewest guesses on average, by exact search; up to four pegs",
        max_codes: Some(super::optimal::MAX_CODES),
        is_fast: |rules| {
            rules.pegs <= super::optimal::MAX_PEGS && at_most(rules, MAX_CODES_SOLVED_FAST)
        },
        build: |rules| {
            Ok(Box::new(ExhaustiveBreaker::from_tree(optimal(rules, None, available_threads())?)))
        },
        tree: Some(|rules, options| {
            Ok(optimal_with_progress(rules, None, options.threads, options.on_progress)?)
        }),
    },
    by_score::<ENTROPY>("entropy", "maximises the entropy of the answer (Neuwirth)"),
    by_score::<SIZE>("size", "minimises the expected number of codes left (Irving)"),
    by_score::<PARTS>("parts", "maximises the number of possible answers (Kooi)"),
    by_score::<MINIMAX>("minimax", "minimises the largest number of codes left (Knuth)"),
    by_search::<MIXED>(
        "mixed",
        "fewest further guesses by look-ahead; large codes by search or halving",
    ),
    by_search::<ANNEALING>("annealing", "consistent codes by simulated annealing"),
    by_search::<CROSS_ENTROPY>("ce", "consistent codes by cross-entropy"),
    by_search::<GENETIC>("genetic", "consistent codes by a genetic algorithm"),
    NamedStrategy {
        name: "random",
        help: "a random consistent code",
        max_codes: Some(super::codes::MAX_CODES),
        is_fast: |rules| at_most(rules, super::codes::MAX_CODES as u128),
        build: |rules| Ok(Box::new(ExhaustiveBreaker::random_consistent(rules)?)),
        tree: None,
    },
    NamedStrategy {
        name: "first",
        help: "the smallest consistent code",
        max_codes: Some(super::codes::MAX_CODES),
        is_fast: |rules| at_most(rules, super::codes::MAX_CODES as u128),
        build: |rules| Ok(Box::new(ExhaustiveBreaker::first_consistent(rules)?)),
        tree: Some(|rules, options| {
            let codes = CodeTable::with_limit(rules, tree::MAX_CODES)?;
            Ok(StrategyTree::build(&codes, options, |set, _| set[0]))
        }),
    },
];

const SCORES: [GuessCriterion; 4] =
    [GuessCriterion::Minimax, GuessCriterion::Size, GuessCriterion::Entropy, GuessCriterion::Parts];
const MINIMAX: usize = 0;
const SIZE: usize = 1;
const ENTROPY: usize = 2;
const PARTS: usize = 3;

/// Returns the strategy that always makes the guess with the best score `SCORES[S]`.
const fn by_score<const S: usize>(name: &'static str, help: &'static str) -> NamedStrategy {
    NamedStrategy {
        name,
        help,
        max_codes: Some(super::codes::MAX_CODES),
        is_fast: |rules| {
            let max = if rules.pegs <= MAX_PEGS_SCORED_FAST {
                super::codes::MAX_CODES as u128
            } else {
                MAX_CODES_SCORED_FAST
            };
            at_most(rules, max)
        },
        build: |rules| Ok(Box::new(ExhaustiveBreaker::by_score(rules, SCORES[S])?)),
        tree: Some(|rules, options| {
            let codes = CodeTable::with_limit(rules, tree::MAX_CODES)?;
            Ok(exhaustive::tree(&codes, SCORES[S], options))
        }),
    }
}

const METHODS: [SearchMethod; 4] = [
    SearchMethod::Mixed,
    SearchMethod::Annealing,
    SearchMethod::CrossEntropy,
    SearchMethod::Genetic,
];
const MIXED: usize = 0;
const ANNEALING: usize = 1;
const CROSS_ENTROPY: usize = 2;
const GENETIC: usize = 3;

/// Returns the strategy that finds consistent codes by `METHODS[M]`, also for rules with too many
/// codes to list.
const fn by_search<const M: usize>(name: &'static str, help: &'static str) -> NamedStrategy {
    NamedStrategy {
        name,
        help,
        max_codes: None,
        is_fast: |_| true,
        build: |rules| Ok(Box::new(SearchBreaker::new(*rules, METHODS[M]))),
        // Only `mixed` lists the consistent codes of such rules, so that its guess does not depend
        // on those found for earlier guesses.
        tree: match METHODS[M] {
            SearchMethod::Mixed => Some(|rules, options| {
                let codes = CodeTable::with_limit(rules, tree::MAX_CODES)?;
                Ok(search::tree(&codes, options))
            }),
            _ => None,
        },
    }
}

/// Returns the strategy with this name; for `auto`, the first of [`STRATEGIES`] that is fast for
/// these rules.
///
/// # Errors
/// Returns an error if no strategy has the name.
pub fn strategy(name: &str, rules: &Mastermind) -> Result<&'static NamedStrategy, StrategyError> {
    if name == "auto" {
        let fastest = STRATEGIES.iter().find(|strategy| (strategy.is_fast)(rules));
        return Ok(fastest.expect("a search is fast at any size"));
    }
    let named = STRATEGIES.iter().find(|strategy| strategy.name == name);
    named.ok_or_else(|| StrategyError::Unknown { name: name.to_owned() })
}

fn at_most(rules: &Mastermind, max: u128) -> bool {
    rules.size().is_some_and(|size| size <= max)
}

fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
