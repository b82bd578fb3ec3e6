//! Searches the weights of a solver of hexagonal Tetris that score best, by a genetic algorithm or by
//! cross-entropy. A record is a generation, which depends only on the settings. A
//! job scores one set of weights on one problem; scores are cached, so that no run computes a score
//! twice. Held-out problems are scored but never influence the search.

mod report;
mod request;
mod scores;
mod search;
mod weights;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use ludion_hextris::JsonProblem;
use ludion_hextris::solver::tuning::TuningScore;
use ludion_optimise::Maximiser;
use ludion_optimise::history::GenerationScores;
use ludion_optimise::space::SpacePoint;
use ludion_players::arena::plan::TuningMethod;
use ludion_players::registry::Registry;
use ludion_store::{JobOutput, StudyPlan};
use serde::{Deserialize, Serialize};

use super::{OutputKey, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession};
use crate::{RunError, plural};
pub use report::{GenerationLine, HextrisTuningEffort, HextrisTuningReport};
pub use request::{HextrisTuningRequest, TuningProblemRequest};
use scores::PreparedProblem;
pub use scores::{HextrisScoreStage, HextrisScoreStageSpec};
use search::{point_weights, weight_search};
pub use weights::{TunedSolver, TunedWeights};

/// Settings of a tuning, stored with the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HextrisTuningSettings {
    /// The solver whose weights are tuned; runs stored without it tuned beam search.
    #[serde(default, skip_serializing_if = "TunedSolver::is_beam")]
    pub solver: TunedSolver,
    /// Search method.
    pub by: TuningMethod,
    /// Maximum number of generations.
    pub generations: u32,
    /// Number of states that each beam keeps; `None` if the solver is no beam search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Maximum number of games of a problem, one for each of its first seeds.
    pub seeds: usize,
    /// The problems whose scores guide the search.
    pub train: Vec<NamedJsonProblem>,
    /// The held-out problems, which are scored but do not guide the search.
    pub held_out: Vec<NamedJsonProblem>,
    /// Seed of the search method.
    pub seed: u64,
}

/// A problem of the tuning with its name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NamedJsonProblem {
    /// Name that the user gave.
    pub name: String,
    /// The whole problem, so that its file is not needed again.
    pub problem: JsonProblem,
}

/// Result of one generation of the search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HextrisTuningGeneration {
    /// Scores of the candidates of this generation on the training problems, as ratios to the score
    /// of the default weights.
    #[serde(flatten)]
    pub generation: GenerationScores,
    /// Score of the best weights so far on the held-out problems, as a ratio to that of the default
    /// weights.
    pub held_out: f64,
    /// The best weights of all generations so far.
    pub weights: TunedWeights,
    /// Scores of the best weights so far by problem, training problems first.
    pub problems: Vec<TunedWeightsComparison>,
}

/// Mean scores per game of the best and the default weights on one problem.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedWeightsComparison {
    /// Name of the problem.
    pub problem: String,
    /// Whether the problem is a training problem; otherwise it is held out.
    pub trained_on: bool,
    /// Mean score per game of the default weights.
    pub default: f64,
    /// Mean score per game of the best weights so far.
    pub best: f64,
    /// `best` divided by `default`.
    pub ratio: f64,
}

/// Weights that the current stage scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ScoredWeights {
    /// The default weights on all problems.
    Default,
    /// The candidates of a generation on the training problems.
    Candidates,
    /// The best weights so far on all problems.
    Best,
}

/// A tuning of the weights while it runs.
pub struct HextrisTuning {
    settings: HextrisTuningSettings,
    /// All problems, training problems first.
    problems: Vec<PreparedProblem>,
    search: Box<dyn Maximiser<Candidate = SpacePoint>>,
    /// Scores known to this program, by weights and problem.
    scores: HashMap<ScoreKey, TuningScore>,
    scored: ScoredWeights,
    /// The weights that the current stage scores.
    weights: Vec<TunedWeights>,
    /// Weights and problem of each job of the current stage.
    jobs: Vec<ScoreKey>,
}

/// Key of a score: effective weights as JSON, and the index of a problem.
type ScoreKey = (String, usize);

fn to_json(value: &impl Serialize) -> Result<String, RunError> {
    serde_json::to_string(value)
        .map_err(|error| RunError::Failed(format!("a cached value is no JSON: {error}")))
}

