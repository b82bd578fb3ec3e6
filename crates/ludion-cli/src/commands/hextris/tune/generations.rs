//! The course of a tuning, generation after generation: it follows from the settings alone. The
//! problems held out are looked at and never searched by.

use ludion::arena::plan::TuningMethod;
use ludion::games::hextris::solver::evaluation::BoardWeights;
use ludion::games::hextris::solver::tuning::{
    TUNABLE_WEIGHTS, TuningScore, WEIGHT_RANGES, WeightRange,
};
use ludion::games::hextris::solver::weight_presets::WEIGHT_PRESETS;
use ludion::games::hextris::{JsonProblem, Problem};
use ludion::optimise::cross_entropy::points::PointDistribution;
use ludion::optimise::history::GenerationScores;
use ludion::optimise::space::{AxisScale, AxisValue, SearchSpace, SpaceAxis, SpacePoint};
use ludion::optimise::{Maximiser, SetupError};
use ludion_runs::tuning::maximiser;
use ludion_runs::{RunContext, RunError};
use serde::{Deserialize, Serialize};

use super::memory::{BeamTask, KnownScores};

/// What a tuning was asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct HextrisTuningSettings {
    pub(super) by: TuningMethod,
    pub(super) generations: u32,
    /// States of every beam.
    pub(super) states: usize,
    /// Games of a problem, at most.
    pub(super) seeds: usize,
    /// What is searched by.
    pub(super) train: Vec<TuningProblemSpec>,
    /// What is not.
    pub(super) held_out: Vec<TuningProblemSpec>,
    pub(super) seed: u64,
}

/// A problem as it was given, whatever becomes of its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct TuningProblemSpec {
    pub(super) name: String,
    pub(super) problem: JsonProblem,
}

/// A generation and what the best weights by then are worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct TunedGeneration {
    /// Its scores on the training problems, the default weights having 1.
    #[serde(flatten)]
    pub(super) generation: GenerationScores,
    /// What the best weights so far score on the problems held out, likewise.
    pub(super) held_out: f64,
    /// The best weights so far.
    pub(super) weights: BoardWeights,
    /// Their scores problem by problem, those trained on first.
    pub(super) problems: Vec<ScoreComparison>,
}

/// The scores of a game of a problem, in the mean.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct ScoreComparison {
    pub(super) problem: String,
    pub(super) trained_on: bool,
    /// With the default weights.
    pub(super) default: f64,
    /// With the best weights found.
    pub(super) best: f64,
    pub(super) ratio: f64,
}

/// What comes next in a course.
pub(super) enum NextStage {
    Generation(Box<TunedGeneration>),
    /// Somebody stopped it.
    Stopped,
    /// All generations are over.
    Finished,
}

/// Most bytes of the beam of one thread.
const MAX_BYTES: usize = 1 << 30;
/// How far cross-entropy begins to look around the default weights, the whole range being 1.
const DEVIATION: f64 = 0.1;

/// Told how far a generation has come: scores computed, scores in all, and what they are for.
pub(super) type OnStageProgress<'a> = &'a mut dyn FnMut(u64, u64, &str);

/// A tuning on its way.
pub(super) struct HextrisTuning<'a> {
    run_context: &'a RunContext<'a>,
    settings: &'a HextrisTuningSettings,
    /// Those trained on first.
    tasks: Vec<BeamTask>,
    search: Box<dyn Maximiser<Candidate = SpacePoint>>,
    pub(super) memory: KnownScores,
}

impl<'a> HextrisTuning<'a> {
    pub(super) fn new(
        run_context: &'a RunContext<'a>,
        settings: &'a HextrisTuningSettings,
        memory: KnownScores,
    ) -> Result<Self, RunError> {
        let entries = settings.train.iter().chain(&settings.held_out);
        let tasks = entries.map(|entry| task(entry, settings)).collect::<Result<_, _>>()?;
        let search = search(settings).map_err(|error| RunError::Wrong(error.to_string()))?;
        Ok(HextrisTuning { run_context, settings, tasks, search, memory })
    }

