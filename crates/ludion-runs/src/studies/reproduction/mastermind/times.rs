//! The published tables of computing times, beside the times of the same runs here.

use std::time::Instant;

use ludion_mastermind::WhitePegCounting;
use ludion_mastermind::experiment::DistributionKind;
use ludion_players::random::derive_seed;

use super::published::{INDEPENDENT_SECONDS, MALLOWS_SECONDS, PERMUTATION_SECONDS, PublishedTable};
use super::tables::{GridCell, cells, grid, run_once, settings, value_at};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, RunSize, WorkItem};

const NAMES: [&str; 3] = ["independent pegs", "permutations", "Mallows as published"];
const PUBLISHED: [&PublishedTable; 3] =
    [&INDEPENDENT_SECONDS, &PERMUTATION_SECONDS, &MALLOWS_SECONDS];

/// Seconds of the runs of one size by distribution; those without repeated colours have none where
/// pegs are more than colours.
type CellSeconds = [Vec<f64>; 3];

pub(super) fn times() -> WorkItem {
    let head = ItemHead {
        id: "times",
        kind: ItemKind::Table,
        place: "questions 1 to 3, time until convergence",
        title: "Seconds a run",
        published: "Mean seconds of a run in R: from 0.03 at (4, 4) to 88 at (40, 40) for independent \
                    pegs, 0.06 to 211 for permutations, which are said to be greedier. The third \
                    distribution is said to be greedier, too; of its table the first row can be read \
                    (1, 0, 2, 4, 6, 5 and 26 s, rounded).",
        method: "Mean time of a run here on one thread, with the right count. Other machines and \
                 languages give other times; compared is which distribution takes longer at the same \
                 size. A sign beside a time says whether it is longer than that of independent pegs \
                 here, as it is in the published tables.",
        command: "ludion mastermind table --law permutation --pegs 40 --colours 40 --runs 10 --threads 1",
    };
    let jobs = |size: RunSize| cells(size, true).len() as u64;
    WorkItem::measured(head, jobs, measure_times, judge_times).clock().seconds([0.0, 1.5, 5.0])
}

fn measure_times(context: &JobContext<'_>) -> Result<CellSeconds, JobFailure> {
    let (n, m) = cells(context.size, true)[context.number as usize];
    let time = |law: DistributionKind| -> Result<Vec<f64>, JobFailure> {
        if n > m && !law.repeats() {
            return Ok(Vec::new());
        }
        let settings = settings((n, m), law, WhitePegCounting::Right);
        let run = |number: u64| {
            let began = Instant::now();
            run_once(context, &settings, derive_seed(context.seed(), &[number]))?;
            Ok(began.elapsed().as_secs_f64())
        };
        (0..context.size.pick([2, 3, 10])).map(run).collect()
    };
    Ok([
        time(DistributionKind::Independent)?,
        time(DistributionKind::Permutation)?,
        time(DistributionKind::original())?,
    ])
}

/// Returns the mean logarithm of the time of a distribution divided by that of independent pegs.
fn log_ratio(cell: &CellSeconds, i: usize) -> Option<MeasuredValue> {
    let logs = |seconds: &[f64]| {
        MeasuredValue::mean(&seconds.iter().map(|time| time.ln()).collect::<Vec<f64>>())
    };
    (!cell[i].is_empty()).then(|| logs(&cell[i]).difference(logs(&cell[0])))
}

/// Returns the cell of a distribution; its sign says whether it takes longer than independent pegs,
/// which have none.
fn grid_cell(cell: &CellSeconds, i: usize, published: Option<f64>) -> GridCell {
    let mean = cell[i].iter().sum::<f64>() / cell[i].len().max(1) as f64;
    let ours = format!("{:.2} ms", 1e3 * mean);
    let published = published.map(|seconds| format!("{seconds} s"));
    match (i, log_ratio(cell, i)) {
        (0, _) => {
            let published = published.unwrap_or_default();
            (format!("{ours} / {published}"), None, Verdict::Unknowable)
        }
        (_, None) => (ours, published, Verdict::Unknowable),
        (_, Some(ratio)) => (ours, published, Verdict::positive(ratio)),
    }
}

/// Compares the time of a distribution with that of independent pegs over all sizes.
fn compare_with_first(found: &[CellSeconds], i: usize) -> Comparison {
    let logs: Vec<f64> =
        found.iter().filter_map(|cell| log_ratio(cell, i)).map(|ratio| ratio.value).collect();
    let mean = MeasuredValue::mean(&logs);
    let MeasuredValue { value, low, high } = mean;
    let ratio = MeasuredValue { value: value.exp(), low: low.exp(), high: high.exp() };
    let longer = logs.iter().filter(|log| **log > 0.0).count();
    Comparison {
        ours: format!("{}, longer at {longer} of {} sizes", ratio.text(2), logs.len()),
        ..Comparison::estimate(
            format!("time of {} / {}, mean over sizes", NAMES[i], NAMES[0]),
            "above 1",
            (ratio, 2, ""),
            Verdict::positive(mean),
        )
    }
}

fn judge_times(context: &JudgeContext<'_>, found: &[CellSeconds]) -> Finding {
    let table = |i: usize| {
        let of_law: Vec<((usize, usize), &CellSeconds)> = cells(context.size, true)
            .into_iter()
            .zip(found)
            .filter(|(_, cell)| !cell[i].is_empty())
            .collect();
        let sizes: Vec<(usize, usize)> = of_law.iter().map(|(at, _)| *at).collect();
        let texts: Vec<GridCell> = of_law
            .iter()
            .map(|(at, cell)| grid_cell(cell, i, value_at(PUBLISHED[i], *at)))
            .collect();
        grid(&format!("Time of a run of {}, here / published", NAMES[i]), &sizes, &texts)
    };
    let comparisons = vec![compare_with_first(found, 1), compare_with_first(found, 2)];
    let mut finding = Finding::all(
        comparisons,
        "A code drawn without replacement has to renormalise its row for every peg, so it costs more \
         although fewer iterations are needed. The third distribution scores few codes an iteration and \
         pays for its chain: 250 m steps before the first code and 80 for each one. The means are \
         geometric, and their intervals are over sizes.",
    );
    finding.tables = (0..NAMES.len()).map(table).collect();
    finding
}
