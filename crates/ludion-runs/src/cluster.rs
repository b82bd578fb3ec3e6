//! The interface between runs and a cluster of workers: job specs go out, results come back, and
//! the cluster reports its status. Specs and results are bytes, so an implementation of [`Cluster`]
//! knows no game.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use ludion_players::assets::SharedBytes;
use serde::{Deserialize, Serialize};

use crate::RunError;
use crate::residuals::{ResultClass, WorkerResidual};

/// A set of jobs in serialised form, with everything a worker needs to run them.
#[derive(Clone)]
pub struct JobSpec {
    /// The kind of work, by which a worker finds the handler that opens `spec`.
    pub kind: String,
    /// Short description of the jobs for users.
    pub about: String,
    /// Number of jobs of the run, those done in earlier sessions included.
    pub jobs: u64,
    /// Number of jobs done in earlier sessions.
    pub done: u64,
    /// Name of the series of job sets that this one belongs to, such as the rounds of a study. The
    /// results of workers are compared over the whole series. `None` for a job set alone.
    pub series: Option<String>,
    /// The encoded description of the jobs; only the handler of `kind` can decode it.
    pub spec: Vec<u8>,
    /// Models and data files that the jobs need.
    pub attachments: Vec<Attachment>,
}

/// A model or data file that is sent along with a job spec.
#[derive(Clone)]
pub struct Attachment {
    /// Name by which the players in the spec refer to the file.
    pub name: String,
    /// Content of the file.
    pub bytes: SharedBytes,
}

/// Runs jobs on other machines.
pub trait Cluster: Sync {
    /// Runs the jobs with these numbers until all are done, `receiver` returns `Break` or `stop` is
    /// set; the results of jobs that have begun by then are still received.
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

    /// Returns the workers that answer in time and the runs in progress.
    ///
    /// # Errors
    /// When the cluster cannot be reached.
    fn status(&self) -> Result<ClusterStatus, RunError>;
}

/// Receives the results that workers send.
pub trait ResultReceiver {
    /// Receives the results of one or more jobs as pairs of job number and encoded output, in any
    /// order but each job once. Returns `Break` if no more jobs are to be handed out. When it
    /// returns, the results are stored.
    ///
    /// # Errors
    /// When a result is invalid; the message says why. Then none of `results` is stored.
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String>;

    /// Returns the classes of the results that the last call of [`receive`](Self::receive) accepted,
    /// by which workers are compared; empty if results have no classes.
    fn classes(&self) -> &[ResultClass] {
        &[]
    }
}

/// Workers and runs of a cluster at one moment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ClusterStatus {
    /// The workers that answered, sorted by name.
    pub workers: Vec<WorkerStatus>,
    /// The runs in progress.
    pub runs: Vec<RunStatus>,
}

/// Status that a worker reports about itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Name of the worker, unique in the cluster.
    pub name: String,
    /// Version of the worker's program.
    pub version: String,
    /// Number of threads that run jobs.
    pub threads: u32,
    /// Number of threads that are running a job now.
    pub busy: u32,
    /// Number of jobs done since the worker started.
    pub jobs: u64,
    /// Jobs done per second, averaged over the last seconds.
    pub jobs_per_second: f64,
    /// Seconds since the worker started.
    pub seconds: f64,
    /// Identifiers of the runs whose jobs the worker accepts.
    pub runs: Vec<String>,
    /// Messages that say why the worker refuses the jobs of certain runs.
    pub refusals: Vec<String>,
}

/// Status of a run that a coordinator has opened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// Identifier of the run on the cluster.
    pub id: String,
    /// Kind of work, as in [`JobSpec::kind`].
    pub kind: String,
    /// Short description of the jobs for users.
    pub about: String,
    /// Version of the coordinator's program.
    pub version: String,
    /// Number of jobs done, earlier sessions included.
    pub done: u64,
    /// Number of jobs of the run.
    pub jobs: u64,
    /// Jobs done per second by all workers, averaged over the last seconds.
    pub jobs_per_second: f64,
    /// Estimated seconds until the run is finished, if the rate is known.
    pub seconds_left: Option<f64>,
    /// Name of each worker with the number of jobs that it has done for this run.
    pub by_worker: Vec<(String, u64)>,
    /// How the results of each worker differ from those of the others, sorted by name; of many
    /// workers only those that differ most. Empty if results have no classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub residuals: Vec<WorkerResidual>,
}
