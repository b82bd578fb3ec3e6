//! Report of a match: the score, the Elo estimate, the sequential test (SPRT), and the nodes and
//! time that each player used.

use std::collections::BTreeMap;

use ludion_players::arena::elo::{EloReport, GameCounts, PairCounts, expected_score};
use ludion_players::arena::pair::{GameSettings, SpentEffort};
use ludion_players::arena::plan::{GamesPlan, PlanTally};
use ludion_players::arena::score_history::ScoreHistory;
use ludion_players::arena::seat_statistics::{ByPlayerAndSeat, WinsAndPlies};
use ludion_players::arena::sprt::{Sprt, SprtDecision};
use ludion_players::arena::standings::{Forfeits, HeadToHead};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::RunState;
use serde::Serialize;

use crate::{ConditionsReport, PlayedPlan, Repeatability, RunPicture, player_files, verdicts};

/// Report of a match between two players.
#[derive(Serialize, Clone, Debug)]
pub struct MatchReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<i64>,
    /// Whether the run is running, stopped or finished.
    pub state: RunState,
    /// Spec of the game.
    pub game: String,
    /// Specs of the two players; the scores are those of the first.
    pub players: Vec<String>,
    /// Names under which the players are shown, in the same order; empty if they are shown by
    /// their specs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Budget, opening, length limit and seed that all games share.
    pub terms: GameSettings,
    /// Openings, clocks and adjudication; `None` if the games have none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<ConditionsReport>,
    /// Number of games that the first player won.
    pub wins: u64,
    /// Number of drawn games.
    pub draws: u64,
    /// Number of games that the first player lost.
    pub losses: u64,
    /// Number of counted pairs of games; each pair is two games.
    pub pairs: u64,
    /// Whether both players are the same player, so that the match measures chance alone.
    pub same_player: bool,
    /// Whether the games can be repeated.
    #[serde(flatten)]
    pub repeatability: Repeatability,
    /// The Elo estimate; `None` before the first pair is counted. Numbers that are infinite or not
    /// defined, such as the Elo difference if every game was won, are `null` in JSON.
    #[serde(flatten)]
    pub strength: Option<EloReport>,
    /// Number of pairs in which the first player scored 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// Results of the first player when it moves first, and when it moves second.
    pub by_seat: [GameCounts; 2],
    /// Number of games that each player forfeited.
    pub forfeits: [u64; 2],
    /// Reasons of the forfeits, each with the number of games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_reasons: Vec<Forfeits>,
    /// Number of games that were ended by adjudication.
    #[serde(skip_serializing_if = "is_zero")]
    pub adjudicated: u64,
    /// Number of adjudicated games by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub adjudications: BTreeMap<String, u64>,
    /// Mean number of plies of a game.
    pub plies_per_game: f64,
    /// Moves, nodes and time that each player used in all games.
    pub spent: [SpentEffort; 2],
    /// Wins and plies of each player and of each seat.
    #[serde(rename = "course")]
    pub by_player_and_seat: WinsAndPliesReport,
    /// A sentence that says what follows from the results; `None` before the first pair.
    pub verdict: Option<String>,
    /// A sentence that says how many pairs repeat earlier ones; `None` unless there are many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_pairs: Option<String>,
    /// How the score went.
    #[serde(skip)]
    pub history: ScoreHistory,
    /// State of the sequential test, if the plan has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// Number of counted games played by this program, earlier sessions excluded.
    pub games_now: u64,
    /// Seconds for which this program has played; `None` if the run was only read.
    pub seconds: Option<f64>,
    /// Games played by this program per second.
    pub games_per_second: Option<f64>,
}

/// Wins and plies of each player and of each seat: sums over all games, and means per game.
#[derive(Serialize, Clone, Debug)]
pub struct WinsAndPliesReport {
    /// Sums over all games.
    #[serde(flatten)]
    pub sums: WinsAndPlies,
    /// Mean number of wins per game; a draw counts one for both players.
    pub avg_victories: ByPlayerAndSeat,
    /// Plies of the games won, divided by the number of all games; a draw counts half of its plies
    /// for each player.
    pub avg_moves: ByPlayerAndSeat,
}

/// State of the sequential probability ratio test.
#[derive(Serialize, Clone, Debug)]
pub struct SprtReport {
    /// Hypotheses and error rates of the test.
    #[serde(flatten)]
    pub test: Sprt,
    /// Logarithm of the likelihood ratio of the two hypotheses.
    pub llr: f64,
    /// Lower and upper bound of `llr` at which the test decides.
    pub bounds: (f64, f64),
    /// The accepted hypothesis, or that the test goes on.
    pub decision: SprtDecision,
}

impl MatchReport {
    /// Returns the names under which the players are shown.
    #[must_use]
    pub fn player_names(&self) -> &[String] {
        if self.names.is_empty() { &self.players } else { &self.names }
    }

