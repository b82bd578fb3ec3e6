//! The labels h(c) and h(d): what they are, what the formula of the text makes of them, how much of a
//! game they cover, and the winner by parity.

use std::collections::HashMap;
use std::ops::ControlFlow;

use ludion_players::learn::labelling::Labelling;
use ludion_players::learn::labels::{Label, LoserLabel};
use ludion_players::random::Rng;
use serde::{Deserialize, Serialize};

use super::{GAME, context_archive};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem, failed};

/// Rows of bits of a game with their labels.
type GameRows = Vec<(Vec<u64>, f64)>;

/// Calls `visit` with the labelled rows of each game.
fn each_game(
    context: &JobContext<'_>,
    labelling: Labelling,
    visit: &mut dyn FnMut(GameRows),
) -> Result<(), JobFailure> {
    let (game, bytes) = (context.game(GAME)?, context_archive(context)?);
    let read = game.label_games(labelling, &bytes, &mut |rows| {
        let all = rows.rows().iter().zip(rows.targets());
        visit(all.map(|(row, target)| (row.to_vec(), *target)).collect());
        ControlFlow::Continue(())
    });
    read.map_err(failed)
}

/// What is counted about the scores of moves or boards.
#[derive(Clone, Default, Serialize, Deserialize)]
struct ScoreCounts {
    moves: u64,
    different: u64,
    once: u64,
    least: f64,
    greatest: f64,
    mean: f64,
    /// Moves made in won and in lost games, and those of them whose score by the formula of the text
    /// is above that with all games counted.
    mixed: u64,
    raised: u64,
}

/// Computes the mean label of every row.
fn count_scores(context: &JobContext<'_>, labelling: Labelling) -> Result<ScoreCounts, JobFailure> {
    // For each row the sum of its labels, the number of games, and the number with a label not 0.
    let mut sums: HashMap<Vec<u64>, (f64, u64, u64)> = HashMap::new();
    let mut counts = ScoreCounts::default();
    each_game(context, labelling, &mut |rows| {
        for (row, target) in rows {
            let sum = sums.entry(row).or_default();
            sum.0 += target;
            sum.1 += 1;
            sum.2 += u64::from(target != 0.0);
            counts.moves += 1;
        }
    })?;
    let score = |(sum, games, _): &(f64, u64, u64)| sum / *games as f64;
    counts.different = sums.len() as u64;
    counts.once = sums.values().filter(|(_, games, _)| *games == 1).count() as u64;
    counts.least = sums.values().map(score).fold(f64::INFINITY, f64::min);
    counts.greatest = sums.values().map(score).fold(f64::NEG_INFINITY, f64::max);
    // Sorted before they are summed, because the order of a hash table is not repeatable.
    let mut scores: Vec<f64> = sums.values().map(score).collect();
    scores.sort_by(f64::total_cmp);
    counts.mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
    let mixed = |(_, games, won): &&(f64, u64, u64)| 0 < *won && won < games;
    counts.mixed = sums.values().filter(mixed).count() as u64;
    counts.raised = sums
        .values()
        .filter(mixed)
        .filter(|(sum, games, won)| sum / *won as f64 > sum / *games as f64)
        .count() as u64;
    Ok(counts)
}

/// Pairs of moves, those whose edit distance is below the number of bits that differ, and the sums of
/// both distances.
type DistanceCounts = [u64; 4];

