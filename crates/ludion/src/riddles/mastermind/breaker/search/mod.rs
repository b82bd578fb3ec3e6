//! Breaking codes of any size, also where they are too many to be listed: first codes are
//! searched for that fit every answer so far, by one of several [methods](SearchMethod); then, of these
//! and of what is near them, the guess is taken whose answer is expected to say most.
//!
//! What a move may cost is counted in steps, never in time, so that a game is a function of its
//! seed. When no consistent code is found, codes that nearly are take their place; that there is
//! none is said only when a search through all codes has shown it.

mod annealing;
mod byte_kernel;
mod choice;
mod consistent;
mod cross_entropy;
mod exact;
mod genetic;
mod history;
mod lanes;
mod look_ahead;
mod opening;
mod tempering;
#[cfg(test)]
mod tests;

use super::super::{Code, Mastermind};
use super::{CodeBreaker, GuessAndFeedback, NoCodeLeftError};
use crate::random::{Rng, derive_seed};
use crate::riddle::Riddle;
use annealing::Annealing;
use byte_kernel::GuessBytes;
use choice::{CodesLeft, SearchEffort};
use consistent::ConsistentCodes;
use cross_entropy::CrossEntropyRestarts;
use genetic::GeneticSizes;
use history::History;
use tempering::ParallelTempering;

/// How consistent codes are searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchMethod {
    /// Even draws while many codes are consistent, a list of all when few are; between them
    /// annealing, or for large codes walks at several temperatures.
    #[default]
    Mixed,
    /// Annealing alone.
    Annealing,
    /// Cross-entropy.
    CrossEntropy,
    /// A genetic algorithm.
    Genetic,
}

impl SearchMethod {
    /// All methods, the strongest first.
    pub const ALL: [SearchMethod; 4] = [
        SearchMethod::Mixed,
        SearchMethod::Annealing,
        SearchMethod::CrossEntropy,
        SearchMethod::Genetic,
    ];

    /// Its name in commands.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SearchMethod::Mixed => "mixed",
            SearchMethod::Annealing => "annealing",
            SearchMethod::CrossEntropy => "ce",
            SearchMethod::Genetic => "genetic",
        }
    }

    /// The method of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<SearchMethod> {
        SearchMethod::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// Consistent codes that a walk is content with.
const WANTED: usize = 1000;
/// Consistent codes that are drawn evenly or kept of a list: they cost less.
const SAMPLE: usize = 4000;
/// Codes drawn evenly for a move, and the most where that promises enough consistent ones.
const DRAWS: usize = 100_000;
const MAX_DRAWS: usize = 1_000_000;
/// Most nodes of the tree behind a list of all consistent codes.
const NODES: u64 = 3_000_000;

/// Up to as many pegs times colours annealing finds more codes, and more various ones; beyond, often
/// none where walks at several temperatures still do.
const ANNEALED: usize = 400;

/// What the choice of a guess may cost.
const EFFORT: SearchEffort =
    SearchEffort { sample: SAMPLE, compared: 4_000_000, climbed: 8_000_000 };
/// The settings of cross-entropy and of the genetic algorithm.
const CROSS_ENTROPY: CrossEntropyRestarts =
    CrossEntropyRestarts { usual: 3, most: 10, iterations: 60 };
const GENETIC: GeneticSizes =
    GeneticSizes { population: 200, kept: 20, usual: 100, most: 1000, patience: 200 };

/// A breaker that searches for consistent codes.
pub struct SearchBreaker {
    rules: Mastermind,
    method: SearchMethod,
    seed: u64,
    /// The first guess, once it is known.
    opening: Option<Code>,
    /// Consistent codes of the last move: some of them may still be.
    pool: Vec<Code>,
    /// Whether no consistent code was found for the last move.
    at_a_loss: bool,
    /// Walks that go on from move to move.
    tempering: ParallelTempering,
}

/// The strongest of the methods.
#[must_use]
pub fn strongest(rules: Mastermind) -> SearchBreaker {
    SearchBreaker::new(rules, SearchMethod::default())
}

impl SearchBreaker {
    /// A breaker by a method.
    #[must_use]
    pub fn new(rules: Mastermind, method: SearchMethod) -> Self {
        SearchBreaker {
            rules,
            method,
            seed: 0,
            opening: None,
            pool: Vec::new(),
            at_a_loss: false,
            tempering: ParallelTempering::default(),
        }
    }

    /// Consistent codes, or the one that came nearest.
    fn find(&mut self, past: &History, rng: &mut Rng) -> ConsistentCodes {
        let found = match self.method {
            SearchMethod::Mixed => {
                let drawn = exact::draw(past, SAMPLE, DRAWS..MAX_DRAWS, rng);
                if drawn.codes.len() >= SAMPLE {
                    return drawn;
                }
                if let Some(found) = exact::list(past, SAMPLE, NODES, rng) {
                    return found;
                }
                let pool = [&self.pool[..], &drawn.codes].concat();
                if self.rules.pegs * self.rules.colours > ANNEALED && GuessBytes::fit(&self.rules) {
                    return self.tempering.find(past, &pool, WANTED, rng);
                }
                return Annealing::new(&self.rules).find(past, &pool, WANTED, rng);
            }
            SearchMethod::Annealing => {
                Annealing::new(&self.rules).find(past, &self.pool, WANTED, rng)
            }
            SearchMethod::CrossEntropy => CROSS_ENTROPY.find(past, WANTED, rng),
            SearchMethod::Genetic => GENETIC.find(past, &self.pool, WANTED, rng),
        };
        if found.codes.is_empty() {
            return exact::list(past, SAMPLE, NODES, rng).unwrap_or(found);
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

    fn guess(&mut self, asked: &[GuessAndFeedback]) -> Result<Code, NoCodeLeftError> {
        self.at_a_loss = false;
        if asked.is_empty() {
            let rules = self.rules;
            return Ok(self.opening.get_or_insert_with(|| opening::opening(rules)).clone());
        }
        let mut rng = Rng::new(derive_seed(self.seed, &[asked.len() as u64]));
        let past = History::new(self.rules, asked);
        let found = self.find(&past, &mut rng);
        if found.all == Some(0) {
            return Err(NoCodeLeftError);
        }
        let left = match found.all {
            Some(all) if all == found.codes.len() as u64 => CodesLeft::All,
            None if found.codes.len() >= WANTED => CodesLeft::Many,
            _ => CodesLeft::Few,
        };
        let sample = if found.codes.is_empty() { self.tempering.near() } else { &found.codes };
        // A guess that was made says nothing again, however near it is.
        let fresh = |code: &Code| asked.iter().all(|(guess, _)| guess != code);
        let guess = choice::choose(self.rules, sample, left, EFFORT, &mut rng).filter(fresh);
        let nearest = found.nearest.map(|(code, _)| code).filter(fresh);
        self.at_a_loss = found.codes.is_empty();
        self.pool = found.codes;
        Ok(guess.or(nearest).unwrap_or_else(|| self.rules.draw_secret(&mut rng)))
    }

    fn at_a_loss(&self) -> bool {
        self.at_a_loss
    }
}
