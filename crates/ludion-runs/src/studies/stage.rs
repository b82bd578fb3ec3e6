//! Stages of studies: the request for a stage, opening it from its spec on any machine, and its
//! jobs as a job set for threads and for the cluster.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ludion_players::arena::executor::JobSet;
use ludion_players::assets::Assets;
use ludion_players::registry::Registry;
use ludion_store::JobOutput;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Study;
use crate::RunError;
use crate::cluster::{Attachment, JobSpec};
use crate::remote::{self, OpenedJobSet, RemoteJobSet};
use crate::residuals::ResultClass;

/// A numbered set of jobs. The output of a job depends only on the spec, the attachments and the
/// job number.
pub trait Stage: Sized + Send + Sync {
    /// Everything that the jobs depend on, except the attachments.
    type Spec: Serialize + DeserializeOwned + Sync;
    /// State that one thread reuses from job to job, such as players.
    type Worker;
    /// The output of a job.
    type Output: Clone + PartialEq + Serialize + DeserializeOwned + Send;

    /// Opens a stage. `assets` holds its attachments and nothing else.
    ///
    /// # Errors
    /// When the spec is not allowed.
    fn open(registry: &Registry, assets: &Assets, spec: Self::Spec) -> Result<Self, RunError>;

    /// Makes the state of one thread; called on the thread that uses it.
    fn worker(&self) -> Self::Worker;

    /// Runs a job. A long job can return early when `stop` is set.
    ///
    /// # Errors
    /// When the job was stopped or failed.
    fn job(
        &self,
        worker: &mut Self::Worker,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Self::Output, JobFailure>;

    /// Returns whether `output` can be the output of this job; a faulty worker may send anything.
    fn accepts(&self, number: u64, output: &Self::Output) -> bool;

    /// Returns the class of an output, by which the workers of a run are compared; `None` if outputs
    /// have no classes.
    fn classify(&self, _number: u64, _output: &Self::Output) -> Option<ResultClass> {
        None
    }

    /// Returns a name that all stages have whose classes can be compared with those of this stage, as
    /// in [`JobSpec::series`]; `None` if there is no other such stage.
    fn series(&self) -> Option<String> {
        None
    }
}

/// Reasons why a job has no output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum JobFailure {
    /// The job was stopped before its end; it can be run again.
    Stopped,
    /// The job failed for this reason and would fail again on any machine.
    Failed(String),
}

/// A stage to run, as returned by [`Study::next_stage`].
pub struct StageRequest<T> {
    /// The spec that workers open.
    pub spec: T,
    /// Number of jobs of the stage.
    pub jobs: u64,
    /// Models and data files that the jobs need.
    pub attachments: Vec<Attachment>,
}

impl<T: Serialize + DeserializeOwned> StageRequest<T> {
    /// Opens the stage on this machine in the same way as a worker does.
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

/// Output of a job with its number and computing time, or the reason of its failure.
pub(super) type TimedOutput<T> = Result<JobOutput<T>, JobFailure>;

/// Job set of a stage that also measures the time of each job. `P` is a pointer to the stage.
pub(super) struct StageJobs<P> {
    pub(super) stage: P,
}

impl<P: Deref<Target: Stage> + Sync> JobSet for StageJobs<P> {
    type Worker = <P::Target as Stage>::Worker;
    type Output = TimedOutput<<P::Target as Stage>::Output>;

    fn worker(&self) -> Self::Worker {
        self.stage.worker()
    }

    fn job(
        &self,
        worker: &mut Self::Worker,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<Self::Output> {
        let began = Instant::now();
        match self.stage.job(worker, number, stop) {
            Ok(value) => Some(Ok(JobOutput { number, took: began.elapsed(), value })),
            Err(JobFailure::Stopped) => None,
            Err(failure) => Some(Err(failure)),
        }
    }
}

/// Job set of a stage with the request from which a job spec for workers is made.
pub(super) struct RemoteStage<'a, S: Study> {
    pub(super) jobs: StageJobs<&'a S::Stage>,
    pub(super) request: &'a StageRequest<super::StageSpec<S>>,
    pub(super) about: String,
}

impl<S: Study> JobSet for RemoteStage<'_, S> {
    type Worker = <S::Stage as Stage>::Worker;
    type Output = TimedOutput<super::Output<S>>;

    fn worker(&self) -> Self::Worker {
        self.jobs.worker()
    }

    fn job(
        &self,
        worker: &mut Self::Worker,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<Self::Output> {
        self.jobs.job(worker, number, stop)
    }
}

impl<S: Study> RemoteJobSet for RemoteStage<'_, S> {
    fn job_spec(&self) -> Result<JobSpec, RunError> {
        Ok(JobSpec {
            kind: S::KIND.to_owned(),
            about: self.about.clone(),
            jobs: self.request.jobs,
            done: 0,
            series: self.jobs.stage.series(),
            spec: remote::encode_spec(&self.request.spec)?,
            attachments: self.request.attachments.clone(),
        })
    }

    fn accepts(&self, number: u64, output: &Self::Output) -> bool {
        output.as_ref().is_ok_and(|output| {
            output.number == number && self.jobs.stage.accepts(number, &output.value)
        })
    }

    fn classify(&self, number: u64, output: &Self::Output) -> Option<ResultClass> {
        self.jobs.stage.classify(number, &output.as_ref().ok()?.value)
    }
}

/// Opens a stage of a study on a worker.
pub(super) fn open<S: Study>(
    registry: &Registry,
    assets: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let stage = Box::new(S::Stage::open(registry, assets, remote::decode_spec(spec)?)?);
    let jobs = StageJobs { stage };
    Ok(remote::opened_fallible_job_set(jobs, |output| match output {
        Ok(_) => None,
        Err(JobFailure::Stopped) => Some("it was stopped".to_owned()),
        Err(JobFailure::Failed(why)) => Some(why.clone()),
    }))
}
