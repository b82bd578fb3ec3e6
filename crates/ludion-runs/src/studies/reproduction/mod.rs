//! Reproductions of published works: every table, figure and claim of a document is measured again
//! and judged. A record is the result of one job of one item, a function of the settings and the
//! number of the job, except for items that measure time.
//!
//! The works are data ([`PublishedWork`]), one module each; [`works`] lists them. Items that prepare
//! files run first, items that measure time last and one by one, so that nothing disturbs them.

mod catalogue;
mod checkers;
mod finding;
mod hextris;
mod html;
mod markdown;
mod mastermind;
mod matches;
mod players;
mod report;
mod request;
mod stage;
mod tree_search;
mod verdict;
mod work;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ludion_players::registry::Registry;
use ludion_store::{JobOutput, StudyPlan};
use serde::{Deserialize, Serialize};

use super::{OutputKey, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession};
use crate::cluster::Attachment;
use crate::{RunError, plural};
pub use catalogue::{ItemDescription, WorkDescription, describe_works};
pub use finding::{Comparison, Finding, FindingFigure, FindingTable};
pub use report::{ItemReport, ReproductionReport, VerdictCounts};
pub use request::{ReproductionRequest, ReproductionSettings};
pub use stage::{ReproductionStage, ReproductionStageSpec};
pub use verdict::{MeasuredValue, Verdict};
pub use work::{
    ItemFile, ItemHead, ItemKind, ItemMeasurement, JobContext, JobPhase, JudgeContext,
    PublishedWork, RunSize, WorkItem,
};

/// Returns all works that can be reproduced.
#[must_use]
pub fn works() -> &'static [PublishedWork] {
    &WORKS
}

static WORKS: [PublishedWork; 5] =
    [players::WORK, tree_search::WORK, mastermind::WORK, checkers::WORK, hextris::WORK];

/// Returns the work of this name.
///
/// # Errors
/// When there is none; the message lists the names.
pub fn find_work(name: &str) -> Result<&'static PublishedWork, RunError> {
    works().iter().find(|work| work.name == name).ok_or_else(|| {
        let names: Vec<&str> = works().iter().map(|work| work.name).collect();
        RunError::Wrong(format!("there is no work {name:?}; the works are {}", names.join(", ")))
    })
}

/// Result of a job of a reproduction, stored as a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReproductionRecord {
    /// Name of the item within the work.
    pub item: String,
    /// Whether the item measures time.
    pub clock: bool,
    /// The result of the job.
    pub measurement: ItemMeasurement,
}

impl PartialEq for ReproductionRecord {
    /// Compares results; those that depend on the clock count as equal.
    fn eq(&self, other: &Self) -> bool {
        (&self.item, self.clock) == (&other.item, other.clock)
            && (self.clock || self.measurement == other.measurement)
    }
}

/// Replaces the results of items that measure time by those of another run of the same reproduction,
/// which may have measured these items only.
///
/// # Errors
/// When the other run is of another work, size or seed, or of other problems.
pub fn replace_timed_items(
    (settings, run): (&ReproductionSettings, &mut StudyRecords<ReproductionRecord>),
    (other_settings, other): (&ReproductionSettings, StudyRecords<ReproductionRecord>),
) -> Result<(), RunError> {
    let whole = |settings: &ReproductionSettings| ReproductionSettings {
        only: Vec::new(),
        ..settings.clone()
    };
    if whole(settings) != whole(other_settings) {
        return Err(RunError::Wrong(
            "runs of different works, sizes, seeds or problems do not make one report".to_owned(),
        ));
    }
    let timed: Vec<_> = other.records.into_iter().filter(|record| record.value.clock).collect();
    let is_replaced = |item: &str| timed.iter().any(|record| record.value.item == item);
    run.records.retain(|record| !is_replaced(&record.value.item));
    run.records.extend(timed);
    run.complete = run.records.len() as u64 == settings.total_jobs()?;
    Ok(())
}

/// A job of a reproduction: its item and its number within the item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReproductionJob {
    /// Index of the item within the work.
    pub item: usize,
    /// Number of the job within the item.
    pub number: u64,
}

