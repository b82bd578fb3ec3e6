//! How the result of a plan is shown, whatever it was played for.

use ludion::arena::plan::Plan;
use ludion_runs::{Figures, Played};
use ludion_store::State;

use super::storage::StoreOption;
use crate::Context;
use crate::failure::Failure;
use crate::pictures::Pictures;

/// Shows what came of a plan; a run that was stopped says how to go on.
pub(crate) fn show(
    context: &Context,
    store: &StoreOption,
    pictures: &Pictures,
    plan: &Plan,
    played: &Played,
) -> Result<(), Failure> {
    report(context, pictures, &Figures::of(plan, played)?)?;
    if played.state != State::Stopped {
        return Ok(());
    }
    let (done, total) = (played.ledger.pairs, plan.schedule.total());
    Err(store.stopped(played.run, &format!("{done} of {total} pairs")))
}

/// Writes figures out, and their picture where one was asked for.
pub(crate) fn report(
    context: &Context,
    pictures: &Pictures,
    figures: &Figures,
) -> Result<(), Failure> {
    if let Some(picture) = figures.picture() {
        pictures.write(&picture)?;
    }
    match figures {
        Figures::Match(answer) => context.output.report(&**answer),
        Figures::Tournament(answer) => context.output.report(&**answer),
        Figures::Championship(answer) => context.output.report(&**answer),
        Figures::Tuning(answer) => context.output.report(&**answer),
    }
}
