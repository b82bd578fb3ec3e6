//! What a run of games is, with everything needed to do it again, and the ledger in which its
//! pairs are counted in their order.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::pair::{GameResult, GameSettings};
use super::pairings::PairSchedule;
use super::sprt::{Sprt, SprtDecision};
use super::standings::Standings;

/// What the pairs are played for, which decides how the result is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanKind {
    /// Two players.
    Match,
    /// Many players.
    Tournament,
    /// One player with many values of its parameters.
    Championship,
    /// A search for the best parameters, which has matches of its own.
    Tuning,
}

impl PlanKind {
    /// All of them.
    pub const ALL: [PlanKind; 4] =
        [PlanKind::Match, PlanKind::Tournament, PlanKind::Championship, PlanKind::Tuning];

    /// Its name.
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

/// A run of games. Every pair of it is a function of the plan and the pair's number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchPlan {
    /// What it is for.
    pub kind: PlanKind,
    /// The game, as the registry writes it.
    pub game: String,
    /// The players, as the registry writes them.
    pub players: Vec<String>,
    /// Who meets whom.
    pub schedule: PairSchedule,
    /// What holds for every game.
    pub terms: GameSettings,
    /// Stops a match early.
    pub sprt: Option<Sprt>,
    /// What a championship was asked for, such as `mcts(a=1..50)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What a tuning was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<TuningPlan>,
}

/// A search for the parameters of a player that beat an opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningPlan {
    /// The player with its open parameters, such as `mcts(a=?, c=?1..3)`.
    pub player: String,
    /// How it is searched.
    pub by: TuningMethod,
    /// Generations, at most.
    pub generations: u32,
}

/// How the best parameters are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuningMethod {
    /// A genetic algorithm.
    Genetic,
    /// Cross-entropy.
    CrossEntropy,
}

impl MatchPlan {
    /// A plan with nothing that only some kinds have.
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

    /// Whether the same games come out whenever it is done: time is the one thing that
    /// differs.
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.terms.budget.time.is_none()
    }
}

/// The pairs of a run, counted one after the other.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchTally {
    /// What the pairs come to.
    pub standings: Standings,
    /// Pairs counted.
    pub pairs: u64,
    /// What the plan's test says, where it has one.
    pub decision: Option<SprtDecision>,
    sprt: Option<Sprt>,
}

impl MatchTally {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(plan: &MatchPlan) -> Self {
        let standings = Standings::new(plan.players.len() as u32, &plan.schedule.meetings);
        let decision = plan.sprt.map(|_| SprtDecision::Open);
        MatchTally { standings, pairs: 0, decision, sprt: plan.sprt }
    }

    /// Counts the next pair. Breaks off when the test is decided; what comes after does not
    /// count.
    pub fn add(&mut self, number: u64, pair: &[GameResult; 2]) -> ControlFlow<()> {
        if self.decided() {
            return ControlFlow::Break(());
        }
        self.standings.add(number, pair);
        self.pairs += 1;
        self.decision =
            self.sprt.map(|test| test.decide(&self.standings.meetings[0].1.pairs.sample()));
        if self.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the test has ended the run.
    #[must_use]
    pub fn decided(&self) -> bool {
        matches!(self.decision, Some(SprtDecision::Lower | SprtDecision::Upper))
    }
}
