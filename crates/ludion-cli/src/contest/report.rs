//! How the result of a plan is shown, whatever it was played for.

use ludion::arena::plan::{Kind, Ledger, Plan};
use ludion_store::{Run, Store};

use super::play::{Progressing, State};
use super::storage::StoreOption;
use crate::Context;
use crate::commands::{championship, matches, tournament};
use crate::failure::Failure;
use crate::pictures::Pictures;

/// Shows what came of a plan; a run that was stopped says how to go on.
pub(crate) fn show(
    context: &Context,
    store: &StoreOption,
    pictures: &Pictures,
    plan: &Plan,
    played: &Progressing,
) -> Result<(), Failure> {
    match plan.kind {
        Kind::Match => context.output.report(&matches::Answer::of(plan, played))?,
        Kind::Championship => championship::report(context, pictures, plan, played)?,
        Kind::Tournament | Kind::Tuning => {
            context.output.report(&tournament::Answer::of(plan, played))?;
        }
    }
    if played.state != State::Stopped {
        return Ok(());
    }
    let (done, total) = (played.ledger.pairs, plan.schedule.total());
    Err(Failure::Stopped(match played.run {
        Some(run) => format!(
            "stopped after {done} of {total} pairs; go on with: ludion run resume {run}{}",
            store.repeated()
        ),
        None => format!("stopped after {done} of {total} pairs; nothing was kept"),
    }))
}

/// What the store knows of a run.
pub(crate) fn stored(store: &Store, run: &Run) -> Result<Progressing, Failure> {
    let mut ledger = Ledger::new(&run.plan);
    for (number, pair) in store.pairs(run.id)? {
        if ledger.add(number, &pair).is_break() {
            break;
        }
    }
    // Not stopped, as far as showing it goes: whoever looks at a run has not stopped it.
    let state = if run.state == State::Finished { State::Finished } else { State::Running };
    Ok(Progressing { run: Some(run.id), state, ledger, games: run.games, seconds: None })
}
