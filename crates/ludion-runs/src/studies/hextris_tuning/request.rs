//! Request for a tuning: problems by name or in full, and the size of the search.

use ludion_hextris::{PROBLEMS, Problem, problems};
use ludion_players::arena::plan::TuningMethod;
use serde::Deserialize;

use super::{HextrisTuningSettings, NamedJsonProblem, TunedSolver};
use crate::RunError;

/// Request for a tuning of the weights.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HextrisTuningRequest {
    /// Training problems. If the list is empty, every second built-in problem, without the largest
    /// ones.
    pub train: Vec<TuningProblemRequest>,
    /// Held-out problems. If the list is empty, the other built-in problems, without the largest
    /// ones.
    pub held_out: Vec<TuningProblemRequest>,
    /// The solver whose weights are tuned, by default beam search.
    pub solver: TunedSolver,
    /// Search method, by default the genetic algorithm.
    pub by: TuningMethod,
    /// Maximum number of generations, by default 10.
    pub generations: u32,
    /// Number of states that each beam keeps, by default 16; only for beam search.
    pub states: Option<u32>,
    /// Maximum number of games of a problem, one for each of its first seeds; by default 3.
    pub seeds: u32,
}

impl Default for HextrisTuningRequest {
    fn default() -> Self {
        HextrisTuningRequest {
            train: Vec::new(),
            held_out: Vec::new(),
            solver: TunedSolver::Beam,
            by: TuningMethod::Genetic,
            generations: 10,
            states: None,
            seeds: 3,
        }
    }
}

/// A problem, by the name of a built-in one or in full.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum TuningProblemRequest {
    /// Name of a built-in problem.
    Named(String),
    /// A full problem with its name.
    Whole(Box<NamedJsonProblem>),
}

/// Number of states that each beam keeps by default.
const DEFAULT_STATES: u32 = 16;

impl HextrisTuningRequest {
    /// Returns the number of states that each beam keeps, if the solver is beam search.
    fn states(&self) -> Result<Option<usize>, RunError> {
        match (self.solver, self.states) {
            (TunedSolver::Beam, states) => Ok(Some(states.unwrap_or(DEFAULT_STATES) as usize)),
            (TunedSolver::Baseline, None) => Ok(None),
            (TunedSolver::Baseline, Some(states)) => Err(RunError::Wrong(format!(
                "states is {states}, but baseline keeps none; it is for the solver beam"
            ))),
        }
    }

    pub(super) fn settings(self, seed: u64) -> Result<HextrisTuningSettings, RunError> {
        let states = self.states()?;
        let least = self.states.unwrap_or(DEFAULT_STATES);
        let positive =
            [("generations", self.generations), ("states", least), ("seeds", self.seeds)];
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
            solver: self.solver,
            by: self.by,
            generations: self.generations,
            states,
            seeds: self.seeds as usize,
            train,
            held_out,
            seed,
        })
    }
}

/// Largest [`work`] of a built-in problem that is used by default; with larger ones a generation
/// takes minutes.
const MAX_WORK: usize = 1_000_000;

/// Estimates the work of one game of a problem: the cells of the board times the number of units.
fn work(problem: &Problem) -> usize {
    problem.width() * problem.height() * problem.source_length()
}

/// Returns the given problems or, if there are none, every second small built-in problem that is
/// not among `others`. The built-in problems are ordered by size, so both halves (`half` is 0 or 1)
/// have small and large ones.
fn or_built_in(
    given: Vec<NamedJsonProblem>,
    half: usize,
    others: &[NamedJsonProblem],
) -> Result<Vec<NamedJsonProblem>, RunError> {
    if !given.is_empty() {
        return Ok(given);
    }
    let small = PROBLEMS.iter().filter(|named| work(&named.problem()) <= MAX_WORK);
    let names = small.skip(half).step_by(2).map(|named| named.name.to_owned());
    let mut ours = specs(names.map(TuningProblemRequest::Named).collect())?;
    ours.retain(|one| !is_among(others, one));
    if ours.is_empty() {
        let said = "no problem of ours is left for both; name problems with --train and --held-out";
        return Err(RunError::Wrong(said.to_owned()));
    }
    Ok(ours)
}

/// Returns whether a problem is in the list `others`, perhaps under another name.
fn is_among(others: &[NamedJsonProblem], one: &NamedJsonProblem) -> bool {
    others.iter().any(|other| other.problem == one.problem)
}

fn specs(requests: Vec<TuningProblemRequest>) -> Result<Vec<NamedJsonProblem>, RunError> {
    let mut specs: Vec<NamedJsonProblem> = Vec::new();
    for request in requests {
        let spec = match request {
            TuningProblemRequest::Whole(spec) => *spec,
            TuningProblemRequest::Named(name) => {
                let named = problems::find(&name)
                    .ok_or_else(|| RunError::Wrong(format!("there is no problem {name:?}")))?;
                NamedJsonProblem { problem: named.problem().json().clone(), name }
            }
        };
        if is_among(&specs, &spec) {
            return Err(RunError::Wrong(format!("{} is given twice", spec.name)));
        }
        specs.push(spec);
    }
    Ok(specs)
}
