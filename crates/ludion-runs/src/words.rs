//! A few words for people.

use ludion::arena::plan::{MatchPlan, PlanKind};

/// `count` things of a kind whose plural takes an s.
#[must_use]
pub fn plural(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Who plays, in a few words.
#[must_use]
pub fn who(plan: &MatchPlan) -> String {
    if let Some(tuning) = &plan.tuning {
        return format!("{} against {}", tuning.player, plan.players[0]);
    }
    match (&plan.field, plan.kind, &plan.players[..]) {
        (Some(field), _, _) => field.clone(),
        (None, PlanKind::Match, [a, b]) => format!("{a} vs {b}"),
        (None, _, [first, rest @ ..]) => format!("{first} and {} more", rest.len()),
        (None, _, []) => String::new(),
    }
}
