//! The rules of the report, the claim that no move occurs twice, and the speed of the simulator.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Instant;

use ludion_players::learn::labelling::Labelling;
use ludion_players::learn::labels::{Label, LoserLabel};
use serde::{Deserialize, Serialize};

use super::{GAME, context_archive};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// Numbers of sequences of moves by the rules of the authors' program, counted by another program, with
/// captures that reach the same board counted once.
const PERFT: [u64; 8] = [7, 49, 302, 1469, 7473, 37628, 187_302, 907_830];

pub(super) fn rules() -> WorkItem {
    let head = ItemHead {
        id: "rules",
        kind: ItemKind::Claim,
        place: "introduction, rules",
        title: "The rules",
        published: "A weakened version of the official rules: 64 squares, men step ahead only, captures \
                    are obligatory, chained, and the one that takes most is obligatory; no promotion; \
                    who cannot move loses.",
        method: "The number of sequences of 1 to 8 moves by the rules here and of Brazilian draughts, \
                 which has these rules with promotion. The column *published* has the counts of another \
                 program by the rules of the authors' program; captures that lead to the same board count \
                 once.",
        command: "ludion perft checkers 8",
    };
    let measure = |context: &JobContext<'_>| -> Result<[Vec<u64>; 2], JobFailure> {
        let depth = context.size.pick([5, 8, 8]);
        let count = |game: &str| -> Result<Vec<u64>, JobFailure> {
            let start = context.game(game)?.start();
            Ok((1..=depth).map(|depth| start.perft(depth, 1)).collect())
        };
        Ok([count(GAME)?, count("checkers(brazilian)")?])
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[[Vec<u64>; 2]]| {
            let mut comparisons = Vec::new();
            for [ours, brazilian] in found {
                for (i, (ours, brazilian)) in ours.iter().zip(brazilian).enumerate() {
                    let what = format!("sequences of {} moves", i + 1);
                    let mut one = Comparison::exact(what, PERFT[i] as f64, *ours as f64);
                    one.ours = format!("{ours}, Brazilian {brazilian}");
                    comparisons.push(one);
                }
            }
            Finding::all(
                comparisons,
                "The rules are those of the authors' program, and of Brazilian draughts as long as no man \
             can reach the far row. Men capture in all four directions, which the text leaves out.",
            )
        },
    )
}

/// Number of moves in the games, and of moves that occurred before in the same game.
type Repeats = [u64; 2];

pub(super) fn once() -> WorkItem {
    let head = ItemHead {
        id: "once",
        kind: ItemKind::Claim,
        place: "section 2, a first system of scores",
        title: "A move occurs at most once in a game",
        published: "The same move can occur at most once in a game, because the rules forbid to play \
                    backwards.",
        method: "Repeated pairs of boards within each of the random games.",
        command: "",
    };
    let measure = |context: &JobContext<'_>| -> Result<Repeats, JobFailure> {
        let (game, bytes) = (context.game(GAME)?, context_archive(context)?);
        let labelling = Labelling { label: Label::Distance, lost: LoserLabel::Zero };
        let mut counts = [0, 0];
        let read = game.label_games(labelling, &bytes, &mut |rows| {
            // The row of a move is the same for both sides if they see the same boards, so the side
            // that moved is part of the key.
            let mut seen = HashSet::new();
            for (ply, row) in rows.rows().iter().enumerate() {
                counts[0] += 1;
                counts[1] += u64::from(!seen.insert((ply % 2, row.to_vec())));
            }
            ControlFlow::Continue(())
        });
        read.map_err(failed)?;
        Ok(counts)
    };
    WorkItem::measured(head, |_| 1, measure, |_: &JudgeContext<'_>, found: &[Repeats]| {
        let [moves, repeats] = found.first().copied().unwrap_or_default();
        Finding::all(
            vec![Comparison::exact(format!("repeats in {moves} moves"), 0.0, repeats as f64)],
            "It holds, though not for the reason given: captures do go backwards. But every capture \
             takes a man off the board and every other move is a step ahead, so no position comes back.",
        )
    })
    .seconds([0.0, 0.0, 1.0])
}

/// Random games a second, and bytes of a game in the archive.
#[derive(Serialize, Deserialize)]
struct SimulatorSpeed {
    games_per_second: f64,
    bytes_per_game: f64,
}

pub(super) fn speed() -> WorkItem {
    let head = ItemHead {
        id: "speed",
        kind: ItemKind::Claim,
        place: "section 1",
        title: "Thousands of games a second",
        published: "Several thousand games can be simulated in less than a second on an ordinary \
                    computer; most of the time goes into writing text, 721 bytes a game in the authors' \
                    format.",
        method: "Random games played into an archive on one thread.",
        command: "ludion generate checkers -n 1000000 --out random.games --threads 1",
    };
    let measure = |context: &JobContext<'_>| -> Result<SimulatorSpeed, JobFailure> {
        let began = Instant::now();
        let bytes = super::archive(context.registry, RunSize::Full)?;
        let games = super::games(RunSize::Full) as f64;
        Ok(SimulatorSpeed {
            games_per_second: games / began.elapsed().as_secs_f64(),
            bytes_per_game: bytes.len() as f64 / games,
        })
    };
    let jobs = |size: RunSize| size.pick([1, 3, 5]);
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[SimulatorSpeed]| {
        let sample = |figure: fn(&SimulatorSpeed) -> f64| -> Vec<f64> {
            found.iter().map(figure).collect()
        };
        let speed = MeasuredValue::mean(&sample(|one| one.games_per_second));
        let bytes = found.first().map_or(0.0, |one| one.bytes_per_game);
        let is_fast = found.iter().all(|one| one.games_per_second > 5000.0);
        Finding::new(
            Verdict::exact(is_fast),
            "The order of magnitude is easily reached; written as indices of legal moves instead of \
             text, a game takes little more than ten bytes, and writing is no longer what costs.",
        )
        .comparing([
            Comparison::estimate(
                "random games a second, one thread",
                "several thousand",
                (speed, 0, ""),
                Verdict::exact(is_fast),
            ),
            Comparison::estimate(
                "bytes a game, 721 in the authors' format",
                "",
                (MeasuredValue::exact(bytes), 1, ""),
                Verdict::Unknowable,
            ),
        ])
    })
    .clock()
    .seconds([0.0, 0.0, 0.5])
}
