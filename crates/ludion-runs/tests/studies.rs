//! The loop of studies with a small study: every stage adds numbers to a sum, on which the next
//! stage depends. It is stopped, resumed and repeated, and a failing job ends it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "studies/reproduction.rs"]
mod reproduction;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ludion::assets::Assets;
use ludion::registry::Registry;
use ludion_plot::Chart;
use ludion_runs::studies::{
    self, JobFailure, OutputKey, Stage, StageRequest, StoredJobOutput, Study, StudyRecords,
    StudyReport, StudySession,
};
use ludion_runs::{RunContext, RunError, RunPicture};
use ludion_store::{JobOutput, RunState, Store, StudyPlan};
use serde::{Deserialize, Serialize};

/// Number of jobs of a stage, and number of stages.
const JOBS: u64 = 10;
const STAGES: u64 = 4;

/// Sums that grow from stage to stage.
struct Sums {
    settings: SumSettings,
    sums: Vec<u64>,
}

#[derive(Clone, Serialize, Deserialize)]
struct SumSettings {
    /// The job of the second stage that fails.
    failing: Option<u64>,
}

/// A stage begins with the sum of the last one.
#[derive(Clone, Serialize, Deserialize)]
struct SumStage {
    sum: u64,
    failing: Option<u64>,
}

/// Counts the jobs that were run.
static RUN: AtomicU64 = AtomicU64::new(0);

impl Stage for SumStage {
    type Spec = Self;
    type Worker = ();
    type Output = u64;

    fn open(_registry: &Registry, _assets: &Assets, spec: Self) -> Result<Self, RunError> {
        Ok(spec)
    }

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64, _stop: &AtomicBool) -> Result<u64, JobFailure> {
        if self.sum > 0 && self.failing == Some(number) {
            return Err(JobFailure::Failed("seven is bad".to_owned()));
        }
        RUN.fetch_add(1, Ordering::Relaxed);
        Ok(self.sum + number)
    }

    fn accepts(&self, _number: u64, _output: &u64) -> bool {
        true
    }
}

#[derive(Serialize)]
struct SumReport(Vec<u64>);

impl StudyReport for SumReport {
    fn picture(&self) -> RunPicture {
        RunPicture::Chart(Chart::default())
    }
}

impl Study for Sums {
    const KIND: &'static str = "sums";
    const UNIT: &'static str = "sums";
    const CACHE: &'static str = "parts of sums";

    type Request = SumSettings;
    type Settings = SumSettings;
    type Stage = SumStage;
    type Record = u64;
    type Report = SumReport;

    fn settings(
        _registry: &Registry,
        request: SumSettings,
        _seed: u64,
    ) -> Result<SumSettings, RunError> {
        Ok(request)
    }

    fn plan(settings: &SumSettings) -> Result<StudyPlan, RunError> {
        Ok(StudyPlan::new(Self::KIND, String::new(), STAGES, 1, settings)?)
    }

    fn total_jobs(_settings: &SumSettings) -> u64 {
        STAGES * JOBS
    }

