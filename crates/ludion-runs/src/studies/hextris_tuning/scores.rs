//! Scores of weights on problems: a job plays the games of one problem by beam search with one set
//! of weights.

use std::sync::atomic::AtomicBool;

use ludion_hextris::solver::evaluation::BoardWeights;
use ludion_hextris::solver::tuning::{TuningProblem, TuningScore};
use ludion_hextris::{JsonProblem, Problem};
use ludion_players::assets::Assets;
use ludion_players::random::derive_seed;
use ludion_players::registry::Registry;
use serde::{Deserialize, Serialize};

use super::{HextrisTuningSettings, NamedJsonProblem, to_json};
use crate::RunError;
use crate::studies::{JobFailure, Stage};

/// Memory limit of the beam of one thread, in bytes.
const MAX_BYTES: usize = 1 << 30;

/// A checked problem of a tuning, with the size of the searches that score weights on it.
pub(super) struct PreparedProblem {
    beams: BeamSpec,
    /// Prefix of the names under which scores on this problem are cached: it states all that a
    /// score depends on, except the weights and the program version.
    name: String,
    /// Estimated cost of one score, in arbitrary units.
    pub(super) cost: u64,
}

/// A problem, and the number of games and beam states to play it with.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct BeamSpec {
    problem: JsonProblem,
    seeds: usize,
    states: usize,
}

impl PreparedProblem {
    pub(super) fn new(
        entry: &NamedJsonProblem,
        settings: &HextrisTuningSettings,
    ) -> Result<Self, RunError> {
        let wrong = |error| RunError::Wrong(format!("{}: {error}", entry.name));
        let problem = Problem::new(entry.problem.clone()).map_err(wrong)?;
        let (seeds, states) = (settings.seeds, settings.states);
        let most = TuningProblem::new(&problem, seeds).states_within(MAX_BYTES);
        if states > most {
            return Err(RunError::Wrong(format!(
                "{states} states are too many for {}; at most {most} fit into memory",
                entry.name
            )));
        }
        // Problems are identified by their content, because files with the same number may differ.
        let text = to_json(problem.json())?;
        let fingerprint = derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>());
        let (id, games) = (problem.id(), seeds.min(problem.seeds().len()));
        let size = problem.source_length() * problem.width() * problem.height();
        Ok(PreparedProblem {
            beams: BeamSpec { problem: problem.json().clone(), seeds, states },
            name: format!("problem {id} {fingerprint:016x}, seeds {games}, states {states}"),
            cost: (games * size) as u64,
        })
    }

    /// Returns the name under which the score of `weights` (as JSON) is cached.
    pub(super) fn score_name(&self, weights: &str, version: &str) -> String {
        format!("{}, version {version}, weights {weights}", self.name)
    }
}

/// Spec of a stage: sets of weights to score, each on one problem.
#[derive(Serialize, Deserialize)]
pub struct HextrisScoreStageSpec {
    problems: Vec<BeamSpec>,
    jobs: Vec<(usize, BoardWeights)>,
}

impl HextrisScoreStageSpec {
    /// Makes the spec with one job for each given problem and its weights; a problem of several
    /// jobs is included once.
    pub(super) fn new<'a>(
        scores: impl Iterator<Item = (&'a PreparedProblem, BoardWeights)>,
    ) -> Self {
        let (mut problems, mut jobs): (Vec<BeamSpec>, _) = (Vec::new(), Vec::new());
        for (PreparedProblem { beams, .. }, weights) in scores {
            let known = problems.iter().position(|known| known == beams);
            let place = known.unwrap_or_else(|| {
                problems.push(beams.clone());
                problems.len() - 1
            });
            jobs.push((place, weights));
        }
        HextrisScoreStageSpec { problems, jobs }
    }
}

/// An opened stage: the problems, each with its number of beam states and its highest possible
/// score, and the jobs.
pub struct HextrisScoreStage {
    problems: Vec<(TuningProblem, usize, ScoreCeiling)>,
    jobs: Vec<(usize, BoardWeights)>,
}

impl Stage for HextrisScoreStage {
    type Spec = HextrisScoreStageSpec;
    type Worker = ();
    type Output = TuningScore;

    fn open(
        _registry: &Registry,
        _assets: &Assets,
        spec: HextrisScoreStageSpec,
    ) -> Result<Self, RunError> {
        let HextrisScoreStageSpec { problems, jobs } = spec;
        let prepare = |BeamSpec { problem, seeds, states }: BeamSpec| {
            let problem =
                Problem::new(problem).map_err(|error| RunError::Wrong(error.to_string()))?;
            let games = seeds.min(problem.seeds().len());
            let ceiling = ScoreCeiling::of(&problem, games);
            Ok((TuningProblem::new(&problem, seeds), states, ceiling))
        };
        let problems = problems.into_iter().map(prepare).collect::<Result<Vec<_>, RunError>>()?;
        if jobs.iter().any(|&(problem, _)| problem >= problems.len()) {
            return Err(RunError::Failed("a job names a problem that is not there".to_owned()));
        }
        Ok(HextrisScoreStage { problems, jobs })
    }

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64, stop: &AtomicBool) -> Result<TuningScore, JobFailure> {
        let (problem, weights) = &self.jobs[number as usize];
        let (problem, states, _) = &self.problems[*problem];
        problem.play_or_stop(weights, *states, stop).ok_or(JobFailure::Stopped)
    }

    fn accepts(&self, number: u64, score: &TuningScore) -> bool {
        let (_, _, ceiling) = &self.problems[self.jobs[number as usize].0];
        ceiling.allows(score)
    }
}

/// Upper bound of the score of any weights on a problem, for a given number of games.
struct ScoreCeiling(TuningScore);

impl ScoreCeiling {
    /// Computes the bound: no unit descends further than the height of the board or clears more
    /// rows at once, and the bonus for rows cleared before is a tenth of the points for each of
    /// them.
    fn of(problem: &Problem, games: usize) -> Self {
        let (width, height) = (problem.width() as u64, problem.height() as u64);
        let units = (games * problem.source_length()) as u64;
        let clearing = width * height + 50 * height * (height + 1);
        ScoreCeiling(TuningScore {
            games: games as u64,
            points: units.saturating_mul(clearing * (1 + height.div_ceil(10))),
            descents: units.saturating_mul(height),
        })
    }

    fn allows(&self, score: &TuningScore) -> bool {
        let ScoreCeiling(most) = self;
        score.games == most.games && score.points <= most.points && score.descents <= most.descents
    }
}
