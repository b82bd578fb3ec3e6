//! The report of a tournament: ratings fitted over all games, and the score of every player against
//! every other.

use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::plan::{GamesPlan, PlanTally};
use ludion_players::arena::ratings::Rating;
use ludion_store::RunState;
use serde::Serialize;

use crate::{ConditionsReport, PlayedPlan, Repeatability, RunPicture, picture, plural, verdicts};

/// The report of a tournament.
#[derive(Serialize, Clone, Debug)]
pub struct TournamentReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<i64>,
    /// Whether the run is running, stopped or finished.
    pub state: RunState,
    /// Spec of the game.
    pub game: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Budget, opening, length limit and seed that all games share.
    pub terms: GameSettings,
    /// Openings, clocks and adjudication; `None` if the games have none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<ConditionsReport>,
    /// Number of pairs of games in the scores, earlier sessions included.
    pub pairs: u64,
    /// Number of games in the scores: two for each pair.
    pub games: u64,
    /// Whether the games can be repeated.
    #[serde(flatten)]
    pub repeatability: Repeatability,
    /// A sentence that says what follows from the results; `None` before the first pair.
    pub verdict: Option<String>,
    /// A sentence that says how many pairs repeat earlier ones; `None` unless there are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_pairs: Option<String>,
    /// One row for each player, the highest rating first.
    pub standings: Vec<TournamentRow>,
    /// Mean score, from 0 to 1, of the row's player against the column's player; rows and columns
    /// are in the order of `standings`. `None` if the two have not met.
    pub cross: Vec<Vec<Option<f64>>>,
    /// Number of games played by this program, earlier sessions excluded.
    pub games_now: u64,
    /// Seconds for which this program has played; `None` if the run was only read.
    pub seconds: Option<f64>,
    /// Games played by this program per second.
    pub games_per_second: Option<f64>,
}

/// Rating and results of one player.
#[derive(Serialize, Clone, Debug)]
pub struct TournamentRow {
    /// Spec of the player.
    pub player: String,
    /// Name under which the player is shown; `None` if it is shown by its spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Elo rating fitted over all games of the tournament.
    #[serde(flatten)]
    pub rating: Rating,
    /// Numbers of games won, drawn and lost against all opponents.
    #[serde(flatten)]
    pub games: GameCounts,
    /// Mean score per game, from 0 to 1.
    pub score: f64,
    /// Number of games that the player forfeited.
    pub forfeits: u64,
    /// Reasons of the forfeits, each with the number of games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_reasons: Vec<ForfeitReason>,
}

impl TournamentRow {
    /// Returns the name under which the player is shown.
    #[must_use]
    pub fn player_name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.player)
    }
}

/// A reason for which a player forfeited, and how often.
#[derive(Serialize, Clone, Debug)]
pub struct ForfeitReason {
    /// The reason as a message.
    pub reason: String,
    /// Number of games forfeited for this reason.
    pub games: u64,
}

/// Describes who leads a tournament in progress: `mcts leads with 61.3 %`.
#[must_use]
pub fn describe_progress(plan: &GamesPlan, tally: &PlanTally) -> String {
    let scores = (0..plan.players.len()).map(|i| (mean_score(&tally.standings.games(i as u32)), i));
    let best = scores.max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or_else(String::new, |(score, i)| {
        format!("{} leads with {:.1} %", plan.player_name(i), 100.0 * score)
    })
}

/// Returns the mean score per game, from 0 to 1; a draw counts one half.
#[must_use]
pub fn mean_score(games: &GameCounts) -> f64 {
    (games.wins as f64 + games.draws as f64 / 2.0) / games.total().max(1) as f64
}

impl TournamentReport {
    /// Returns a chart of the ratings with their intervals.
    #[must_use]
    pub fn picture(&self) -> RunPicture {
        let rows = self.standings.iter();
        let ratings = rows.map(|row| (row.player_name().to_owned(), row.rating)).collect();
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let games = plural(self.games, "game");
        let note = format!("{games}, seed {}{run}; bars: 95 %", self.seed);
        picture::of_ratings(format!("tournament of {}", self.game), note, ratings)
    }

    /// Computes the report from the pairs played so far.
    #[must_use]
    pub fn new(plan: &GamesPlan, played: &PlayedPlan) -> Self {
        let standings = &played.tally.standings;
        let ratings = standings.ratings();
        let mut order: Vec<usize> = (0..plan.players.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let row = |&i: &usize| {
            let games = standings.games(i as u32);
            let reasons = standings.reasons(i as u32).into_iter();
            TournamentRow {
                player: plan.players[i].clone(),
                name: plan.names.get(i).cloned(),
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
        let rows: Vec<TournamentRow> = order.iter().map(row).collect();
        let ratings: Vec<(&str, Rating)> =
            rows.iter().map(|row| (row.player_name(), row.rating)).collect();
        TournamentReport {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            seed: plan.terms.seed,
            terms: plan.terms,
            conditions: ConditionsReport::of(plan),
            pairs: played.tally.pairs,
            games: 2 * played.tally.pairs,
            repeatability: Repeatability::of(plan),
            verdict: verdicts::of_ratings(&ratings).filter(|_| played.tally.pairs > 0),
            repeated_pairs: verdicts::repeated_pairs(&played.tally.repeated),
            standings: rows,
            cross: order.iter().map(|&a| order.iter().map(|&b| against(a, b)).collect()).collect(),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
        }
    }
}
