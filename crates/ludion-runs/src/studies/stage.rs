//! Stages: what a study asks for, how it is opened from bytes on any machine, and its jobs for
//! threads and for the cluster.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludion::arena::executor::JobSet;
use ludion::assets::Assets;
use ludion::registry::Registry;
use ludion_store::JobOutput;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Study;
use crate::RunError;
use crate::cluster::{Attachment, JobSpec};
use crate::remote::{self, OpenedJobSet, RemoteJobSet};

/// A numbered set of jobs. The output of a job depends on the spec, the attachments and the
/// number alone.
pub trait Stage: Sized + Send + Sync {
    /// All that the jobs depend on, but for the attachments.
    type Spec: Serialize + DeserializeOwned + Sync;
    /// What one thread needs for jobs, such as players.
    type Worker;
    /// The output of a job.
    type Output: Clone + PartialEq + Serialize + DeserializeOwned + Send;

    /// Opens a stage. `assets` has its attachments and nothing else.
    ///
    /// # Errors
    /// When the spec is not allowed.
    fn open(registry: &Registry, assets: &Assets, spec: Self::Spec) -> Result<Self, RunError>;

    /// Makes a worker, on the thread that uses it.
    fn worker(&self) -> Self::Worker;

    /// Runs a job. One that takes long can return early once `stop` is set.
    ///
    /// # Errors
    /// When it was stopped, or has no output.
    fn job(
        &self,
        worker: &mut Self::Worker,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Self::Output, JobFailure>;

    /// Returns whether the job can have this output: other machines can send anything.
    fn accepts(&self, number: u64, output: &Self::Output) -> bool;
}

/// Reasons why a job has no output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum JobFailure {
    /// It was stopped; it can be run again.
    Stopped,
    /// It failed for this reason, and so would any other program.
    Failed(String),
}

/// A stage that a study asks for.
pub struct StageRequest<T> {
    /// The spec of the stage.
    pub spec: T,
    /// The number of jobs.
    pub jobs: u64,
    /// Models and data that the jobs need.
    pub attachments: Vec<Attachment>,
}

impl<T: Serialize + DeserializeOwned> StageRequest<T> {
    /// Opens the stage on this machine, as a worker would.
    pub(super) fn open<S: Stage<Spec = T>>(&self, registry: &Registry) -> Result<S, RunError> {
        let files: HashMap<String, _> = self
            .attachments
            .iter()
            .map(|attachment| (attachment.name.clone(), Arc::clone(&attachment.bytes)))
            .collect();
        let assets = Assets::new(move |name| {
            files.get(name).cloned().ok_or_else(|| format!("{name} is not attached to the stage"))
        });
        S::open(registry, &assets, remote::decode_spec(&remote::encode_spec(&self.spec)?)?)
    }
}

/// The output of a job with its number and the time it took.
pub(super) type TimedOutput<T> = Result<JobOutput<T>, JobFailure>;

/// The jobs of a stage, timed. `P` points to the stage.
pub(super) struct StageJobs<'a, P> {
    pub(super) stage: P,
    pub(super) stop: &'a AtomicBool,
}

impl<P: Deref<Target: Stage> + Sync> JobSet for StageJobs<'_, P> {
    type Worker = <P::Target as Stage>::Worker;
    type Output = TimedOutput<<P::Target as Stage>::Output>;

    fn worker(&self) -> Self::Worker {
        self.stage.worker()
    }

    fn job(&self, worker: &mut Self::Worker, number: u64) -> Self::Output {
        let began = Instant::now();
        let value = self.stage.job(worker, number, self.stop)?;
        Ok(JobOutput { number, took: began.elapsed(), value })
    }
}

/// The jobs of a stage with all that other machines need.
pub(super) struct RemoteStage<'a, S: Study> {
    pub(super) jobs: StageJobs<'a, &'a S::Stage>,
    pub(super) request: &'a StageRequest<super::StageSpec<S>>,
    pub(super) about: String,
}

impl<S: Study> JobSet for RemoteStage<'_, S> {
    type Worker = <S::Stage as Stage>::Worker;
    type Output = TimedOutput<super::Output<S>>;

    fn worker(&self) -> Self::Worker {
        self.jobs.worker()
    }

    fn job(&self, worker: &mut Self::Worker, number: u64) -> Self::Output {
        self.jobs.job(worker, number)
    }
}

impl<S: Study> RemoteJobSet for RemoteStage<'_, S> {
    fn job_spec(&self) -> Result<JobSpec, RunError> {
        Ok(JobSpec {
            kind: S::KIND.to_owned(),
            about: self.about.clone(),
            jobs: self.request.jobs,
            done: 0,
            spec: remote::encode_spec(&self.request.spec)?,
            attachments: self.request.attachments.clone(),
        })
    }

    fn accepts(&self, number: u64, output: &Self::Output) -> bool {
        output.as_ref().is_ok_and(|output| {
            output.number == number && self.jobs.stage.accepts(number, &output.value)
        })
    }
}

/// A worker runs what it has begun to the end.
static NEVER_STOPPED: AtomicBool = AtomicBool::new(false);

/// Opens a stage of a study for a worker.
pub(super) fn open<S: Study>(
    registry: &Registry,
    assets: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let stage = Box::new(S::Stage::open(registry, assets, remote::decode_spec(spec)?)?);
    let jobs = StageJobs { stage, stop: &NEVER_STOPPED };
    Ok(remote::opened_job_set_unless(jobs, |output| match output {
        Ok(_) => None,
        Err(JobFailure::Stopped) => Some("it was stopped".to_owned()),
        Err(JobFailure::Failed(why)) => Some(why.clone()),
    }))
}
