//! Executes the runs of this laboratory: a limited number at a time, the others wait in a queue,
//! first come first served. The store's lock of a run prevents two programs from executing it at
//! once.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludion_players::arena::plan::PlanKind;
use ludion_runs::cluster::Cluster;
use ludion_runs::kinds::WorkKinds;
use ludion_runs::studies::RunReport;
use ludion_runs::{
    PlanSession, PlayablePlan, RunContext, RunError, RunPicture, present_plan, tuning,
};
use ludion_store::{RunId, RunPlan, RunState, Store, StoredRun};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::AbortHandle;

use super::finished::FinishedRunCache;
use super::gate::FairGate;
use super::progress::{ProgressReporter, RunPhase, RunProgress};
use super::verdict_cache::VerdictCache;
use crate::lab::error::LabError;
use crate::lab::{LabLimits, LabState, SharedLabState, priority};

/// Executes runs in the order of their requests, and knows all that are queued or in progress.
pub(crate) struct RunManager {
    /// The runs that are queued or in progress in this program.
    active: Mutex<HashMap<RunId, ActiveRun>>,
    /// One permit for each run that may be queued or in progress.
    slots: Arc<Semaphore>,
    /// One permit for each run that may be in progress.
    running: Arc<Semaphore>,
    /// Delays the jobs of all runs while searches need the cores.
    gate: FairGate,
    /// The kinds of studies that can be started, resumed and shown.
    pub(super) kinds: WorkKinds,
    /// Cached reports of finished runs.
    pub(super) finished: FinishedRunCache,
    /// Cached results of runs in a sentence.
    pub(super) verdicts: VerdictCache,
}

/// A run that is queued or in progress. Dropping it frees its slot.
struct ActiveRun {
    live: Arc<LiveRun>,
    _slot: RunSlot,
    /// Cancels the task that waits until the run may begin.
    waiting_task: AbortHandle,
}

/// The right to queue or execute one run, taken before the run is stored.
pub(super) struct RunSlot(
    #[expect(dead_code, reason = "given back when dropped")] OwnedSemaphorePermit,
);

/// State of a queued or running run that its thread and its clients share.
pub(crate) struct LiveRun {
    pub(super) run: RunId,
    /// Asks the run to stop after the jobs that have begun.
    pub(super) stop: AtomicBool,
    /// Whether the run is deleted from the store once it has stopped.
    cancelled: AtomicBool,
    /// Whether workers of the cluster execute the jobs, not threads of this machine.
    on_cluster: bool,
    progress: watch::Sender<RunProgress>,
    /// The picture of the results so far.
    pub(super) picture: Mutex<Option<RunPicture>>,
}

impl LiveRun {
    /// Changes the progress and notifies the subscribers.
    pub(super) fn update(&self, change: impl FnOnce(&mut RunProgress)) {
        self.progress.send_modify(change);
    }

    /// Sets the phase of a queued run to running; returns `false` if it was stopped in the queue.
    fn start(&self) -> bool {
        self.progress.send_if_modified(|progress| {
            let is_queued = progress.phase == RunPhase::Queued;
            if is_queued {
                progress.phase = RunPhase::Running;
            }
            is_queued
        })
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<RunProgress> {
        self.progress.subscribe()
    }

    pub(super) fn progress(&self) -> RunProgress {
        self.progress.borrow().clone()
    }

    /// Returns the latest report, or `None` before the first one is computed.
    pub(super) fn findings(&self) -> Option<RunReport> {
        let figures = self.progress.borrow().figures.clone();
        let picture = self.picture.lock().unwrap_or_else(PoisonError::into_inner).clone();
        figures.map(|figures| RunReport { figures: Value::clone(&figures), picture, table: None })
    }
}

impl RunManager {
    /// Creates a manager without runs. `search_permits` are the permits of the searches that have
    /// precedence over runs.
    pub(crate) fn new(
        limits: &LabLimits,
        search_permits: &Arc<Semaphore>,
        kinds: WorkKinds,
    ) -> Self {
        let cores = limits.threads.max(1) as usize;
        let at_once = limits.runs.at_once.max(1);
        RunManager {
            active: Mutex::default(),
            slots: Arc::new(Semaphore::new(at_once + limits.runs.queue)),
            running: Arc::new(Semaphore::new(at_once)),
            gate: FairGate::new(cores, limits.searches, Arc::clone(search_permits)),
            kinds,
            finished: FinishedRunCache::default(),
            verdicts: VerdictCache::default(),
        }
    }