pub(super) fn edit_distance() -> WorkItem {
    let head = ItemHead {
        id: "edit-distance",
        kind: ItemKind::Claim,
        place: "section 2, regression by the nearest neighbours",
        title: "The distance between moves",
        published: "The distance of two moves is the edit distance (Levenshtein's) of their boards. Moves \
                    are 128 bits, so it is the number of bits that differ (XOR and a count).",
        method: "Both distances for random pairs of moves of the random games.",
        command: "",
    };
    let measure = |context: &JobContext<'_>| -> Result<DistanceCounts, JobFailure> {
        let mut moves: Vec<Vec<bool>> = Vec::new();
        let labelling = Labelling { label: Label::Distance, lost: LoserLabel::Zero };
        each_game(context, labelling, &mut |rows| {
            moves.extend(rows.iter().take(MOVES_A_GAME).map(|(row, _)| bits(row)));
        })?;
        let mut rng = Rng::new(context.seed());
        let mut counts = [0; 4];
        for _ in 0..context.size.pick([50, 500, 5000]) {
            let [a, b] = [(); 2].map(|()| &moves[rng.below(moves.len())]);
            let different = a.iter().zip(b).filter(|(a, b)| a != b).count() as u64;
            let edits = levenshtein(a, b);
            let row = [1, u64::from(edits < different), edits, different];
            counts.iter_mut().zip(row).for_each(|(sum, one)| *sum += one);
        }
        Ok(counts)
    };
    WorkItem::measured(head, |_| 1, measure, |_: &JudgeContext<'_>, found: &[DistanceCounts]| {
        let [pairs, shorter, edits, different] = found.first().copied().unwrap_or_default();
        let what = format!("pairs of {pairs} whose edit distance is not the number of bits");
        let mean = |what: &str, sum: u64| {
            let value = MeasuredValue::exact(sum as f64 / pairs.max(1) as f64);
            Comparison::estimate(what, "", (value, 1, ""), Verdict::Unknowable)
        };
        Finding::all(
            vec![
                Comparison::exact(what, 0.0, shorter as f64),
                mean("mean edit distance", edits),
                mean("mean number of bits that differ", different),
            ],
            "An edit may also insert or delete a sign and so shift a whole row, which for boards means \
             nothing; XOR and a count is Hamming's distance. The program uses the second, and so do the \
             items here. On each board it counts 2 for a man on another square and 1 for a man that is missing.",
        )
    })
    .seconds([0.0, 0.0, 3.0])
}

/// Number of moves of a game that are drawn from.
const MOVES_A_GAME: usize = 40;

/// Returns the bits of a row.
fn bits(row: &[u64]) -> Vec<bool> {
    row.iter().flat_map(|word| (0..64).map(move |i| word >> i & 1 == 1)).collect()
}

/// Returns the least number of insertions, deletions and substitutions that lead from `a` to `b`.
fn levenshtein(a: &[bool], b: &[bool]) -> u64 {
    let mut row: Vec<u64> = (0..=b.len() as u64).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i as u64 + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + u64::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Gives a count that was not published.
fn count(what: &str, count: u64) -> Comparison {
    let value = MeasuredValue::exact(count as f64);
    Comparison::estimate(what, "", (value, 0, ""), Verdict::Unknowable)
}

pub(super) fn moves() -> WorkItem {
    let head = ItemHead {
        id: "h-c",
        kind: ItemKind::Claim,
        place: "section 2, a first system of scores",
        title: "The scores h(c) of moves",
        published: "h maps moves to [−1, 1], 1 for an excellent and −1 for a very bad move. The label of \
                    a move d plies before the end is v/√d, v = 1 if player 1 won and 0 otherwise; h(c) \
                    is the sum of the labels divided by N, the number of games with a label other than \
                    0.",
        method: "h(c) over the random games, with all games of a move counted; and how often the N of \
                 the text, which leaves out the lost games, gives a higher score.",
        command: "ludion data scores random.games",
    };
    let measure = |context: &JobContext<'_>| {
        count_scores(context, Labelling { label: Label::Distance, lost: LoserLabel::Zero })
    };
    WorkItem::measured(head, |_| 1, measure, |_: &JudgeContext<'_>, found: &[ScoreCounts]| {
        let Some(counts) = found.first() else { return Finding::new(Verdict::Unknowable, "") };
        let exact = |what: &str, published: &str, value: f64, verdict| {
            Comparison::estimate(what, published, (MeasuredValue::exact(value), 3, ""), verdict)
        };
        let raised = MeasuredValue::share(counts.raised, counts.mixed);
        let once = MeasuredValue::share(counts.once, counts.different);
        Finding::new(
            Verdict::exact(counts.least < 0.0),
            "The formula cannot give a negative score: with v = 0 for lost games the least is 0, so bad \
             moves are not told from rare ones. And N leaves the lost games out: a move that was made in \
             a hundred lost games and one won game gets the score of the won one. The authors' program \
             uses v = −1 for lost games, which mends both; see the item about conventions.",
        )
        .comparing([
            exact("least h(c)", "-1", counts.least, Verdict::exact(counts.least < 0.0)),
            exact("greatest h(c)", "1", counts.greatest, Verdict::exact(counts.greatest <= 1.0)),
            exact("mean h(c)", "", counts.mean, Verdict::Unknowable),
            count("different moves", counts.different),
            Comparison::share("moves that occur in one game only", "", once, Verdict::Unknowable),
            Comparison::share(
                "moves of won and lost games whose score the N of the text raises",
                "",
                raised,
                Verdict::Unknowable,
            ),
        ])
    })
    .seconds([0.0, 0.0, 2.0])
}

