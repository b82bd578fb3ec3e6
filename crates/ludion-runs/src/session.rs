//! Plays a plan: counts the pairs that the store holds, plays the missing ones on threads or on the
//! cluster, and stores every pair as soon as it arrives.

use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludion_players::arena::executor::ResultSink;
use ludion_players::arena::pair::GameResult;
use ludion_players::arena::plan::{GamesPlan, PlanTally};
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
    /// Number of counted games that this program played; for a run that was only read, all its
    /// stored games.
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
        let tally = tally_of(store, run.id, &run.plan)?;
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
                storage.store.note_resumption(storage.run)?;
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
            counted_now: 0,
            stored_now: Vec::new(),
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
        let PairCounter { tally, counted_now, stored_now, failure, .. } = counter;
        if let Some(error) = failure {
            return Err(error.into());
        }
        let is_finished = done.is_ok() && (tally.decided() || tally.pairs == total);
        let state = if is_finished { RunState::Finished } else { RunState::Stopped };
        let (tally, played_pairs) = match &mut self.storage {
            None => (tally, counted_now),
            Some(SessionStore { store, run, .. }) => {
                let tally = conclude(store, *run, plan, state, tally)?;
                let is_kept = |number: &&u64| !tally.decided() || **number < tally.pairs;
                let played_pairs = stored_now.iter().filter(is_kept).count() as u64;
                (tally, played_pairs)
            }
        };
        done?;
        let run = self.run();
        let seconds = Some(began.elapsed().as_secs_f64());
        Ok(PlayedPlan { run, state, tally, games: 2 * played_pairs, seconds })
    }
}

/// Stores the state in which a session ends. Pairs after the one that decided the sequential test are
/// deleted, so that the stored games are those that are counted. For a run that is not finished, the
/// tally is that of all stored pairs: a pair that was dropped keeps those after it from being counted
/// in order.
fn conclude(
    store: &mut Store,
    run: RunId,
    plan: &GamesPlan,
    state: RunState,
    tally: PlanTally,
) -> Result<PlanTally, RunError> {
    if tally.decided() {
        store.drop_pairs_from(run, tally.pairs)?;
    }
    store.set_state(run, state)?;
    if state == RunState::Finished { Ok(tally) } else { tally_of(store, run, plan) }
}

/// Counts the stored pairs of a run.
fn tally_of(store: &Store, run: RunId, plan: &GamesPlan) -> Result<PlanTally, RunError> {
    let mut tally = PlanTally::new(plan);
    for (number, pair) in store.pairs(run)? {
        if tally.add(number, &pair).is_break() {
            break;
        }
    }
    Ok(tally)
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
    /// Number of pairs played by this program that are in the tally.
    counted_now: u64,
    /// Numbers of the pairs that this program has stored.
    stored_now: Vec<u64>,
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
        let is_over = self.failure.is_some() || self.tally.decided();
        let Some(storage) = self.storage.as_mut().filter(|_| !is_over) else { return };
        if let Err(error) = storage.store.keep(storage.run, done) {
            self.failure = Some(error);
            self.stop.store(true, Ordering::Relaxed);
            return;
        }
        self.stored_now.extend(done.iter().map(|(number, _)| number));
    }

    fn next(&mut self, number: u64, pair: GamePair) -> ControlFlow<()> {
        self.count_known(number)?;
        let added = self.tally.add(number, &pair);
        self.counted_now += 1;
        (self.on_progress)(self.plan, &self.tally);
        added?;
        self.count_known(0)
    }
}

#[cfg(test)]
mod tests {
    use ludion_players::arena::pair::GameSettings;
    use ludion_players::arena::sprt::{EloScale, Sprt, SprtDecision};
    use ludion_players::player::Budget;
    use ludion_players::registry::Registry;

    use super::*;
    use crate::setup;

