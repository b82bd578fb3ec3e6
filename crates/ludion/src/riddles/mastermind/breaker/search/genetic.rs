//! A genetic algorithm on consistency, after Berghman, Goossens & Leus (*Efficient solutions for
//! Mastermind using genetic algorithms*, 2009): children of two codes by crossover at one or two
//! points, sometimes with a peg recoloured, two pegs swapped or a stretch turned round; what has
//! been met before is replaced by a code at random. All consistent codes met are kept.
//!
//! Parents are the better of two, and the best of a generation stay: energies are whole numbers
//! with many ties, for which chances in proportion to fitness are too even.

use std::collections::HashSet;

use super::super::super::{Code, MOST, Mastermind};
use super::consistent::ConsistentCodes;
use super::history::History;
use crate::random::Rng;
use crate::riddle::Riddle;

/// Chances of a child to be changed in each way.
const MUTATION: f64 = 0.2;
const SWAP: f64 = 0.2;
const INVERSION: f64 = 0.02;

/// The sizes of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct GeneticSizes {
    /// Codes of a generation.
    pub(super) population: usize,
    /// How many of the best stay.
    pub(super) kept: usize,
    /// Generations once a consistent code is known.
    pub(super) usual: u32,
    /// Generations for the first one.
    pub(super) most: u32,
    /// Generations after which a search without a consistent code begins anew.
    pub(super) patience: u32,
}

impl GeneticSizes {
    /// Looks for consistent codes, beginning with those of `pool`.
    pub(super) fn find(
        &self,
        past: &History,
        pool: &[Code],
        wanted: usize,
        rng: &mut Rng,
    ) -> ConsistentCodes {
        let mut found = ConsistentCodes::new();
        let mut population: Vec<(i32, Code)> = Vec::new();
        for generation in 0..self.most {
            let enough = generation >= self.usual && !found.codes.is_empty();
            if enough || found.codes.len() >= wanted {
                break;
            }
            if generation % self.patience == 0 && found.codes.is_empty() {
                let known = if generation == 0 { pool } else { &[] };
                population = self.begin(past, known, &mut found, rng);
            } else {
                self.breed(past, &mut population, &mut found, rng);
            }
            population.sort();
        }
        found
    }

    fn begin(
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
        codes.into_iter().map(|code| (found.judge(past, &code), code)).collect()
    }

    /// The next generation of one that is in order.
    fn breed(
        &self,
        past: &History,
        population: &mut Vec<(i32, Code)>,
        found: &mut ConsistentCodes,
        rng: &mut Rng,
    ) {
        let rules = &past.rules;
        let mut next: Vec<(i32, Code)> = population[..self.kept].to_vec();
        let mut here: HashSet<Code> = next.iter().map(|(_, code)| code.clone()).collect();
        let better = |rng: &mut Rng| {
            let place = rng.below(population.len()).min(rng.below(population.len()));
            &population[place].1
        };
        while next.len() < self.population {
            let (mother, father) = (better(rng), better(rng));
            let mut child = cross(mother, father, rng);
            vary(rules, &mut child, rng);
            if !rules.repeats {
                part_colours(rules, &mut child, rng);
            }
            if !here.insert(child.clone()) {
                child = rules.draw_secret(rng);
            }
            next.push((found.judge(past, &child), child));
        }
        *population = next;
    }
}

/// The mother's pegs with a stretch of the father's: to the end, or between two points.
fn cross(mother: &Code, father: &Code, rng: &mut Rng) -> Code {
    let from = rng.below(mother.len());
    let to = if rng.bits() >> 63 == 0 { mother.len() } else { rng.below(mother.len() + 1) };
    let mut child = mother.clone();
    let (from, to) = (from.min(to), from.max(to));
    child[from..to].copy_from_slice(&father[from..to]);
    child
}

fn vary(rules: &Mastermind, child: &mut Code, rng: &mut Rng) {
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

/// Gives every peg whose colour came before one that is not there yet.
fn part_colours(rules: &Mastermind, child: &mut Code, rng: &mut Rng) {
    let mut there = [false; MOST];
    let mut twice = Vec::new();
    for (peg, &colour) in child.iter().enumerate() {
        if std::mem::replace(&mut there[usize::from(colour)], true) {
            twice.push(peg);
        }
    }
    let mut free: Vec<u16> =
        (0..rules.colours as u16).filter(|&colour| !there[usize::from(colour)]).collect();
    for peg in twice {
        child[peg] = free.swap_remove(rng.below(free.len()));
    }
}
