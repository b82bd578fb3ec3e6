//! Plays a plan: what the store knows is counted, the rest is played on all threads, and each
//! pair is kept as soon as it is done.

use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use ludion::arena::contest::Contest;
use ludion::arena::executor::{Executor, Sink, Threads};
use ludion::arena::pair::GameResult;
use ludion::arena::plan::{Ledger, Plan};
use ludion::player::Unit;
use ludion::registry::{AnyGame, GameEntry, PlayerInfo};
use ludion_store::{Lock, RunId, Store};

use super::interrupt;
use super::storage::Storage;
use crate::Context;
use crate::failure::Failure;
use crate::progress::Progress;

pub(crate) use ludion_store::State;

type Pair = [GameResult; 2];

/// A plan with its game, ready to be played.
pub(crate) struct Session {
    pub(crate) plan: Plan,
    game: Arc<dyn AnyGame>,
    keeping: Option<Keeping>,
}

/// Where the games of a session go.
struct Keeping {
    store: Store,
    run: RunId,
    _lock: Option<Lock>,
}

/// What has been played, of this plan, by now.
pub(crate) struct Progressing {
    pub(crate) run: Option<RunId>,
    pub(crate) state: State,
    pub(crate) ledger: Ledger,
    /// Games played by this program and the seconds it took.
    pub(crate) games: u64,
    pub(crate) seconds: Option<f64>,
}

/// A new run.
pub(crate) fn started(
    context: &Context,
    plan: Plan,
    storage: Storage,
    parent: Option<RunId>,
) -> Result<Session, Failure> {
    let game = context.registry.game(&plan.game)?;
    game.referee(&plan.players)?;
    understood(context, &plan)?;
    let keeping = match storage {
        Storage::None => None,
        Storage::Store(mut store) => {
            let run = store.begin(&plan, parent)?;
            let lock = store.lock(run)?;
            Some(Keeping { store, run, _lock: lock })
        }
    };
    Ok(Session { plan, game, keeping })
}

/// Refuses a budget that means nothing to anybody.
fn understood(context: &Context, plan: &Plan) -> Result<(), Failure> {
    let units = plan.terms.budget.units();
    let name = |spec: &str| spec.split('(').next().unwrap_or(spec).to_owned();
    let game = name(&plan.game);
    let entry = context.registry.games().iter().find(|entry| entry.name == game);
    let infos: Vec<&PlayerInfo> = entry
        .into_iter()
        .flat_map(GameEntry::players)
        .filter(|info| plan.players.iter().any(|player| name(player) == info.name))
        .collect();
    let any = infos.iter().any(|info| info.spends.iter().any(|unit| units.contains(unit)));
    if units.is_empty() || any {
        return Ok(());
    }
    let words = |units: &[Unit]| match units {
        [] => "no budget".to_owned(),
        units => units.iter().map(|unit| unit.name()).collect::<Vec<_>>().join(", "),
    };
    let known: Vec<String> = infos
        .iter()
        .map(|info| format!("{} understands {}", info.name, words(info.spends)))
        .collect();
    Err(Failure::Usage(format!(
        "nobody here understands a budget in {}: {}",
        words(&units),
        known.join("; ")
    )))
}

/// A run that is gone on with.
pub(crate) fn resumed(context: &Context, store: Store, run: RunId) -> Result<Session, Failure> {
    let plan = store.run(run)?.plan;
    let game = context.registry.game(&plan.game)?;
    game.referee(&plan.players)?;
    let lock = store.lock(run)?;
    Ok(Session { plan, game, keeping: Some(Keeping { store, run, _lock: lock }) })
}

