//! Plays a plan: what the store knows is counted, the rest is played by whoever the means name,
//! and each pair is kept as soon as it is done.

use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ludion::arena::executor::ResultSink;
use ludion::arena::pair::GameResult;
use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion::param::Spec;
use ludion::player::BudgetUnit;
use ludion::registry::{PlayerInfo, Registry};
use ludion_store::{RunId, RunLock, RunState, Store, StoredRun};

use crate::plan_jobs::PlanJobs;
use crate::{RunContext, RunError, remote};

/// Two games with seats swapped.
pub type GamePair = [GameResult; 2];

/// A plan that somebody can play.
pub struct PlanSession {
    plan: MatchPlan,
    keeping: Option<SessionStore>,
}

/// Where the games of a session go.
struct SessionStore {
    store: Store,
    run: RunId,
    _lock: Option<RunLock>,
}

/// What has been played, of a plan, by now.
#[derive(Clone, Debug)]
pub struct PlayedPlan {
    /// The run, if it is kept.
    pub run: Option<RunId>,
    /// How far it has come.
    pub state: RunState,
    /// All pairs that count.
    pub ledger: MatchTally,
    /// Games played by this program.
    pub games: u64,
    /// The seconds it took; nothing when it was only looked up.
    pub seconds: Option<f64>,
}

impl PlayedPlan {
    /// What the store knows of a run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stored(store: &Store, run: &StoredRun) -> Result<Self, RunError> {
        let mut ledger = MatchTally::new(&run.plan);
        for (number, pair) in store.pairs(run.id)? {
            if ledger.add(number, &pair).is_break() {
                break;
            }
        }
        // Not stopped, as far as showing it goes: whoever looks at a run has not stopped it.
        let state =
            if run.state == RunState::Finished { RunState::Finished } else { RunState::Running };
        Ok(PlayedPlan { run: Some(run.id), state, ledger, games: run.games, seconds: None })
    }
}

/// Refuses a plan that nobody can play.
///
/// # Errors
/// Names who or what is unknown, and budgets that mean nothing to anybody.
pub(crate) fn check(registry: &Registry, plan: &MatchPlan) -> Result<(), RunError> {
    registry.game(&plan.game)?.referee(&plan.players)?;
    understood(registry, plan)
}

/// Refuses a budget that means nothing to anybody.
fn understood(registry: &Registry, plan: &MatchPlan) -> Result<(), RunError> {
    let units = plan.terms.budget.units();
    let names: Vec<String> =
        plan.players.iter().filter_map(|player| Some(Spec::parse(player).ok()?.name)).collect();
    let infos: Vec<&PlayerInfo> = registry
        .entry(&plan.game)?
        .players()
        .iter()
        .filter(|info| names.iter().any(|name| info.is_called(name)))
        .collect();
    let any = infos.iter().any(|info| info.spends.iter().any(|unit| units.contains(unit)));
    if units.is_empty() || any {
        return Ok(());
    }
    let words = |units: &[BudgetUnit]| match units {
        [] => "no budget".to_owned(),
        units => units.iter().map(|unit| unit.name()).collect::<Vec<_>>().join(", "),
    };
    let known: Vec<String> = infos
        .iter()
        .map(|info| format!("{} understands {}", info.name, words(&info.spends)))
        .collect();
    Err(RunError::Wrong(format!(
        "nobody here understands a budget in {}: {}",
        words(&units),
        known.join("; ")
    )))
}

impl PlanSession {
    /// A new run, kept where there is a store, perhaps for another run.
    ///
    /// # Errors
    /// When nobody can play the plan, or the store fails.
    pub fn start(
        registry: &Registry,
        plan: MatchPlan,
        store: Option<Store>,
        parent: Option<RunId>,
    ) -> Result<Self, RunError> {
        check(registry, &plan)?;
        let keeping = match store {
            None => None,
            Some(mut store) => {
                let run = store.begin(&plan, parent)?;
                let lock = store.lock(run)?;
                Some(SessionStore { store, run, _lock: lock })
            }
        };
        Ok(PlanSession { plan, keeping })
    }

    /// A run that is gone on with.
    ///
    /// # Errors
    /// When another program plays it, when its players are known no more, or the store fails.
    pub fn resume(registry: &Registry, store: Store, run: RunId) -> Result<Self, RunError> {
        let plan = store.run(run)?.plan;
        registry.game(&plan.game)?.referee(&plan.players)?;
        let lock = store.lock(run)?;
        Ok(PlanSession { plan, keeping: Some(SessionStore { store, run, _lock: lock }) })
    }

