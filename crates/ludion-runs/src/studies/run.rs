//! Runs a study stage by stage: known outputs are looked up, missing ones are computed. A
//! repetition does the same without the store and compares.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludion_players::arena::executor::ResultSink;
use ludion_store::{JobOutput, RunId, RunState, Store, StoredRun, StudyPlan};
use serde::Serialize;

use super::stage::{JobFailure, RemoteStage, StageJobs, TimedOutput};
use super::{
    OnProgress, Output, StageRequest, StageSpec, Study, StudyEffort, StudyProgress, StudyRecords,
    StudySession,
};
use crate::{RunContext, RunError, remote};

/// Runs the missing jobs of a study on threads or on the cluster.
///
/// # Errors
/// When the settings are not allowed, another program runs the study, or the store fails.
pub fn run<S: Study>(
    context: &RunContext<'_>,
    plan: &StudyPlan,
    storage: Option<(Store, RunId)>,
    on_progress: OnProgress<'_>,
) -> Result<StudyRecords<S::Record>, RunError> {
    let began = Instant::now();
    let mut study = S::new(context.registry, plan.settings()?)?;
    let mut session = StudySession::open::<S>(storage)?;
    let mut effort = StudyEffort::default();
    let done = run_stages(context, &mut study, &mut session, &mut effort, on_progress);
    let done = done.map(|finished| finished || session.len() == plan.jobs);
    let run = session.close(matches!(done, Ok(true)))?;
    done?;
    effort.seconds = began.elapsed().as_secs_f64();
    Ok(StudyRecords { effort: Some(effort), ..run })
}

