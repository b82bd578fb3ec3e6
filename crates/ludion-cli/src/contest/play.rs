//! A plan is played, with a line of progress while it lasts.

use ludion::arena::plan::{Ledger, Plan};
use ludion_runs::{Played, Session};

use crate::Context;
use crate::failure::Failure;
use crate::progress::Progress;

/// Plays what is missing. `live` says in a few words how it stands.
pub(crate) fn play(
    context: &Context,
    session: &mut Session,
    live: impl Fn(&Plan, &Ledger) -> String,
) -> Result<Played, Failure> {
    let mut progress = Progress::new(!context.output.json);
    let played = session.play(&context.means(), &mut |plan, ledger| {
        progress.show(ledger.pairs, plan.schedule.total(), || live(plan, ledger));
    });
    progress.clear();
    Ok(played?)
}