impl Session {
    /// Plays what is missing. `live` says in a few words how it stands.
    pub(crate) fn play(
        &mut self,
        context: &Context,
        live: impl Fn(&Plan, &Ledger) -> String,
    ) -> Result<Progressing, Failure> {
        let known = match &mut self.keeping {
            None => Vec::new(),
            Some(keeping) => {
                keeping.store.set_state(keeping.run, State::Running)?;
                keeping.store.pairs(keeping.run)?
            }
        };
        let numbers: HashSet<u64> = known.iter().map(|(number, _)| *number).collect();
        let mut jobs = (0..self.plan.schedule.total()).filter(|n| !numbers.contains(n));
        let referee =
            || self.game.referee(&self.plan.players).expect("the same names made one before");
        let contest = Contest { plan: &self.plan, keep: self.keeping.is_some(), referee: &referee };
        let mut counter = Counter {
            plan: &self.plan,
            keeping: self.keeping.as_mut(),
            known: known.into_iter().peekable(),
            ledger: Ledger::new(&self.plan),
            progress: Progress::new(!context.output.json),
            games: 0,
            failure: None,
            live,
        };
        let began = Instant::now();
        if counter.count_known(0) == ControlFlow::Continue(()) {
            Threads(context.threads).execute(&contest, &mut jobs, interrupt::flag(), &mut counter);
        }
        let _ = counter.count_known(u64::MAX);
        counter.progress.clear();
        let Counter { ledger, games, failure, .. } = counter;
        let finished = ledger.decided() || ledger.pairs == self.plan.schedule.total();
        let state = if finished { State::Finished } else { State::Stopped };
        if let Some(error) = failure {
            return Err(error.into());
        }
        if let Some(keeping) = &mut self.keeping {
            keeping.store.set_state(keeping.run, state)?;
        }
        let run = self.keeping.as_ref().map(|keeping| keeping.run);
        let seconds = Some(began.elapsed().as_secs_f64());
        Ok(Progressing { run, state, ledger, games, seconds })
    }

    /// Plays the whole plan anew, keeping nothing, and gives every pair to `visit` in its order.
    pub(crate) fn play_again(
        context: &Context,
        plan: &Plan,
        mut visit: impl FnMut(u64, Pair) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let game = context.registry.game(&plan.game)?;
        game.referee(&plan.players)?;
        let referee = || game.referee(&plan.players).expect("the same names made one before");
        let contest = Contest { plan, keep: true, referee: &referee };
        let mut progress = Progress::new(!context.output.json);
        let total = plan.schedule.total();
        let mut show = |number: u64, pair: Pair| {
            progress.show(number + 1, total, String::new);
            visit(number, pair)
        };
        let jobs = &mut (0..total);
        Threads(context.threads).execute(&contest, jobs, interrupt::flag(), &mut show);
        progress.clear();
        Ok(())
    }
}

impl Session {
    /// Where the games went, when the session is over.
    pub(crate) fn into_storage(self) -> Storage {
        self.keeping.map_or(Storage::None, |keeping| Storage::Store(keeping.store))
    }
}

/// Counts pairs in their order, those that were known and those that are played.
struct Counter<'a, L> {
    plan: &'a Plan,
    keeping: Option<&'a mut Keeping>,
    known: Peekable<std::vec::IntoIter<(u64, Pair)>>,
    ledger: Ledger,
    progress: Progress,
    games: u64,
    failure: Option<ludion_store::Error>,
    live: L,
}

impl<L: Fn(&Plan, &Ledger) -> String> Counter<'_, L> {
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

impl<L: Fn(&Plan, &Ledger) -> String> Sink<Pair> for Counter<'_, L> {
    fn arrived(&mut self, done: &[(u64, Pair)]) {
        self.games += 2 * done.len() as u64;
        let Some(keeping) = self.keeping.as_mut().filter(|_| self.failure.is_none()) else {
            return;
        };
        if let Err(error) = keeping.store.keep(keeping.run, done) {
            self.failure = Some(error);
            interrupt::flag().store(true, Ordering::Relaxed);
        }
    }

    fn next(&mut self, number: u64, pair: Pair) -> ControlFlow<()> {
        self.count_known(number)?;
        self.ledger.add(number, &pair)?;
        let total = self.plan.schedule.total();
        let (plan, ledger, live) = (self.plan, &self.ledger, &self.live);
        self.progress.show(ledger.pairs, total, || live(plan, ledger));
        self.count_known(0)
    }
}
