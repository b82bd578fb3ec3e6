//! Plays a plan: counts the pairs that the store holds, plays the missing ones on threads or on the
//! cluster, and stores every pair as soon as it arrives.

use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludion::arena::executor::ResultSink;
use ludion::arena::pair::GameResult;
use ludion::arena::plan::{GamesPlan, PlanTally};
use ludion_store::{RunId, RunLock, RunState, Store, StoreError, StoredRun};

use crate::plan_jobs::PlanJobs;
use crate::{PlayablePlan, RunContext, RunError, remote};

/// Results of two games between the same players, with seats swapped.
pub type GamePair = [GameResult; 2];

/// A run of a plan while it is played, new or resumed.
pub struct PlanSession {
    playable: PlayablePlan,
    storage: Option<SessionStore>,
}

/// The store and the run into which a session writes; the run is locked against other programs.
struct SessionStore {
    store: Store,
    run: RunId,
    _lock: Option<RunLock>,
}

/// Counted results of a run of a plan.
#[derive(Clone, Debug)]
pub struct PlayedPlan {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether the run is running, stopped or finished.
    pub state: RunState,
    /// Scores and other sums over all counted pairs.
    pub tally: PlanTally,
    /// Number of games that this program played; for a run that was only read, all its stored
    /// games.
    pub games: u64,
    /// Seconds for which this program has played; `None` if the run was only read.
    pub seconds: Option<f64>,
}

impl PlayedPlan {
    /// Counts the pairs of a stored run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stored(store: &Store, run: &StoredRun) -> Result<Self, RunError> {
        let mut tally = PlanTally::new(&run.plan);
        for (number, pair) in store.pairs(run.id)? {
            if tally.add(number, &pair).is_break() {
                break;
            }
        }
        // A run that was only read is never reported as `Stopped`: that state makes reports tell
        // how to resume, which concerns only the program that was stopped.
        let state =
            if run.state == RunState::Finished { RunState::Finished } else { RunState::Running };
        Ok(PlayedPlan { run: Some(run.id), state, tally, games: run.games, seconds: None })
    }
}

impl PlanSession {
    /// Starts a new run of a plan and stores it, if a store is given. `parent` is the tuning that
    /// the match belongs to, if any.
    ///
    /// # Errors
    /// When the store fails.
    pub fn start(
        playable: PlayablePlan,
        store: Option<Store>,
        parent: Option<RunId>,
    ) -> Result<Self, RunError> {
        let Some(mut store) = store else { return Ok(PlanSession { playable, storage: None }) };
        let run = store.begin(playable.plan(), parent)?;
        PlanSession::resume(playable, store, run)
    }

    /// Resumes a stored run of this plan.
    ///
    /// # Errors
    /// When another program plays the run, or the store fails.
    pub fn resume(playable: PlayablePlan, store: Store, run: RunId) -> Result<Self, RunError> {
        let lock = store.lock(run)?;
        Ok(PlanSession { playable, storage: Some(SessionStore { store, run, _lock: lock }) })
    }

    /// Returns the plan of the run.
    #[must_use]
    pub fn plan(&self) -> &GamesPlan {
        self.playable.plan()
    }

    /// Returns the number of the run in the store; `None` if it is not stored.
    #[must_use]
    pub fn run(&self) -> Option<RunId> {
        self.storage.as_ref().map(|storage| storage.run)
    }

    /// Ends the session and returns its store, or `None` if the run is not stored.
    #[must_use]
    pub fn into_store(self) -> Option<Store> {
        self.storage.map(|storage| storage.store)
    }

