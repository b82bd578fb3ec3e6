//! How the result of a plan is shown, whatever it was played for.

use ludion::arena::plan::MatchPlan;
use ludion_runs::{PlayedPlan, RunFigures};
use ludion_store::RunState;

use super::storage::StoreArgs;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::plots::PlotArgs;

/// Shows what came of a plan; a run that was stopped says how to go on.
pub(crate) fn show(
    context: &CommandContext,
    store: &StoreArgs,
    pictures: &PlotArgs,
    plan: &MatchPlan,
    played: &PlayedPlan,
) -> Result<(), CommandFailure> {
    report(context, pictures, &RunFigures::of(plan, played)?)?;
    if played.state != RunState::Stopped {
        return Ok(());
    }
    let (done, total) = (played.ledger.pairs, plan.schedule.total());
    Err(store.stopped(played.run, &format!("{done} of {total} pairs")))
}

/// Writes figures out, and their picture where one was asked for.
pub(crate) fn report(
    context: &CommandContext,
    pictures: &PlotArgs,
    figures: &RunFigures,
) -> Result<(), CommandFailure> {
    if let Some(picture) = figures.picture() {
        pictures.write(&picture)?;
    }
    match figures {
        RunFigures::Match(answer) => context.output.report(&**answer),
        RunFigures::Tournament(answer) => context.output.report(&**answer),
        RunFigures::Championship(answer) => context.output.report(&**answer),
        RunFigures::Tuning(answer) => context.output.report(&**answer),
    }
}
