//! Kinds of studies, type-erased, for programs that know the kind only by its name.

use std::path::{Path, PathBuf};

use ludion_players::plain_words::plain_message;
use ludion_players::registry::Registry;
use ludion_store::{RunId, RunState, Store, StoredRun, StudyPlan};
use serde_json::Value;

use super::{AnyStudyReport, OnProgress, Study, StudyRecords, StudyRepeatReport, run, stage};
use crate::remote::JobHandler;
use crate::{RunContext, RunError};

/// A kind of study, type-erased: the functions of a [`Study`] implementation.
#[derive(Clone, Copy)]
pub struct StudyKind {
    /// Name of the kind, as in [`Study::KIND`].
    pub name: &'static str,
    /// Plural noun for the records in messages, such as `rounds`.
    pub unit: &'static str,
    /// Whether the reports of this kind include a table.
    pub has_table: bool,
    /// Handler with which a worker opens the stages of such a study.
    pub job_handler: JobHandler,
    plan: fn(&Registry, Value, u64) -> Result<StudyPlan, RunError>,
    check: fn(&Registry, &StudyPlan) -> Result<(), RunError>,
    total_jobs: fn(&StudyPlan) -> Result<u64, RunError>,
    written_files: fn(&StudyPlan) -> Result<Vec<PathBuf>, RunError>,
    run: RunStudy,
    repeat: RepeatStudy,
    stored: fn(&Store, &StoredRun<StudyPlan>) -> Result<StudyOutcome, RunError>,
}

/// Function that runs the missing jobs of a study.
type RunStudy = fn(
    &RunContext<'_>,
    &StudyPlan,
    Option<(Store, RunId)>,
    OnProgress<'_>,
) -> Result<StudyOutcome, RunError>;

/// Function that runs a study again and compares the records.
type RepeatStudy = fn(
    &RunContext<'_>,
    &Store,
    &StoredRun<StudyPlan>,
    OnProgress<'_>,
) -> Result<StudyRepeatReport, RunError>;

/// Results of a study, which may be unfinished, with their report.
pub struct StudyOutcome {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// `Finished`, or `Stopped` if jobs are missing.
    pub state: RunState,
    /// Number of records so far as text, such as `2 of 3 rounds`.
    pub done: String,
    /// The report, type-erased.
    pub report: Box<dyn AnyStudyReport>,
}

impl StudyKind {
    /// Type-erases a kind of study.
    #[must_use]
    pub const fn of<S: Study>() -> Self {
        StudyKind {
            name: S::KIND,
            unit: S::UNIT,
            has_table: S::HAS_TABLE,
            job_handler: JobHandler { kind: S::KIND, open: stage::open::<S> },
            plan: plan::<S>,
            check: |registry, plan| S::new(registry, plan.settings()?).map(drop),
            total_jobs: |plan| Ok(S::total_jobs(&plan.settings()?)),
            written_files: |plan| {
                let settings = plan.settings()?;
                Ok(S::written_files(&settings).into_iter().map(Path::to_owned).collect())
            },
            run: |context, plan, storage, on_progress| {
                StudyOutcome::new::<S>(plan, &run::run::<S>(context, plan, storage, on_progress)?)
            },
            repeat: run::repeat::<S>,
            stored: |store, run| StudyOutcome::new::<S>(&run.plan, &run::stored::<S>(store, run)?),
        }
    }

    /// Makes a plan from a JSON request with the fields that the kind allows, most of which are
    /// optional. Nothing is prepared yet, so the caller can limit the size of the plan before it
    /// calls [`check`](StudyKind::check).
    ///
    /// # Errors
    /// When a field is not allowed; the message says what is.
    pub fn plan(
        &self,
        registry: &Registry,
        request: Value,
        seed: u64,
    ) -> Result<StudyPlan, RunError> {
        (self.plan)(registry, request, seed)
    }

    /// Checks whether the study can be run by this program.
    ///
    /// # Errors
    /// When it cannot; the message says why.
    pub fn check(&self, registry: &Registry, plan: &StudyPlan) -> Result<(), RunError> {
        (self.check)(registry, plan)
    }

    /// Returns an upper bound of the number of jobs of all stages.
    ///
    /// # Errors
    /// When the settings of the plan are those of another kind.
    pub fn total_jobs(&self, plan: &StudyPlan) -> Result<u64, RunError> {
        (self.total_jobs)(plan)
    }

    /// Returns the paths of the files that the study writes.
    ///
    /// # Errors
    /// When the settings of the plan are those of another kind.
    pub fn written_files(&self, plan: &StudyPlan) -> Result<Vec<PathBuf>, RunError> {
        (self.written_files)(plan)
    }

    /// Runs the missing jobs of a study on threads or on the cluster.
    ///
    /// # Errors
    /// When the settings are not allowed, another program runs the study, or the store fails.
    pub fn run(
        &self,
        context: &RunContext<'_>,
        plan: &StudyPlan,
        storage: Option<(Store, RunId)>,
        on_progress: OnProgress<'_>,
    ) -> Result<StudyOutcome, RunError> {
        (self.run)(context, plan, storage, on_progress)
    }

    /// Runs a stored study again and compares the new records with the stored ones.
    ///
    /// # Errors
    /// When the store cannot be read, or the study cannot be run.
    pub fn repeat(
        &self,
        context: &RunContext<'_>,
        store: &Store,
        run: &StoredRun<StudyPlan>,
        on_progress: OnProgress<'_>,
    ) -> Result<StudyRepeatReport, RunError> {
        (self.repeat)(context, store, run, on_progress)
    }

    /// Reads the results of a study from the store.
    ///
    /// # Errors
    /// When a record cannot be decoded, or there are no results yet.
    pub fn stored(
        &self,
        store: &Store,
        run: &StoredRun<StudyPlan>,
    ) -> Result<StudyOutcome, RunError> {
        (self.stored)(store, run)
    }
}

fn plan<S: Study>(registry: &Registry, request: Value, seed: u64) -> Result<StudyPlan, RunError> {
    let request = serde_json::from_value(request)
        .map_err(|error| plain_message(&error.to_string()))
        .map_err(|error| RunError::Wrong(format!("the request does not read: {error}")))?;
    S::plan(&S::settings(registry, request, seed)?)
}

impl StudyOutcome {
    /// Computes the report of a study from its records so far.
    ///
    /// # Errors
    /// When there are no results yet.
    pub fn new<S: Study>(
        plan: &StudyPlan,
        run: &StudyRecords<S::Record>,
    ) -> Result<Self, RunError> {
        let report = S::report(&plan.settings()?, run)?;
        Ok(StudyOutcome {
            run: run.run,
            state: if run.complete { RunState::Finished } else { RunState::Stopped },
            done: format!("{} of {} {}", run.records.len(), plan.jobs, S::UNIT),
            report: Box::new(report),
        })
    }
}
