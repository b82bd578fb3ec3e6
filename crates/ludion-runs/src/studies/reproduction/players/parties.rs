//! Section 5.4: the three tables of matches between *Ultimate* and the player with a memory.

use ludion_players::arena::pair::{GameSettings, PairId};
use ludion_players::arena::seat_statistics::{ByPlayerAndSeat, WinsAndPlies};
use ludion_players::player::Budget;
use serde::{Deserialize, Serialize};

use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem};

/// The four rows of a table: for player a, player b, seat 0 and seat 1.
#[derive(Serialize, Deserialize)]
struct PartyTable {
    rows: Vec<[f64; 4]>,
}

const ROWS: [&str; 4] = ["pv", "moves", "avg_victories", "avg_moves"];
const COLUMNS: [&str; 4] = ["a, Ultimate", "b, NegAlphaBeta_Memory", "seat 0", "seat 1"];

/// Plays four pairs of games and returns the statistics of the sheet.
fn play(context: &JobContext<'_>, game: &str) -> Result<PartyTable, JobFailure> {
    let game = context.game(game)?;
    let players = ["ultimate(depth=1, sheet)", "memory(depth=1, sheet)"].map(str::to_owned);
    let mut referee = game.referee(&players)?;
    let (budget, seed) = (Budget::UNLIMITED, context.seed());
    let settings = GameSettings { budget, opening: 0, longest: 1000, seed };
    let mut statistics = WinsAndPlies::default();
    for number in 0..4 {
        let pair = PairId { players: [0, 1], number };
        let games = referee.play_pair_or_stop(&settings, pair, false, context.stop);
        games
            .ok_or(JobFailure::Stopped)?
            .iter()
            .for_each(|game| statistics.add(game.seats.map(|player| player as usize), game));
    }
    let flat = |by: ByPlayerAndSeat| [by.players[0], by.players[1], by.seats[0], by.seats[1]];
    let (pv, moves) = (flat(statistics.pv), flat(statistics.moves));
    let averages = [statistics.avg_victories(), statistics.avg_moves()].map(flat);
    Ok(PartyTable { rows: vec![pv, moves, averages[0], averages[1]] })
}

/// A table of the sheet: a match of a game, and what came out.
struct Party {
    head: ItemHead,
    game: &'static str,
    published: [[f64; 4]; 4],
    reason: &'static str,
}

impl Party {
    fn item(self) -> WorkItem {
        let Party { head, game, published, reason } = self;
        WorkItem::measured(
            head,
            |_| 1,
            move |context: &JobContext<'_>| play(context, game),
            move |_: &JudgeContext<'_>, found: &[PartyTable]| compare(&published, found, reason),
        )
    }
}

fn compare(published: &[[f64; 4]; 4], found: &[PartyTable], reason: &str) -> Finding {
    let mut comparisons = Vec::new();
    for table in found {
        for ((row, published), ours) in ROWS.iter().zip(published).zip(&table.rows) {
            for ((column, published), ours) in COLUMNS.iter().zip(published).zip(ours) {
                comparisons.push(Comparison::exact(format!("{row}, {column}"), *published, *ours));
            }
        }
    }
    Finding::all(comparisons, reason)
}

const METHOD: &str = "The same two players, faults of the memory included, play four games in each \
                      seat. pv are games won, moves the plies of the games won; both also for seat 0 \
                      (moving first) and seat 1, and per game. Nothing is drawn by lot.";

pub(super) fn last_wins() -> WorkItem {
    Party {
        head: ItemHead {
            id: "partie-last-wins",
            kind: ItemKind::Table,
            place: "section 5.4.1, first table",
            title: "Ultimate against NegAlphaBeta_Memory, Matches(13), last match wins",
            published: "Both at depth 1, 8 games: Ultimate wins all, in 7 plies from seat 0 and 8 from \
                        seat 1.",
            method: METHOD,
            command: "ludion match \"matches(13)\" \"ultimate(depth=1)\" \"memory(depth=1)\" -n 4 \
                      --opening 0",
        },
        game: "matches(13)",
        published: [
            [8.0, 0.0, 4.0, 4.0],
            [60.0, 0.0, 28.0, 32.0],
            [1.0, 0.0, 0.5, 0.5],
            [7.5, 0.0, 3.5, 4.0],
        ],
        reason: "Every number is the same. 13 is a win for who moves first, so the knowledge of \
                 Ultimate decides all eight games: its opponent looks one ply ahead, sees nothing and \
                 takes one match.",
    }
    .item()
}

pub(super) fn misere() -> WorkItem {
    Party {
        head: ItemHead {
            id: "partie-misere",
            kind: ItemKind::Table,
            place: "section 5.4.1, second table",
            title: "Ultimate against NegAlphaBeta_Memory, Matches(13), last match loses",
            published: "Both at depth 1, 8 games: Ultimate wins all, in 8 plies from seat 0 and 7 from \
                        seat 1.",
            method: METHOD,
            command: "ludion match \"matches(13, misere)\" \"ultimate(depth=1)\" \"memory(depth=1)\" \
                      -n 4 --opening 0",
        },
        game: "matches(13, misere)",
        published: [
            [8.0, 0.0, 4.0, 4.0],
            [60.0, 0.0, 32.0, 28.0],
            [1.0, 0.0, 0.5, 0.5],
            [7.5, 0.0, 4.0, 3.5],
        ],
        reason: "Every number is the same. 13 = 4 · 3 + 1 is lost for who moves first, so as first \
                 player Ultimate wins only because its opponent does not know.",
    }
    .item()
}

pub(super) fn divide() -> WorkItem {
    Party {
        head: ItemHead {
            id: "partie-divide",
            kind: ItemKind::Table,
            place: "section 5.4.2",
            title: "Ultimate against NegAlphaBeta_Memory, Divide(13, 17)",
            published: "A game that Ultimate knows nothing of: a drawn match is expected, and it is 4 \
                        to 4, all won from seat 1, 16 plies a game.",
            method: METHOD,
            command: "ludion match \"divide(13, 17)\" \"ultimate(depth=1)\" \"memory(depth=1)\" -n 4 \
                      --opening 0",
        },
        game: "divide(13, 17)",
        published: [
            [4.0, 4.0, 0.0, 8.0],
            [64.0, 64.0, 0.0, 128.0],
            [0.5, 0.5, 0.0, 1.0],
            [8.0, 8.0, 0.0, 16.0],
        ],
        reason: "Every number is the same: both players are the same player here. Two odd boxes are \
                 lost for who moves first, and neither player errs enough to change that.",
    }
    .item()
}
