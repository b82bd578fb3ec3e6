//! A published work as data: its items (tables, figures, claims, exercises) in the order of the
//! document, each with how it is measured and how the measurement is judged.

use std::sync::atomic::{AtomicBool, Ordering};

use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyGame, Registry, RegistryError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::finding::Finding;
use super::verdict::Verdict;
use crate::RunError;
use crate::studies::JobFailure;
use crate::studies::hextris_tuning::NamedJsonProblem;

/// How much is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunSize {
    /// As little as possible, for tests: every item runs, and hardly anything is resolved.
    Tiny,
    /// Minutes: large effects are resolved.
    #[default]
    Quick,
    /// As much as was published or more.
    Full,
}

impl RunSize {
    /// Returns the value for this size of those for tiny, quick and full.
    #[must_use]
    pub fn pick<T>(self, [tiny, quick, full]: [T; 3]) -> T {
        match self {
            RunSize::Tiny => tiny,
            RunSize::Quick => quick,
            RunSize::Full => full,
        }
    }

    /// Returns the name of the size, as users write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.pick(["tiny", "quick", "full"])
    }
}

/// What an item of a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// A table of figures.
    Table,
    /// A drawn figure.
    Figure,
    /// A statement in the text.
    Claim,
    /// Work that the document sets or leaves open.
    Exercise,
}

impl ItemKind {
    /// Returns the kind in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ItemKind::Table => "table",
            ItemKind::Figure => "figure",
            ItemKind::Claim => "claim",
            ItemKind::Exercise => "exercise",
        }
    }
}

/// When the jobs of an item run, relative to those of other items.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum JobPhase {
    /// Before all others: the files that they make are attached to the jobs of other items.
    Prepare,
    /// Together with all others, in any order.
    Together,
    /// One after the other with the machine to itself, because they measure time.
    Alone,
}

/// A published work.
pub struct PublishedWork {
    /// Name by which users select the work.
    pub name: &'static str,
    /// Title of the document.
    pub title: &'static str,
    /// Names of the authors.
    pub authors: &'static str,
    /// Year of publication.
    pub year: &'static str,
    /// Where the document is found.
    pub source: &'static str,
    /// What the document is about, for a reader who does not know it.
    pub about: &'static str,
    /// Words that the report uses, with their meanings.
    pub terms: &'static [(&'static str, &'static str)],
    /// Makes the items, in the order of the document.
    pub items: fn() -> Vec<WorkItem>,
}

/// What is known of an item before it is measured.
#[derive(Clone, Copy)]
pub struct ItemHead {
    /// Name of the item within its work.
    pub id: &'static str,
    /// What the item is.
    pub kind: ItemKind,
    /// Where it is in the document.
    pub place: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What was published, in sentences.
    pub published: &'static str,
    /// How it is measured here, in sentences.
    pub method: &'static str,
    /// Another command that gives it; empty if there is none.
    pub command: &'static str,
}

/// Function that runs a job of an item.
type MeasureFn = dyn Fn(&JobContext<'_>) -> Result<ItemMeasurement, JobFailure> + Send + Sync;
/// Function that judges the measurements of an item.
type JudgeFn =
    dyn Fn(&JudgeContext<'_>, &[ItemMeasurement]) -> Result<Finding, RunError> + Send + Sync;

/// An item of a published work.
pub struct WorkItem {
    /// What is known before it is measured.
    pub head: ItemHead,
    /// When its jobs run.
    pub phase: JobPhase,
    /// Whether its measurements depend on the clock, so that they differ from run to run.
    pub has_clock: bool,
    /// CPU seconds for each size, measured on one core; 0 for less than half a second.
    pub seconds: [f64; 3],
    /// Names of the items that make files for this one.
    pub needs: &'static [&'static str],
    jobs: fn(RunSize) -> u64,
    measure: Box<MeasureFn>,
    judge: Box<JudgeFn>,
}

/// A file that an item makes for others: its name, and its contents as base64.
pub type ItemFile = (String, String);

/// The result of a job of an item, as the JSON text of a type of the item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ItemMeasurement {
    /// The result as JSON.
    pub data: String,
    /// Files for other items.
    pub files: Vec<ItemFile>,
}

impl ItemMeasurement {
    /// Converts a result to its stored form.
    fn of(result: &impl Serialize) -> Result<Self, JobFailure> {
        let data = serde_json::to_string(result)
            .map_err(|error| JobFailure::Failed(format!("a result is no JSON: {error}")))?;
        Ok(ItemMeasurement { data, files: Vec::new() })
    }
}

/// The result of a job of an item that makes files, and these files.
pub(super) type MeasuredFiles<T> = Result<(T, Vec<ItemFile>), JobFailure>;

/// What a job of an item may use.
pub struct JobContext<'a> {
    /// The games and players; players find the files of the preparing items.
    pub registry: &'a Registry,
    /// How much is computed.
    pub size: RunSize,
    /// Number of the job within its item.
    pub number: u64,
    /// Seed of the item.
    pub item_seed: u64,
    /// Problems of hexagonal Tetris that the user gave; empty for the built-in ones.
    pub problems: &'a [NamedJsonProblem],
    /// Flag that stops the job.
    pub stop: &'a AtomicBool,
}

