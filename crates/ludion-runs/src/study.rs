//! Work of another kind than games: cut into jobs, done by whoever the means name, each output
//! kept as soon as it is there, resumed where it was left.

use std::collections::HashSet;
use std::ops::{ControlFlow, Deref};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludion::arena::executor::{JobSet, ResultSink};
use ludion::assets::Assets;
use ludion::registry::Registry;
use ludion_store::{JobOutput, RunId, RunState, Store, StoredRun, StudyPlan};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cluster::JobSpec;
use crate::remote::{self, JobHandler, OpenedJobSet, RemoteJobSet};
use crate::{RunContext, RunError, RunPicture};

/// Told how far a study has come: jobs done, jobs in all, and in a few words what came of them.
pub type OnProgress<'a> = &'a mut dyn FnMut(u64, u64, &dyn Fn() -> String);

/// A kind of study: what its jobs do and what comes of them.
pub trait StudyKind: JobSet<Output: Serialize + DeserializeOwned + PartialEq> + Sized {
    /// The name of the kind.
    const KIND: &'static str;

    /// The work of a study that was kept.
    ///
    /// # Errors
    /// When its settings are none of this kind.
    fn of(study: &StudyPlan) -> Result<Self, RunError>;

    /// In a few words, how it stands after these outputs.
    fn live(&self, outputs: &[JobOutput<Self::Output>]) -> String;

    /// What came of it.
    ///
    /// # Errors
    /// When there is nothing to say yet.
    fn found(&self, conducted: &StudyProgress<Self::Output>) -> Result<Findings, RunError>;
}

/// What has been done of a study by now.
pub struct StudyProgress<T> {
    /// The run, if it is kept.
    pub run: Option<RunId>,
    /// The outputs in the order of their jobs.
    pub outputs: Vec<JobOutput<T>>,
    /// Whether all jobs are done.
    pub complete: bool,
    /// How long this program worked at it; nothing when it was only looked up.
    pub seconds: Option<f64>,
}

/// What came of a study, for whoever does not know its kind.
pub struct Findings {
    /// Its figures, as the command line writes them for machines.
    pub figures: Value,
    /// What is drawn of it.
    pub picture: Option<RunPicture>,
}

impl Findings {
    /// Figures with their picture.
    ///
    /// # Errors
    /// When the figures are no JSON.
    pub fn new(figures: &impl Serialize, picture: RunPicture) -> Result<Self, RunError> {
        let figures = serde_json::to_value(figures)
            .map_err(|error| RunError::Failed(format!("the answer is no JSON: {error}")))?;
        Ok(Findings { figures, picture: Some(picture) })
    }
}

/// A kind of study by its name, its type forgotten.
#[derive(Clone, Copy)]
pub struct AnyStudyKind {
    /// Its name.
    pub name: &'static str,
    /// Does what is missing of a run.
    pub resume: ResumeStudy,
    /// What the store knows of a run.
    pub found: fn(&Store, &StoredRun<StudyPlan>) -> Result<Findings, RunError>,
}

/// Does what is missing of a run, and says how far it has come.
pub type ResumeStudy =
    fn(&RunContext<'_>, Store, &StoredRun<StudyPlan>, OnProgress<'_>) -> Result<RunState, RunError>;

impl AnyStudyKind {
    /// The kind of an inquiry.
    #[must_use]
    pub const fn of<I: StudyKind>() -> Self {
        AnyStudyKind { name: I::KIND, resume: resume::<I>, found: found::<I> }
    }
}

fn resume<I: StudyKind>(
    run_context: &RunContext<'_>,
    store: Store,
    run: &StoredRun<StudyPlan>,
    told: OnProgress<'_>,
) -> Result<RunState, RunError> {
    let work = I::of(&run.plan)?;
    let done = conduct(run_context, &run.plan, &work, Some((store, run.id)), told)?;
    Ok(if done.complete { RunState::Finished } else { RunState::Stopped })
}

fn found<I: StudyKind>(store: &Store, run: &StoredRun<StudyPlan>) -> Result<Findings, RunError> {
    I::of(&run.plan)?.found(&stored(store, run)?)
}

/// What the store knows of a study.
///
/// # Errors
/// When the outputs do not read as this type.
pub fn stored<T: DeserializeOwned>(
    store: &Store,
    run: &StoredRun<StudyPlan>,
) -> Result<StudyProgress<T>, RunError> {
    let outputs = store.outputs(run.id)?;
    let complete = outputs.len() as u64 == run.plan.jobs;
    Ok(StudyProgress { run: Some(run.id), outputs, complete, seconds: None })
}

