//! What a match comes to: the score, what it is worth, and what each player spent.

use ludion::arena::elo::{EloReport, GameCounts};
use ludion::arena::pair::{GameSettings, SpentEffort};
use ludion::arena::plan::{MatchPlan, MatchTally};
use ludion::arena::seat_statistics::{ByPlayerAndSeat, SeatStatistics};
use ludion::arena::sprt::{Sprt, SprtDecision};
use ludion::arena::standings::{Forfeits, HeadToHead};
use ludion_store::RunState;
use serde::Serialize;

use crate::PlayedPlan;

/// A match and its result.
#[derive(Serialize, Clone, Debug)]
pub struct MatchReport {
    /// The run, if it is kept.
    pub run: Option<i64>,
    /// How far it has come.
    pub state: RunState,
    /// The game.
    pub game: String,
    /// The two players.
    pub players: Vec<String>,
    /// What randomness was drawn from.
    pub seed: u64,
    /// What held for every game.
    pub terms: GameSettings,
    /// Games won by the first player.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the first player.
    pub losses: u64,
    /// Pairs of games.
    pub pairs: u64,
    /// What the results are worth, where there are enough.
    #[serde(flatten)]
    pub strength: Option<EloReport>,
    /// Pairs by the points of the first player: 0, half, 1, one and a half, 2.
    pub pentanomial: [u64; 5],
    /// Its games in the first and in the second seat.
    pub by_seat: [GameCounts; 2],
    /// Games forfeited, by player.
    pub forfeits: [u64; 2],
    /// Why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_reasons: Vec<Forfeits>,
    /// Plies of a game, in the mean.
    pub plies_per_game: f64,
    /// What each player spent.
    pub spent: [SpentEffort; 2],
    /// The course's statistics.
    pub course: SheetAverages,
    /// What the sequential test says, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// Games played by this program; a run that is shown or resumed was played by others too.
    pub games_now: u64,
    /// Seconds this program worked at it.
    pub seconds: Option<f64>,
    /// Games it played a second.
    pub games_per_second: Option<f64>,
}

/// The course's statistics with its averages.
#[derive(Serialize, Clone, Debug)]
pub struct SheetAverages {
    /// The sums.
    #[serde(flatten)]
    pub sums: SeatStatistics,
    /// Victories in the mean.
    pub avg_victories: ByPlayerAndSeat,
    /// Moves in the mean.
    pub avg_moves: ByPlayerAndSeat,
}

/// What the sequential test said.
#[derive(Serialize, Clone, Debug)]
pub struct SprtReport {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where it decides.
    pub bounds: (f64, f64),
    /// What it decides.
    pub decision: SprtDecision,
}

impl MatchReport {
    /// What came of a match.
    #[must_use]
    pub fn of(plan: &MatchPlan, played: &PlayedPlan) -> Self {
        let meeting = &played.ledger.standings.meetings[0].1;
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
            course: SheetAverages {
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

/// How a match stands, in a few words.
#[must_use]
pub fn live(_plan: &MatchPlan, ledger: &MatchTally) -> String {
    let meeting: &HeadToHead = &ledger.standings.meetings[0].1;
    let GameCounts { wins, losses, draws } = meeting.games;
    let elo = EloReport::from_counts(&meeting.pairs.score_counts()).map_or(String::new(), |s| {
        // What rounds to nothing has no sign.
        let value = Some(format!("{:+.1}", s.elo.value)).filter(|text| &text[1..] != "0.0");
        format!("  Elo {} ± {:.1}", value.as_deref().unwrap_or("0.0"), s.elo.error)
    });
    format!("+{wins} ={draws} −{losses}{elo}")
}
