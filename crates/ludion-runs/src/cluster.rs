//! The interface between runs and a cluster of workers: job specs go out, results come back, and
//! the cluster reports its status. Specs and results are bytes, so an implementation of [`Cluster`]
//! knows no game.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use ludion::assets::SharedBytes;
use serde::{Deserialize, Serialize};

use crate::RunError;

/// A set of jobs in serialised form, with everything a worker needs to run them.
#[derive(Clone)]
pub struct JobSpec {
    /// The kind of work, by which a worker finds the handler that opens it.
    pub kind: String,
    /// A short description for users.
    pub about: String,
    /// Jobs of the run, those done before included.
    pub jobs: u64,
    /// Jobs done before.
    pub done: u64,
    /// The work, encoded by its kind.
    pub spec: Vec<u8>,
    /// Models and data files that the jobs need.
    pub attachments: Vec<Attachment>,
}

/// A model or data file that is sent along with a job spec.
#[derive(Clone)]
pub struct Attachment {
    /// The name by which the spec refers to it.
    pub name: String,
    /// The content.
    pub bytes: SharedBytes,
}

/// Runs jobs on other machines.
pub trait Cluster: Sync {
    /// Runs the jobs with these numbers until `receiver` breaks off or `stop` is set; the results
    /// of jobs that have begun by then are still received.
    ///
    /// # Errors
    /// When the jobs cannot be handed out, or no worker can run one of them.
    fn execute(
        &self,
        spec: &JobSpec,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        receiver: &mut dyn ResultReceiver,
    ) -> Result<(), RunError>;

    /// Returns the workers that answer and the runs in progress.
    ///
    /// # Errors
    /// When the cluster cannot be reached.
    fn status(&self) -> Result<ClusterStatus, RunError>;
}

/// Receives the results of a cluster.
pub trait ResultReceiver {
    /// Receives the results of some jobs, in any order and each once; returns whether to continue.
    /// The results are stored when it returns.
    ///
    /// # Errors
    /// Says what is wrong with a result; then none of them is stored.
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String>;
}

/// The state of a cluster.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ClusterStatus {
    /// The workers that answered, by name.
    pub workers: Vec<WorkerStatus>,
    /// The runs in progress.
    pub runs: Vec<RunStatus>,
}

/// The state of a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The name of the worker.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// Threads that run jobs.
    pub threads: u32,
    /// Threads that run a job now.
    pub busy: u32,
    /// Jobs done since it started.
    pub jobs: u64,
    /// Jobs per second over the last seconds.
    pub jobs_per_second: f64,
    /// Seconds since it started.
    pub seconds: f64,
    /// The runs whose jobs it takes.
    pub runs: Vec<String>,
    /// Why it takes no jobs of other runs.
    pub refusals: Vec<String>,
}

/// The state of a run that a coordinator has opened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// The name of the run on the cluster.
    pub id: String,
    /// The kind of work.
    pub kind: String,
    /// A short description for users.
    pub about: String,
    /// The version of the coordinator's program.
    pub version: String,
    /// Jobs done, those before this coordinator included.
    pub done: u64,
    /// Jobs of the run.
    pub jobs: u64,
    /// Jobs per second over the last seconds.
    pub jobs_per_second: f64,
    /// Seconds left at this rate, where it is known.
    pub seconds_left: Option<f64>,
    /// Jobs done by each worker.
    pub by_worker: Vec<(String, u64)>,
}
