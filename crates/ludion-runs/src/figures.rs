//! What came of a run of games, whatever it was played for.

use ludion::arena::plan::{MatchPlan, PlanKind};
use ludion::registry::Registry;
use ludion_store::{Store, StoredRun};
use serde::Serialize;

use crate::{PlayedPlan, RunError, RunPicture, championship, matches, tournament, tuning};

/// The figures of a run.
#[derive(Serialize)]
#[serde(untagged)]
pub enum RunFigures {
    /// Of two players.
    Match(Box<matches::MatchReport>),
    /// Of many players.
    Tournament(Box<tournament::TournamentReport>),
    /// Of many values of a parameter.
    Championship(Box<championship::ChampionshipReport>),
    /// Of a search for the best parameters.
    Tuning(Box<tuning::TuningReport>),
}

impl RunFigures {
    /// What came of pairs that were played by a plan.
    ///
    /// # Errors
    /// When the plan is none that pairs are played by.
    pub fn of(plan: &MatchPlan, played: &PlayedPlan) -> Result<Self, RunError> {
        Ok(match plan.kind {
            PlanKind::Match => RunFigures::Match(Box::new(matches::MatchReport::of(plan, played))),
            PlanKind::Championship => RunFigures::Championship(Box::new(
                championship::ChampionshipReport::of(plan, played)?,
            )),
            PlanKind::Tournament | PlanKind::Tuning => {
                RunFigures::Tournament(Box::new(tournament::TournamentReport::of(plan, played)))
            }
        })
    }

    /// What the store knows of a run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stored(registry: &Registry, store: &Store, run: &StoredRun) -> Result<Self, RunError> {
        if run.plan.kind == PlanKind::Tuning {
            return Ok(RunFigures::Tuning(Box::new(tuning::stored(registry, store, run)?)));
        }
        RunFigures::of(&run.plan, &PlayedPlan::stored(store, run)?)
    }

    /// What is drawn of them.
    #[must_use]
    pub fn picture(&self) -> Option<RunPicture> {
        match self {
            RunFigures::Match(_) | RunFigures::Tournament(_) => None,
            RunFigures::Championship(answer) => Some(answer.picture.clone()),
            RunFigures::Tuning(answer) => Some(answer.picture()),
        }
    }
}
