//! The strategies by name. A strategy is a line of the table: whoever adds one adds a line, and
//! the commands know it.

use super::super::Mastermind;
use super::CodeBreaker;
use super::codes::{CodeTable, TooManyCodesError};
use super::list_breaker::{self, ListBreaker};
use super::optimal::{OptimalTreeError, optimal};
use super::score::GuessScore;
use super::search::{SearchBreaker, SearchMethod};
use super::tree::{self, StrategyTree};
use crate::notation::nearest;

/// A way to break codes.
pub struct BreakerStrategy {
    /// What it is called.
    pub name: &'static str,
    /// A line about it.
    pub help: &'static str,
    /// Most codes that it can deal with, if there is a limit.
    pub most_codes: Option<usize>,
    /// Whether each of its moves takes less than a second.
    pub in_time: fn(&Mastermind) -> bool,
    /// A breaker.
    pub build: fn(&Mastermind) -> Result<Box<dyn CodeBreaker>, StrategyError>,
    /// All its games at once, on so many threads, where they do not depend on a seed.
    pub tree: Option<BuildTree>,
}

/// Makes the tree of a strategy on so many threads.
pub type BuildTree = fn(&Mastermind, usize) -> Result<StrategyTree, StrategyError>;

/// Why a strategy cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StrategyError {
    /// Too many codes.
    #[error("{0}")]
    TooMany(#[from] TooManyCodesError),
    /// Nothing best can be found.
    #[error("{0}")]
    Optimal(#[from] OptimalTreeError),
    /// No strategy of this name.
    #[error("no strategy is called {name:?}{}; there are auto, {}", meant(name), names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
}

fn meant(name: &str) -> String {
    let known = STRATEGIES.iter().map(|strategy| strategy.name);
    nearest(name, known).first().map_or(String::new(), |near| format!(", did you mean {near}?"))
}

fn names() -> String {
    STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>().join(", ")
}

/// Codes at which the best tree is found in a second; four times as many take minutes.
pub const QUICKLY_SOLVED: u128 = 1296;
/// Codes at which the slowest move of a score, the second, takes less than a second.
const QUICKLY_JUDGED: u128 = 100_000;

/// All strategies, the better first.
pub const STRATEGIES: &[BreakerStrategy] = &[
    BreakerStrategy {
        name: "optimal",
        help: "the fewest guesses on average, by exact search; up to four pegs",
        most_codes: Some(super::optimal::MAX_CODES),
        in_time: |rules| rules.pegs <= super::optimal::MAX_PEGS && at_most(rules, QUICKLY_SOLVED),
        build: |rules| Ok(Box::new(ListBreaker::planned(optimal(rules, None, cores())?))),
        tree: Some(|rules, threads| Ok(optimal(rules, None, threads)?)),
    },
    scored::<ENTROPY>("entropy", "the answer that tells most (Neuwirth)"),
    scored::<SIZE>("size", "the fewest codes left on average (Irving)"),
    scored::<PARTS>("parts", "the most answers that can come (Kooi)"),
    scored::<MINIMAX>("minimax", "the fewest codes left at worst (Knuth)"),
    searched::<MIXED>("mixed", "codes that fit, by even draws, a list of all, or tempered walks"),
    searched::<ANNEALING>("annealing", "codes that fit, by annealing"),
    searched::<CROSS_ENTROPY>("ce", "codes that fit, by cross-entropy"),
    searched::<GENETIC>("genetic", "codes that fit, by a genetic algorithm"),
    BreakerStrategy {
        name: "random",
        help: "any code that fits all answers",
        most_codes: Some(super::codes::MAX_CODES),
        in_time: |rules| at_most(rules, super::codes::MAX_CODES as u128),
        build: |rules| Ok(Box::new(ListBreaker::random(rules)?)),
        tree: None,
    },
    BreakerStrategy {
        name: "first",
        help: "the smallest code that fits all answers",
        most_codes: Some(super::codes::MAX_CODES),
        in_time: |rules| at_most(rules, super::codes::MAX_CODES as u128),
        build: |rules| Ok(Box::new(ListBreaker::first(rules)?)),
        tree: Some(|rules, threads| {
            let codes = CodeTable::list_up_to(rules, tree::MAX_CODES)?;
            Ok(StrategyTree::grow(&codes, threads, |set, _| set[0]))
        }),
    },
];

const SCORES: [GuessScore; 4] =
    [GuessScore::Minimax, GuessScore::Size, GuessScore::Entropy, GuessScore::Parts];
const MINIMAX: usize = 0;
const SIZE: usize = 1;
const ENTROPY: usize = 2;
const PARTS: usize = 3;

/// The strategy of `SCORES[S]`.
const fn scored<const S: usize>(name: &'static str, help: &'static str) -> BreakerStrategy {
    BreakerStrategy {
        name,
        help,
        most_codes: Some(super::codes::MAX_CODES),
        in_time: |rules| at_most(rules, QUICKLY_JUDGED),
        build: |rules| Ok(Box::new(ListBreaker::judged(rules, SCORES[S])?)),
        tree: Some(|rules, threads| {
            Ok(list_breaker::tree(
                &CodeTable::list_up_to(rules, tree::MAX_CODES)?,
                SCORES[S],
                threads,
            ))
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

/// The strategy of `METHODS[M]`, for codes too many to be listed.
const fn searched<const M: usize>(name: &'static str, help: &'static str) -> BreakerStrategy {
    BreakerStrategy {
        name,
        help,
        most_codes: None,
        in_time: |_| true,
        build: |rules| Ok(Box::new(SearchBreaker::new(*rules, METHODS[M]))),
        tree: None,
    }
}

/// The strategy of a name; `auto` is the first of the table that answers in time.
///
/// # Errors
/// When there is none.
pub fn strategy(name: &str, rules: &Mastermind) -> Result<&'static BreakerStrategy, StrategyError> {
    if name == "auto" {
        let in_time = STRATEGIES.iter().find(|strategy| (strategy.in_time)(rules));
        return Ok(in_time.expect("a search answers in time at any size"));
    }
    let named = STRATEGIES.iter().find(|strategy| strategy.name == name);
    named.ok_or_else(|| StrategyError::Unknown { name: name.to_owned() })
}

fn at_most(rules: &Mastermind, most: u128) -> bool {
    rules.size().is_some_and(|size| size <= most)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
