//! The table of all kinds of work: what workers can open, and which kinds of studies can be
//! shown, resumed, repeated and started. The command line, workers and the laboratory use it.

use ludion::registry::Registry;
use ludion_store::{RunPlan, Store, StoredRun};

use crate::block_jobs::BLOCKS;
use crate::plan_jobs::GAMES;
use crate::remote::JobHandler;
use crate::studies::experiment::CheckersExperiment;
use crate::studies::hextris_tuning::HextrisTuning;
use crate::studies::learning::PatternLearning;
use crate::studies::mastermind::{MastermindRun, MastermindTable};
use crate::studies::{Findings, StudyKind};
use crate::{RunError, RunFigures};

/// All kinds of work by name.
#[derive(Clone)]
pub struct WorkKinds {
    /// Opens the jobs of plans and archives, which are no studies.
    handlers: Vec<JobHandler>,
    studies: Vec<StudyKind>,
}

impl WorkKinds {
    /// Returns all kinds that this crate knows.
    #[must_use]
    pub fn standard() -> Self {
        WorkKinds {
            handlers: vec![GAMES, BLOCKS],
            studies: vec![
                StudyKind::of::<MastermindRun>(),
                StudyKind::of::<MastermindTable>(),
                StudyKind::of::<HextrisTuning>(),
                StudyKind::of::<PatternLearning>(),
                StudyKind::of::<CheckersExperiment>(),
            ],
        }
    }

    /// Adds a kind of study.
    #[must_use]
    pub fn with_study(mut self, kind: StudyKind) -> Self {
        self.studies.push(kind);
        self
    }

    /// Returns what opens jobs of a kind for a worker.
    #[must_use]
    pub fn job_handler(&self, kind: &str) -> Option<JobHandler> {
        let studies = self.studies.iter().map(|study| study.job_handler);
        self.handlers.iter().copied().chain(studies).find(|handler| handler.kind == kind)
    }

    /// Returns all kinds of studies.
    #[must_use]
    pub fn studies(&self) -> &[StudyKind] {
        &self.studies
    }

    /// Returns the kind of study of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn study(&self, name: &str) -> Result<&StudyKind, RunError> {
        let found = self.studies.iter().find(|study| study.name == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.studies.iter().map(|study| study.name).collect();
            let known = known.join(", ");
            RunError::Failed(format!("this program has no studies of kind {name:?}, only {known}"))
        })
    }

    /// Returns the figures of a stored run of any kind.
    ///
    /// # Errors
    /// When the store cannot be read, or there are no figures yet.
    pub fn findings(
        &self,
        registry: &Registry,
        store: &Store,
        run: &StoredRun<RunPlan>,
    ) -> Result<Findings, RunError> {
        match &run.plan {
            RunPlan::Study(plan) => {
                self.study(&plan.kind)?.stored(store, &store.study(run.id)?)?.report.findings()
            }
            RunPlan::Games(_) => {
                RunFigures::stored(registry, store, &store.run(run.id)?)?.findings()
            }
        }
    }
}