    fn playable(registry: &Registry, seed: u64, pairs: u64) -> PlayablePlan {
        let terms = GameSettings { budget: Budget::UNLIMITED, opening: 1, longest: 100, seed };
        let (elo0, elo1) = (0.0, 200.0);
        let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloScale::Logistic };
        let players = ["montecarlo(sims=4)", "random"];
        setup::duel(registry, "tictactoe", players, pairs, terms, Some(sprt)).expect("a plan")
    }

    fn play(registry: &Registry, session: &mut PlanSession, stop_at: u64) -> PlayedPlan {
        let stop = AtomicBool::new(false);
        let context = RunContext { registry, threads: 8, stop: &stop, gate: None, cluster: None };
        let played = session.play(&context, &mut |_, tally| {
            stop.fetch_or(tally.pairs >= stop_at, Ordering::Relaxed);
        });
        played.expect("games")
    }

    #[test]
    fn the_games_of_a_decided_test_are_those_that_are_counted() {
        let registry = ludion::registry::standard();
        for seed in 0..6 {
            let store = Store::in_memory().expect("a store");
            let mut session =
                PlanSession::start(playable(&registry, seed, 5000), Some(store), None)
                    .expect("a session");
            let played = play(&registry, &mut session, u64::MAX);
            assert!(played.tally.decided() && played.tally.pairs < 5000);
            assert_eq!(played.games, 2 * played.tally.pairs, "no game beyond the decision");
            let store = session.into_store().expect("a store");
            let run = store.run(1).expect("a run");
            assert_eq!(run.games, played.games);
            let numbers: Vec<u64> =
                store.pairs(1).expect("pairs").iter().map(|(number, _)| *number).collect();
            assert_eq!(numbers, (0..played.tally.pairs).collect::<Vec<_>>());
            let again = PlayedPlan::stored(&store, &run).expect("games");
            assert_eq!(again.tally, played.tally);
        }
    }

    #[test]
    fn a_test_with_a_missing_pair_is_not_decided_and_a_resumed_one_as_if_it_had_not_stopped() {
        let registry = ludion::registry::standard();
        let whole = {
            let mut session =
                PlanSession::start(playable(&registry, 3, 5000), None, None).expect("a session");
            play(&registry, &mut session, u64::MAX)
        };
        let store = Store::in_memory().expect("a store");
        let mut session =
            PlanSession::start(playable(&registry, 3, 5000), Some(store), None).expect("a session");
        let stopped = play(&registry, &mut session, 2);
        let mut store = session.into_store().expect("a store");
        assert_eq!(store.run(1).expect("a run").games, 2 * stopped.tally.pairs);
        if stopped.state == RunState::Stopped {
            assert_eq!(stopped.tally.decision, Some(SprtDecision::Open));
        }
        // Take a pair away, as if it had been dropped while those after it were stored.
        let pairs = store.pairs(1).expect("pairs");
        store.drop_pairs_from(1, 0).expect("no pairs");
        store.keep(1, &pairs[1..]).expect("all but the first");
        let run = store.run(1).expect("a run");
        let gap = PlayedPlan::stored(&store, &run).expect("games");
        assert_eq!(gap.tally.decision, Some(SprtDecision::Open));
        let playable = playable(&registry, 3, 5000);
        let mut session = PlanSession::resume(playable, store, 1).expect("a session");
        let resumed = play(&registry, &mut session, u64::MAX);
        assert_eq!(resumed.tally.pairs, whole.tally.pairs);
        assert_eq!(resumed.tally.decision, whole.tally.decision);
    }

    #[test]
    fn a_finished_run_keeps_its_end_and_other_versions_are_noted() {
        let registry = ludion::registry::standard();
        let store = Store::in_memory().expect("a store").by_version("1.0.0+a");
        let mut session =
            PlanSession::start(playable(&registry, 3, 5000), Some(store), None).expect("a session");
        play(&registry, &mut session, 1);
        let mut store = session.into_store().expect("a store").by_version("1.0.0+b");
        store.note_resumption(1).expect("a note");
        let open = store.run(1).expect("a run");
        let expected: &[String] = match open.state {
            RunState::Finished => &[],
            _ => &["1.0.0+b".to_owned()],
        };
        assert_eq!((&open.version[..], &open.resumed_by[..]), ("1.0.0+a", expected));
        store.set_state(1, RunState::Finished).expect("a state");
        let ended = store.run(1).expect("a run").ended;
        assert!(ended.is_some());
        std::thread::sleep(std::time::Duration::from_millis(1100));
        for state in [RunState::Running, RunState::Stopped, RunState::Finished] {
            store.set_state(1, state).expect("a state");
            let run = store.run(1).expect("a run");
            assert_eq!((run.state, &run.ended), (RunState::Finished, &ended));
        }
    }
}
