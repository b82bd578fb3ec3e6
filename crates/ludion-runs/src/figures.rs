//! Reports of all kinds of plans (matches, tournaments, championships, tunings) as one type.

use ludion_players::arena::plan::{GamesPlan, PlanKind};
use ludion_players::registry::Registry;
use ludion_store::{Store, StoredRun};
use serde::Serialize;

use crate::studies::RunReport;
use crate::{PlayedPlan, RunError, RunPicture, championship, matches, tournament, tuning};

/// Report of a plan, by the kind of the plan.
#[derive(Serialize)]
#[serde(untagged)]
pub enum PlanReport {
    /// Report of a match of two players.
    Match(Box<matches::MatchReport>),
    /// Report of a tournament of many players.
    Tournament(Box<tournament::TournamentReport>),
    /// Report of a championship: one player with many values of its parameters.
    Championship(Box<championship::ChampionshipReport>),
    /// Report of a tuning: a search for the best parameters of a player.
    Tuning(Box<tuning::TuningReport>),
}

impl PlanReport {
    /// Computes the report from the pairs played so far.
    ///
    /// # Errors
    /// When the plan of a championship does not name its player.
    pub fn new(plan: &GamesPlan, played: &PlayedPlan) -> Result<Self, RunError> {
        Ok(match plan.kind {
            PlanKind::Match => PlanReport::Match(Box::new(matches::MatchReport::new(plan, played))),
            PlanKind::Championship => PlanReport::Championship(Box::new(
                championship::ChampionshipReport::new(plan, played)?,
            )),
            PlanKind::Tournament | PlanKind::Tuning => {
                PlanReport::Tournament(Box::new(tournament::TournamentReport::new(plan, played)))
            }
        })
    }

    /// Computes the report of a stored run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn stored(registry: &Registry, store: &Store, run: &StoredRun) -> Result<Self, RunError> {
        if run.plan.kind == PlanKind::Tuning {
            return Ok(PlanReport::Tuning(Box::new(tuning::stored(registry, store, run)?)));
        }
        PlanReport::new(&run.plan, &PlayedPlan::stored(store, run)?)
    }

    /// Returns the picture of the report; `None` for a match or tournament before its first pair.
    #[must_use]
    pub fn picture(&self) -> Option<RunPicture> {
        match self {
            PlanReport::Match(report) => (report.pairs > 0).then(|| report.picture()),
            PlanReport::Tournament(report) => (report.pairs > 0).then(|| report.picture()),
            PlanReport::Championship(report) => Some(report.picture.clone()),
            PlanReport::Tuning(report) => Some(report.picture()),
        }
    }

    /// Returns the report as JSON, with its picture.
    ///
    /// # Errors
    /// When the report cannot be written as JSON.
    pub fn findings(&self) -> Result<RunReport, RunError> {
        RunReport::new(self, self.picture())
    }
}