impl HextrisTuning {
    /// Returns the weights to score in a stage.
    fn weights_of(&mut self, scored: ScoredWeights) -> Vec<TunedWeights> {
        let solver = self.settings.solver;
        match scored {
            ScoredWeights::Default => vec![solver.default_weights()],
            ScoredWeights::Candidates => {
                self.search.ask().iter().map(|point| point_weights(solver, point)).collect()
            }
            ScoredWeights::Best => {
                let (best, _) = self.search.best().expect("a generation was scored");
                vec![point_weights(solver, &best)]
            }
        }
    }

    /// Returns the scores of weights on the first `problems` problems; these scores must be known.
    fn scores(
        &self,
        weights: &TunedWeights,
        problems: usize,
    ) -> Result<Vec<TuningScore>, RunError> {
        let json = to_json(&weights.effective())?;
        let score = |problem| self.scores.get(&(json.clone(), problem)).copied();
        let scores: Option<Vec<TuningScore>> = (0..problems).map(score).collect();
        scores.ok_or_else(|| RunError::Failed("a score of the tuning is missing".to_owned()))
    }

    /// Returns the keys and weights of the scores that the current stage needs and this program
    /// does not know. The most expensive come first, so that at the end no thread is left with a
    /// long job.
    fn missing(&self) -> Result<Vec<(ScoreKey, TunedWeights)>, RunError> {
        let problems = match self.scored {
            ScoredWeights::Candidates => self.settings.train.len(),
            ScoredWeights::Default | ScoredWeights::Best => self.problems.len(),
        };
        let (mut missing, mut seen) = (Vec::new(), HashSet::new());
        for weights in &self.weights {
            let json = to_json(&weights.effective())?;
            for problem in 0..problems {
                let key = (json.clone(), problem);
                if !self.scores.contains_key(&key) && seen.insert(key.clone()) {
                    missing.push((key, *weights));
                }
            }
        }
        let cost = |key: &ScoreKey| self.problems[key.1].cost;
        missing.sort_by(|(a, _), (b, _)| (cost(b), a).cmp(&(cost(a), b)));
        Ok(missing)
    }

    /// Passes the scores of the candidates to the search method.
    fn tell_candidates(&mut self) -> Result<(), RunError> {
        let count = self.settings.train.len();
        let defaults = self.scores(&self.settings.solver.default_weights(), count)?;
        let score = |weights| Ok(mean_ratio(&self.scores(weights, count)?, &defaults));
        let scores = self.weights.iter().map(score).collect::<Result<Vec<f64>, RunError>>()?;
        self.search.tell(&scores).map_err(|error| RunError::Failed(error.to_string()))
    }

    /// Returns the record of the generation that was scored last.
    fn generation(&self) -> Result<HextrisTuningGeneration, RunError> {
        let (count, all) = (self.settings.train.len(), self.problems.len());
        let best = self.weights[0];
        let defaults = self.scores(&self.settings.solver.default_weights(), all)?;
        let scores = self.scores(&best, all)?;
        Ok(HextrisTuningGeneration {
            generation: *self.search.generations().last().expect("a generation was scored"),
            held_out: mean_ratio(&scores[count..], &defaults[count..]),
            weights: best,
            problems: self.compare(&scores, &defaults),
        })
    }

    fn compare(
        &self,
        best: &[TuningScore],
        default: &[TuningScore],
    ) -> Vec<TunedWeightsComparison> {
        let HextrisTuningSettings { train, held_out, .. } = &self.settings;
        let named = train.iter().map(|entry| (entry, true));
        let named = named.chain(held_out.iter().map(|entry| (entry, false)));
        let pairs = named.zip(best.iter().zip(default));
        pairs
            .map(|((entry, trained_on), (best, default))| TunedWeightsComparison {
                problem: entry.name.clone(),
                trained_on,
                default: default.score(),
                best: best.score(),
                ratio: best.ratio(default),
            })
            .collect()
    }
}

/// Returns the mean over the problems of the score divided by the score of the default weights.
fn mean_ratio(scores: &[TuningScore], defaults: &[TuningScore]) -> f64 {
    let ratios = scores.iter().zip(defaults).map(|(score, default)| score.ratio(default));
    ratios.sum::<f64>() / scores.len().max(1) as f64
}

/// Upper bound of the candidates of a generation; both methods ask for fewer.
const MAX_CANDIDATES: u64 = 32;

impl Study for HextrisTuning {
    const KIND: &'static str = "hextris tune";
    const UNIT: &'static str = "generations";
    const CACHE: &'static str = "hextris weights";

    type Request = HextrisTuningRequest;
    type Settings = HextrisTuningSettings;
    type Stage = HextrisScoreStage;
    type Record = HextrisTuningGeneration;
    type Report = HextrisTuningReport;

