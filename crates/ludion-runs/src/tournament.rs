//! The report of a tournament: ratings fitted over all games, and the score of every player against
//! every other.

use ludion::arena::elo::GameCounts;
use ludion::arena::pair::GameSettings;
use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion::arena::ratings::Rating;
use ludion_store::RunState;
use serde::Serialize;

use crate::PlayedPlan;

/// The report of a tournament.
#[derive(Serialize, Clone, Debug)]
pub struct TournamentReport {
    /// The run, where it is stored.
    pub run: Option<i64>,
    /// The state of the run.
    pub state: RunState,
    /// The game.
    pub game: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The settings of every game.
    pub terms: GameSettings,
    /// Games counted.
    pub games: u64,
    /// The players, the strongest first.
    pub standings: Vec<TournamentRow>,
    /// Score of the row's player against the column's, from 0 to 1, in the order of the
    /// standings.
    pub cross: Vec<Vec<Option<f64>>>,
    /// Games played by this program.
    pub games_now: u64,
    /// Seconds this program has played.
    pub seconds: Option<f64>,
    /// Games per second of this program.
    pub games_per_second: Option<f64>,
}

/// The standing of one player.
#[derive(Serialize, Clone, Debug)]
pub struct TournamentRow {
    /// The player.
    pub player: String,
    /// The rating, fitted over all games.
    #[serde(flatten)]
    pub rating: Rating,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Mean points per game, from 0 to 1.
    pub score: f64,
    /// Games forfeited.
    pub forfeits: u64,
    /// The reasons of the forfeits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_reasons: Vec<ForfeitReason>,
}

/// A reason of forfeits and how many games it cost.
#[derive(Serialize, Clone, Debug)]
pub struct ForfeitReason {
    /// The reason.
    pub reason: String,
    /// Games forfeited for it.
    pub games: u64,
}

/// Describes the leader of a tournament while it is played.
#[must_use]
pub fn describe_progress(plan: &MatchPlan, tally: &MatchTally) -> String {
    let scores = (0..plan.players.len()).map(|i| (mean_score(&tally.standings.games(i as u32)), i));
    let best = scores.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or_else(String::new, |(score, i)| {
        format!("{} leads with {:.1} %", plan.players[i], 100.0 * score)
    })
}

/// Mean points per game, from 0 to 1.
#[must_use]
pub fn mean_score(games: &GameCounts) -> f64 {
    (games.wins as f64 + games.draws as f64 / 2.0) / games.total().max(1) as f64
}

impl TournamentReport {
    /// Computes the report of the pairs played so far.
    #[must_use]
    pub fn new(plan: &MatchPlan, played: &PlayedPlan) -> Self {
        let standings = &played.tally.standings;
        let ratings = standings.ratings();
        let mut order: Vec<usize> = (0..plan.players.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let row = |&i: &usize| {
            let games = standings.games(i as u32);
            let reasons = standings.reasons(i as u32).into_iter();
            TournamentRow {
                player: plan.players[i].clone(),
                rating: ratings[i],
                games,
                score: mean_score(&games),
                forfeits: standings.forfeits(i as u32),
                forfeit_reasons: reasons
                    .map(|(reason, games)| ForfeitReason { reason, games })
                    .collect(),
            }
        };
        let against = |a: usize, b: usize| {
            standings.meetings.iter().find_map(|(players, meeting)| {
                let score = (meeting.games.total() > 0).then(|| mean_score(&meeting.games))?;
                match players.map(|p| p as usize) {
                    [x, y] if (x, y) == (a, b) => Some(score),
                    [x, y] if (x, y) == (b, a) => Some(1.0 - score),
                    _ => None,
                }
            })
        };
        TournamentReport {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            seed: plan.terms.seed,
            terms: plan.terms,
            games: 2 * played.tally.pairs,
            standings: order.iter().map(row).collect(),
            cross: order.iter().map(|&a| order.iter().map(|&b| against(a, b)).collect()).collect(),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
        }
    }
}