pub(super) fn boards() -> WorkItem {
    let head = ItemHead {
        id: "h-d",
        kind: ItemKind::Claim,
        place: "section 2, a better model",
        title: "The scores h(d) of boards",
        published: "h maps boards to [−1, 1]; the label of a board is p(d) · v(d), p the number of \
                    captures of player 1 from here on.",
        method: "h(d) over the random games, with the label that the authors' program uses: the number \
                 of captures, won or lost.",
        command: "ludion data scores random.games --label captures",
    };
    let measure = |context: &JobContext<'_>| {
        count_scores(context, Labelling { label: Label::Captures, lost: LoserLabel::Zero })
    };
    WorkItem::measured(head, |_| 1, measure, |_: &JudgeContext<'_>, found: &[ScoreCounts]| {
        let Some(counts) = found.first() else { return Finding::new(Verdict::Unknowable, "") };
        let exact = |what: &str, published: &str, value: f64, verdict| {
            Comparison::estimate(what, published, (MeasuredValue::exact(value), 3, ""), verdict)
        };
        let verdict = Verdict::exact(counts.greatest <= 1.0);
        Finding::new(
            verdict,
            "A number of captures is no number in [−1, 1]: it goes from 0 to 12. For choosing moves the \
             range does not matter; for the error of a network it does, because a constant factor \
             changes what the loss means.",
        )
        .comparing([
            exact("greatest h(d)", "1", counts.greatest, verdict),
            exact("least h(d)", "-1", counts.least, Verdict::exact(counts.least < 0.0)),
            exact("mean h(d)", "", counts.mean, Verdict::Unknowable),
            count("different boards", counts.different),
        ])
    })
    .seconds([0.0, 0.0, 3.0])
}

/// For each ply the moves of new games, and those that the data base has.
type KnownMoves = Vec<[u64; 2]>;

pub(super) fn generalisation() -> WorkItem {
    let head = ItemHead {
        id: "generalisation",
        kind: ItemKind::Exercise,
        place: "section 2, importance of generalisation",
        title: "Why the scores must be generalised",
        published: "The section asks why it is important to generalise, and is empty.",
        method: "The last tenth of the random games is held back; counted is how many of its moves occur \
                 in the other games, ply by ply.",
        command: "",
    };
    let measure = |context: &JobContext<'_>| -> Result<KnownMoves, JobFailure> {
        let labelling = Labelling { label: Label::Distance, lost: LoserLabel::Zero };
        let mut games: Vec<GameRows> = Vec::new();
        each_game(context, labelling, &mut |rows| games.push(rows))?;
        let new = games.split_off(games.len() - games.len().div_ceil(10));
        let known: std::collections::HashSet<Vec<u64>> =
            games.into_iter().flatten().map(|(row, _)| row).collect();
        let mut plies = KnownMoves::new();
        for game in new {
            for (ply, (row, _)) in game.into_iter().enumerate() {
                if plies.len() <= ply {
                    plies.push([0; 2]);
                }
                plies[ply][0] += 1;
                plies[ply][1] += u64::from(known.contains(&row));
            }
        }
        Ok(plies)
    };
    WorkItem::measured(head, |_| 1, measure, judge_generalisation).seconds([0.0, 0.0, 2.0])
}