impl JobContext<'_> {
    /// Returns the seed of the job.
    #[must_use]
    pub fn seed(&self) -> u64 {
        derive_seed(self.item_seed, &[self.number])
    }

    /// Returns the game that a spec names.
    ///
    /// # Errors
    /// When this program has no such game.
    pub fn game(&self, spec: &str) -> Result<std::sync::Arc<dyn AnyGame>, JobFailure> {
        self.registry.game(spec).map_err(failed)
    }

    /// Returns an error once the job is to stop.
    ///
    /// # Errors
    /// When the stop flag is set.
    pub fn check_stop(&self) -> Result<(), JobFailure> {
        if self.stop.load(Ordering::Relaxed) { Err(JobFailure::Stopped) } else { Ok(()) }
    }
}

/// Converts an error of a game or player to that of a job.
pub(super) fn failed(error: impl std::fmt::Display) -> JobFailure {
    JobFailure::Failed(error.to_string())
}

impl From<RegistryError> for JobFailure {
    fn from(error: RegistryError) -> Self {
        failed(error)
    }
}

/// What is known when an item is judged.
#[derive(Clone, Copy)]
pub struct JudgeContext<'a> {
    /// How much was computed.
    pub size: RunSize,
    /// Seed of the run.
    pub seed: u64,
    /// Problems of hexagonal Tetris that the user gave; empty for the built-in ones.
    pub problems: &'a [NamedJsonProblem],
}

impl WorkItem {
    /// Creates an item whose jobs compute results of type `T`, from which `judge` makes the finding.
    pub fn measured<T: Serialize + DeserializeOwned + 'static>(
        head: ItemHead,
        jobs: fn(RunSize) -> u64,
        measure: impl Fn(&JobContext<'_>) -> Result<T, JobFailure> + Send + Sync + 'static,
        judge: impl Fn(&JudgeContext<'_>, &[T]) -> Finding + Send + Sync + 'static,
    ) -> Self {
        let id = head.id;
        WorkItem {
            head,
            phase: JobPhase::Together,
            has_clock: false,
            seconds: [0.0; 3],
            needs: &[],
            jobs,
            measure: Box::new(move |context| ItemMeasurement::of(&measure(context)?)),
            judge: Box::new(move |context, measurements| {
                let results = measurements.iter().map(|one| serde_json::from_str(&one.data));
                let results = results.collect::<Result<Vec<T>, _>>().map_err(|error| {
                    RunError::Failed(format!("a stored result of {id} does not read: {error}"))
                })?;
                Ok(judge(context, &results))
            }),
        }
    }

    /// Creates an item of which no measurement can tell whether it is true, for this reason.
    pub fn unknowable(head: ItemHead, reason: &'static str) -> Self {
        let judge = move |_: &JudgeContext<'_>, _: &[ItemMeasurement]| {
            Ok(Finding::new(Verdict::Unknowable, reason))
        };
        WorkItem {
            judge: Box::new(judge),
            ..WorkItem::measured::<()>(
                head,
                |_| 0,
                |_| Ok(()),
                |_, _| Finding::new(Verdict::Unknowable, ""),
            )
        }
    }

    /// Sets when the jobs run.
    #[must_use]
    pub fn phase(mut self, phase: JobPhase) -> Self {
        self.phase = phase;
        self
    }

    /// Says that the item measures time: its jobs run alone, and other runs give other figures.
    #[must_use]
    pub fn clock(mut self) -> Self {
        (self.phase, self.has_clock) = (JobPhase::Alone, true);
        self
    }

    /// Sets the names of the items that make files for this one.
    #[must_use]
    pub fn needs(mut self, items: &'static [&'static str]) -> Self {
        self.needs = items;
        self
    }

    /// Sets the CPU seconds for the sizes tiny, quick and full.
    #[must_use]
    pub fn seconds(mut self, seconds: [f64; 3]) -> Self {
        self.seconds = seconds;
        self
    }

    /// Replaces how a job is run, for jobs that make files.
    #[must_use]
    pub(super) fn with_files<T: Serialize + 'static>(
        mut self,
        measure: fn(&JobContext<'_>) -> MeasuredFiles<T>,
    ) -> Self {
        self.measure = Box::new(move |context| {
            let (result, files) = measure(context)?;
            Ok(ItemMeasurement { files, ..ItemMeasurement::of(&result)? })
        });
        self
    }

    /// Returns the number of jobs for a size.
    #[must_use]
    pub fn jobs(&self, size: RunSize) -> u64 {
        (self.jobs)(size)
    }

    /// Runs a job.
    ///
    /// # Errors
    /// When the job was stopped or failed.
    pub fn measure(&self, context: &JobContext<'_>) -> Result<ItemMeasurement, JobFailure> {
        let result = (self.measure)(context)?;
        context.check_stop()?;
        Ok(result)
    }

    /// Judges the measurements of all jobs, in their order.
    ///
    /// # Errors
    /// When a stored result cannot be decoded.
    pub fn judge(
        &self,
        context: &JudgeContext<'_>,
        measurements: &[ItemMeasurement],
    ) -> Result<Finding, RunError> {
        (self.judge)(context, measurements)
    }
}