    /// Plays the pairs that are not stored yet. Calls `on_progress` after each pair played now, in
    /// the order of the schedule.
    ///
    /// # Errors
    /// When the store or the cluster fails.
    pub fn play(
        &mut self,
        run_context: &RunContext<'_>,
        on_progress: &mut dyn FnMut(&GamesPlan, &PlanTally),
    ) -> Result<PlayedPlan, RunError> {
        let known = match &mut self.storage {
            None => Vec::new(),
            Some(storage) => {
                storage.store.set_state(storage.run, RunState::Running)?;
                storage.store.pairs(storage.run)?
            }
        };
        let numbers: HashSet<u64> = known.iter().map(|(number, _)| *number).collect();
        let before = numbers.len() as u64;
        let plan = self.playable.plan();
        let total = plan.schedule.total();
        let mut jobs = (0..total).filter(|n| !numbers.contains(n));
        let pairs = PlanJobs::new(run_context.registry, &self.playable, self.storage.is_some());
        let mut counter = PairCounter {
            plan,
            storage: self.storage.as_mut(),
            known: known.into_iter().peekable(),
            tally: PlanTally::new(plan),
            games: 0,
            failure: None,
            stop: run_context.stop,
            on_progress,
        };
        let began = Instant::now();
        let mut done = Ok(());
        if counter.count_known(0) == ControlFlow::Continue(()) {
            done = remote::execute(run_context, &pairs, before, &mut jobs, &mut counter);
        }
        let _ = counter.count_known(u64::MAX);
        let PairCounter { tally, games, failure, .. } = counter;
        if let Some(error) = failure {
            return Err(error.into());
        }
        let is_finished = done.is_ok() && (tally.decided() || tally.pairs == total);
        let state = if is_finished { RunState::Finished } else { RunState::Stopped };
        let mut tally = tally;
        if let Some(storage) = &mut self.storage {
            storage.store.set_state(storage.run, state)?;
            if !is_finished {
                // A pair that was dropped keeps those after it from being counted in order. They are
                // stored, so that the figures are those of the stored pairs.
                tally = PlanTally::new(plan);
                for (number, pair) in storage.store.pairs(storage.run)? {
                    if tally.add(number, &pair).is_break() {
                        break;
                    }
                }
            }
        }
        done?;
        let run = self.run();
        let seconds = Some(began.elapsed().as_secs_f64());
        Ok(PlayedPlan { run, state, tally, games, seconds })
    }
}

/// Plays all pairs of a plan again without storing them, and passes each pair to `visit` in the
/// order of the schedule.
///
/// # Errors
/// When the cluster fails.
pub fn repeat(
    run_context: &RunContext<'_>,
    playable: &PlayablePlan,
    mut visit: impl FnMut(u64, GamePair) -> ControlFlow<()>,
) -> Result<(), RunError> {
    let pairs = PlanJobs::new(run_context.registry, playable, true);
    let mut jobs = 0..playable.plan().schedule.total();
    remote::execute(run_context, &pairs, 0, &mut jobs, &mut visit)
}

/// Counts the stored pairs and those played now, in the order of the schedule.
struct PairCounter<'a> {
    plan: &'a GamesPlan,
    storage: Option<&'a mut SessionStore>,
    known: Peekable<std::vec::IntoIter<(u64, GamePair)>>,
    tally: PlanTally,
    games: u64,
    failure: Option<StoreError>,
    stop: &'a AtomicBool,
    on_progress: &'a mut dyn FnMut(&GamesPlan, &PlanTally),
}

impl PairCounter<'_> {
    /// Counts the stored pairs with numbers below `before`, and those that follow the counted pairs
    /// without a gap. Returns `Break` once the sequential test is decided.
    fn count_known(&mut self, before: u64) -> ControlFlow<()> {
        loop {
            let limit = before.max(self.tally.pairs + 1);
            let Some((number, pair)) = self.known.next_if(|(number, _)| *number < limit) else {
                return ControlFlow::Continue(());
            };
            self.tally.add(number, &pair)?;
        }
    }
}

impl ResultSink<GamePair> for PairCounter<'_> {
    fn arrived(&mut self, done: &[(u64, GamePair)]) {
        self.games += 2 * done.len() as u64;
        let Some(storage) = self.storage.as_mut().filter(|_| self.failure.is_none()) else {
            return;
        };
        if let Err(error) = storage.store.keep(storage.run, done) {
            self.failure = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn next(&mut self, number: u64, pair: GamePair) -> ControlFlow<()> {
        self.count_known(number)?;
        self.tally.add(number, &pair)?;
        (self.on_progress)(self.plan, &self.tally);
        self.count_known(0)
    }
}