    /// Locks the list of runs that are queued or in progress.
    fn active(&self) -> MutexGuard<'_, HashMap<RunId, ActiveRun>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the run if it is queued or in progress in this program, else `None`.
    pub(super) fn find(&self, run: RunId) -> Option<Arc<LiveRun>> {
        self.active().get(&run).map(|active| Arc::clone(&active.live))
    }

    /// Takes a slot for one more run.
    ///
    /// # Errors
    /// When the queue is full.
    pub(super) fn reserve(&self) -> Result<RunSlot, LabError> {
        let slot = Arc::clone(&self.slots).try_acquire_owned();
        slot.map(RunSlot).map_err(|_| LabError::QueueFull)
    }

    /// Returns the phase of a stored run.
    pub(super) fn phase<P>(&self, store: &Store, run: &StoredRun<P>) -> RunPhase {
        match self.find(run.id) {
            Some(live) => live.progress().phase,
            None if run.state == RunState::Finished => RunPhase::Finished,
            None if store.is_locked(run.id) => RunPhase::Elsewhere,
            // A run may have ended here since it was read.
            None => store.any_run(run.id).map_or(RunPhase::Stopped, |run| run.state.into()),
        }
    }

    /// Asks a run to stop: a queued run leaves the queue at once, a running one stops after the
    /// jobs that have begun. A running run that is `cancelled` is then deleted from the store.
    pub(super) fn stop(&self, live: &LiveRun, cancelled: bool) {
        live.cancelled.fetch_or(cancelled, Ordering::Relaxed);
        live.stop.store(true, Ordering::Relaxed);
        live.update(|progress| {
            progress.phase = match progress.phase {
                RunPhase::Queued => RunPhase::Stopped,
                RunPhase::Running => RunPhase::Stopping,
                other => other,
            };
        });
        if live.progress().phase == RunPhase::Stopped {
            self.remove(live);
        }
    }

