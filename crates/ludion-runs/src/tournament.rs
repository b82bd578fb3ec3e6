//! What a tournament comes to: ratings fitted over all games, and everybody against everybody.

use ludion::arena::elo::GameCounts;
use ludion::arena::pair::GameSettings;
use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion::arena::ratings::Rating;
use ludion_store::RunState;
use serde::Serialize;

use crate::PlayedPlan;

/// A tournament and its standings, the strongest player first.
#[derive(Serialize, Clone, Debug)]
pub struct TournamentReport {
    /// The run, if it is kept.
    pub run: Option<i64>,
    /// How far it has come.
    pub state: RunState,
    /// The game.
    pub game: String,
    /// What randomness was drawn from.
    pub seed: u64,
    /// What held for every game.
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
    /// Seconds this program worked at it.
    pub seconds: Option<f64>,
    /// Games it played a second.
    pub games_per_second: Option<f64>,
}

/// A player of a tournament.
#[derive(Serialize, Clone, Debug)]
pub struct TournamentRow {
    /// Who.
    pub player: String,
    /// The rating, fitted over all games.
    #[serde(flatten)]
    pub rating: Rating,
    /// Games won, drawn and lost.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Games forfeited.
    pub forfeits: u64,
    /// Why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_reasons: Vec<ForfeitReason>,
}

/// Why games were forfeited.
#[derive(Serialize, Clone, Debug)]
pub struct ForfeitReason {
    /// The reason.
    pub reason: String,
    /// How many games.
    pub games: u64,
}

/// Who leads, in a few words.
#[must_use]
pub fn live(plan: &MatchPlan, ledger: &MatchTally) -> String {
    let scores = (0..plan.players.len()).map(|i| (score(&ledger.standings.games(i as u32)), i));
    let best = scores.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or_else(String::new, |(score, i)| {
        format!("{} leads with {:.1} %", plan.players[i], 100.0 * score)
    })
}

/// Points a game, from 0 to 1.
#[must_use]
pub fn score(games: &GameCounts) -> f64 {
    (games.wins as f64 + games.draws as f64 / 2.0) / games.total().max(1) as f64
}

impl TournamentReport {
    /// What came of a tournament.
    #[must_use]
    pub fn of(plan: &MatchPlan, played: &PlayedPlan) -> Self {
        let standings = &played.ledger.standings;
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
                score: score(&games),
                forfeits: standings.forfeits(i as u32),
                forfeit_reasons: reasons
                    .map(|(reason, games)| ForfeitReason { reason, games })
                    .collect(),
            }
        };
        let against = |a: usize, b: usize| {
            standings.meetings.iter().find_map(|(players, meeting)| {
                let score = (meeting.games.total() > 0).then(|| score(&meeting.games))?;
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
            games: 2 * played.ledger.pairs,
            standings: order.iter().map(row).collect(),
            cross: order.iter().map(|&a| order.iter().map(|&b| against(a, b)).collect()).collect(),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
        }
    }
}
