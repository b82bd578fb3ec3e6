//! Whether a run gives the same games when it is played again, and what keeps it from that.

use ludion_players::arena::plan::GamesPlan;
use serde::Serialize;

/// Whether the games of a plan can be repeated, as reports tell it.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Repeatability {
    /// Whether the same plan and seed give the same games.
    pub repeatable: bool,
    /// Sentences that say what keeps them from that; empty if nothing does.
    pub hindrances: Vec<String>,
}

impl Repeatability {
    /// Returns whether the games of this plan can be repeated.
    #[must_use]
    pub fn of(plan: &GamesPlan) -> Self {
        let clock = "the budget limits the time of a move".to_owned();
        let hindrances = plan
            .hindrances
            .clone()
            .unwrap_or_else(|| plan.budget().time.map(|_| clock).into_iter().collect());
        Repeatability { repeatable: hindrances.is_empty(), hindrances }
    }

    /// Returns a sentence for people: `repeatable: …` or `not repeatable: …`.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.repeatable {
            true => {
                "repeatable: the same seed gives the same games on any number of threads".into()
            }
            false => format!("not repeatable: {}", self.hindrances.join("; ")),
        }
    }
}
