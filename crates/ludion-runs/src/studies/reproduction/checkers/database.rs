//! The data base of random games and its statistics.

use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ludion_players::learn::labelling::Labelling;
use ludion_players::learn::labels::{Label, LoserLabel};
use serde::{Deserialize, Serialize};

use super::{DATA, GAME, context_archive, games};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemFile, ItemHead, ItemKind, JobContext, JobPhase, WorkItem, failed,
};

/// Statistics of the random games.
#[derive(Serialize, Deserialize)]
struct DatabaseCounts {
    plies: Vec<u32>,
    first_wins: u64,
    /// Games that end because a side has no man left.
    wiped_out: u64,
}

/// Figures of many random games by the rules of the authors' program, played by another program.
const PLIES: f64 = 48.18;
const FIRST_WINS: f64 = 0.4865;
const WIPED_OUT: f64 = 0.57;

pub(super) fn database() -> WorkItem {
    let head = ItemHead {
        id: "database",
        kind: ItemKind::Exercise,
        place: "section 1",
        title: "The data base of random games",
        published: "A large number of random games, each as the list of its boards; the program used \
                    50,000. The text gives no statistics of them.",
        method: "Random games by the same rules: 3,000 in quick runs, 50,000 in full ones. All items \
                 below learn from these games. The column *published* has the figures of another \
                 program by the rules of the authors' program.",
        command: "ludion generate checkers -n 50000 --out random.games",
    };
    let item = WorkItem::measured(
        head,
        |_| 1,
        |context| count(context).map(|(counts, _)| counts),
        |_: &JudgeContext<'_>, found: &[DatabaseCounts]| {
            let Some(counts) = found.first() else { return Finding::new(Verdict::Unknowable, "") };
            let total = counts.plies.len() as u64;
            let plies: Vec<f64> = counts.plies.iter().map(|&plies| f64::from(plies)).collect();
            let plies = MeasuredValue::mean(&plies);
            let share = |what: &str, published: f64, count: u64| {
                let ours = MeasuredValue::share(count, total);
                let verdict = Verdict::figure(MeasuredValue::exact(published), ours, 0.005, 0.02);
                Comparison::share(what, format!("{:.1} %", 100.0 * published), ours, verdict)
            };
            let comparisons = vec![
                Comparison::estimate(
                    "plies a game",
                    PLIES.to_string(),
                    (plies, 2, ""),
                    Verdict::figure(MeasuredValue::exact(PLIES), plies, 0.1, 0.5),
                ),
                share("first player wins", FIRST_WINS, counts.first_wins),
                share("a side has no man left", WIPED_OUT, counts.wiped_out),
            ];
            Finding::all(
                comparisons,
                format!("The {total} games are compared with games by the authors' rules."),
            )
        },
    );
    item.with_files(count).phase(JobPhase::Prepare).seconds([0.0, 0.0, 1.0])
}

/// Counts the games, and returns them as a file for other items.
fn count(context: &JobContext<'_>) -> Result<(DatabaseCounts, Vec<ItemFile>), JobFailure> {
    let (game, bytes) = (context.game(GAME)?, context_archive(context)?);
    let mut counts = DatabaseCounts { plies: Vec::new(), first_wins: 0, wiped_out: 0 };
    let labels = |label: Label| -> Result<Vec<Vec<f64>>, JobFailure> {
        let labelling = Labelling { label, lost: LoserLabel::Zero };
        let mut games = Vec::new();
        let read = game.label_games(labelling, &bytes, &mut |rows| {
            games.push(rows.targets().to_vec());
            ControlFlow::Continue(())
        });
        read.map_err(failed)?;
        Ok(games)
    };
    // The winner moved last, and the first side moves at even plies; parity errs where a side has no
    // man left.
    for (right, parity) in labels(Label::Distance)?.iter().zip(labels(Label::Parity)?) {
        counts.plies.push(right.len() as u32);
        counts.first_wins += u64::from(right.len() % 2 == 1);
        counts.wiped_out += u64::from(*right != parity);
    }
    debug_assert_eq!(counts.plies.len() as u64, games(context.size));
    Ok((counts, vec![(DATA.to_owned(), STANDARD.encode(&bytes))]))
}
