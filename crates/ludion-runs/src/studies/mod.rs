//! Studies: runs that are not plans of games between players.
//!
//! A study is a sequence of stages. It can choose each stage by the results of those before, such
//! as self-play, training and a match, generation after generation. A stage is a numbered set of
//! jobs; the output of a job is a pure function of the stage's spec, its attachments and the job
//! number, so that threads of this machine and workers of a cluster compute the same. [`run`] opens
//! the run in the store, looks up the known outputs, runs the missing jobs, stores outputs as they
//! arrive, and continues stage by stage until the study is finished or stopped. [`repeat`] runs a
//! stored study again and compares the results.
//!
//! Each kind of study implements [`Study`]; [`StudyKind`] is the type-erased form in the table
//! [`WorkKinds`](crate::kinds::WorkKinds). Nothing here prints.

pub mod experiment;
pub mod hextris_tuning;
mod kind;
pub mod ladder;
pub mod learning;
pub mod mastermind;
pub mod network_learning;
pub mod played_game;
mod report;
pub mod reproduction;
mod run;
mod session;
mod stage;

use std::sync::atomic::AtomicBool;

use ludion_players::registry::Registry;
use ludion_store::{JobOutput, RunId, StudyPlan};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::RunError;
pub use kind::{StudyKind, StudyOutcome};
pub use report::{AnyStudyReport, ReportTable, RunReport, StudyReport};
pub use run::{StudyRepeatReport, repeat, run, store_finished, stored};
pub use session::StudySession;
pub use stage::{JobFailure, Stage, StageRequest};

/// A kind of study; a value is one study of this kind while it runs.
///
/// The store keeps the *records* of a study, numbered from 0: the outputs of its jobs, or the
/// results of whole stages, such as generations. Intermediate outputs are *cached* under names that
/// state everything they depend on, so that other runs can use them too.
pub trait Study: Sized {
    /// Name of the kind in the store and on the command line.
    const KIND: &'static str;
    /// Plural noun for the records in messages, such as `rounds`.
    const UNIT: &'static str;
    /// Whether the reports include a table.
    const HAS_TABLE: bool = false;
    /// Name that separates the cached values of this kind from those of others in the store; empty
    /// if the study caches none.
    const CACHE: &'static str = "";

    /// Request of a user; omitted fields have defaults.
    type Request: DeserializeOwned;
    /// Everything that the results depend on, stored with the run.
    type Settings: Serialize + DeserializeOwned;
    /// Type of all stages of the study.
    type Stage: Stage + 'static;
    /// Type of the records, the stored results of the study.
    type Record: Clone + PartialEq + Serialize + DeserializeOwned;
    /// Type of the report computed from the records.
    type Report: StudyReport;

    /// Checks a request and fills in the defaults.
    ///
    /// # Errors
    /// When a field is not allowed; the message says what is.
    fn settings(
        registry: &Registry,
        request: Self::Request,
        seed: u64,
    ) -> Result<Self::Settings, RunError>;

    /// Returns the plan of a new run with these settings.
    ///
    /// # Errors
    /// When the settings cannot be written as JSON.
    fn plan(settings: &Self::Settings) -> Result<StudyPlan, RunError>;

    /// Returns an upper bound of the number of jobs of all stages.
    fn total_jobs(settings: &Self::Settings) -> u64;

    /// Returns the paths of the files that the study writes.
    fn written_files(_settings: &Self::Settings) -> Vec<&std::path::Path> {
        Vec::new()
    }

    /// Checks the settings and begins a study before its first stage.
    ///
    /// # Errors
    /// When the settings are not allowed.
    fn new(registry: &Registry, settings: Self::Settings) -> Result<Self, RunError>;

    /// Returns the next stage, or `None` after the last one. It may also return `None` once `stop` is
    /// set, and should do so if it takes long to prepare the stage.
    ///
    /// # Errors
    /// When the stage cannot be prepared.
    fn next_stage(
        &mut self,
        registry: &Registry,
        session: &mut StudySession<Self::Record>,
        stop: &AtomicBool,
    ) -> Result<Option<StageRequest<StageSpec<Self>>>, RunError>;

