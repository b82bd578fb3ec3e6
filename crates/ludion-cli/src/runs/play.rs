//! Plays a plan, reports its progress, and shows its report.

use ludion_runs::{PlanReport, PlanSession, PlayablePlan, Repeatability, describe_progress};
use ludion_store::RunState;

use super::expected::ExpectedTime;
use super::storage::StoreArgs;
use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::plots::PlotArgs;

/// Plays a new run of a plan and writes its report.
pub(crate) fn play_new(
    context: &CommandContext,
    playable: PlayablePlan,
    store: &StoreArgs,
    cluster: &ClusterArgs,
    pictures: &PlotArgs,
) -> Result<(), CommandFailure> {
    context.join(cluster)?;
    let plan = playable.plan();
    let (pairs, budget) = (plan.schedule.total(), plan.terms.budget);
    let expected = match context.cluster.get() {
        // How many threads the workers have is not known here.
        Some(_) => None,
        None => ExpectedTime::of_games(
            &*context.registry.game(&plan.game)?,
            budget,
            2 * pairs,
            pairs,
            context.threads,
        ),
    };
    let session = PlanSession::start(playable, store.open()?, None)?;
    play_expected(context, session, store, pictures, expected)
}

/// Plays the missing pairs of a run and writes its report; if the run was stopped, returns an error
/// that says how to resume it.
pub(crate) fn play(
    context: &CommandContext,
    session: PlanSession,
    store: &StoreArgs,
    pictures: &PlotArgs,
) -> Result<(), CommandFailure> {
    play_expected(context, session, store, pictures, None)
}

fn play_expected(
    context: &CommandContext,
    mut session: PlanSession,
    store: &StoreArgs,
    pictures: &PlotArgs,
    expected: Option<ExpectedTime>,
) -> Result<(), CommandFailure> {
    let plan = session.plan();
    let progress = match plan.sprt {
        Some(_) => context.progress("pairs").at_most(),
        None => context.progress("pairs"),
    };
    progress.say(&Repeatability::of(plan).sentence());
    if let Some(expected) = &expected {
        progress.expect(expected.time, expected);
    }
    progress.update(0, Some(plan.schedule.total()), String::new);
    store.announce(session.run(), "games");
    let mut is_first = true;
    let played = session.play(&context.run_context(), &mut |plan, tally| {
        // The pairs before the first that is played now were stored.
        if std::mem::take(&mut is_first) {
            progress.resume_from(tally.pairs - 1);
        }
        progress
            .update(tally.pairs, Some(plan.schedule.total()), || describe_progress(plan, tally));
    });
    progress.finish();
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
