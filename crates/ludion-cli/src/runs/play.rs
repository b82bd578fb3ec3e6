//! A plan is played, with a line of progress while it lasts.

use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion_runs::{PlanSession, PlayedPlan};

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::progress::ProgressLine;

/// Plays what is missing. `live` says in a few words how it stands.
pub(crate) fn play(
    context: &CommandContext,
    session: &mut PlanSession,
    live: impl Fn(&MatchPlan, &MatchTally) -> String,
) -> Result<PlayedPlan, CommandFailure> {
    let mut progress = ProgressLine::new(!context.output.json);
    let played = session.play(&context.run_context(), &mut |plan, ledger| {
        progress.show(ledger.pairs, plan.schedule.total(), || live(plan, ledger));
    });
    progress.clear();
    Ok(played?)
}