/// Does the jobs whose outputs are not in the store.
///
/// # Errors
/// When another program is at it, or the store fails.
pub fn conduct<I: StudyKind>(
    run_context: &RunContext<'_>,
    study: &StudyPlan,
    work: &I,
    mut keeping: Option<(Store, RunId)>,
    told: OnProgress<'_>,
) -> Result<StudyProgress<I::Output>, RunError> {
    let (mut known, mut lock) = (Vec::new(), None);
    if let Some((store, run)) = &mut keeping {
        lock = store.lock(*run)?;
        store.set_state(*run, RunState::Running)?;
        known = store.outputs(*run)?;
    }
    let numbers: HashSet<u64> = known.iter().map(|output| output.number).collect();
    let before = numbers.len() as u64;
    let mut jobs = (0..study.jobs).filter(|number| !numbers.contains(number));
    let began = Instant::now();
    let mut collector = OutputCollector {
        work,
        keeping: keeping.as_mut().map(|(store, run)| (store, *run)),
        outputs: known,
        total: study.jobs,
        stop: run_context.stop,
        failure: None,
        told,
    };
    let timed = TimedJobs { work, study: study.clone() };
    let done = remote::execute(run_context, &timed, before, &mut jobs, &mut collector);
    let OutputCollector { mut outputs, failure, .. } = collector;
    if let Some(error) = failure {
        return Err(error.into());
    }
    outputs.sort_by_key(|output| output.number);
    let complete = outputs.len() as u64 == study.jobs;
    let run = keeping.as_ref().map(|(_, run)| *run);
    if let Some((store, run)) = &mut keeping {
        store.set_state(*run, if complete { RunState::Finished } else { RunState::Stopped })?;
    }
    drop(lock);
    done?;
    Ok(StudyProgress { run, outputs, complete, seconds: Some(began.elapsed().as_secs_f64()) })
}

/// The work of a study, whose jobs say how long they took.
struct TimedJobs<P> {
    work: P,
    study: StudyPlan,
}

impl<P: Deref<Target: JobSet> + Sync> JobSet for TimedJobs<P> {
    type Worker = <P::Target as JobSet>::Worker;
    type Output = JobOutput<<P::Target as JobSet>::Output>;

    fn worker(&self) -> Self::Worker {
        self.work.worker()
    }

    fn job(&self, worker: &mut Self::Worker, number: u64) -> Self::Output {
        let began = Instant::now();
        let value = self.work.job(worker, number);
        JobOutput { number, took: began.elapsed(), value }
    }
}

impl<I: StudyKind> RemoteJobSet for TimedJobs<&I> {
    fn job_spec(&self) -> Result<JobSpec, RunError> {
        let StudyPlan { kind, about, jobs, .. } = &self.study;
        Ok(JobSpec {
            kind: kind.clone(),
            about: about.clone(),
            jobs: *jobs,
            done: 0,
            spec: remote::encode_spec(&self.study)?,
            attachments: Vec::new(),
        })
    }

    fn accepts(&self, number: u64, output: &Self::Output) -> bool {
        output.number == number
    }
}

/// How others open the studies of a kind.
#[must_use]
pub const fn job_handler<I: StudyKind + Send + 'static>() -> JobHandler {
    JobHandler { kind: I::KIND, open: open::<I> }
}

fn open<I: StudyKind + Send + 'static>(
    _registry: &Registry,
    _shelf: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let study: StudyPlan = remote::decode_spec(spec)?;
    let work = Box::new(I::of(&study)?);
    Ok(remote::opened_job_set(TimedJobs { work, study }))
}

/// Keeps outputs as they arrive.
struct OutputCollector<'a, I: StudyKind> {
    work: &'a I,
    keeping: Option<(&'a mut Store, RunId)>,
    outputs: Vec<JobOutput<I::Output>>,
    total: u64,
    stop: &'a AtomicBool,
    failure: Option<ludion_store::StoreError>,
    told: OnProgress<'a>,
}

impl<I: StudyKind> ResultSink<JobOutput<I::Output>> for OutputCollector<'_, I> {
    fn arrived(&mut self, done: &[(u64, JobOutput<I::Output>)]) {
        let Some((store, run)) = self.keeping.as_mut().filter(|_| self.failure.is_none()) else {
            return;
        };
        let outputs = done.iter().map(|(_, output)| output);
        if let Err(error) = store.keep_outputs(*run, outputs) {
            self.failure = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn next(&mut self, _number: u64, output: JobOutput<I::Output>) -> ControlFlow<()> {
        self.outputs.push(output);
        let (work, outputs) = (self.work, &self.outputs);
        (self.told)(outputs.len() as u64, self.total, &|| work.live(outputs));
        ControlFlow::Continue(())
    }
}