    fn settings(
        _registry: &Registry,
        request: HextrisTuningRequest,
        seed: u64,
    ) -> Result<HextrisTuningSettings, RunError> {
        request.settings(seed)
    }

    fn plan(settings: &HextrisTuningSettings) -> Result<StudyPlan, RunError> {
        let (trained, held) = (settings.train.len(), settings.held_out.len());
        let about = format!("{}, {held} held out", plural(trained as u64, "problem"));
        let records = settings.generations.into();
        Ok(StudyPlan::new(Self::KIND, about, records, settings.seed, settings)?)
    }

    fn total_jobs(settings: &HextrisTuningSettings) -> u64 {
        let problems = (settings.train.len() + settings.held_out.len()) as u64;
        let generation = MAX_CANDIDATES.saturating_mul(problems);
        generation.saturating_mul(settings.generations.into())
    }

    fn new(_registry: &Registry, settings: HextrisTuningSettings) -> Result<Self, RunError> {
        let entries = settings.train.iter().chain(&settings.held_out);
        let problems = entries.map(|entry| PreparedProblem::new(entry, &settings));
        let problems = problems.collect::<Result<_, _>>()?;
        let search =
            weight_search(&settings).map_err(|error| RunError::Wrong(error.to_string()))?;
        Ok(HextrisTuning {
            settings,
            problems,
            search,
            scores: HashMap::new(),
            scored: ScoredWeights::Best,
            weights: Vec::new(),
            jobs: Vec::new(),
        })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _memory: &mut StudySession<HextrisTuningGeneration>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<HextrisScoreStageSpec>>, RunError> {
        self.scored = match self.scored {
            ScoredWeights::Default => ScoredWeights::Candidates,
            ScoredWeights::Candidates => ScoredWeights::Best,
            ScoredWeights::Best if self.search.finished().is_some() => return Ok(None),
            ScoredWeights::Best => ScoredWeights::Default,
        };
        self.weights = self.weights_of(self.scored);
        let missing = self.missing()?;
        let spec = HextrisScoreStageSpec::new(
            missing.iter().map(|((_, problem), weights)| (&self.problems[*problem], *weights)),
        );
        self.jobs = missing.into_iter().map(|(key, _)| key).collect();
        let jobs = self.jobs.len() as u64;
        Ok(Some(StageRequest { spec, jobs, attachments: Vec::new() }))
    }

    fn output_key(&self, job: u64, version: &str) -> OutputKey {
        let (weights, problem) = &self.jobs[job as usize];
        OutputKey::Cached(self.problems[*problem].score_name(weights, version))
    }

    fn store_output(score: &TuningScore) -> StoredJobOutput<HextrisTuningGeneration> {
        StoredJobOutput::Cached(serde_json::to_vec(score).expect("plain data is JSON"))
    }

    fn load_output(stored: StoredJobOutput<HextrisTuningGeneration>) -> Option<TuningScore> {
        match stored {
            StoredJobOutput::Cached(bytes) => serde_json::from_slice(&bytes).ok(),
            StoredJobOutput::Record(_) => None,
        }
    }

    fn finish_stage(
        &mut self,
        outputs: Vec<TuningScore>,
        _memory: &mut StudySession<HextrisTuningGeneration>,
    ) -> Result<Option<(u64, HextrisTuningGeneration)>, RunError> {
        self.scores.extend(std::mem::take(&mut self.jobs).into_iter().zip(outputs));
        match self.scored {
            ScoredWeights::Default => Ok(None),
            ScoredWeights::Candidates => self.tell_candidates().map(|()| None),
            ScoredWeights::Best => {
                let number = self.search.generations().len() as u64 - 1;
                Ok(Some((number, self.generation()?)))
            }
        }
    }

    fn rounds(&self) -> Option<(u64, u64)> {
        Some((self.search.generations().len() as u64, self.settings.generations.into()))
    }

    fn status(&self, _outputs: &[JobOutput<TuningScore>]) -> String {
        match self.scored {
            ScoredWeights::Default => "default weights".to_owned(),
            ScoredWeights::Candidates => {
                let number = self.search.generations().len() + 1;
                format!("generation {number} of {}", self.settings.generations)
            }
            ScoredWeights::Best => "problems held out".to_owned(),
        }
    }

    fn report(
        settings: &HextrisTuningSettings,
        run: &StudyRecords<HextrisTuningGeneration>,
    ) -> Result<HextrisTuningReport, RunError> {
        Ok(HextrisTuningReport::new(settings, run))
    }
}