    fn new(_registry: &Registry, settings: SumSettings) -> Result<Self, RunError> {
        Ok(Sums { settings, sums: Vec::new() })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _memory: &mut StudySession<u64>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<SumStage>>, RunError> {
        if self.sums.len() as u64 == STAGES {
            return Ok(None);
        }
        let sum = self.sums.last().copied().unwrap_or_default();
        let spec = SumStage { sum, failing: self.settings.failing };
        Ok(Some(StageRequest { spec, jobs: JOBS, attachments: Vec::new() }))
    }

    fn output_key(&self, job: u64, version: &str) -> OutputKey {
        OutputKey::Cached(format!("stage {}, job {job}, version {version}", self.sums.len()))
    }

    fn store_output(output: &u64) -> StoredJobOutput<u64> {
        StoredJobOutput::Cached(output.to_string().into_bytes())
    }

    fn load_output(stored: StoredJobOutput<u64>) -> Option<u64> {
        match stored {
            StoredJobOutput::Cached(bytes) => String::from_utf8(bytes).ok()?.parse().ok(),
            StoredJobOutput::Record(_) => None,
        }
    }

    fn finish_stage(
        &mut self,
        outputs: Vec<u64>,
        _memory: &mut StudySession<u64>,
    ) -> Result<Option<(u64, u64)>, RunError> {
        self.sums.push(outputs.iter().sum());
        Ok(Some((self.sums.len() as u64 - 1, self.sums[self.sums.len() - 1])))
    }

    fn status(&self, outputs: &[JobOutput<u64>]) -> String {
        format!("{} of sum {}", outputs.len(), self.sums.len() + 1)
    }

    fn report(_settings: &SumSettings, run: &StudyRecords<u64>) -> Result<SumReport, RunError> {
        Ok(SumReport(sums(run)))
    }
}

fn sums(run: &StudyRecords<u64>) -> Vec<u64> {
    run.records.iter().map(|record| record.value).collect()
}

/// Returns the correct sums.
fn expected() -> Vec<u64> {
    let next = |sum: u64| (0..JOBS).map(|number| sum + number).sum();
    std::iter::successors(Some(next(0)), |&sum| Some(next(sum))).take(STAGES as usize).collect()
}

/// Runs what is missing of the study in a store, until a stage has run so many jobs.
fn run(
    store: &Store,
    plan: &StudyPlan,
    stop_at: Option<(u64, u64)>,
) -> Result<StudyRecords<u64>, RunError> {
    let (registry, stop) = (ludion::registry::standard(), AtomicBool::new(false));
    let context =
        RunContext { registry: &registry, threads: 2, stop: &stop, gate: None, cluster: None };
    studies::run::<Sums>(&context, plan, Some((store.reopen()?, 1)), &mut |progress| {
        assert!(!(progress.status)().is_empty());
        if stop_at.is_some_and(|at| (progress.stage, progress.done) >= at) {
            stop.store(true, Ordering::Relaxed);
        }
    })
}

#[test]
fn a_study_is_stopped_resumed_repeated_and_compared() {
    let plan = Sums::plan(&SumSettings { failing: None }).unwrap();
    let mut store = Store::in_memory().unwrap();
    store.begin_study(&plan).unwrap();
    let first = run(&store, &plan, Some((1, 3))).unwrap();
    assert_eq!((first.complete, store.study(1).unwrap().state), (false, RunState::Stopped));
    assert_eq!(sums(&first), expected()[..sums(&first).len()]);
    let done = RUN.load(Ordering::Relaxed);
    let second = run(&store, &plan, None).unwrap();
    assert_eq!((second.complete, sums(&second)), (true, expected()));
    assert_eq!(RUN.load(Ordering::Relaxed), STAGES * JOBS, "no job is run twice");
    let effort = second.effort.unwrap();
    assert_eq!((effort.computed, effort.known), (STAGES * JOBS - done, done));
    assert_eq!(store.study(1).unwrap().state, RunState::Finished);

    let (registry, stop) = (ludion::registry::standard(), AtomicBool::new(false));
    let context =
        RunContext { registry: &registry, threads: 2, stop: &stop, gate: None, cluster: None };
    let repeat = |store: &Store, run: i64| {
        let stored = store.study(run).unwrap();
        let repeated = studies::repeat::<Sums>(&context, store, &stored, &mut |_| ()).unwrap();
        (repeated.identical, repeated.compared, repeated.different)
    };
    assert_eq!(repeat(&store, 1), (true, STAGES, None));
    // A run with another record in the place of the second.
    let other = store.begin_study(&plan).unwrap();
    let record = |number: u64, value| JobOutput { number, took: Default::default(), value };
    let records = [record(0, expected()[0]), record(1, 1)];
    store.keep_outputs(other, &records).unwrap();
    assert_eq!(repeat(&store, other), (false, 2, Some(1)));
    let resumed =
        studies::run::<Sums>(&context, &plan, Some((store.reopen().unwrap(), other)), &mut |_| ());
    let sentence = resumed.err().unwrap().to_string();
    assert!(sentence.starts_with("number 2 of the sums comes out otherwise"), "{sentence}");

    // A job that fails ends the study; what was done before stays.
    let plan = Sums::plan(&SumSettings { failing: Some(7) }).unwrap();
    let mut store = Store::in_memory().unwrap();
    store.begin_study(&plan).unwrap();
    let failed = run(&store, &plan, None).err().unwrap();
    assert_eq!(failed.to_string(), "seven is bad");
    let stored = store.study(1).unwrap();
    assert_eq!((stored.state, stored.outputs), (RunState::Stopped, 1));
}