    /// What is played.
    #[must_use]
    pub fn plan(&self) -> &MatchPlan {
        &self.plan
    }

    /// Where the games went, when the session is over.
    #[must_use]
    pub fn into_store(self) -> Option<Store> {
        self.keeping.map(|keeping| keeping.store)
    }

    /// Plays what is missing. `told` is told of every pair that is counted, in their order.
    ///
    /// # Errors
    /// When the store fails.
    pub fn play(
        &mut self,
        run_context: &RunContext<'_>,
        told: &mut dyn FnMut(&MatchPlan, &MatchTally),
    ) -> Result<PlayedPlan, RunError> {
        let known = match &mut self.keeping {
            None => Vec::new(),
            Some(keeping) => {
                keeping.store.set_state(keeping.run, RunState::Running)?;
                keeping.store.pairs(keeping.run)?
            }
        };
        let numbers: HashSet<u64> = known.iter().map(|(number, _)| *number).collect();
        let before = numbers.len() as u64;
        let mut jobs = (0..self.plan.schedule.total()).filter(|n| !numbers.contains(n));
        let games = PlanJobs::new(run_context.registry, &self.plan, self.keeping.is_some())?;
        let mut counter = PairCounter {
            plan: &self.plan,
            keeping: self.keeping.as_mut(),
            known: known.into_iter().peekable(),
            ledger: MatchTally::new(&self.plan),
            games: 0,
            failure: None,
            stop: run_context.stop,
            told,
        };
        let began = Instant::now();
        let mut done = Ok(());
        if counter.count_known(0) == ControlFlow::Continue(()) {
            done = remote::execute(run_context, &games, before, &mut jobs, &mut counter);
        }
        let _ = counter.count_known(u64::MAX);
        let PairCounter { ledger, games, failure, .. } = counter;
        if let Some(error) = failure {
            return Err(error.into());
        }
        if let (Err(_), Some(keeping)) = (&done, &mut self.keeping) {
            keeping.store.set_state(keeping.run, RunState::Stopped)?;
        }
        done?;
        let finished = ledger.decided() || ledger.pairs == self.plan.schedule.total();
        let state = if finished { RunState::Finished } else { RunState::Stopped };
        if let Some(keeping) = &mut self.keeping {
            keeping.store.set_state(keeping.run, state)?;
        }
        let run = self.keeping.as_ref().map(|keeping| keeping.run);
        let seconds = Some(began.elapsed().as_secs_f64());
        Ok(PlayedPlan { run, state, ledger, games, seconds })
    }

    /// Plays the whole plan anew, keeping nothing, and gives every pair to `visit` in its order.
    ///
    /// # Errors
    /// When its players are known no more.
    pub fn play_again(
        run_context: &RunContext<'_>,
        plan: &MatchPlan,
        mut visit: impl FnMut(u64, GamePair) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        let games = PlanJobs::new(run_context.registry, plan, true)?;
        remote::execute(run_context, &games, 0, &mut (0..plan.schedule.total()), &mut visit)
    }
}

/// Counts pairs in their order, those that were known and those that are played.
struct PairCounter<'a> {
    plan: &'a MatchPlan,
    keeping: Option<&'a mut SessionStore>,
    known: Peekable<std::vec::IntoIter<(u64, GamePair)>>,
    ledger: MatchTally,
    games: u64,
    failure: Option<ludion_store::StoreError>,
    stop: &'a AtomicBool,
    told: &'a mut dyn FnMut(&MatchPlan, &MatchTally),
}

impl PairCounter<'_> {
    /// Counts the known pairs that come next, up to the number `before`; from 0 on, as long
    /// as there is no gap.
    fn count_known(&mut self, before: u64) -> ControlFlow<()> {
        loop {
            let limit = before.max(self.ledger.pairs + 1);
            let Some((number, pair)) = self.known.next_if(|(number, _)| *number < limit) else {
                return ControlFlow::Continue(());
            };
            self.ledger.add(number, &pair)?;
        }
    }
}

impl ResultSink<GamePair> for PairCounter<'_> {
    fn arrived(&mut self, done: &[(u64, GamePair)]) {
        self.games += 2 * done.len() as u64;
        let Some(keeping) = self.keeping.as_mut().filter(|_| self.failure.is_none()) else {
            return;
        };
        if let Err(error) = keeping.store.keep(keeping.run, done) {
            self.failure = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn next(&mut self, number: u64, pair: GamePair) -> ControlFlow<()> {
        self.count_known(number)?;
        self.ledger.add(number, &pair)?;
        (self.told)(self.plan, &self.ledger);
        self.count_known(0)
    }
}