    /// Computes the report from the pairs played so far.
    #[must_use]
    pub fn new(plan: &GamesPlan, played: &PlayedPlan) -> Self {
        let meeting = &played.tally.standings.meetings[0].1;
        let sample = meeting.pairs.score_counts();
        let games = meeting.games.total();
        let strength = EloReport::from_counts(&sample);
        let decision = played.tally.decision.unwrap_or(SprtDecision::Open);
        let verdict = match is_same_player(plan) {
            true => Some("both players are the same: the match measures chance alone".to_owned()),
            false => verdicts::of_match(
                [plan.player_name(0), plan.player_name(1)],
                meeting.pairs.total(),
                strength.as_ref(),
                plan.sprt.as_ref().map(|test| (test, decision)),
            ),
        };
        MatchReport {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            players: plan.players.clone(),
            names: plan.names.clone(),
            seed: plan.terms.seed,
            terms: plan.terms,
            conditions: ConditionsReport::of(plan),
            wins: meeting.games.wins,
            draws: meeting.games.draws,
            losses: meeting.games.losses,
            pairs: meeting.pairs.total(),
            same_player: is_same_player(plan),
            repeatability: Repeatability::of(plan),
            strength,
            verdict,
            repeated_pairs: verdicts::repeated_pairs(&played.tally.repeated),
            history: played.tally.history.clone(),
            pentanomial: meeting.pairs.pentanomial(),
            by_seat: meeting.by_seat,
            forfeits: meeting.forfeits,
            forfeit_reasons: meeting.reasons.clone(),
            adjudicated: meeting.adjudicated,
            adjudications: meeting.adjudications.clone(),
            plies_per_game: meeting.plies as f64 / games.max(1) as f64,
            spent: meeting.spent,
            by_player_and_seat: WinsAndPliesReport {
                sums: meeting.seat_statistics,
                avg_victories: meeting.seat_statistics.avg_victories(),
                avg_moves: meeting.seat_statistics.avg_moves(),
            },
            sprt: plan.sprt.map(|test| SprtReport {
                test,
                llr: test.llr(&sample),
                bounds: test.bounds(),
                decision,
            }),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
        }
    }
}

impl MatchReport {
    /// Returns a chart of the mean score with its interval over the games, and below it, if the match has a
    /// sequential test, of the log-likelihood ratio with the bounds at which the test decides.
    #[must_use]
    pub fn picture(&self) -> RunPicture {
        let games = |counts: &PairCounts| 2.0 * counts.total() as f64;
        let score = |counts: &PairCounts| {
            let sample = counts.score_counts();
            let (mean, _) = sample.moments();
            let ends =
                EloReport::from_counts(&sample).map(|report| [report.elo.low, report.elo.high]);
            ChartPoint::new(
                games(counts),
                mean,
                ends.map_or([0.0, 1.0], |elo| elo.map(expected_score)),
            )
        };
        let moments = self.history.moments();
        let names = self.player_names();
        let title = format!("{}: {} against {}", self.game, names[0], names[1]);
        let run = self.run.map_or_else(String::new, |run| format!(", run {run}"));
        let note = format!("{} games, seed {}{run}; band: 95 %", 2 * self.pairs, self.seed);
        let scores = RunPicture::Chart(Chart {
            title: title.clone(),
            note: note.clone(),
            x: PlotAxis::linear("games").unit(NumberUnit::Count),
            y: PlotAxis::linear("score so far").unit(NumberUnit::Percent),
            series: vec![ChartSeries {
                name: "score".to_owned(),
                line: moments.iter().map(score).collect(),
                ..ChartSeries::default()
            }],
            level: Some(0.5),
            optimum: None,
        });
        let Some(sprt) = &self.sprt else { return scores };
        let llr = |counts: &PairCounts| {
            ChartPoint::bare(games(counts), sprt.test.llr(&counts.score_counts()))
        };
        let ends = [moments.first(), moments.last()].map(|counts| counts.map_or(0.0, games));
        let bound = |name: &str, at: f64| ChartSeries {
            name: name.to_owned(),
            line: ends.map(|x| ChartPoint::bare(x, at)).to_vec(),
            ..ChartSeries::default()
        };
        let ratios = RunPicture::Chart(Chart {
            title: "log-likelihood ratio".to_owned(),
            note: String::new(),
            x: PlotAxis::linear("games").unit(NumberUnit::Count),
            y: PlotAxis::linear("LLR"),
            series: vec![
                ChartSeries {
                    name: "LLR".to_owned(),
                    line: moments.iter().map(llr).collect(),
                    ..ChartSeries::default()
                },
                bound(&format!("accepts {}", verdicts::elo(sprt.test.elo0)), sprt.bounds.0),
                bound(&format!("accepts {}", verdicts::elo(sprt.test.elo1)), sprt.bounds.1),
            ],
            level: Some(0.0),
            optimum: None,
        });
        let panels = vec![scores, ratios];
        RunPicture::Panels { title, panels, columns: 1, size: PANEL_SIZE }
    }
}

/// Width and height of a panel in pixels.
const PANEL_SIZE: [u32; 2] = [720, 360];

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Returns whether the two players of a match are the same player.
fn is_same_player(plan: &GamesPlan) -> bool {
    matches!(&player_files::identities(plan)[..], [first, second] if first == second)
}

/// Describes the score of a match while it is played: `+3 =1 −2  Elo 12.3 ± 4.5`.
#[must_use]
pub fn describe_progress(tally: &PlanTally) -> String {
    let meeting: &HeadToHead = &tally.standings.meetings[0].1;
    let GameCounts { wins, losses, draws } = meeting.games;
    let elo = EloReport::from_counts(&meeting.pairs.score_counts());
    let elo = elo
        .map_or_else(String::new, |report| format!("  Elo {:.1}", report.elo).replace("+/-", "±"));
    format!("+{wins} ={draws} −{losses}{elo}")
}
