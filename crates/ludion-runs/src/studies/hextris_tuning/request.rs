//! What a user asks of a tuning: problems by name or whole, and the size of the search.

use ludion::arena::plan::TuningMethod;
use ludion::games::hextris::{PROBLEMS, Problem, problems};
use serde::Deserialize;

use super::{HextrisTuningSettings, TuningProblemSpec};
use crate::RunError;

/// A tuning that a user asks for.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HextrisTuningRequest {
    /// Problems to tune on; where there are none, every other built-in problem but for the
    /// largest.
    pub train: Vec<ProblemRequest>,
    /// Problems to hold out; where there are none, the other built-in problems.
    pub held_out: Vec<ProblemRequest>,
    /// The method of search.
    pub by: TuningMethod,
    /// The number of generations, at most.
    pub generations: u32,
    /// The number of states of every beam.
    pub states: u32,
    /// The number of games of a problem, at most.
    pub seeds: u32,
}

impl Default for HextrisTuningRequest {
    fn default() -> Self {
        HextrisTuningRequest {
            train: Vec::new(),
            held_out: Vec::new(),
            by: TuningMethod::Genetic,
            generations: 10,
            states: 16,
            seeds: 3,
        }
    }
}

/// A problem by the name of a built-in one, or whole.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum ProblemRequest {
    /// A built-in problem.
    Named(String),
    /// A problem with its name.
    Whole(Box<TuningProblemSpec>),
}

impl HextrisTuningRequest {
    pub(super) fn settings(self, seed: u64) -> Result<HextrisTuningSettings, RunError> {
        let positive =
            [("generations", self.generations), ("states", self.states), ("seeds", self.seeds)];
        if let Some((name, _)) = positive.iter().find(|(_, value)| *value == 0) {
            return Err(RunError::Wrong(format!("{name} is 0; allowed is 1 or more")));
        }
        let (train, held_out) = (specs(self.train)?, specs(self.held_out)?);
        if let Some(both) = train.iter().find(|one| is_among(&held_out, one)) {
            let said = format!("{} cannot be both trained on and held out", both.name);
            return Err(RunError::Wrong(said));
        }
        let train = or_built_in(train, 0, &held_out)?;
        let held_out = or_built_in(held_out, 1, &train)?;
        Ok(HextrisTuningSettings {
            by: self.by,
            generations: self.generations,
            states: self.states as usize,
            seeds: self.seeds as usize,
            train,
            held_out,
            seed,
        })
    }
}

/// The most work of a problem that is tuned on by default: with more a generation takes minutes.
const MAX_WORK: usize = 1_000_000;

/// Estimates the work of a game of a problem: cells of the board, again for every unit.
fn work(problem: &Problem) -> usize {
    problem.width() * problem.height() * problem.source_length()
}

/// Where no problems are given, one half of the built-in ones, but for `others` and the largest.
/// They are ordered by size, so small and large ones fall to either half.
fn or_built_in(
    given: Vec<TuningProblemSpec>,
    half: usize,
    others: &[TuningProblemSpec],
) -> Result<Vec<TuningProblemSpec>, RunError> {
    if !given.is_empty() {
        return Ok(given);
    }
    let small = PROBLEMS.iter().filter(|named| work(&named.problem()) <= MAX_WORK);
    let names = small.skip(half).step_by(2).map(|named| named.name.to_owned());
    let mut ours = specs(names.map(ProblemRequest::Named).collect())?;
    ours.retain(|one| !is_among(others, one));
    if ours.is_empty() {
        let said = "no problem of ours is left for both; name problems with --train and --held-out";
        return Err(RunError::Wrong(said.to_owned()));
    }
    Ok(ours)
}

/// Whether a problem is among others, under any name.
fn is_among(others: &[TuningProblemSpec], one: &TuningProblemSpec) -> bool {
    others.iter().any(|other| other.problem == one.problem)
}

fn specs(requests: Vec<ProblemRequest>) -> Result<Vec<TuningProblemSpec>, RunError> {
    let mut specs: Vec<TuningProblemSpec> = Vec::new();
    for request in requests {
        let spec = match request {
            ProblemRequest::Whole(spec) => *spec,
            ProblemRequest::Named(name) => {
                let named = problems::find(&name)
                    .ok_or_else(|| RunError::Wrong(format!("there is no problem {name:?}")))?;
                TuningProblemSpec { problem: named.problem().json().clone(), name }
            }
        };
        if is_among(&specs, &spec) {
            return Err(RunError::Wrong(format!("{} is given twice", spec.name)));
        }
        specs.push(spec);
    }
    Ok(specs)
}
