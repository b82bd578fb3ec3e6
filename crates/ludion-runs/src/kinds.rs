//! Table of all kinds of work: how workers open their jobs, and which kinds of studies can be
//! started, shown, resumed and repeated. The command line, workers and the laboratory use it.

use ludion_players::registry::Registry;
use ludion_store::{RunPlan, Store, StoredRun};

use crate::block_jobs::BLOCKS;
use crate::plan_jobs::GAMES;
use crate::remote::JobHandler;
use crate::studies::experiment::CheckersExperiment;
use crate::studies::hextris_tuning::HextrisTuning;
use crate::studies::ladder::Ladder;
use crate::studies::learning::PatternLearning;
use crate::studies::mastermind::{MastermindExperiment, MastermindTable};
use crate::studies::network_learning::NetworkLearning;
use crate::studies::played_game::PlayedGame;
use crate::studies::reproduction::Reproduction;
use crate::studies::{RunReport, StudyKind};
use crate::{PlanReport, RunError, present_run};

/// Table of all kinds of jobs and studies, by name.
#[derive(Clone)]
pub struct WorkKinds {
    /// Handlers for the jobs that belong to no study: playing the games of a plan, and generating
    /// the games of an archive.
    handlers: Vec<JobHandler>,
    studies: Vec<StudyKind>,
}

impl WorkKinds {
    /// Returns the table of all kinds that this crate implements.
    #[must_use]
    pub fn standard() -> Self {
        WorkKinds {
            handlers: vec![GAMES, BLOCKS],
            studies: vec![
                StudyKind::of::<MastermindExperiment>(),
                StudyKind::of::<MastermindTable>(),
                StudyKind::of::<HextrisTuning>(),
                StudyKind::of::<PatternLearning>(),
                StudyKind::of::<NetworkLearning>(),
                StudyKind::of::<CheckersExperiment>(),
                StudyKind::of::<Ladder>(),
                StudyKind::of::<PlayedGame>(),
                StudyKind::of::<Reproduction>(),
            ],
        }
    }

    /// Adds a kind of study to the table.
    #[must_use]
    pub fn with_study(mut self, kind: StudyKind) -> Self {
        self.studies.push(kind);
        self
    }

    /// Returns the handler with which a worker opens jobs of a kind, or `None` for an unknown kind.
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
    /// When there is no such kind; the message lists the known ones.
    pub fn study(&self, name: &str) -> Result<&StudyKind, RunError> {
        let found = self.studies.iter().find(|study| study.name == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.studies.iter().map(|study| study.name).collect();
            let known = known.join(", ");
            RunError::Failed(format!("this program has no studies of kind {name:?}, only {known}"))
        })
    }

    /// Computes the report of a stored plan or study as data.
    ///
    /// # Errors
    /// When the store cannot be read, or the study has no results yet.
    pub fn findings(
        &self,
        registry: &Registry,
        store: &Store,
        run: &StoredRun<RunPlan>,
    ) -> Result<RunReport, RunError> {
        match &run.plan {
            RunPlan::Study(plan) => {
                self.study(&plan.kind)?.stored(store, &store.study(run.id)?)?.report.findings()
            }
            RunPlan::Games(_) => {
                let run = present_run(registry, store.run(run.id)?);
                PlanReport::stored(registry, store, &run)?.findings()
            }
        }
    }
}