    /// Returns where a program of version `_version` stores the output of a job of the current
    /// stage. By default it is the record with the number of the job.
    fn output_key(&self, job: u64, _version: &str) -> OutputKey {
        OutputKey::Record(job)
    }

    /// Converts an output to its stored form.
    fn store_output(output: &Output<Self>) -> StoredJobOutput<Self::Record>;

    /// Converts a stored output back, or returns `None` if it cannot be decoded.
    fn load_output(stored: StoredJobOutput<Self::Record>) -> Option<Output<Self>>;

    /// Processes the outputs of all jobs of the current stage, in the order of the jobs. Returns a
    /// record with its number, if the stage completes one.
    ///
    /// # Errors
    /// When the outputs cannot be used.
    fn finish_stage(
        &mut self,
        _outputs: Vec<Output<Self>>,
        _memory: &mut StudySession<Self::Record>,
    ) -> Result<Option<(u64, Self::Record)>, RunError> {
        Ok(None)
    }

    /// Returns the number of finished rounds and the maximum number of rounds, for a study that
    /// repeats like rounds of stages. From these the time left is estimated.
    fn rounds(&self) -> Option<(u64, u64)> {
        None
    }

    /// Describes in a few words what the current stage does, given its outputs so far.
    fn status(&self, outputs: &[JobOutput<Output<Self>>]) -> String;

    /// Returns sentences that say what keeps the results from being the same when the study runs again;
    /// none for a study whose jobs are functions of its settings and seed.
    fn hindrances(_settings: &Self::Settings) -> Vec<String> {
        Vec::new()
    }

    /// Computes the report of a run.
    ///
    /// # Errors
    /// When there are no results yet.
    fn report(
        settings: &Self::Settings,
        run: &StudyRecords<Self::Record>,
    ) -> Result<Self::Report, RunError>;
}

/// Spec type of the stages of a study.
pub type StageSpec<S> = <<S as Study>::Stage as Stage>::Spec;
/// Output type of the jobs of a study.
pub type Output<S> = <<S as Study>::Stage as Stage>::Output;

/// Place in the store of the output of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutputKey {
    /// The record with this number.
    Record(u64),
    /// The cached value with this name.
    Cached(String),
}

/// Output of a job in its stored form.
#[derive(Clone, PartialEq, Debug)]
pub enum StoredJobOutput<R> {
    /// Output that is stored as a record of the run.
    Record(R),
    /// Output that is stored as the bytes of a cached value.
    Cached(Vec<u8>),
}

/// Records of a study, which may be unfinished.
pub struct StudyRecords<R> {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// The records so far, ordered by number.
    pub records: Vec<JobOutput<R>>,
    /// Whether the study is finished.
    pub complete: bool,
    /// The work that this program did; `None` if the run was only read.
    pub effort: Option<StudyEffort>,
}

/// Work of one program for a study.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StudyEffort {
    /// Number of outputs that were computed.
    pub computed: u64,
    /// Number of outputs that were found in the store.
    pub known: u64,
    /// Seconds from start to end.
    pub seconds: f64,
}

impl<R> StudyRecords<R> {
    /// Returns the seconds that this program took, or `None` if the run was only read.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        self.effort.map(|effort| effort.seconds)
    }
}

/// Progress of the current stage of a study.
pub struct StudyProgress<'a> {
    /// Number of the stage, from 0, counted since this program started.
    pub stage: u64,
    /// Number of jobs of the stage that are done.
    pub done: u64,
    /// Number of all jobs of the stage.
    pub total: u64,
    /// Numbers of finished and of all rounds, as in [`Study::rounds`].
    pub rounds: Option<(u64, u64)>,
    /// Function that describes in a few words what the stage does.
    pub status: &'a dyn Fn() -> String,
}

/// Callback that gets the progress of a study after every job.
pub type OnProgress<'a> = &'a mut dyn FnMut(&StudyProgress<'_>);
