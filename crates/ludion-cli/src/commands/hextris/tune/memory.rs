//! What weights score on a problem, computed once: on all threads or by others elsewhere, each
//! score in the store as soon as it is there, under a name that says all it depends on.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ludion::arena::executor::{JobSet, ResultSink};
use ludion::assets::Assets;
use ludion::games::hextris::solver::evaluation::BoardWeights;
use ludion::games::hextris::solver::tuning::{TuningProblem, TuningScore};
use ludion::games::hextris::{JsonProblem, Problem};
use ludion::random::derive_seed;
use ludion::registry::Registry;
use ludion_runs::cluster::JobSpec;
use ludion_runs::remote::{self, JobHandler, OpenedJobSet, RemoteJobSet};
use ludion_runs::{RunContext, RunError};
use ludion_store::Store;
use serde::{Deserialize, Serialize};

use super::generations::OnStageProgress;

/// What scores are kept as.
const KIND: &str = "hextris weights";

/// A problem to be played by beams of so many states.
pub(super) struct BeamTask {
    trial: TuningProblem,
    written: StoredBeamTask,
    /// All that a score depends on but the weights.
    key: String,
    /// How long it takes, roughly.
    cost: u64,
    most: ScoreCeiling,
}

/// More than this no weights score, with the number of games they must have played.
struct ScoreCeiling(TuningScore);

impl ScoreCeiling {
    /// No unit comes down further than the board is high, nor clears more rows at once, and the
    /// bonus for rows cleared before is a tenth of the points for each of them.
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

    fn holds(&self, tally: &TuningScore) -> bool {
        let ScoreCeiling(most) = self;
        tally.games == most.games && tally.points <= most.points && tally.descents <= most.descents
    }
}

impl BeamTask {
    pub(super) fn new(problem: &Problem, seeds: usize, states: usize) -> Result<Self, RunError> {
        // Problems are told apart by what they are: files of one number may differ.
        let text = to_json(problem.json())?;
        let print = derive_seed(0, &text.bytes().map(u64::from).collect::<Vec<_>>());
        let (id, version) = (problem.id(), env!("CARGO_PKG_VERSION"));
        let games = seeds.min(problem.seeds().len());
        let size = problem.source_length() * problem.width() * problem.height();
        Ok(BeamTask {
            trial: TuningProblem::new(problem, seeds),
            written: StoredBeamTask { problem: problem.json().clone(), seeds, states },
            key: format!(
                "problem {id} {print:016x}, seeds {games}, states {states}, version {version}"
            ),
            cost: (games * size) as u64,
            most: ScoreCeiling::of(problem, games),
        })
    }

    /// How many states fit into so many bytes.
    pub(super) fn states_within(&self, bytes: usize) -> usize {
        self.trial.states_within(bytes)
    }
}

pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, RunError> {
    serde_json::to_string(value)
        .map_err(|error| RunError::Failed(format!("what is kept is no JSON: {error}")))
}

/// The scores known: to this program, and to the store if there is one.
#[derive(Default)]
pub(super) struct KnownScores {
    pub(super) store: Option<Store>,
    known: HashMap<String, TuningScore>,
    /// Scores that were computed by this program.
    pub(super) computed: u64,
    /// Scores that the store knew.
    pub(super) recalled: u64,
}

impl KnownScores {
    pub(super) fn new(store: Option<Store>) -> Self {
        KnownScores { store, ..KnownScores::default() }
    }

    /// What every candidate scores on every task, a row a candidate; what is not known is
    /// computed. `None` when somebody stopped it.
    pub(super) fn tallies(
        &mut self,
        run_context: &RunContext<'_>,
        tasks: &[BeamTask],
        candidates: &[BoardWeights],
        what: &str,
        told: OnStageProgress<'_>,
    ) -> Result<Option<Vec<Vec<TuningScore>>>, RunError> {
        let (mut names, mut missing) = (Vec::new(), Vec::new());
        for weights in candidates {
            let json = to_json(weights)?;
            for task in tasks {
                let name = format!("{}, weights {json}", task.key);
                if !self.recall(&name)? {
                    missing.push(WeightJob { name: name.clone(), task, weights: *weights });
                }
                names.push(name);
            }
        }
        // The dearest first, so that no thread is left alone with one in the end.
        missing.sort_by(|a, b| (b.task.cost, &a.name).cmp(&(a.task.cost, &b.name)));
        missing.dedup_by(|a, b| a.name == b.name);
        if !self.compute(run_context, &missing, what, told)? {
            return Ok(None);
        }
        let tallies: Vec<TuningScore> = names.iter().map(|name| self.known[name]).collect();
        Ok(Some(tallies.chunks(tasks.len().max(1)).map(<[TuningScore]>::to_vec).collect()))
    }

    /// Whether a score is known. What is kept under its name and is no score is computed anew.
    fn recall(&mut self, name: &str) -> Result<bool, RunError> {
        if self.known.contains_key(name) {
            return Ok(true);
        }
        let Some(store) = &self.store else { return Ok(false) };
        let kept = store.keepsake(KIND, name)?;
        let Some(tally) = kept.and_then(|kept| serde_json::from_slice(&kept).ok()) else {
            return Ok(false);
        };
        self.known.insert(name.to_owned(), tally);
        self.recalled += 1;
        Ok(true)
    }

