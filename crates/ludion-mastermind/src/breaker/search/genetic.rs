//! A genetic algorithm that minimises the energy of codes (their contradiction to the feedback),
//! after Berghman, Goossens & Leus (*Efficient solutions for Mastermind using genetic algorithms*,
//! 2009): one- or two-point crossover of two codes, sometimes followed by recolouring a peg,
//! swapping two pegs or reversing a segment; duplicates are replaced by random codes. All
//! consistent codes are kept.
//!
//! Parents are selected by tournaments of two, and the best codes survive: energies are small
//! integers with many ties, for which fitness-proportional selection is too even.

use std::collections::HashSet;

use super::super::super::{Code, MAX_SIZE, Mastermind};
use super::consistency::ConsistentCodes;
use super::consistency::History;
use ludion_core::random::Rng;
use ludion_core::riddle::Riddle;

/// Probability that a peg of a child is recoloured.
const MUTATION: f64 = 0.2;
/// Probability that two pegs of a child are swapped.
const SWAP: f64 = 0.2;
/// Probability that a segment of a child is reversed.
const INVERSION: f64 = 0.02;

/// Settings of the genetic search for consistent codes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct GeneticSettings {
    /// Number of codes in a generation.
    pub(super) population: usize,
    /// Number of best codes of a generation that survive into the next one.
    pub(super) kept: usize,
    /// Number of generations after which the search stops if a consistent code is known.
    pub(super) generations: u32,
    /// Maximum number of generations until the first consistent code.
    pub(super) max_generations: u32,
    /// Number of generations without a consistent code after which the search restarts with random
    /// codes.
    pub(super) restart_after: u32,
}

impl GeneticSettings {
    /// Returns the settings with so few generations that they contain at most `codes` codes.
    pub(super) fn limited_to(mut self, codes: usize) -> Self {
        let generations = (codes / self.population).max(1) as u32;
        self.max_generations = self.max_generations.min(generations);
        self.generations = self.generations.min(generations);
        self
    }

    /// Searches for `wanted` consistent codes; the first generation includes the codes of `pool`.
    pub(super) fn find(
        &self,
        past: &History,
        pool: &[Code],
        wanted: usize,
        rng: &mut Rng,
    ) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        let mut population: Vec<(i32, Code)> = Vec::new();
        for generation in 0..self.max_generations {
            let enough = generation >= self.generations && !found.codes.is_empty();
            if enough || found.codes.len() >= wanted {
                break;
            }
            if generation % self.restart_after == 0 && found.codes.is_empty() {
                let known = if generation == 0 { pool } else { &[] };
                population = self.initial_population(past, known, &mut found, rng);
            } else {
                self.next_generation(past, &mut population, &mut found, rng);
            }
            population.sort();
        }
        found
    }

    /// Returns the known codes, filled up with random ones, each with its energy.
    fn initial_population(
        &self,
        past: &History,
        known: &[Code],
        found: &mut ConsistentCodes,
        rng: &mut Rng,
    ) -> Vec<(i32, Code)> {
        let mut codes: Vec<Code> = known.iter().take(self.population).cloned().collect();
        while codes.len() < self.population {
            codes.push(past.rules.draw_secret(rng));
        }
        codes.into_iter().map(|code| (found.record(past, &code), code)).collect()
    }

    /// Replaces a population, sorted by energy, by its next generation.
    fn next_generation(
        &self,
        past: &History,
        population: &mut Vec<(i32, Code)>,
        found: &mut ConsistentCodes,
        rng: &mut Rng,
    ) {
        let rules = &past.rules;
        let mut next: Vec<(i32, Code)> = population[..self.kept].to_vec();
        let mut members: HashSet<Code> = next.iter().map(|(_, code)| code.clone()).collect();
        let select = |rng: &mut Rng| {
            let place = rng.below(population.len()).min(rng.below(population.len()));
            &population[place].1
        };
        while next.len() < self.population {
            let (first, second) = (select(rng), select(rng));
            let mut child = crossover(first, second, rng);
            mutate(rules, &mut child, rng);
            if !rules.repeats {
                remove_repeats(rules, &mut child, rng);
            }
            if !members.insert(child.clone()) {
                child = rules.draw_secret(rng);
            }
            next.push((found.record(past, &child), child));
        }
        *population = next;
    }
}

/// Returns the first parent with a random segment replaced by that of the second: up to the end, or
/// between two points.
fn crossover(first: &Code, second: &Code, rng: &mut Rng) -> Code {
    let from = rng.below(first.len());
    let to = if rng.bits() >> 63 == 0 { first.len() } else { rng.below(first.len() + 1) };
    let mut child = first.clone();
    let (from, to) = (from.min(to), from.max(to));
    child[from..to].copy_from_slice(&second[from..to]);
    child
}

/// Recolours a peg, swaps two pegs and reverses a segment of a child, each with its probability.
fn mutate(rules: &Mastermind, child: &mut Code, rng: &mut Rng) {
    if rng.unit() < MUTATION {
        child[rng.below(rules.pegs)] = rng.below(rules.colours) as u16;
    }
    if rng.unit() < SWAP {
        child.swap(rng.below(rules.pegs), rng.below(rules.pegs));
    }
    if rng.unit() < INVERSION {
        let (one, other) = (rng.below(rules.pegs), rng.below(rules.pegs));
        child[one.min(other)..=one.max(other)].reverse();
    }
}

/// Replaces every repeated colour of a child by a random unused one.
fn remove_repeats(rules: &Mastermind, child: &mut Code, rng: &mut Rng) {
    let mut used = [false; MAX_SIZE];
    let mut repeated = Vec::new();
    for (peg, &colour) in child.iter().enumerate() {
        if std::mem::replace(&mut used[usize::from(colour)], true) {
            repeated.push(peg);
        }
    }
    let mut free: Vec<u16> =
        (0..rules.colours as u16).filter(|&colour| !used[usize::from(colour)]).collect();
    for peg in repeated {
        child[peg] = free.swap_remove(rng.below(free.len()));
    }
}
