//! Who conducts runs here: so many at a time, the others in the order they came. The store's
//! lock says that no other program is at the same run.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ludion::arena::plan::PlanKind;
use ludion_runs::kinds::WorkKinds;
use ludion_runs::studies::Findings;
use ludion_runs::{PlanSession, PlayablePlan, RunContext, RunError, RunPicture, tuning};
use ludion_store::{RunId, RunPlan, RunState, Store, StoredRun};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::AbortHandle;

use super::finished::FinishedRunCache;
use super::gate::FairGate;
use super::progress::{ProgressReporter, RunPhase, RunProgress};
use crate::lab::error::LabError;
use crate::lab::{LabLimits, LabState, SharedLabState};

/// What is under way.
pub(crate) struct RunManager {
    live: Mutex<HashMap<RunId, ActiveRun>>,
    /// Room for runs that wait or are conducted.
    places: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    door: FairGate,
    /// The kinds of studies that can be started, resumed and shown.
    pub(super) kinds: WorkKinds,
    /// Figures of finished runs.
    pub(super) finished: FinishedRunCache,
}

/// A run at the desk. Its place is free again when it is gone.
struct ActiveRun {
    live: Arc<LiveRun>,
    _place: RunSlot,
    /// Who waits for its turn.
    waits: AbortHandle,
}

/// Room for one run more, taken before the run is kept.
pub(super) struct RunSlot(
    #[expect(dead_code, reason = "given back when dropped")] OwnedSemaphorePermit,
);

/// A run that waits or is conducted.
pub(crate) struct LiveRun {
    pub(super) run: RunId,
    pub(super) stop: AtomicBool,
    /// Whether it is forgotten once it has stopped.
    cancelled: AtomicBool,
    news: watch::Sender<RunProgress>,
    /// What is drawn of it so far.
    pub(super) picture: Mutex<Option<RunPicture>>,
}

impl LiveRun {
    /// Changes what is told of it.
    pub(super) fn tell(&self, change: impl FnOnce(&mut RunProgress)) {
        self.news.send_modify(change);
    }

    /// Begins, unless it was stopped while it waited.
    fn claim(&self) -> bool {
        self.news.send_if_modified(|standing| {
            let waits = standing.phase == RunPhase::Queued;
            if waits {
                standing.phase = RunPhase::Running;
            }
            waits
        })
    }

    pub(super) fn listen(&self) -> watch::Receiver<RunProgress> {
        self.news.subscribe()
    }

    pub(super) fn standing(&self) -> RunProgress {
        self.news.borrow().clone()
    }

    /// What came of it so far, once it was told.
    pub(super) fn found(&self) -> Option<Findings> {
        let figures = self.news.borrow().figures.clone();
        let picture = self.picture.lock().unwrap_or_else(PoisonError::into_inner).clone();
        figures.map(|figures| Findings { figures: Value::clone(&figures), picture, table: None })
    }
}