fn judge_generalisation(_: &JudgeContext<'_>, found: &[KnownMoves]) -> Finding {
    use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
    let plies: &[[u64; 2]] = found.first().map_or(&[], Vec::as_slice);
    let share = |range: std::ops::Range<usize>| {
        let part = plies.iter().take(range.end).skip(range.start);
        let (all, known) = part.fold((0, 0), |(a, k), [all, known]| (a + all, k + known));
        MeasuredValue::share(known, all)
    };
    let ranges = [("1 to 4", 0..4), ("5 to 8", 4..8), ("9 to 16", 8..16), ("17 and more", 16..200)];
    let comparisons = ranges.map(|(name, range)| {
        let what = format!("moves that the data has, plies {name}");
        Comparison::share(what, "", share(range), Verdict::Unknowable)
    });
    let point = |(ply, [all, known]): (usize, &[u64; 2])| {
        let share = MeasuredValue::share(*known, *all);
        ChartPoint::new(ply as f64 + 1.0, share.value, [share.low, share.high])
    };
    let chart = Chart {
        title: "Moves of new games that the data has".to_owned(),
        x: PlotAxis::linear("ply").unit(NumberUnit::Count),
        y: PlotAxis::linear("share").unit(NumberUnit::Percent),
        series: vec![ChartSeries {
            line: plies.iter().take(60).enumerate().map(point).collect(),
            ..ChartSeries::default()
        }],
        ..Chart::default()
    };
    Finding::new(
        Verdict::Unknowable,
        "Nothing was published to compare with; this is the answer. After a few plies nearly every move \
         of a new game is one that the data has not, so a table without generalisation says nothing \
         about it.",
    )
    .comparing(comparisons)
    .figure("Moves of new games that the data has", crate::RunPicture::Chart(chart))
}

/// Games whose winner parity gets wrong, and all games.
type ParityCounts = [u64; 2];

pub(super) fn parity() -> WorkItem {
    let head = ItemHead {
        id: "parity",
        kind: ItemKind::Claim,
        place: "section 2 (authors' program)",
        title: "The winner by parity",
        published: "The program takes the winner from the parity of the number of recorded states.",
        method: "The share of random games in which that is the wrong side: games that end because a \
                 side has no man left stop one turn earlier than games in which a side is blocked.",
        command: "ludion data scores random.games --label parity",
    };
    let measure = |context: &JobContext<'_>| -> Result<ParityCounts, JobFailure> {
        let targets = |label: Label| -> Result<Vec<Vec<f64>>, JobFailure> {
            let mut games = Vec::new();
            let labelling = Labelling { label, lost: LoserLabel::Zero };
            each_game(context, labelling, &mut |rows| {
                games.push(rows.into_iter().map(|(_, target)| target).collect());
            })?;
            Ok(games)
        };
        let (right, parity) = (targets(Label::Distance)?, targets(Label::Parity)?);
        let wrong = right.iter().zip(&parity).filter(|(a, b)| a != b).count() as u64;
        Ok([wrong, right.len() as u64])
    };
    WorkItem::measured(head, |_| 1, measure, |_: &JudgeContext<'_>, found: &[ParityCounts]| {
        let [wrong, all] = found.first().copied().unwrap_or_default();
        let share = MeasuredValue::share(wrong, all);
        let verdict = Verdict::exact(wrong == 0);
        Finding::new(
            verdict,
            "In more than half of the games the loser's moves are labelled as those of the winner. A \
             model that learns these labels well learns to lose.",
        )
        .comparing([Comparison::share("games with the wrong winner", "none", share, verdict)])
    })
    .seconds([0.0, 0.0, 1.0])
}