    /// Removes a run from the list and frees its slot, unless the run was started again and the
    /// list holds that later start.
    fn remove(&self, live: &LiveRun) {
        let mut all = self.active();
        if all.get(&live.run).is_some_and(|active| std::ptr::eq(&*active.live, live))
            && let Some(active) = all.remove(&live.run)
        {
            active.waiting_task.abort();
        }
    }
}

/// Stores a new run with `insert` and queues it; deletes it from the store again if it cannot be
/// queued. `on_cluster` says whether workers of the cluster execute its jobs.
pub(super) fn begin_new(
    lab: &SharedLabState,
    slot: RunSlot,
    on_cluster: bool,
    insert: impl FnOnce(&mut Store) -> Result<RunId, ludion_store::StoreError>,
) -> Result<RunId, LabError> {
    let mut store = lab.open_store()?;
    let run = insert(&mut store)?;
    if let Err(refusal) = begin(lab, &store, run, slot, on_cluster) {
        store.forget(run)?;
        return Err(refusal);
    }
    Ok(run)
}

/// Queues a stored run, which begins as soon as fewer runs than the limit are in progress.
///
/// # Errors
/// When the run is queued or in progress already, in this program or another.
pub(super) fn begin(
    lab: &SharedLabState,
    store: &Store,
    run: RunId,
    slot: RunSlot,
    on_cluster: bool,
) -> Result<(), LabError> {
    let under_way = || LabError::Conflict(format!("run {run} is under way already"));
    if lab.run_manager.find(run).is_some() {
        return Err(under_way());
    }
    drop(store.lock(run)?);
    let (progress, _) = watch::channel(RunProgress::new(run, RunPhase::Queued));
    let (stop, cancelled) = (AtomicBool::new(false), AtomicBool::new(false));
    let picture = Mutex::default();
    let live = Arc::new(LiveRun { run, stop, cancelled, on_cluster, progress, picture });
    // The task cannot remove the run before it is in the list, because the list is locked here.
    let mut all = lab.run_manager.active();
    if all.contains_key(&run) {
        return Err(under_way());
    }
    let waiting_task =
        tokio::spawn(wait_and_run(Arc::clone(lab), Arc::clone(&live))).abort_handle();
    all.insert(run, ActiveRun { live, _slot: slot, waiting_task });
    Ok(())
}

/// Waits until the run may begin, then executes it on a new thread.
async fn wait_and_run(lab: SharedLabState, live: Arc<LiveRun>) {
    let permit = Arc::clone(&lab.run_manager.running).acquire_owned().await;
    // A run can take hours, so it does not occupy a thread of the pool that serves requests.
    let run = {
        let (lab, live) = (Arc::clone(&lab), Arc::clone(&live));
        move || {
            priority::lower();
            if live.start() {
                run_to_end(&lab, &live);
            }
            drop(permit);
        }
    };
    if let Err(error) = std::thread::Builder::new().spawn(run) {
        let sentence = format!("the thread of the run cannot be started: {error}");
        publish_end(&lab, &live, RunPhase::Stopped, Some(sentence));
    }
}

/// Executes a run and publishes its last phase, with the error if it failed or panicked.
fn run_to_end(lab: &LabState, live: &Arc<LiveRun>) {
    let done = std::panic::catch_unwind(AssertUnwindSafe(|| run_plan(lab, live)));
    let (phase, error) = match done {
        Ok(Ok(state)) => (state.into(), None),
        Ok(Err(error)) => (RunPhase::Stopped, Some(error.to_string())),
        Err(_) => (RunPhase::Stopped, Some("a player failed, and the run with it".to_owned())),
    };
    publish_end(lab, live, phase, error);
}

/// Removes a run from the active ones and publishes its last phase.
fn publish_end(lab: &LabState, live: &Arc<LiveRun>, phase: RunPhase, error: Option<String>) {
    forget_cancelled(lab, live);
    lab.run_manager.remove(live);
    live.update(|progress| (progress.phase, progress.error) = (phase, error));
    // A request may have cancelled the run since the first check, while it still counted as active.
    forget_cancelled(lab, live);
}

/// Deletes the run from the store if it was cancelled.
fn forget_cancelled(lab: &LabState, live: &LiveRun) {
    if live.cancelled.load(Ordering::Relaxed)
        && let Ok(mut store) = lab.open_store()
    {
        // A run that cannot be deleted stays in the list of runs, so no error is reported here.
        let _ = store.forget(live.run);
    }
}

/// Executes the plan of a run from its stored results on, and returns the state it ended in.
fn run_plan(lab: &LabState, live: &Arc<LiveRun>) -> Result<RunState, RunError> {
    let store = lab.open_store()?;
    let run = store.any_run(live.run)?;
    let limits = &lab.limits;
    let cluster = lab.cluster.as_deref().filter(|_| live.on_cluster);
    let run_context = RunContext {
        registry: &lab.registry,
        threads: limits.threads.max(1) as usize,
        stop: &live.stop,
        gate: Some(&lab.run_manager.gate),
        cluster: cluster.map(|cluster| cluster as &dyn Cluster),
    };
    let mut reporter = ProgressReporter::new(live, limits.runs.time);
    match &run.plan {
        RunPlan::Games(plan) if plan.kind == PlanKind::Tuning => {
            let on_progress =
                &mut |standing: &tuning::TuningProgress<'_>| reporter.candidate(standing);
            let plan = present_plan(&lab.registry, plan)?;
            Ok(tuning::play(&run_context, &plan, Some((store, run.id)), on_progress)?.state)
        }
        RunPlan::Games(plan) => {
            let playable = PlayablePlan::open(&lab.registry, plan)?;
            let mut session = PlanSession::resume(playable, store, run.id)?;
            Ok(session.play(&run_context, &mut |plan, tally| reporter.pair(plan, tally))?.state)
        }
        RunPlan::Study(_) => {
            let run = store.study(run.id)?;
            let kind = lab.run_manager.kinds.study(&run.plan.kind)?;
            let storage = Some((store, run.id));
            let outcome = kind.run(&run_context, &run.plan, storage, &mut |progress| {
                reporter.job(progress);
            })?;
            Ok(outcome.state)
        }
    }
}

#[cfg(test)]
mod tests {
    use ludion_store::StudyPlan;

    use super::*;

    #[test]
    fn a_run_that_ends_after_it_was_read_is_finished_and_not_stopped() {
        let limits = LabLimits::of_cores(1);
        let manager = RunManager::new(&limits, &Arc::new(Semaphore::new(1)), WorkKinds::standard());
        let mut store = Store::in_memory().expect("a store");
        let plan = StudyPlan::new("learn", String::new(), 1, 1, &()).expect("a plan");
        let id = store.begin_study(&plan).expect("a run");
        let read = store.any_run(id).expect("a run");
        assert_eq!(manager.phase(&store, &read), RunPhase::Stopped);
        store.set_state(id, RunState::Finished).expect("a run");
        assert_eq!(manager.phase(&store, &read), RunPhase::Finished);
    }
}
