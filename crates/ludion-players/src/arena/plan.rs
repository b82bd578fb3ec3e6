//! The plan of a match, tournament, championship or tuning, with everything needed to play its
//! games again, and the running count of its results.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::conditions::GameConditions;
use super::pair::{GameResult, GameSettings};
use super::pairings::PairSchedule;
use super::repeated_pairs::RepeatedPairs;
use super::score_history::ScoreHistory;
use super::sprt::{Sprt, SprtDecision};
use super::standings::Standings;
use crate::player::Budget;

/// The kind of run that a plan describes; it decides how the results are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanKind {
    /// A match between two players.
    Match,
    /// A tournament of several players.
    Tournament,
    /// A championship: one player with many values of its parameters.
    Championship,
    /// A search for the best parameters of a player, which plays matches against an opponent.
    Tuning,
}

impl PlanKind {
    /// All kinds of plans.
    pub const ALL: [PlanKind; 4] =
        [PlanKind::Match, PlanKind::Tournament, PlanKind::Championship, PlanKind::Tuning];

    /// Returns the name of the kind in lower case, as it is stored and shown.
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

/// The plan of a run of games. Each pair of games is determined by the plan and the pair's number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GamesPlan {
    /// The kind of run: match, tournament, championship or tuning.
    pub kind: PlanKind,
    /// The spec of the game, such as `connect4`.
    pub game: String,
    /// The shortest specs of the players under the budget, for people; schedules and results refer
    /// to them by index.
    pub players: Vec<String>,
    /// The names under which the players are shown, in the order of `players`; empty if they are
    /// shown by their specs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Which players meet, and how many pairs of games they play.
    pub schedule: PairSchedule,
    /// The budget, opening, ply limit and seed of every game.
    pub terms: GameSettings,
    /// The sequential test that stops a match early; `None` if the match plays all its pairs.
    pub sprt: Option<Sprt>,
    /// The player spec with open parameters from which the players of a championship were made,
    /// such as `mcts(a=1..50)`; `None` for other kinds of plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The options of a tuning; `None` for other kinds of plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<TuningOptions>,
    /// The specs with all parameters, which keep their meaning when defaults change; `None` in plans
    /// of versions up to 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<Box<FullSpecs>>,
    /// Openings, clocks and adjudication; `None` if the games have none of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Box<GameConditions>>,
    /// Sentences that say what keeps the games from being the same when they are played again; empty
    /// if nothing does, `None` in plans of versions up to 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hindrances: Option<Vec<String>>,
}

/// The specs of a plan with all parameters that act, defaults included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FullSpecs {
    /// The spec of the game.
    pub game: String,
    /// The specs of the players under the budget, in the order of [`GamesPlan::players`].
    pub players: Vec<String>,
    /// The spec of the tuned player, whose open parameters are written with `?`; `None` for other
    /// kinds of plans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuned: Option<String>,
    /// The files that the players read when the plan was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PlayerFile>,
}

/// A file that a player reads, such as a network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerFile {
    /// The name as the player's spec has it.
    pub name: String,
    /// The CRC-32 of the file's bytes, in hexadecimal digits.
    pub checksum: String,
}

/// The options of a tuning: a search for parameters with which a player scores best against an
/// opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningOptions {
    /// The player spec; parameters written with `?` are tuned, such as in `mcts(a=?, c=?1..3)`.
    pub player: String,
    /// The method that searches for the best parameters.
    pub by: TuningMethod,
    /// Maximum number of generations (populations of candidate parameters).
    pub generations: u32,
}

/// The optimisation method of a tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuningMethod {
    /// A genetic algorithm: crosses and mutates the best candidates.
    Genetic,
    /// The cross-entropy method: fits a probability distribution to the best candidates.
    CrossEntropy,
    /// CMA-ES: a normal distribution whose covariance follows the moves of its mean.
    CmaEs,
    /// SPSA: moves all parameters at once, by games between two points beside the current one.
    Spsa,
}

impl GamesPlan {
    /// Creates a plan without a sequential test and without the options of championships and
    /// tunings.
    #[must_use]
    pub fn new(
        kind: PlanKind,
        game: &str,
        players: Vec<String>,
        schedule: PairSchedule,
        terms: GameSettings,
    ) -> Self {
        let game = game.to_owned();
        GamesPlan {
            kind,
            game,
            players,
            names: Vec::new(),
            schedule,
            terms,
            sprt: None,
            field: None,
            tuning: None,
            full: None,
            conditions: None,
            hindrances: None,
        }
    }

    /// Returns the name under which a player is shown; by default its spec.
    #[must_use]
    pub fn player_name(&self, player: usize) -> &str {
        self.names.get(player).or_else(|| self.players.get(player)).map_or("", String::as_str)
    }

    /// Returns the budget under which the players act: that of the settings, with a time if the games
    /// have clocks.
    #[must_use]
    pub fn budget(&self) -> Budget {
        let clock = self.conditions.as_ref().and_then(|conditions| conditions.clock);
        Budget {
            time: clock.map(|clock| clock.time).or(self.terms.budget.time),
            ..self.terms.budget
        }
    }

    /// Returns whether playing the run again gives the same games, as far as the plan tells.
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.hindrances.as_ref().map_or(self.budget().time.is_none(), Vec::is_empty)
    }
}

/// The results of a run so far, counted pair by pair in the order of the schedule.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanTally {
    /// The results of each meeting.
    pub standings: Standings,
    /// Number of pairs of games counted so far.
    pub pairs: u64,
    /// How the score of a match went; empty for plans with other than one meeting.
    pub history: ScoreHistory,
    /// The pairs that repeat earlier ones.
    pub repeated: RepeatedPairs,
    /// The decision of the sequential test so far; `None` if the plan has no test.
    pub decision: Option<SprtDecision>,
    sprt: Option<Sprt>,
}

impl PlanTally {
    /// Creates the tally of a run that has not begun.
    #[must_use]
    pub fn new(plan: &GamesPlan) -> Self {
        let standings = Standings::new(plan.players.len() as u32, &plan.schedule.meetings);
        let decision = plan.sprt.map(|_| SprtDecision::Open);
        PlanTally {
            standings,
            pairs: 0,
            history: ScoreHistory::default(),
            repeated: RepeatedPairs::default(),
            decision,
            sprt: plan.sprt,
        }
    }

    /// Counts the next pair of games, which has this number in the schedule. Returns `Break` once
    /// the sequential test has decided; later pairs are not counted. The test decides on pairs that
    /// follow each other from the first on: a pair that is missing could have decided it before.
    pub fn add(&mut self, number: u64, pair: &[GameResult; 2]) -> ControlFlow<()> {
        if self.decided() {
            return ControlFlow::Break(());
        }
        let is_in_order = number == self.pairs;
        self.standings.add(number, pair);
        self.repeated.add(pair);
        self.pairs += 1;
        if let [(_, meeting)] = &self.standings.meetings[..] {
            self.history.note(&meeting.pairs);
        }
        if let Some(test) = self.sprt.filter(|_| is_in_order) {
            let counts = self.standings.meetings[0].1.pairs.score_counts();
            self.decision = Some(test.decide(&counts));
        }
        if self.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns whether the sequential test has accepted one of its hypotheses.
    #[must_use]
    pub fn decided(&self) -> bool {
        matches!(self.decision, Some(SprtDecision::Lower | SprtDecision::Upper))
    }
}
