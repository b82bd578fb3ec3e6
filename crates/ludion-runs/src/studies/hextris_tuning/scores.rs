//! Scores of weights on problems: a job plays the games of one problem with one set of weights, by
//! beam search or by the solver of de Falco and Fleck.

use std::sync::atomic::AtomicBool;

use ludion_hextris::phrases::NEW_PHRASE_BONUS;
use ludion_hextris::solver::tuning::{BaselineTuningProblem, TuningProblem, TuningScore};
use ludion_hextris::{JsonProblem, KNOWN_PHRASES, Problem, Unit};
use ludion_players::assets::Assets;
use ludion_players::random::derive_seed;
use ludion_players::registry::Registry;
use serde::{Deserialize, Serialize};

use super::{HextrisTuningSettings, NamedJsonProblem, TunedWeights, to_json};
use crate::RunError;
use crate::studies::{JobFailure, Stage};

/// Memory limit of the beam of one thread, in bytes.
const MAX_BYTES: usize = 1 << 30;

/// A checked problem of a tuning, with the size of the searches that score weights on it.
pub(super) struct PreparedProblem {
    games: GamesSpec,
    /// Prefix of the names under which scores on this problem are cached: it states all that a
    /// score depends on, except the weights and the program version.
    name: String,
    /// Estimated cost of one score, in arbitrary units.
    pub(super) cost: u64,
}

/// A problem, the number of games, and the number of states of the beams that play them; the solver
/// of de Falco and Fleck has none.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct GamesSpec {
    problem: JsonProblem,
    seeds: usize,
    states: Option<usize>,
}

impl PreparedProblem {
    pub(super) fn new(
        entry: &NamedJsonProblem,
        settings: &HextrisTuningSettings,
    ) -> Result<Self, RunError> {
        let wrong = |error| RunError::Wrong(format!("{}: {error}", entry.name));
        let problem = Problem::new(entry.problem.clone()).map_err(wrong)?;
        let (seeds, states) = (settings.seeds, settings.states);
        if let Some(states) = states {
            let most = TuningProblem::new(&problem, seeds).states_within(MAX_BYTES);
            if states > most {
                return Err(RunError::Wrong(format!(
                    "{states} states are too many for {}; at most {most} fit into memory",
                    entry.name
                )));
            }
        }
        // Problems are identified by their content, because files with the same number may differ.
        let text = to_json(problem.json())?;
        let fingerprint = derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>());
        let (id, games) = (problem.id(), seeds.min(problem.seeds().len()));
        let searched = states.map_or_else(|| "baseline".to_owned(), |n| format!("states {n}"));
        let size = problem.source_length() * problem.width() * problem.height();
        Ok(PreparedProblem {
            games: GamesSpec { problem: problem.json().clone(), seeds, states },
            name: format!("problem {id} {fingerprint:016x}, seeds {games}, {searched}"),
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
    problems: Vec<GamesSpec>,
    jobs: Vec<(usize, TunedWeights)>,
}

impl HextrisScoreStageSpec {
    /// Makes the spec with one job for each given problem and its weights; a problem of several
    /// jobs is included once.
    pub(super) fn new<'a>(
        scores: impl Iterator<Item = (&'a PreparedProblem, TunedWeights)>,
    ) -> Self {
        let (mut problems, mut jobs): (Vec<GamesSpec>, _) = (Vec::new(), Vec::new());
        for (PreparedProblem { games, .. }, weights) in scores {
            let known = problems.iter().position(|known| known == games);
            let place = known.unwrap_or_else(|| {
                problems.push(games.clone());
                problems.len() - 1
            });
            jobs.push((place, weights));
        }
        HextrisScoreStageSpec { problems, jobs }
    }
}

/// A problem of an opened stage with the solver that plays its games.
enum ScoredGames {
    Beam { problem: TuningProblem, states: usize },
    Baseline(Box<BaselineTuningProblem>),
}

impl ScoredGames {
    /// Plays the games with weights of the solver.
    fn play(&self, weights: &TunedWeights, stop: &AtomicBool) -> Result<TuningScore, JobFailure> {
        let score = match (self, weights) {
            (ScoredGames::Beam { problem, states }, TunedWeights::Beam(weights)) => {
                problem.play_or_stop(weights, *states, stop)
            }
            (ScoredGames::Baseline(problem), TunedWeights::Baseline(weights)) => {
                problem.play_or_stop(weights, stop)
            }
            _ => {
                let said = "the weights of a job are those of another solver".to_owned();
                return Err(JobFailure::Failed(said));
            }
        };
        score.ok_or(JobFailure::Stopped)
    }
}

/// An opened stage: the problems, each with its highest possible score, and the jobs.
pub struct HextrisScoreStage {
    problems: Vec<(ScoredGames, ScoreCeiling)>,
    jobs: Vec<(usize, TunedWeights)>,
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
        let prepare = |GamesSpec { problem, seeds, states }: GamesSpec| {
            let problem =
                Problem::new(problem).map_err(|error| RunError::Wrong(error.to_string()))?;
            let games = seeds.min(problem.seeds().len());
            Ok(match states {
                Some(states) => {
                    let ceiling = ScoreCeiling::of_beams(&problem, games);
                    let problem = TuningProblem::new(&problem, seeds);
                    (ScoredGames::Beam { problem, states }, ceiling)
                }
                None => {
                    let ceiling = ScoreCeiling::of_baseline(&problem, games);
                    let problem = Box::new(BaselineTuningProblem::new(problem, seeds));
                    (ScoredGames::Baseline(problem), ceiling)
                }
            })
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
        self.problems[*problem].0.play(weights, stop)
    }

    fn accepts(&self, number: u64, score: &TuningScore) -> bool {
        self.problems[self.jobs[number as usize].0].1.allows(score)
    }
}

/// Upper bound of the score of any weights on a problem, for a given number of games.
struct ScoreCeiling(TuningScore);

impl ScoreCeiling {
    /// Computes the bound for beam search: no unit descends further than the height of the board or clears more
    /// rows at once, and the bonus for rows cleared before is a tenth of the points for each of
    /// them.
    fn of_beams(problem: &Problem, games: usize) -> Self {
        let (width, height) = (problem.width() as u64, problem.height() as u64);
        let units = (games * problem.source_length()) as u64;
        let clearing = width * height + 50 * height * (height + 1);
        ScoreCeiling(TuningScore {
            games: games as u64,
            points: units.saturating_mul(clearing * (1 + height.div_ceil(10))),
            descents: units.saturating_mul(height),
        })
    }

    /// Computes the bound for the solver of de Falco and Fleck: besides the points of locks, each
    /// phrase ends at each command at most, and no unit has more commands than placements and a lock.
    fn of_baseline(problem: &Problem, games: usize) -> Self {
        let ScoreCeiling(beams) = ScoreCeiling::of_beams(problem, games);
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0) as u64;
        let commands = ((games * problem.source_length()) as u64).saturating_mul(slots + 1);
        let phrase = |phrase: &&str| 2 * phrase.len() as u64;
        let gain: u64 = KNOWN_PHRASES.iter().map(phrase).sum();
        let new = games as u64 * NEW_PHRASE_BONUS * KNOWN_PHRASES.len() as u64;
        let power = commands.saturating_mul(gain).saturating_add(new);
        ScoreCeiling(TuningScore {
            points: beams.points.saturating_add(power),
            descents: 0,
            ..beams
        })
    }

    fn allows(&self, score: &TuningScore) -> bool {
        let ScoreCeiling(most) = self;
        score.games == most.games && score.points <= most.points && score.descents <= most.descents
    }
}
