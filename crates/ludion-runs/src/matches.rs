//! The report of a match: the score, its Elo estimate, the sequential test, and what each player
//! spent.

use ludion::arena::elo::{EloReport, GameCounts};
use ludion::arena::pair::{GameSettings, SpentEffort};
use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion::arena::seat_statistics::{ByPlayerAndSeat, SeatStatistics};
use ludion::arena::sprt::{Sprt, SprtDecision};
use ludion::arena::standings::{Forfeits, HeadToHead};
use ludion_store::RunState;
use serde::Serialize;

use crate::PlayedPlan;

/// The report of a match.
#[derive(Serialize, Clone, Debug)]
pub struct MatchReport {
    /// The run, where it is stored.
    pub run: Option<i64>,
    /// The state of the run.
    pub state: RunState,
    /// The game.
    pub game: String,
    /// The two players.
    pub players: Vec<String>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The settings of every game.
    pub terms: GameSettings,
    /// Games won by the first player.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the first player.
    pub losses: u64,
    /// Pairs of games.
    pub pairs: u64,
    /// The Elo estimate, where there are enough pairs.
    #[serde(flatten)]
    pub strength: Option<EloReport>,
    /// Pairs by the points of the first player: 0, ½, 1, 1½, 2.
    pub pentanomial: [u64; 5],
    /// Games of the first player in the first and in the second seat.
    pub by_seat: [GameCounts; 2],
    /// Games forfeited, by player.
    pub forfeits: [u64; 2],
    /// The reasons of the forfeits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_reasons: Vec<Forfeits>,
    /// Mean number of plies of a game.
    pub plies_per_game: f64,
    /// Moves, nodes and time of each player.
    pub spent: [SpentEffort; 2],
    /// Victories and moves by player and by seat.
    #[serde(rename = "course")]
    pub by_player_and_seat: SheetAverages,
    /// The sequential test, where the plan has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// Games played by this program; others of the run may have been played before.
    pub games_now: u64,
    /// Seconds this program has played.
    pub seconds: Option<f64>,
    /// Games per second of this program.
    pub games_per_second: Option<f64>,
}

/// Victories and moves by player and by seat, with their means per game.
#[derive(Serialize, Clone, Debug)]
pub struct SheetAverages {
    /// The sums over all games.
    #[serde(flatten)]
    pub sums: SeatStatistics,
    /// Mean victories per game.
    pub avg_victories: ByPlayerAndSeat,
    /// Mean moves per game.
    pub avg_moves: ByPlayerAndSeat,
}

/// The state of the sequential test.
#[derive(Serialize, Clone, Debug)]
pub struct SprtReport {
    /// The hypotheses and error rates of the test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// The lower and upper bound at which the test decides.
    pub bounds: (f64, f64),
    /// The decision.
    pub decision: SprtDecision,
}

impl MatchReport {
    /// Computes the report of the pairs played so far.
    #[must_use]
    pub fn new(plan: &MatchPlan, played: &PlayedPlan) -> Self {
        let meeting = &played.tally.standings.meetings[0].1;
        let sample = meeting.pairs.score_counts();
        let games = meeting.games.total();
        MatchReport {
            run: played.run,
            state: played.state,
            game: plan.game.clone(),
            players: plan.players.clone(),
            seed: plan.terms.seed,
            terms: plan.terms,
            wins: meeting.games.wins,
            draws: meeting.games.draws,
            losses: meeting.games.losses,
            pairs: meeting.pairs.total(),
            strength: EloReport::from_counts(&sample),
            pentanomial: meeting.pairs.pentanomial(),
            by_seat: meeting.by_seat,
            forfeits: meeting.forfeits,
            forfeit_reasons: meeting.reasons.clone(),
            plies_per_game: meeting.plies as f64 / games.max(1) as f64,
            spent: meeting.spent,
            by_player_and_seat: SheetAverages {
                sums: meeting.seat_statistics,
                avg_victories: meeting.seat_statistics.avg_victories(),
                avg_moves: meeting.seat_statistics.avg_moves(),
            },
            sprt: plan.sprt.map(|test| SprtReport {
                test,
                llr: test.llr(&sample),
                bounds: test.bounds(),
                decision: test.decide(&sample),
            }),
            games_now: played.games,
            seconds: played.seconds,
            games_per_second: played.seconds.map(|seconds| played.games as f64 / seconds.max(1e-9)),
        }
    }
}

/// Describes the score of a match while it is played: `+3 =1 −2  Elo 12.3 ± 4.5`.
#[must_use]
pub fn describe_progress(tally: &MatchTally) -> String {
    let meeting: &HeadToHead = &tally.standings.meetings[0].1;
    let GameCounts { wins, losses, draws } = meeting.games;
    let elo = EloReport::from_counts(&meeting.pairs.score_counts()).map_or(String::new(), |s| {
        // A value that rounds to zero is written without a sign.
        let value = Some(format!("{:+.1}", s.elo.value)).filter(|text| &text[1..] != "0.0");
        format!("  Elo {} ± {:.1}", value.as_deref().unwrap_or("0.0"), s.elo.error)
    });
    format!("+{wins} ={draws} −{losses}{elo}")
}
