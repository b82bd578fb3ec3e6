//! Plays a plan with a progress line, and shows its report.

use ludion_runs::{PlanReport, PlanSession, PlayablePlan, describe_progress};
use ludion_store::RunState;

use super::storage::StoreArgs;
use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::plots::PlotArgs;
use crate::progress::ProgressLine;

/// Plays a new run of a plan and writes its report.
pub(crate) fn play_new(
    context: &CommandContext,
    playable: PlayablePlan,
    store: &StoreArgs,
    cluster: &ClusterArgs,
    pictures: &PlotArgs,
) -> Result<(), CommandFailure> {
    context.join(cluster)?;
    play(context, PlanSession::start(playable, store.open()?, None)?, store, pictures)
}

/// Plays the missing pairs of a run and writes its report; if the run was stopped, returns an error
/// that says how to resume it.
pub(crate) fn play(
    context: &CommandContext,
    mut session: PlanSession,
    store: &StoreArgs,
    pictures: &PlotArgs,
) -> Result<(), CommandFailure> {
    let mut progress = ProgressLine::new(!context.output.json);
    let played = session.play(&context.run_context(), &mut |plan, tally| {
        progress.show(tally.pairs, plan.schedule.total(), || describe_progress(plan, tally));
    });
    progress.clear();
    let (plan, played) = (session.plan(), played?);
    report(context, pictures, &PlanReport::new(plan, &played)?)?;
    if played.state != RunState::Stopped {
        return Ok(());
    }
    let (done, total) = (played.tally.pairs, plan.schedule.total());
    Err(store.stopped(played.run, &format!("{done} of {total} pairs")))
}

/// Writes the report of a run, and its picture to the requested files.
pub(crate) fn report(
    context: &CommandContext,
    pictures: &PlotArgs,
    figures: &PlanReport,
) -> Result<(), CommandFailure> {
    if let Some(picture) = figures.picture() {
        pictures.write(&picture)?;
    }
    match figures {
        PlanReport::Match(report) => context.output.report(&**report),
        PlanReport::Tournament(report) => context.output.report(&**report),
        PlanReport::Championship(report) => context.output.report(&**report),
        PlanReport::Tuning(report) => context.output.report(&**report),
    }
}
