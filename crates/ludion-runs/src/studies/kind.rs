//! Kinds of studies, type-erased.

use std::path::{Path, PathBuf};

use ludion::registry::Registry;
use ludion_store::{RunId, RunState, Store, StoredRun, StudyPlan};
use serde_json::Value;

use super::{AnyStudyReport, OnProgress, Study, StudyRepeat, StudyRun, run, stage};
use crate::remote::JobHandler;
use crate::{RunContext, RunError};

/// A kind of study, type-erased.
#[derive(Clone, Copy)]
pub struct StudyKind {
    /// Its name.
    pub name: &'static str,
    /// What its records are called in messages, such as `rounds`.
    pub unit: &'static str,
    /// Whether its figures are a table.
    pub has_table: bool,
    /// Opens its stages for workers.
    pub job_handler: JobHandler,
    plan: fn(&Registry, Value, u64) -> Result<StudyPlan, RunError>,
    check: fn(&Registry, &StudyPlan) -> Result<(), RunError>,
    total_jobs: fn(&StudyPlan) -> Result<u64, RunError>,
    written_files: fn(&StudyPlan) -> Result<Vec<PathBuf>, RunError>,
    run: RunStudy,
    repeat: RepeatStudy,
    stored: fn(&Store, &StoredRun<StudyPlan>) -> Result<StudyOutcome, RunError>,
}

/// Runs what is missing of a study.
type RunStudy = fn(
    &RunContext<'_>,
    &StudyPlan,
    Option<(Store, RunId)>,
    OnProgress<'_>,
) -> Result<StudyOutcome, RunError>;

/// Runs a study again and compares.
type RepeatStudy = fn(
    &RunContext<'_>,
    &Store,
    &StoredRun<StudyPlan>,
    OnProgress<'_>,
) -> Result<StudyRepeat, RunError>;

/// A study as far as it has run, with its report.
pub struct StudyOutcome {
    /// The number of the run, where it is stored.
    pub run: Option<RunId>,
    /// Whether it is finished or stopped.
    pub state: RunState,
    /// How much is done, such as `2 of 3 rounds`.
    pub done: String,
    /// The figures.
    pub report: Box<dyn AnyStudyReport>,
}

impl StudyKind {
    /// Erases the type of a kind of study.
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

    /// Makes a plan of a request as JSON: the fields that its kind allows, most of which can be
    /// left out. Sizes can then be checked before [`check`](StudyKind::check) prepares anything.
    ///
    /// # Errors
    /// Says what is not allowed, and what is.
    pub fn plan(
        &self,
        registry: &Registry,
        request: Value,
        seed: u64,
    ) -> Result<StudyPlan, RunError> {
        (self.plan)(registry, request, seed)
    }

    /// Checks whether the study can be run here.
    ///
    /// # Errors
    /// Says why not.
    pub fn check(&self, registry: &Registry, plan: &StudyPlan) -> Result<(), RunError> {
        (self.check)(registry, plan)
    }

    /// Returns the number of jobs of all stages, at most.
    ///
    /// # Errors
    /// When the settings are of another kind.
    pub fn total_jobs(&self, plan: &StudyPlan) -> Result<u64, RunError> {
        (self.total_jobs)(plan)
    }

    /// Returns the files that the study writes.
    ///
    /// # Errors
    /// When the settings are of another kind.
    pub fn written_files(&self, plan: &StudyPlan) -> Result<Vec<PathBuf>, RunError> {
        (self.written_files)(plan)
    }

    /// Runs a study, or what is missing of it, on threads or on the cluster.
    ///
    /// # Errors
    /// When the settings are not allowed, another program has the run, or the store fails.
    pub fn run(
        &self,
        context: &RunContext<'_>,
        plan: &StudyPlan,
        storage: Option<(Store, RunId)>,
        on_progress: OnProgress<'_>,
    ) -> Result<StudyOutcome, RunError> {
        (self.run)(context, plan, storage, on_progress)
    }

    /// Runs a stored study again and compares the records.
    ///
    /// # Errors
    /// When the store cannot be read, or the study cannot be run.
    pub fn repeat(
        &self,
        context: &RunContext<'_>,
        store: &Store,
        run: &StoredRun<StudyPlan>,
        on_progress: OnProgress<'_>,
    ) -> Result<StudyRepeat, RunError> {
        (self.repeat)(context, store, run, on_progress)
    }

    /// Reads a study from the store.
    ///
    /// # Errors
    /// When it does not read, or has no figures yet.
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
        .map_err(|error| RunError::Wrong(format!("the request does not read: {error}")))?;
    S::plan(&S::settings(registry, request, seed)?)
}

impl StudyOutcome {
    /// Reports a study as far as it has run.
    ///
    /// # Errors
    /// When there is nothing to report yet.
    pub fn new<S: Study>(plan: &StudyPlan, run: &StudyRun<S::Record>) -> Result<Self, RunError> {
        let report = S::report(&plan.settings()?, run)?;
        Ok(StudyOutcome {
            run: run.run,
            state: if run.complete { RunState::Finished } else { RunState::Stopped },
            done: format!("{} of {} {}", run.records.len(), plan.jobs, S::UNIT),
            report: Box::new(report),
        })
    }
}