/// Runs stage after stage; returns whether the study is finished, false if it was stopped.
fn run_stages<S: Study>(
    context: &RunContext<'_>,
    study: &mut S,
    session: &mut StudySession<S::Record>,
    effort: &mut StudyEffort,
    on_progress: OnProgress<'_>,
) -> Result<bool, RunError> {
    let mut last_record = Instant::now();
    for stage in 0.. {
        let Some(request) = study.next_stage(context.registry, session, context.stop)? else {
            return Ok(!context.stop.load(Ordering::Relaxed));
        };
        let (mut known, mut missing) = (Vec::new(), Vec::new());
        for job in 0..request.jobs {
            if context.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            match session.known(study, job)? {
                Some(output) => known.push(output),
                None => missing.push(job),
            }
        }
        effort.known += known.len() as u64;
        let (done, total, rounds) = (known.len() as u64, request.jobs, study.rounds());
        let status = || study.status(&known);
        on_progress(&StudyProgress { stage, done, total, rounds, status: &status });
        let mut keep = |outputs: &[&JobOutput<Output<S>>]| {
            effort.computed += outputs.len() as u64;
            session.keep(study, outputs)
        };
        let mut observe = |outputs: &[JobOutput<Output<S>>]| {
            let status = || study.status(outputs);
            let done = outputs.len() as u64;
            on_progress(&StudyProgress { stage, done, total, rounds, status: &status });
            ControlFlow::Continue(())
        };
        let collected =
            run_jobs(context, study, &request, (known, missing), &mut keep, &mut observe)?;
        if (collected.len() as u64) < request.jobs {
            return Ok(false);
        }
        let outputs = collected.into_iter().map(|output| output.value).collect();
        if let Some((number, value)) = study.finish_stage(outputs, session)? {
            let took = last_record.elapsed();
            last_record = Instant::now();
            match session.record(number) {
                Some(stored) if *stored != value => return Err(differs::<S>(number)),
                Some(_) => {}
                None => session.keep_records(vec![JobOutput { number, took, value }])?,
            }
        }
        if context.stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn differs<S: Study>(number: u64) -> RunError {
    RunError::Failed(format!(
        "number {} of the {} comes out otherwise than it is stored, perhaps because another \
         version stored it; start a new run",
        number + 1,
        S::UNIT
    ))
}

/// Callback that stores outputs of a stage as soon as they arrive, in any order.
type KeepOutputs<'a, S> = &'a mut dyn FnMut(&[&JobOutput<Output<S>>]) -> Result<(), RunError>;
/// Callback after each job with all outputs of the stage so far; `Break` ends the stage.
type ObserveOutputs<'a, S> = &'a mut dyn FnMut(&[JobOutput<Output<S>>]) -> ControlFlow<()>;
/// Known outputs of a stage, and the numbers of the jobs to run.
type KnownAndMissing<S> = (Vec<JobOutput<Output<S>>>, Vec<u64>);

/// Runs the missing jobs of a stage; returns the known and the new outputs in the order of the
/// jobs. `keep` stores outputs as soon as they arrive; `observe` gets all outputs so far after each
/// job.
fn run_jobs<S: Study>(
    context: &RunContext<'_>,
    study: &S,
    request: &StageRequest<StageSpec<S>>,
    (known, missing): KnownAndMissing<S>,
    keep: KeepOutputs<'_, S>,
    observe: ObserveOutputs<'_, S>,
) -> Result<Vec<JobOutput<Output<S>>>, RunError> {
    let mut collector =
        OutputCollector::<S> { keep, observe, outputs: known, stop: context.stop, failure: None };
    if !missing.is_empty() {
        let stage: S::Stage = request.open(context.registry)?;
        let jobs = StageJobs { stage: &stage };
        let work = RemoteStage::<S> { jobs, request, about: study.status(&[]) };
        let done = collector.outputs.len() as u64;
        let mut missing = missing.into_iter();
        let executed = remote::execute(context, &work, done, &mut missing, &mut collector);
        if let Some(failure) = collector.failure {
            return Err(failure);
        }
        executed?;
    }
    let mut outputs = collector.outputs;
    outputs.sort_by_key(|output| output.number);
    Ok(outputs)
}

/// Result sink that stores and collects the outputs of a stage.
struct OutputCollector<'a, S: Study> {
    keep: KeepOutputs<'a, S>,
    observe: ObserveOutputs<'a, S>,
    outputs: Vec<JobOutput<Output<S>>>,
    stop: &'a AtomicBool,
    failure: Option<RunError>,
}

impl<S: Study> ResultSink<TimedOutput<Output<S>>> for OutputCollector<'_, S> {
    fn arrived(&mut self, done: &[(u64, TimedOutput<Output<S>>)]) {
        if self.failure.is_some() {
            return;
        }
        let outputs: Vec<_> = done.iter().filter_map(|(_, output)| output.as_ref().ok()).collect();
        self.failure = (self.keep)(&outputs).err();
        let failed = done.iter().find_map(|(_, output)| match output {
            Err(JobFailure::Failed(why)) => Some(RunError::Failed(why.clone())),
            _ => None,
        });
        self.failure = self.failure.take().or(failed);
        if self.failure.is_some() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn next(&mut self, _number: u64, output: TimedOutput<Output<S>>) -> ControlFlow<()> {
        let Ok(output) = output else { return ControlFlow::Continue(()) };
        self.outputs.push(output);
        (self.observe)(&self.outputs)
    }
}

/// Result of running a study again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StudyRepeatReport {
    /// Number of the compared run in the store.
    pub run: RunId,
    /// Whether all compared records are equal to the stored ones.
    pub identical: bool,
    /// Number of records that were compared.
    pub compared: u64,
    /// Number of records that the run has in the store.
    pub stored: u64,
    /// Number of the first record that differs, if one does.
    pub different: Option<u64>,
}

/// Comparison of new records with those of a stored run.
struct Comparison<R> {
    stored: BTreeMap<u64, R>,
    compared: u64,
    different: Option<u64>,
}

impl<R: PartialEq> Comparison<R> {
    fn compare(&mut self, number: u64, again: &R) -> ControlFlow<()> {
        let Some(stored) = self.stored.get(&number) else { return ControlFlow::Continue(()) };
        self.compared += 1;
        if stored == again {
            return ControlFlow::Continue(());
        }
        self.different = Some(number);
        ControlFlow::Break(())
    }

