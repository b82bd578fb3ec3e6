//! Report of a rating list: the players by rating, with their games.

use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::ratings::Rating;
use ludion_store::RunId;
use serde::Serialize;

use super::{LadderRound, LadderSettings, pairing};
use crate::studies::{ReportTable, StudyRecords, StudyReport};
use crate::tournament::mean_score;
use crate::{Repeatability, RunPicture, picture, plural, verdicts};

/// Report of a rating list.
#[derive(Serialize)]
pub struct LadderReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// Whether all rounds are played.
    pub complete: bool,
    /// Spec of the game.
    pub game: String,
    /// Budget, opening, ply limit and seed of every game.
    pub terms: GameSettings,
    /// Number of rounds so far.
    pub rounds: u64,
    /// Number of games so far.
    pub games: u64,
    /// The players, the highest rating first.
    pub players: Vec<LadderRow>,
    /// A sentence that says what follows from the list.
    pub verdict: String,
    /// Whether the games can be repeated.
    #[serde(flatten)]
    pub repeatability: Repeatability,
    /// Seconds for which this program has played; `None` if the run was only read.
    pub seconds: Option<f64>,
}

/// A player of a rating list.
#[derive(Serialize, Clone, Debug)]
pub struct LadderRow {
    /// Shortest spec of the player.
    pub player: String,
    /// Elo rating fitted over all games of the list; the mean is 0.
    #[serde(flatten)]
    pub rating: Rating,
    /// Numbers of games won, drawn and lost.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Mean score per game, from 0 to 1.
    pub score: f64,
    /// Number of games that the player forfeited.
    pub forfeits: u64,
}

impl LadderReport {
    pub(super) fn new(settings: &LadderSettings, run: &StudyRecords<LadderRound>) -> Self {
        let results: Vec<_> =
            run.records.iter().flat_map(|record| record.value.pairs.iter().copied()).collect();
        let count = settings.players.len();
        let ratings = pairing::ratings(count, &results);
        let mut games = vec![(GameCounts::default(), 0); count];
        for (pair, result) in &results {
            let GameCounts { wins, draws, losses } = result.games;
            for (i, [wins, losses]) in [[wins, losses], [losses, wins]].into_iter().enumerate() {
                let (sum, forfeits) = &mut games[pair.players[i] as usize];
                sum.wins += wins;
                sum.draws += draws;
                sum.losses += losses;
                *forfeits += u64::from(result.forfeits[i]);
            }
        }
        let row = |i: usize| LadderRow {
            player: settings.names[i].clone(),
            rating: ratings[i],
            games: games[i].0,
            score: mean_score(&games[i].0),
            forfeits: games[i].1,
        };
        let mut players: Vec<LadderRow> = (0..count).map(row).collect();
        players.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        let hindrances = settings.hindrances.clone();
        LadderReport {
            run: run.run,
            complete: run.complete,
            game: settings.game.clone(),
            terms: settings.terms,
            rounds: run.records.len() as u64,
            games: 2 * results.len() as u64,
            verdict: verdict(&players),
            players,
            repeatability: Repeatability { repeatable: hindrances.is_empty(), hindrances },
            seconds: run.seconds(),
        }
    }
}

/// Returns a sentence about the first places.
fn verdict(players: &[LadderRow]) -> String {
    let ratings: Vec<(&str, Rating)> =
        players.iter().map(|row| (&row.player[..], row.rating)).collect();
    verdicts::of_ratings(&ratings)
        .filter(|_| players[0].games.total() > 0)
        .unwrap_or_else(|| "nothing follows: no game has been played".to_owned())
}

impl StudyReport for LadderReport {
    /// Returns a chart of the ratings with their intervals.
    fn picture(&self) -> RunPicture {
        let ratings = self.players.iter().map(|row| (row.player.clone(), row.rating)).collect();
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let note = format!(
            "{}, {} a move, seed {}{run}; bars: 95 %",
            plural(self.games, "game"),
            self.terms.budget,
            self.terms.seed
        );
        picture::of_ratings(format!("rating list of {}", self.game), note, ratings)
    }

    fn table(&self) -> Option<ReportTable> {
        let row = |row: &LadderRow| {
            let GameCounts { wins, draws, losses } = row.games;
            vec![
                row.player.clone(),
                format!("{:.1}", row.rating.elo),
                format!("{:.1}", row.rating.error),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
                format!("{:.4}", row.score),
            ]
        };
        Some(ReportTable {
            columns: vec!["player", "elo", "error", "wins", "draws", "losses", "score"],
            rows: self.players.iter().map(row).collect(),
        })
    }
}