    /// Goes one generation on.
    pub(super) fn step(&mut self, told: OnStageProgress<'_>) -> Result<NextStage, RunError> {
        let HextrisTuning { run_context, settings, tasks, search, memory } = self;
        if search.finished().is_some() {
            return Ok(NextStage::Finished);
        }
        let count = settings.train.len();
        let number = search.generations().len() + 1;
        let asked: Vec<BoardWeights> = search.ask().iter().map(weights).collect();
        let what = format!("generation {number} of {}", settings.generations);
        let default = [BoardWeights::default()];
        let Some(defaults) =
            memory.tallies(run_context, tasks, &default, "default weights", told)?
        else {
            return Ok(NextStage::Stopped);
        };
        let Some(rows) = memory.tallies(run_context, &tasks[..count], &asked, &what, told)? else {
            return Ok(NextStage::Stopped);
        };
        let scores: Vec<f64> = rows.iter().map(|row| mean(row, &defaults[0])).collect();
        search.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))?;
        let (best, _) = search.best().expect("a generation was scored");
        let best = [weights(&best)];
        let Some(tallies) = memory.tallies(run_context, tasks, &best, "problems held out", told)?
        else {
            return Ok(NextStage::Stopped);
        };
        let generation = *search.generations().last().expect("a generation was scored");
        Ok(NextStage::Generation(Box::new(TunedGeneration {
            generation,
            held_out: mean(&tallies[0][count..], &defaults[0][count..]),
            weights: best[0],
            problems: self.compare(&tallies[0], &defaults[0]),
        })))
    }

    fn compare(&self, best: &[TuningScore], default: &[TuningScore]) -> Vec<ScoreComparison> {
        let HextrisTuningSettings { train, held_out, .. } = self.settings;
        let named = train.iter().map(|entry| (entry, true));
        let named = named.chain(held_out.iter().map(|entry| (entry, false)));
        let pairs = named.zip(best.iter().zip(default));
        pairs
            .map(|((entry, trained_on), (best, default))| ScoreComparison {
                problem: entry.name.clone(),
                trained_on,
                default: default.score(),
                best: best.score(),
                ratio: best.ratio(default),
            })
            .collect()
    }
}

fn task(entry: &TuningProblemSpec, settings: &HextrisTuningSettings) -> Result<BeamTask, RunError> {
    let wrong = |error| RunError::Wrong(format!("{}: {error}", entry.name));
    let problem = Problem::new(entry.problem.clone()).map_err(wrong)?;
    let task = BeamTask::new(&problem, settings.seeds, settings.states)?;
    let most = task.states_within(MAX_BYTES);
    if settings.states > most {
        return Err(RunError::Wrong(format!(
            "{} states are too many for {}; at most {most} fit into memory",
            settings.states, entry.name
        )));
    }
    Ok(task)
}

/// The mean of the ratios.
fn mean(tallies: &[TuningScore], defaults: &[TuningScore]) -> f64 {
    let ratios = tallies.iter().zip(defaults).map(|(tally, default)| tally.ratio(default));
    ratios.sum::<f64>() / tallies.len().max(1) as f64
}

/// The search: it begins with the weights known to be good.
fn search(
    settings: &HextrisTuningSettings,
) -> Result<Box<dyn Maximiser<Candidate = SpacePoint>>, SetupError> {
    let axis = |range: &WeightRange| {
        SpaceAxis::real(range.name, range.min.into(), range.max.into(), AxisScale::Linear)
    };
    let space = SearchSpace::new(WEIGHT_RANGES.iter().map(axis).collect())?;
    let starts = WEIGHT_PRESETS.iter().map(|style| space.clamp(&values(style)));
    let starts: Vec<SpacePoint> = starts.collect::<Result<_, _>>()?;
    let law = PointDistribution::around(space, &starts[0], DEVIATION)?;
    maximiser(settings.by, settings.generations, law, starts, settings.seed)
}

/// Weights as values of a point: by their decimal digits, for 2.04 is nearer to itself as text
/// than widened.
fn values(weights: &BoardWeights) -> Vec<AxisValue> {
    let widened = |value: f32| value.to_string().parse().unwrap_or(f64::from(value));
    weights.values().into_iter().map(|value| AxisValue::Real(widened(value))).collect()
}

fn weights(point: &SpacePoint) -> BoardWeights {
    let mut values = [0.0; TUNABLE_WEIGHTS];
    for (value, at) in values.iter_mut().zip(point.values()) {
        if let AxisValue::Real(number) = at {
            *value = *number as f32;
        }
    }
    BoardWeights::from_values(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_candidates_are_the_weights_known_to_be_good() {
        let (by, generations, seed) = (TuningMethod::Genetic, 1, 1);
        let (train, held_out) = (Vec::new(), Vec::new());
        let settings =
            HextrisTuningSettings { by, generations, states: 1, seeds: 1, train, held_out, seed };
        let mut search = search(&settings).expect("a space");
        let first: Vec<BoardWeights> =
            search.ask().iter().take(WEIGHT_PRESETS.len()).map(weights).collect();
        assert_eq!(first, WEIGHT_PRESETS);
    }
}
