//! Request for a reproduction: a work, a size, and perhaps some items only; and the jobs that follow
//! from it.

use serde::{Deserialize, Serialize};

use super::work::{JobPhase, RunSize, WorkItem};
use super::{ReproductionJob, find_work};
use crate::RunError;
use crate::studies::hextris_tuning::NamedJsonProblem;

/// Request for a reproduction.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReproductionRequest {
    /// Name of the work.
    pub work: String,
    /// How much is computed; by default quick.
    pub size: RunSize,
    /// Names of the items to measure; all if the list is empty.
    pub only: Vec<String>,
    /// Problems of hexagonal Tetris to use instead of the built-in ones.
    pub problems: Vec<NamedJsonProblem>,
}

/// Settings of a reproduction, stored with the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReproductionSettings {
    /// Name of the work.
    pub work: String,
    /// How much is computed.
    pub size: RunSize,
    /// Names of the items that are measured; all if the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Problems of hexagonal Tetris that the user gave; empty for the built-in ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<NamedJsonProblem>,
    /// Seed of all random numbers.
    pub seed: u64,
}

impl ReproductionRequest {
    pub(super) fn settings(self, seed: u64) -> Result<ReproductionSettings, RunError> {
        let ReproductionRequest { work, size, only, problems } = self;
        let items = (find_work(&work)?.items)();
        if let Some(unknown) = only.iter().find(|id| items.iter().all(|item| item.head.id != **id))
        {
            let known: Vec<&str> = items.iter().map(|item| item.head.id).collect();
            let known = known.join(", ");
            return Err(RunError::Wrong(format!("{work} has no item {unknown:?}, only {known}")));
        }
        if !problems.is_empty() && work != super::hextris::WORK.name {
            return Err(RunError::Wrong(format!(
                "problems are for {}, not for {work}",
                super::hextris::WORK.name
            )));
        }
        Ok(ReproductionSettings { work, size, only, problems, seed })
    }
}

impl ReproductionSettings {
    /// Returns whether an item is measured.
    fn is_chosen(&self, all: &[WorkItem], item: &WorkItem) -> bool {
        let id = item.head.id;
        let is_named = |id: &str| self.only.iter().any(|only| only == id);
        let is_needed = |other: &WorkItem| is_named(other.head.id) && other.needs.contains(&id);
        self.only.is_empty() || is_named(id) || all.iter().any(is_needed)
    }

    /// Returns the items that are measured, in the order of the document.
    ///
    /// # Errors
    /// When this program has no such work.
    pub fn items(&self) -> Result<Vec<WorkItem>, RunError> {
        let all = (find_work(&self.work)?.items)();
        let chosen: Vec<bool> = all.iter().map(|item| self.is_chosen(&all, item)).collect();
        Ok(all
            .into_iter()
            .zip(chosen)
            .filter(|(_, chosen)| *chosen)
            .map(|(item, _)| item)
            .collect())
    }

    pub(super) fn total_jobs(&self) -> Result<u64, RunError> {
        Ok(self.items()?.iter().map(|item| item.jobs(self.size)).sum())
    }

    /// Returns the seconds that the run takes on this many threads of a machine like the one on which
    /// the seconds of the items were measured.
    ///
    /// # Errors
    /// When this program has no such work.
    pub fn estimated_seconds(&self, threads: usize) -> Result<f64, RunError> {
        let seconds = |alone: bool| -> Result<f64, RunError> {
            let items = self.items()?;
            let of_phase = items.iter().filter(|item| (item.phase == JobPhase::Alone) == alone);
            Ok(of_phase.map(|item| self.size.pick(item.seconds)).sum())
        };
        Ok(seconds(false)? / threads.max(1) as f64 + seconds(true)?)
    }

    /// Returns the jobs of each stage: items that prepare files, all others, and then each job that
    /// measures time by itself.
    pub(super) fn stages(&self) -> Result<Vec<Vec<ReproductionJob>>, RunError> {
        let all = (find_work(&self.work)?.items)();
        let jobs_of = |phase: JobPhase| -> Vec<ReproductionJob> {
            let chosen = all.iter().enumerate().filter(|(_, item)| item.phase == phase);
            let chosen = chosen.filter(|(_, item)| self.is_chosen(&all, item));
            chosen
                .flat_map(|(item, of)| {
                    (0..of.jobs(self.size)).map(move |number| ReproductionJob { item, number })
                })
                .collect()
        };
        let mut stages = vec![jobs_of(JobPhase::Prepare), jobs_of(JobPhase::Together)];
        stages.extend(jobs_of(JobPhase::Alone).into_iter().map(|job| vec![job]));
        stages.retain(|jobs| !jobs.is_empty());
        Ok(stages)
    }
}