    /// Returns whether the comparison is over: all stored records are compared, or one differs.
    fn is_over(&self) -> bool {
        self.different.is_some() || self.compared == self.stored.len() as u64
    }
}

/// Runs a stored study again up to its last stored record, without using stored outputs, and
/// compares the records.
///
/// # Errors
/// When the store cannot be read, or the study cannot be run.
pub fn repeat<S: Study>(
    context: &RunContext<'_>,
    store: &Store,
    run: &StoredRun<StudyPlan>,
    on_progress: OnProgress<'_>,
) -> Result<StudyRepeatReport, RunError> {
    let stored = store.outputs::<S::Record>(run.id)?;
    let stored = stored.into_iter().map(|record| (record.number, record.value)).collect();
    let mut comparison = Comparison { stored, compared: 0, different: None };
    let mut study = S::new(context.registry, run.plan.settings()?)?;
    let mut session = StudySession::for_repetition::<S>();
    for stage in 0.. {
        if comparison.is_over() {
            break;
        }
        let request = study.next_stage(context.registry, &mut session, context.stop)?;
        let Some(request) = request else { break };
        let is_comparable = |job: &u64| match study.output_key(*job, "") {
            super::OutputKey::Record(number) => comparison.stored.contains_key(&number),
            super::OutputKey::Cached(_) => true,
        };
        let jobs: Vec<u64> = (0..request.jobs).filter(is_comparable).collect();
        let (total, rounds) = (jobs.len() as u64, study.rounds());
        let mut observe = |outputs: &[JobOutput<Output<S>>]| {
            let status = || study.status(outputs);
            let done = outputs.len() as u64;
            on_progress(&StudyProgress { stage, done, total, rounds, status: &status });
            let Some(last) = outputs.last() else { return ControlFlow::Continue(()) };
            match (study.output_key(last.number, ""), S::store_output(&last.value)) {
                (super::OutputKey::Record(number), super::StoredJobOutput::Record(record)) => {
                    comparison.compare(number, &record)
                }
                _ => ControlFlow::Continue(()),
            }
        };
        let outputs =
            run_jobs(context, &study, &request, (Vec::new(), jobs), &mut |_| Ok(()), &mut observe)?;
        if (outputs.len() as u64) < request.jobs {
            break;
        }
        let outputs = outputs.into_iter().map(|output| output.value).collect();
        if let Some((number, record)) = study.finish_stage(outputs, &mut session)? {
            let _ = comparison.compare(number, &record);
        }
    }
    let Comparison { stored, compared, different } = comparison;
    let (identical, stored) = (different.is_none(), stored.len() as u64);
    Ok(StudyRepeatReport { run: run.id, identical, compared, stored, different })
}

/// Reads the records of a study from the store.
///
/// # Errors
/// When a record cannot be decoded.
pub fn stored<S: Study>(
    store: &Store,
    run: &StoredRun<StudyPlan>,
) -> Result<StudyRecords<S::Record>, RunError> {
    let records = store.outputs(run.id)?;
    let complete = run.state == RunState::Finished || records.len() as u64 == run.plan.jobs;
    Ok(StudyRecords { run: Some(run.id), records, complete, effort: None })
}

/// Stores a study whose records have already been computed.
///
/// # Errors
/// When the store cannot be written.
pub fn store_finished<S: Study>(
    plan: &StudyPlan,
    mut store: Option<Store>,
    records: Vec<JobOutput<S::Record>>,
) -> Result<StudyRecords<S::Record>, RunError> {
    let run = match &mut store {
        None => None,
        Some(store) => {
            let run = store.begin_study(plan)?;
            store.keep_outputs(run, &records)?;
            store.set_state(run, RunState::Finished)?;
            Some(run)
        }
    };
    Ok(StudyRecords { run, records, complete: true, effort: None })
}
