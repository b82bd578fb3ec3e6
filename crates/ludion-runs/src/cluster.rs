//! Others who do the jobs of a run, on whatever machines: what is asked of them, and what they
//! say of themselves. Everything goes as bytes, so whoever carries it knows no game.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use ludion::assets::SharedBytes;
use serde::{Deserialize, Serialize};

use crate::RunError;

/// Work that is asked of others, with everything they need to do it.
#[derive(Clone)]
pub struct JobSpec {
    /// The kind of work, by which others know how to open it.
    pub kind: String,
    /// What it is about, in a few words for people.
    pub about: String,
    /// How many jobs the run has, those done before included.
    pub jobs: u64,
    /// How many of them were done before.
    pub done: u64,
    /// The work itself, written down as its kind does.
    pub spec: Vec<u8>,
    /// Models and data that the jobs need, by the names they have in the spec.
    pub attachments: Vec<Attachment>,
}

/// A model or a file of data.
#[derive(Clone)]
pub struct Attachment {
    /// What the spec calls it.
    pub name: String,
    /// What it is.
    pub bytes: SharedBytes,
}

/// Others who do jobs.
pub trait Cluster: Sync {
    /// Has the jobs with these numbers done, until the intake breaks off or somebody asks to
    /// stop; what is under way then is still taken in.
    ///
    /// # Errors
    /// When the order cannot be given, or nobody can do one of its jobs.
    fn execute(
        &self,
        order: &JobSpec,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        receiver: &mut dyn ResultReceiver,
    ) -> Result<(), RunError>;

    /// Who is there and what is under way.
    ///
    /// # Errors
    /// When they cannot be asked.
    fn status(&self) -> Result<ClusterStatus, RunError>;
}

/// Takes results in.
pub trait ResultReceiver {
    /// Results of some jobs in whatever order, none of which was taken before; says whether to
    /// go on. When it returns they are kept.
    ///
    /// # Errors
    /// Says what is wrong with them; then none of them is taken.
    fn take(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String>;
}

/// Who is there and what is under way.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ClusterStatus {
    /// Those that answered, by name.
    pub workers: Vec<WorkerStatus>,
    /// What is conducted at the moment.
    pub runs: Vec<RunStatus>,
}

/// A program that does jobs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// What it is called.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// Threads that do jobs.
    pub threads: u32,
    /// Threads that do one now.
    pub busy: u32,
    /// Jobs done since it began.
    pub jobs: u64,
    /// Jobs in a second, over the last seconds.
    pub jobs_per_second: f64,
    /// Seconds since it began.
    pub seconds: f64,
    /// The runs it works at.
    pub runs: Vec<String>,
    /// Why it does not work at others.
    pub refusals: Vec<String>,
}

/// A run that somebody conducts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// What it is called among the machines.
    pub id: String,
    /// The kind of work.
    pub kind: String,
    /// What it is about.
    pub about: String,
    /// The version of the program that conducts it.
    pub version: String,
    /// Jobs done, those of former programs included.
    pub done: u64,
    /// Jobs in all.
    pub jobs: u64,
    /// Jobs in a second, over the last seconds.
    pub jobs_per_second: f64,
    /// Seconds left at this rate, where there is one.
    pub seconds_left: Option<f64>,
    /// Jobs that every worker did.
    pub by_worker: Vec<(String, u64)>,
}