impl RunManager {
    pub(crate) fn new(limits: &LabLimits, thinking: &Arc<Semaphore>, kinds: WorkKinds) -> Self {
        let cores = limits.threads.max(1) as usize;
        let at_once = limits.runs.at_once.max(1);
        RunManager {
            live: Mutex::default(),
            places: Arc::new(Semaphore::new(at_once + limits.runs.queue)),
            turns: Arc::new(Semaphore::new(at_once)),
            door: FairGate::new(cores, limits.searches, Arc::clone(thinking)),
            kinds,
            finished: FinishedRunCache::default(),
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RunId, ActiveRun>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run, if it is under way here.
    pub(super) fn find(&self, run: RunId) -> Option<Arc<LiveRun>> {
        self.all().get(&run).map(|seat| Arc::clone(&seat.live))
    }

    /// Takes room for one run, or refuses one run more than may wait.
    pub(super) fn reserve(&self) -> Result<RunSlot, LabError> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        place.map(RunSlot).map_err(|_| LabError::FullDesk)
    }

    /// How far a run of the store has come.
    pub(super) fn phase<P>(&self, store: &Store, run: &StoredRun<P>) -> RunPhase {
        match self.find(run.id) {
            Some(live) => live.standing().phase,
            None if run.state == RunState::Finished => RunPhase::Finished,
            None if store.is_locked(run.id) => RunPhase::Elsewhere,
            None => RunPhase::Stopped,
        }
    }

    /// Asks a run to stop. One that waits is taken out of the line; one that is conducted ends
    /// what is under way, and is forgotten then if it is cancelled.
    pub(super) fn stop(&self, live: &LiveRun, cancelled: bool) {
        live.cancelled.fetch_or(cancelled, Ordering::Relaxed);
        live.stop.store(true, Ordering::Relaxed);
        live.tell(|standing| {
            standing.phase = match standing.phase {
                RunPhase::Queued => RunPhase::Stopped,
                RunPhase::Running => RunPhase::Stopping,
                other => other,
            };
        });
        if live.standing().phase == RunPhase::Stopped {
            self.leave(live);
        }
    }

    /// Takes a run off the desk; the same run may have been begun again since.
    fn leave(&self, live: &LiveRun) {
        let mut all = self.all();
        if all.get(&live.run).is_some_and(|seat| std::ptr::eq(&*seat.live, live))
            && let Some(seat) = all.remove(&live.run)
        {
            seat.waits.abort();
        }
    }
}

/// Keeps a new run and has it conducted; one that cannot begin is not kept.
pub(super) fn begin_new(
    running: &SharedLabState,
    place: RunSlot,
    keep: impl FnOnce(&mut Store) -> Result<RunId, ludion_store::StoreError>,
) -> Result<RunId, LabError> {
    let mut store = running.open_store()?;
    let run = keep(&mut store)?;
    if let Err(refusal) = begin(running, &store, run, place) {
        store.forget(run)?;
        return Err(refusal);
    }
    Ok(run)
}

/// Has a run of the store conducted, now or when it is its turn.
///
/// # Errors
/// When it is under way already, here or elsewhere.
pub(super) fn begin(
    running: &SharedLabState,
    store: &Store,
    run: RunId,
    place: RunSlot,
) -> Result<(), LabError> {
    let under_way = || LabError::Conflict(format!("run {run} is under way already"));
    if running.desk.find(run).is_some() {
        return Err(under_way());
    }
    drop(store.lock(run)?);
    let (news, _) = watch::channel(RunProgress::new(run, RunPhase::Queued));
    let (stop, cancelled) = (AtomicBool::new(false), AtomicBool::new(false));
    let picture = Mutex::default();
    let live = Arc::new(LiveRun { run, stop, cancelled, news, picture });
    // Whoever waits cannot leave before he has a seat, for we hold the list.
    let mut all = running.desk.all();
    if all.contains_key(&run) {
        return Err(under_way());
    }
    let waits = tokio::spawn(wait(Arc::clone(running), Arc::clone(&live))).abort_handle();
    all.insert(run, ActiveRun { live, _place: place, waits });
    Ok(())
}

/// Has a run conducted when it is its turn.
async fn wait(running: SharedLabState, live: Arc<LiveRun>) {
    let turn = Arc::clone(&running.desk.turns).acquire_owned().await;
    // A run lasts for hours: it has a thread of its own, none that requests wait for.
    std::thread::spawn(move || {
        if live.claim() {
            attend(&running, &live);
        }
        drop(turn);
    });
}

/// Conducts a run and says how it ended.
fn attend(running: &LabState, live: &Arc<LiveRun>) {
    let done = std::panic::catch_unwind(AssertUnwindSafe(|| conduct(running, live)));
    let (phase, error) = match done {
        Ok(Ok(state)) => (state.into(), None),
        Ok(Err(error)) => (RunPhase::Stopped, Some(error.to_string())),
        Err(_) => (RunPhase::Stopped, Some("a player failed, and the run with it".to_owned())),
    };
    forget_cancelled(running, live);
    running.desk.leave(live);
    live.tell(|standing| (standing.phase, standing.error) = (phase, error));
    // Whoever cancelled it before it was told to be over relies on it.
    forget_cancelled(running, live);
}

fn forget_cancelled(running: &LabState, live: &LiveRun) {
    if live.cancelled.load(Ordering::Relaxed)
        && let Ok(mut store) = running.open_store()
    {
        // What cannot be forgotten is still there to be seen.
        let _ = store.forget(live.run);
    }
}

fn conduct(running: &LabState, live: &Arc<LiveRun>) -> Result<RunState, RunError> {
    let store = running.open_store()?;
    let run = store.any_run(live.run)?;
    let limits = &running.limits;
    let run_context = RunContext {
        registry: &running.registry,
        threads: limits.threads.max(1) as usize,
        stop: &live.stop,
        gate: Some(&running.desk.door),
        cluster: None,
    };
    let mut reporter = ProgressReporter::new(live, limits.runs.time);
    match &run.plan {
        RunPlan::Games(plan) if plan.kind == PlanKind::Tuning => {
            let told = &mut |standing: &tuning::TuningStanding<'_>| reporter.candidate(standing);
            Ok(tuning::play(&run_context, plan, Some((store, run.id)), told)?.state)
        }
        RunPlan::Games(plan) => {
            let playable = PlayablePlan::open(&running.registry, plan.clone())?;
            let mut session = PlanSession::resume(playable, store, run.id)?;
            Ok(session.play(&run_context, &mut |plan, tally| reporter.pair(plan, tally))?.state)
        }
        RunPlan::Study(_) => {
            let run = store.study(run.id)?;
            let kind = running.desk.kinds.study(&run.plan.kind)?;
            let storage = Some((store, run.id));
            let outcome = kind.run(&run_context, &run.plan, storage, &mut |progress| {
                reporter.job(progress);
            })?;
            Ok(outcome.state)
        }
    }
}
