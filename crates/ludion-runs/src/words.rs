//! Short descriptions of plans for users.

use ludion_players::arena::plan::{GamesPlan, PlanKind, PlanTally};

use crate::{matches, tournament};

/// Formats a count with a noun whose plural ends in s: `1 game`, `2 games`.
#[must_use]
pub fn plural(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Describes the players of a plan: `mcts vs uct`, `mcts and 3 more`.
#[must_use]
pub fn describe_players(plan: &GamesPlan) -> String {
    if let Some(tuning) = &plan.tuning {
        return format!("{} against {}", tuning.player, plan.player_name(0));
    }
    let first = plan.player_name(0);
    match (&plan.field, plan.kind, plan.players.len()) {
        (Some(field), _, _) => field.clone(),
        (None, PlanKind::Match, 2) => format!("{first} vs {}", plan.player_name(1)),
        (None, _, 0) => String::new(),
        (None, _, count) => format!("{first} and {} more", count - 1),
    }
}

/// Describes the results of a plan in progress: the score of a match, otherwise the leader.
#[must_use]
pub fn describe_progress(plan: &GamesPlan, tally: &PlanTally) -> String {
    match plan.kind {
        PlanKind::Match => matches::describe_progress(tally),
        PlanKind::Tournament | PlanKind::Championship | PlanKind::Tuning => {
            tournament::describe_progress(plan, tally)
        }
    }
}
