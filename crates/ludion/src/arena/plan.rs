//! The plan of a match, tournament, championship or tuning, with everything needed to play its
//! games again, and the tally of its pairs.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::pair::{GameResult, GameSettings};
use super::pairings::PairSchedule;
use super::sprt::{Sprt, SprtDecision};
use super::standings::Standings;

/// The kind of a plan, which decides how its results are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanKind {
    /// A match between two players.
    Match,
    /// A tournament of several players.
    Tournament,
    /// A championship: one player with many values of its parameters.
    Championship,
    /// A search for the best parameters of a player, which plays its own matches.
    Tuning,
}

impl PlanKind {
    /// All kinds.
    pub const ALL: [PlanKind; 4] =
        [PlanKind::Match, PlanKind::Tournament, PlanKind::Championship, PlanKind::Tuning];

    /// Returns the name of the kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PlanKind::Match => "match",
            PlanKind::Tournament => "tournament",
            PlanKind::Championship => "championship",
            PlanKind::Tuning => "tuning",
        }
    }
}

/// The plan of a run of games. Every pair is a function of the plan and the pair's number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchPlan {
    /// The kind of run.
    pub kind: PlanKind,
    /// The spec of the game.
    pub game: String,
    /// The specs of the players.
    pub players: Vec<String>,
    /// Which players meet, and how often.
    pub schedule: PairSchedule,
    /// The settings of every game.
    pub terms: GameSettings,
    /// The test that stops a match early, if there is one.
    pub sprt: Option<Sprt>,
    /// The player spec of a championship with its open parameters, such as `mcts(a=1..50)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The options of a tuning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<TuningPlan>,
}

/// The options of a tuning: the search for the parameters of a player that score best against an
/// opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningPlan {
    /// The player spec with its open parameters, such as `mcts(a=?, c=?1..3)`.
    pub player: String,
    /// The optimisation method.
    pub by: TuningMethod,
    /// Maximum number of generations.
    pub generations: u32,
}

/// The optimisation method of a tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuningMethod {
    /// A genetic algorithm.
    Genetic,
    /// The cross-entropy method.
    CrossEntropy,
}

impl MatchPlan {
    /// Creates a plan without the fields that only some kinds have.
    #[must_use]
    pub fn new(
        kind: PlanKind,
        game: &str,
        players: Vec<String>,
        schedule: PairSchedule,
        terms: GameSettings,
    ) -> Self {
        let game = game.to_owned();
        MatchPlan { kind, game, players, schedule, terms, sprt: None, field: None, tuning: None }
    }

    /// Returns whether repeating the run gives the same games, which is so unless the budget limits
    /// time.
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.terms.budget.time.is_none()
    }
}

/// The results of a run so far: its pairs, counted in their order.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchTally {
    /// The results by meeting.
    pub standings: Standings,
    /// Number of pairs counted.
    pub pairs: u64,
    /// The decision of the plan's SPRT, if it has one.
    pub decision: Option<SprtDecision>,
    sprt: Option<Sprt>,
}

impl MatchTally {
    /// Creates an empty tally.
    #[must_use]
    pub fn new(plan: &MatchPlan) -> Self {
        let standings = Standings::new(plan.players.len() as u32, &plan.schedule.meetings);
        let decision = plan.sprt.map(|_| SprtDecision::Open);
        MatchTally { standings, pairs: 0, decision, sprt: plan.sprt }
    }

    /// Counts the next pair. Returns `Break` once the test has decided; later pairs do not count.
    pub fn add(&mut self, number: u64, pair: &[GameResult; 2]) -> ControlFlow<()> {
        if self.decided() {
            return ControlFlow::Break(());
        }
        self.standings.add(number, pair);
        self.pairs += 1;
        self.decision =
            self.sprt.map(|test| test.decide(&self.standings.meetings[0].1.pairs.score_counts()));
        if self.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns whether the SPRT has decided.
    #[must_use]
    pub fn decided(&self) -> bool {
        matches!(self.decision, Some(SprtDecision::Lower | SprtDecision::Upper))
    }
}
