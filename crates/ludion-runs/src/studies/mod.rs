//! Studies: runs that play no games for the arena.
//!
//! A study is a sequence of stages that it decides on as it goes, such as self-play, training and
//! a match, generation after generation. A stage is a numbered set of jobs; the output of a job
//! is a pure function of the stage's spec, its attachments and the number, so that threads of
//! this machine and workers of a cluster compute the same. [`run`] opens the run in the store,
//! looks up the outputs that are known, runs the missing jobs, stores outputs as they arrive, and
//! goes on from stage to stage until the study is finished or stopped. [`repeat`] does a run again
//! and compares.
//!
//! [`Study`] is what a kind of study implements; [`StudyKind`] is the same type-erased, as the
//! table [`WorkKinds`](crate::kinds::WorkKinds) has it. Nothing here prints.

pub mod experiment;
pub mod hextris_tuning;
mod kind;
pub mod learning;
pub mod mastermind;
mod memory;
mod report;
mod run;
mod stage;

use ludion::registry::Registry;
use ludion_store::{JobOutput, RunId, StudyPlan};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::RunError;
pub use kind::{StudyKind, StudyOutcome};
pub use memory::StudyMemory;
pub use report::{AnyStudyReport, Findings, FindingsTable, StudyReport};
pub use run::{StudyRepeat, repeat, run, store_finished, stored};
pub use stage::{JobFailure, Stage, StageRequest};

/// A kind of study, and one study of this kind while it runs.
///
/// What the store keeps of a study are its *records*, numbered from 0: the outputs of its jobs, or
/// what whole stages lead to, such as generations. Outputs that lead to records are *cached* under
/// names that say all they depend on; other runs use them as well.
pub trait Study: Sized {
    /// The name of the kind, as the store and the command line have it.
    const KIND: &'static str;
    /// What records are called in messages, such as `rounds`.
    const UNIT: &'static str;
    /// Whether its reports have a table.
    const HAS_TABLE: bool = false;
    /// The kind of its cached values in the store.
    const CACHE: &'static str;

    /// What a user asks for; what is left out has a default.
    type Request: DeserializeOwned;
    /// All that decides the results.
    type Settings: Serialize + DeserializeOwned;
    /// Its stages.
    type Stage: Stage + 'static;
    /// A record.
    type Record: Clone + PartialEq + Serialize + DeserializeOwned;
    /// The figures of a run.
    type Report: StudyReport;

    /// Makes settings of a request.
    ///
    /// # Errors
    /// Says what is not allowed, and what is.
    fn settings(
        registry: &Registry,
        request: Self::Request,
        seed: u64,
    ) -> Result<Self::Settings, RunError>;

    /// Returns the plan of a new run.
    ///
    /// # Errors
    /// When the settings cannot be written as JSON.
    fn plan(settings: &Self::Settings) -> Result<StudyPlan, RunError>;

    /// Returns the number of jobs of all stages, at most.
    fn total_jobs(settings: &Self::Settings) -> u64;

    /// Returns the files that the study writes, as the settings name them.
    fn written_files(_settings: &Self::Settings) -> Vec<&std::path::Path> {
        Vec::new()
    }

    /// Checks the settings and begins a study before its first stage.
    ///
    /// # Errors
    /// When the settings are not allowed.
    fn new(registry: &Registry, settings: Self::Settings) -> Result<Self, RunError>;

    /// Returns the next stage, or nothing after the last one.
    ///
    /// # Errors
    /// When it cannot be made.
    fn next_stage(
        &mut self,
        registry: &Registry,
        memory: &mut StudyMemory<Self::Record>,
    ) -> Result<Option<StageRequest<StageSpec<Self>>>, RunError>;

    /// Returns where the output of a job of the current stage is stored by a program of this
    /// version: as the record of the same number, unless the study says otherwise.
    fn output_key(&self, job: u64, _version: &str) -> OutputKey {
        OutputKey::Record(job)
    }

    /// Returns an output in the form in which it is stored.
    fn store_output(output: &Output<Self>) -> StoredOutput<Self::Record>;

    /// Returns an output that was stored, or nothing where it does not read.
    fn load_output(stored: StoredOutput<Self::Record>) -> Option<Output<Self>>;

    /// Takes the outputs of all jobs of the current stage, in the order of the jobs, and returns
    /// the numbered record that they lead to, where they lead to one.
    ///
    /// # Errors
    /// When the outputs cannot be used.
    fn finish_stage(
        &mut self,
        _outputs: Vec<Output<Self>>,
        _memory: &mut StudyMemory<Self::Record>,
    ) -> Result<Option<(u64, Self::Record)>, RunError> {
        Ok(None)
    }

    /// Says in a few words what the current stage is doing, given its outputs so far.
    fn status(&self, outputs: &[JobOutput<Output<Self>>]) -> String;

    /// Returns the figures of a run.
    ///
    /// # Errors
    /// When there is nothing to report yet.
    fn report(
        settings: &Self::Settings,
        run: &StudyRun<Self::Record>,
    ) -> Result<Self::Report, RunError>;
}

/// The spec of the stages of a study.
pub type StageSpec<S> = <<S as Study>::Stage as Stage>::Spec;
/// The output of a job of a study.
pub type Output<S> = <<S as Study>::Stage as Stage>::Output;

/// Where the output of a job is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutputKey {
    /// As the record of this number.
    Record(u64),
    /// As the cached value of this name.
    Cached(String),
}

/// An output in the form in which it is stored.
#[derive(Clone, PartialEq, Debug)]
pub enum StoredOutput<R> {
    /// A record of the run.
    Record(R),
    /// The bytes of a cached value.
    Cached(Vec<u8>),
}

/// A study as far as it has run.
pub struct StudyRun<R> {
    /// The number of the run, where it is stored.
    pub run: Option<RunId>,
    /// The records, ordered by number.
    pub records: Vec<JobOutput<R>>,
    /// Whether the study is finished.
    pub complete: bool,
    /// How the records came to be in this program; nothing where the run was only read.
    pub effort: Option<StudyEffort>,
}

/// What a program did for a study.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct StudyEffort {
    /// The number of outputs that were computed.
    pub computed: u64,
    /// The number of outputs that were found in the store.
    pub known: u64,
    /// The time it took.
    pub seconds: f64,
}

impl<R> StudyRun<R> {
    /// Returns the time that this program took, where it ran the study.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        self.effort.map(|effort| effort.seconds)
    }
}

/// How far a study has come.
pub struct StudyProgress<'a> {
    /// The number of the stage since this program began, from 0.
    pub stage: u64,
    /// The number of jobs of the stage that are done.
    pub done: u64,
    /// The number of jobs of the stage.
    pub total: u64,
    /// Says in a few words what the stage is doing.
    pub status: &'a dyn Fn() -> String,
}

/// Called after every job.
pub type OnProgress<'a> = &'a mut dyn FnMut(&StudyProgress<'_>);