/// A reproduction while it runs.
pub struct Reproduction {
    settings: ReproductionSettings,
    items: Vec<WorkItem>,
    /// The jobs of each stage that is still to come, the next one last.
    stages: Vec<Vec<ReproductionJob>>,
    /// The jobs of the current stage.
    current: Vec<ReproductionJob>,
    /// Number of the first record of the current stage.
    first_record: u64,
    /// Files that items made for others.
    files: Vec<Attachment>,
}

impl Study for Reproduction {
    const KIND: &'static str = "reproduction";
    const UNIT: &'static str = "jobs";
    const HAS_TABLE: bool = true;

    type Request = ReproductionRequest;
    type Settings = ReproductionSettings;
    type Stage = ReproductionStage;
    type Record = ReproductionRecord;
    type Report = ReproductionReport;

    fn settings(
        _registry: &Registry,
        request: ReproductionRequest,
        seed: u64,
    ) -> Result<ReproductionSettings, RunError> {
        request.settings(seed)
    }

    fn plan(settings: &ReproductionSettings) -> Result<StudyPlan, RunError> {
        let work = find_work(&settings.work)?;
        let items = settings.items()?.len() as u64;
        let about = format!("{}, {}, {}", work.title, plural(items, "item"), settings.size.name());
        Ok(StudyPlan::new(Self::KIND, about, settings.total_jobs()?, settings.seed, settings)?)
    }

    fn total_jobs(settings: &ReproductionSettings) -> u64 {
        settings.total_jobs().unwrap_or(0)
    }

    fn new(_registry: &Registry, settings: ReproductionSettings) -> Result<Self, RunError> {
        let mut stages = settings.stages()?;
        stages.reverse();
        Ok(Reproduction {
            items: (find_work(&settings.work)?.items)(),
            settings,
            stages,
            current: Vec::new(),
            first_record: 0,
            files: Vec::new(),
        })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _session: &mut StudySession<ReproductionRecord>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<ReproductionStageSpec>>, RunError> {
        self.first_record += self.current.len() as u64;
        let Some(jobs) = self.stages.pop() else { return Ok(None) };
        self.current = jobs;
        Ok(Some(StageRequest {
            spec: ReproductionStageSpec {
                settings: self.settings.clone(),
                jobs: self.current.clone(),
            },
            jobs: self.current.len() as u64,
            attachments: self.files.clone(),
        }))
    }

    fn output_key(&self, job: u64, _version: &str) -> OutputKey {
        OutputKey::Record(self.first_record + job)
    }

    fn store_output(output: &ReproductionRecord) -> StoredJobOutput<ReproductionRecord> {
        StoredJobOutput::Record(output.clone())
    }

    fn load_output(stored: StoredJobOutput<ReproductionRecord>) -> Option<ReproductionRecord> {
        match stored {
            StoredJobOutput::Record(record) => Some(record),
            StoredJobOutput::Cached(_) => None,
        }
    }

    fn finish_stage(
        &mut self,
        outputs: Vec<ReproductionRecord>,
        _session: &mut StudySession<ReproductionRecord>,
    ) -> Result<Option<(u64, ReproductionRecord)>, RunError> {
        for (name, text) in outputs.into_iter().flat_map(|output| output.measurement.files) {
            let bytes = STANDARD.decode(text).map_err(|error| {
                RunError::Failed(format!("the stored file {name} does not read: {error}"))
            })?;
            self.files.push(Attachment { name, bytes: Arc::new(bytes) });
        }
        Ok(None)
    }

    fn status(&self, outputs: &[JobOutput<ReproductionRecord>]) -> String {
        let done = outputs.last().map(|output| output.number as usize);
        let next = done.map_or(0, |done| (done + 1).min(self.current.len().saturating_sub(1)));
        self.current.get(next).map_or_else(String::new, |job| {
            format!("{}: {}", self.settings.work, self.items[job.item].head.id)
        })
    }

    fn hindrances(settings: &ReproductionSettings) -> Vec<String> {
        let items = settings.items().unwrap_or_default();
        let timed: Vec<&str> =
            items.iter().filter(|item| item.has_clock).map(|item| item.head.id).collect();
        match timed.is_empty() {
            true => Vec::new(),
            false => vec![format!(
                "items that measure time: {}; all others give the same figures again",
                timed.join(", ")
            )],
        }
    }

    fn report(
        settings: &ReproductionSettings,
        run: &StudyRecords<ReproductionRecord>,
    ) -> Result<ReproductionReport, RunError> {
        ReproductionReport::new(settings, run)
    }
}
