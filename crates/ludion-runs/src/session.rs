//! Plays a plan: counts the pairs that the store holds, plays the missing ones on threads or on the
//! cluster, and stores every pair as soon as it arrives.

use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludion::arena::executor::ResultSink;
use ludion::arena::pair::GameResult;
use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion_store::{RunId, RunLock, RunState, Store, StoreError, StoredRun};

use crate::plan_jobs::PlanJobs;
use crate::{PlayablePlan, RunContext, RunError, remote};

/// Two games with seats swapped.
pub type GamePair = [GameResult; 2];

/// A run of a plan, new or resumed.
pub struct PlanSession {
    playable: PlayablePlan,
    storage: Option<SessionStore>,
}

/// The store of a session, locked for its run.
struct SessionStore {
    store: Store,
    run: RunId,
    _lock: Option<RunLock>,
}

/// The pairs of a plan that have been played so far.
#[derive(Clone, Debug)]
pub struct PlayedPlan {
    /// The run, where it is stored.
    pub run: Option<RunId>,
    /// The state of the run.
    pub state: RunState,
    /// The sums over all counted pairs.
    pub tally: MatchTally,
    /// Games played by this program.
    pub games: u64,
    /// Seconds this program has played; `None` for a run that was only read.
    pub seconds: Option<f64>,
}

impl PlayedPlan {
    /// Counts the pairs of a stored run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stored(store: &Store, run: &StoredRun) -> Result<Self, RunError> {
        let mut tally = MatchTally::new(&run.plan);
        for (number, pair) in store.pairs(run.id)? {
            if tally.add(number, &pair).is_break() {
                break;
            }
        }
        // `Stopped` is kept for the program that was stopped: it tells how to resume.
        let state =
            if run.state == RunState::Finished { RunState::Finished } else { RunState::Running };
        Ok(PlayedPlan { run: Some(run.id), state, tally, games: run.games, seconds: None })
    }
}

impl PlanSession {
    /// Begins a run, stored where there is a store; `parent` is the run it is played for.
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
    /// When another program plays it, or the store fails.
    pub fn resume(playable: PlayablePlan, store: Store, run: RunId) -> Result<Self, RunError> {
        let lock = store.lock(run)?;
        Ok(PlanSession { playable, storage: Some(SessionStore { store, run, _lock: lock }) })
    }

    /// The plan of the run.
    #[must_use]
    pub fn plan(&self) -> &MatchPlan {
        self.playable.plan()
    }

    /// Ends the session and returns its store.
    #[must_use]
    pub fn into_store(self) -> Option<Store> {
        self.storage.map(|storage| storage.store)
    }

    /// Plays the missing pairs. Calls `on_progress` after every pair that is counted, in the order
    /// of the schedule.
    ///
    /// # Errors
    /// When the store or the cluster fails.
    pub fn play(
        &mut self,
        run_context: &RunContext<'_>,
        on_progress: &mut dyn FnMut(&MatchPlan, &MatchTally),
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
            tally: MatchTally::new(plan),
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
        if let Some(storage) = &mut self.storage {
            storage.store.set_state(storage.run, state)?;
        }
        done?;
        let run = self.storage.as_ref().map(|storage| storage.run);
        let seconds = Some(began.elapsed().as_secs_f64());
        Ok(PlayedPlan { run, state, tally, games, seconds })
    }
}

/// Plays a whole plan again without storing anything, and passes every pair to `visit` in the order
/// of the schedule.
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

/// Counts pairs in the order of the schedule, those of the store and those played now.
struct PairCounter<'a> {
    plan: &'a MatchPlan,
    storage: Option<&'a mut SessionStore>,
    known: Peekable<std::vec::IntoIter<(u64, GamePair)>>,
    tally: MatchTally,
    games: u64,
    failure: Option<StoreError>,
    stop: &'a AtomicBool,
    on_progress: &'a mut dyn FnMut(&MatchPlan, &MatchTally),
}

impl PairCounter<'_> {
    /// Counts the known pairs below the number `before`, and those after it without a gap.
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