    /// Computes what is missing, and says whether it came to the end of it.
    fn compute(
        &mut self,
        run_context: &RunContext<'_>,
        missing: &[WeightJob<'_>],
        what: &str,
        told: OnStageProgress<'_>,
    ) -> Result<bool, RunError> {
        let stop = run_context.stop;
        let mut keeper = ScoreKeeper { memory: self, missing, what, told, failure: None };
        let mut numbers = 0..missing.len() as u64;
        let work = WeightJobs { missing, what };
        let done = remote::execute(run_context, &work, 0, &mut numbers, &mut keeper);
        if let Some(failure) = keeper.failure {
            return Err(failure);
        }
        done?;
        let all = missing.iter().all(|job| self.known.contains_key(&job.name));
        Ok(all && !stop.load(Ordering::Relaxed))
    }

    fn keep(&mut self, name: &str, tally: TuningScore) -> Result<(), RunError> {
        self.known.insert(name.to_owned(), tally);
        self.computed += 1;
        if let Some(store) = &mut self.store {
            store.keep_keepsake(KIND, name, to_json(&tally)?.as_bytes())?;
        }
        Ok(())
    }
}

/// Weights to be tried on a problem.
struct WeightJob<'a> {
    name: String,
    task: &'a BeamTask,
    weights: BoardWeights,
}

struct WeightJobs<'a> {
    missing: &'a [WeightJob<'a>],
    what: &'a str,
}

impl JobSet for WeightJobs<'_> {
    type Worker = ();
    type Output = TuningScore;

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64) -> TuningScore {
        let WeightJob { task, weights, .. } = &self.missing[number as usize];
        task.trial.play(weights, task.written.states)
    }
}

/// A problem as others read it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct StoredBeamTask {
    problem: JsonProblem,
    seeds: usize,
    states: usize,
}

/// The jobs of a generation as others read them: each is a task and weights.
#[derive(Serialize, Deserialize)]
struct StoredWeightJobs {
    tasks: Vec<StoredBeamTask>,
    jobs: Vec<(usize, BoardWeights)>,
}

/// How others try weights.
pub(crate) const TRIALS: JobHandler = JobHandler { kind: super::NAME, open };

fn open(
    _registry: &Registry,
    _shelf: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let StoredWeightJobs { tasks, jobs } = remote::decode_spec(spec)?;
    let trials = tasks.into_iter().map(|StoredBeamTask { problem, seeds, states }| {
        let problem = Problem::new(problem).map_err(|error| RunError::Wrong(error.to_string()))?;
        Ok((TuningProblem::new(&problem, seeds), states))
    });
    let trials = trials.collect::<Result<Vec<_>, RunError>>()?;
    if jobs.iter().any(|&(task, _)| task >= trials.len()) {
        return Err(RunError::Failed("the order names a problem that is not in it".to_owned()));
    }
    Ok(remote::opened_job_set(OpenedWeightJobs { trials, jobs }))
}

/// Trials that were opened.
struct OpenedWeightJobs {
    trials: Vec<(TuningProblem, usize)>,
    jobs: Vec<(usize, BoardWeights)>,
}

impl JobSet for OpenedWeightJobs {
    type Worker = ();
    type Output = TuningScore;

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64) -> TuningScore {
        let (task, weights) = &self.jobs[number as usize];
        let (trial, states) = &self.trials[*task];
        trial.play(weights, *states)
    }
}

impl RemoteJobSet for WeightJobs<'_> {
    fn job_spec(&self) -> Result<JobSpec, RunError> {
        let (mut tasks, mut jobs) = (Vec::new(), Vec::new());
        for WeightJob { task, weights, .. } in self.missing {
            let known = tasks.iter().position(|known| *known == task.written);
            let place = known.unwrap_or_else(|| {
                tasks.push(task.written.clone());
                tasks.len() - 1
            });
            jobs.push((place, *weights));
        }
        Ok(JobSpec {
            kind: super::NAME.to_owned(),
            about: self.what.to_owned(),
            jobs: jobs.len() as u64,
            done: 0,
            spec: remote::encode_spec(&StoredWeightJobs { tasks, jobs })?,
            attachments: Vec::new(),
        })
    }

    fn accepts(&self, number: u64, tally: &TuningScore) -> bool {
        self.missing[number as usize].task.most.holds(tally)
    }
}

/// Keeps scores as they arrive.
struct ScoreKeeper<'a> {
    memory: &'a mut KnownScores,
    missing: &'a [WeightJob<'a>],
    what: &'a str,
    told: OnStageProgress<'a>,
    failure: Option<RunError>,
}

impl ResultSink<TuningScore> for ScoreKeeper<'_> {
    fn arrived(&mut self, done: &[(u64, TuningScore)]) {
        for (number, tally) in done {
            if self.failure.is_none() {
                let name = &self.missing[*number as usize].name;
                self.failure = self.memory.keep(name, *tally).err();
            }
        }
    }

    fn next(&mut self, number: u64, _: TuningScore) -> ControlFlow<()> {
        (self.told)(number + 1, self.missing.len() as u64, self.what);
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
