//! The tables of the three distributions, each with the published count of white pegs and with the
//! right one.

use ludion_mastermind::WhitePegCounting;
use ludion_mastermind::experiment::{
    CrossEntropyRun, DistributionKind, ExperimentOutcome, ExperimentSettings, Median,
};
use ludion_players::random::derive_seed;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::published::{
    INDEPENDENT_ERROR, INDEPENDENT_MEDIAN, INDEPENDENT_WRONG, MALLOWS_ERROR, MALLOWS_MEDIAN,
    MALLOWS_WRONG, PERMUTATION_MEDIAN, PERMUTATION_ZERO, PublishedTable, SIZES,
};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable, plain};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// The runs of one cell: iteration counted, whether the secret was found, and 1 − gamma at the end.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct CellRuns {
    pub(super) iterations: Vec<Option<u32>>,
    pub(super) found: Vec<bool>,
    pub(super) errors: Vec<f64>,
    pub(super) answers: Vec<u64>,
}

impl CellRuns {
    pub(super) fn wrong(&self) -> u64 {
        self.found.iter().filter(|found| !**found).count() as u64
    }

    /// Returns the iterations of the runs that have one.
    pub(super) fn known_iterations(&self) -> Vec<f64> {
        self.iterations.iter().flatten().map(|&t| f64::from(t)).collect()
    }

    pub(super) fn median(&self) -> Option<MeasuredValue> {
        Median::of(self.known_iterations()).map(|median| MeasuredValue::median(&median))
    }
}

/// Runs an experiment several times, each with a secret of its own.
pub(super) fn run_cell(
    context: &JobContext<'_>,
    settings: &ExperimentSettings,
    runs: u64,
) -> Result<CellRuns, JobFailure> {
    let mut cell = CellRuns::default();
    for number in 0..runs {
        let outcome = run_once(context, settings, derive_seed(context.seed(), &[number]))?;
        cell.iterations.push(outcome.counted(&settings.distribution));
        cell.found.push(outcome.found);
        cell.errors.push(outcome.quantile_error);
        cell.answers.push(outcome.answers);
    }
    Ok(cell)
}

pub(super) fn run_once(
    context: &JobContext<'_>,
    settings: &ExperimentSettings,
    seed: u64,
) -> Result<ExperimentOutcome, JobFailure> {
    let run = CrossEntropyRun::new(settings.clone(), None, seed).map_err(failed)?;
    let trace = run.run_until(false, |_| match context.stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    context.check_stop()?;
    Ok(trace.outcome)
}

/// Returns the cells of a table: all, or those with at least as many colours as pegs.
pub(super) fn cells(size: RunSize, repeats: bool) -> Vec<(usize, usize)> {
    let sizes = &SIZES[..size.pick([2, 7, 7])];
    let all = sizes.iter().flat_map(|&n| sizes.iter().map(move |&m| (n, m)));
    all.filter(|(n, m)| repeats || m >= n).collect()
}

/// Returns the settings of a distribution at this cell.
pub(super) fn settings(
    (pegs, colours): (usize, usize),
    distribution: DistributionKind,
    counting: WhitePegCounting,
) -> ExperimentSettings {
    ExperimentSettings { counting, ..ExperimentSettings::new(pegs, colours, distribution) }
}

/// Returns the published value of a cell; `None` if there is none.
pub(super) fn value_at(table: &PublishedTable, (n, m): (usize, usize)) -> Option<f64> {
    let place = |size: usize| SIZES.iter().position(|known| *known == size);
    let value = table[place(n)?][place(m)?];
    Some(value).filter(|value| !value.is_nan())
}

/// A cell of a table: the figure here, the published one if there is one, and the verdict.
pub(super) type GridCell = (String, Option<String>, Verdict);

/// Makes a table of cells `ours / published` with the verdict on each.
pub(super) fn grid(caption: &str, cells: &[(usize, usize)], texts: &[GridCell]) -> FindingTable {
    let mut columns: Vec<usize> = cells.iter().map(|(_, m)| *m).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut rows: Vec<usize> = cells.iter().map(|(n, _)| *n).collect();
    rows.dedup();
    let cell = |n: usize, m: usize| {
        let place = cells.iter().position(|known| *known == (n, m));
        place.map_or_else(String::new, |place| match &texts[place] {
            (ours, Some(published), verdict) => {
                format!("{ours} / {published} {}", verdict.sign())
            }
            (ours, None, _) => ours.clone(),
        })
    };
    let row = |n: &usize| {
        let mut row = vec![n.to_string()];
        row.extend(columns.iter().map(|m| cell(*n, *m)));
        row
    };
    let mut head = vec!["n \\ m".to_owned()];
    head.extend(columns.iter().map(ToString::to_string));
    let verdicts: Vec<Verdict> = texts.iter().map(|(_, _, verdict)| *verdict).collect();
    let is_published = texts.iter().any(|(_, published, _)| published.is_some());
    FindingTable {
        caption: caption.to_owned(),
        columns: head,
        rows: rows.iter().map(row).collect(),
        verdict: is_published.then(|| Verdict::table(&verdicts)),
    }
}

/// The published tables of a distribution.
struct PublishedTables {
    medians: &'static PublishedTable,
    wrongs: &'static PublishedTable,
    errors: &'static PublishedTable,
}

const INDEPENDENT: PublishedTables = PublishedTables {
    medians: &INDEPENDENT_MEDIAN,
    wrongs: &INDEPENDENT_WRONG,
    errors: &INDEPENDENT_ERROR,
};
const PERMUTATION: PublishedTables = PublishedTables {
    medians: &PERMUTATION_MEDIAN,
    wrongs: &PERMUTATION_ZERO,
    errors: &PERMUTATION_ZERO,
};
const MALLOWS: PublishedTables =
    PublishedTables { medians: &MALLOWS_MEDIAN, wrongs: &MALLOWS_WRONG, errors: &MALLOWS_ERROR };

/// Number of runs of a published cell.
const PUBLISHED_RUNS: u64 = 10;

/// Standard error of a median divided by that of the mean, for a normal distribution: √(π / 2).
const MEDIAN_ERROR: f64 = 1.2533;

/// Adds the sampling error to a published figure, which came from few runs: that of a mean over `runs`
/// draws from `sample`, our own runs of the cell.
fn with_error(published: f64, sample: &[f64], runs: f64) -> MeasuredValue {
    let ours = MeasuredValue::mean(sample);
    let margin = (ours.high - ours.value) * (sample.len() as f64 / runs.max(1.0)).sqrt();
    MeasuredValue { value: published, low: published - margin, high: published + margin }
}

impl PublishedTables {
    /// Compares the medians of the iterations.
    fn median(&self, at: (usize, usize), cell: &CellRuns) -> GridCell {
        let (published, ours) = (value_at(self.medians, at), cell.median());
        let verdict = match (published, ours) {
            (Some(published), Some(ours)) => {
                let found = PUBLISHED_RUNS as f64 - value_at(self.wrongs, at).unwrap_or(0.0);
                let runs = found / MEDIAN_ERROR.powi(2);
                let published = with_error(published, &cell.known_iterations(), runs);
                Verdict::figure(published, ours, 1.0, 12.0)
            }
            _ => Verdict::Unknowable,
        };
        let text = ours.map_or_else(|| "–".to_owned(), |ours| plain(ours.value));
        (text, published.map(plain), verdict)
    }

    /// Compares the numbers of wrong runs.
    fn wrong(&self, at: (usize, usize), cell: &CellRuns) -> GridCell {
        let (wrong, runs) = (cell.wrong(), cell.found.len() as u64);
        let published = value_at(self.wrongs, at);
        let verdict = published.map_or(Verdict::Unknowable, |published| {
            let published = MeasuredValue::share(published as u64, PUBLISHED_RUNS);
            Verdict::figure(published, MeasuredValue::share(wrong, runs), 0.0, 0.5)
        });
        let text = published.map(|wrong| format!("{wrong} of {PUBLISHED_RUNS}"));
        (format!("{wrong} of {runs}"), text, verdict)
    }

    /// Compares the mean errors, which are published with three decimals.
    fn error(&self, at: (usize, usize), cell: &CellRuns) -> GridCell {
        let (published, ours) = (value_at(self.errors, at), MeasuredValue::mean(&cell.errors));
        let verdict = published.map_or(Verdict::Unknowable, |published| {
            let wrong = value_at(self.wrongs, at).unwrap_or(0.0);
            let (theirs, ours) = match wrong > 0.0 && cell.errors.iter().all(|error| *error == 0.0)
            {
                // Runs without an error have no spread. Their interval is that of the share of wrong
                // runs, times the error of a wrong run.
                true => {
                    let share = |wrong, runs| MeasuredValue::share(wrong, runs);
                    let size = published * PUBLISHED_RUNS as f64 / wrong;
                    let theirs = share(wrong as u64, PUBLISHED_RUNS);
                    (theirs.times(size), share(0, cell.errors.len() as u64).times(size))
                }
                false => (with_error(published, &cell.errors, PUBLISHED_RUNS as f64), ours),
            };
            Verdict::figure(theirs, ours, 0.001, 0.2)
        });
        (format!("{:.3}", ours.value), published.map(|error| format!("{error:.3}")), verdict)
    }

    /// Compares the wrong runs of all cells together.
    fn total(&self, cells: &[(usize, usize)], found: &[CellRuns]) -> Comparison {
        let wrong: u64 = found.iter().map(CellRuns::wrong).sum();
        let runs: u64 = found.iter().map(|cell| cell.found.len() as u64).sum();
        let published =
            cells.iter().filter_map(|at| value_at(self.wrongs, *at)).sum::<f64>() as u64;
        let of = PUBLISHED_RUNS * cells.len() as u64;
        let (ours, theirs) =
            (MeasuredValue::share(wrong, runs), MeasuredValue::share(published, of));
        let text = |share: MeasuredValue| share.percent().text(1);
        Comparison {
            ours: format!("{wrong} of {runs} = {} %", text(ours)),
            ..Comparison::share(
                "wrong runs of all",
                format!("{published} of {of} = {} %", text(theirs)),
                ours,
                Verdict::figure(theirs, ours, 0.0, 0.1),
            )
        }
    }
}

/// What an item says about the published tables.
#[derive(Clone, Copy, PartialEq)]
enum TableClaim {
    /// All tables come out again.
    Agreement,
    /// As many runs go wrong.
    WrongRuns,
}

/// An experiment of the study: a distribution and a count of white pegs at all sizes.
struct TableItem {
    head: ItemHead,
    distribution: DistributionKind,
    counting: WhitePegCounting,
    published: PublishedTables,
    claim: TableClaim,
    reason: &'static str,
    seconds: [f64; 3],
}

impl TableItem {
    fn item(self) -> WorkItem {
        let TableItem { head, distribution, counting, published, claim, reason, seconds } = self;
        let repeats = distribution.repeats();
        let jobs: fn(RunSize) -> u64 = match repeats {
            true => |size| cells(size, true).len() as u64,
            false => |size| cells(size, false).len() as u64,
        };
        let measure = move |context: &JobContext<'_>| {
            let at = cells(context.size, repeats)[context.number as usize];
            let runs = context.size.pick([2, 10, 100]);
            run_cell(context, &settings(at, distribution, counting), runs)
        };
        let judge = move |context: &JudgeContext<'_>, found: &[CellRuns]| {
            judge(&published, claim, &cells(context.size, repeats), found, reason)
        };
        WorkItem::measured(head, jobs, measure, judge).seconds(seconds)
    }
}

fn judge(
    published: &PublishedTables,
    claim: TableClaim,
    cells: &[(usize, usize)],
    found: &[CellRuns],
    reason: &str,
) -> Finding {
    let table =
        |caption: &str, compare: fn(&PublishedTables, (usize, usize), &CellRuns) -> GridCell| {
            let texts: Vec<GridCell> =
                cells.iter().zip(found).map(|(at, cell)| compare(published, *at, cell)).collect();
            grid(caption, cells, &texts)
        };
    let mut tables = vec![
        table("Median iteration, here / published", PublishedTables::median),
        table("Wrong runs, here / published", PublishedTables::wrong),
        table("Mean of 1 − gamma at the end, here / published", PublishedTables::error),
    ];
    let total = published.total(cells, found);
    let mut verdicts = vec![total.verdict];
    match claim {
        TableClaim::Agreement => verdicts.extend(tables.iter().filter_map(|table| table.verdict)),
        TableClaim::WrongRuns => tables.truncate(2),
    }
    let mut finding = Finding::new(Verdict::all(&verdicts), reason).comparing([total]);
    finding.tables = tables;
    finding
}

const METHOD: &str = "The same experiment at the same sizes, quick runs ten times a cell as published, \
                      full ones a hundred times, with secrets of their own. A published figure of ten \
                      runs has a sampling error, which is estimated from the spread of the runs here; a \
                      median may be one iteration off beyond that.";

pub(super) fn independent() -> WorkItem {
    TableItem {
        head: ItemHead {
            id: "q1",
            kind: ItemKind::Table,
            place: "question 1, results",
            title: "Independent pegs, with the published count",
            published: "Medians of the iteration of convergence from 8 to 27, up to 6 wrong runs of 10, \
                        mean errors up to 0.010, for 4 to 40 pegs and colours. (Two cells of the table \
                        of errors cannot be read in the copy at hand and are left empty.)",
            method: METHOD,
            command: "ludion mastermind table --law independent --counting historical --runs 10",
        },
        distribution: DistributionKind::Independent,
        counting: WhitePegCounting::Historical,
        published: INDEPENDENT,
        claim: TableClaim::Agreement,
        reason: "Here the pegs are counted as the program of the study counted them. Its wrong runs \
                 belong to that count: see the next item.",
        seconds: [0.0, 2.5, 23.0],
    }
    .item()
}

pub(super) fn independent_right() -> WorkItem {
    TableItem {
        head: ItemHead {
            id: "q1-right-count",
            kind: ItemKind::Claim,
            place: "question 1, results",
            title: "Independent pegs, with the right count",
            published: "Up to 6 of 10 runs do not converge to the right value: 41 of 490 in all.",
            method: "As above with white pegs counted by the rules of Mastermind. The verdict is about \
                     the wrong runs of all sizes together: ten runs of a single size tell little.",
            command: "ludion mastermind table --law independent --runs 10",
        },
        distribution: DistributionKind::Independent,
        counting: WhitePegCounting::Right,
        published: INDEPENDENT,
        claim: TableClaim::WrongRuns,
        reason: "The wrong runs are no weakness of the method: with the right count they are gone, and \
                 most sizes converge sooner. A code that shares colours by accident of writing (1 \
                 and 10 to 19) scores as if it were near the secret, and the distribution is drawn \
                 there.",
        seconds: [0.0, 1.0, 10.0],
    }
    .item()
}

pub(super) fn permutation() -> WorkItem {
    TableItem {
        head: ItemHead {
            id: "q2",
            kind: ItemKind::Table,
            place: "question 2, results",
            title: "Permutations, with the published count",
            published: "Medians from 7 to 21, no wrong run, no error.",
            method: METHOD,
            command: "ludion mastermind table --law permutation --counting historical --runs 10",
        },
        distribution: DistributionKind::Permutation,
        counting: WhitePegCounting::Historical,
        published: PERMUTATION,
        claim: TableClaim::Agreement,
        reason: "Without repeated colours the published count errs in the numbers of colours above 9 \
                 only, and that does not keep runs from finding the secret.",
        seconds: [0.0, 2.5, 23.0],
    }
    .item()
}

pub(super) fn permutation_right() -> WorkItem {
    TableItem {
        head: ItemHead {
            id: "q2-right-count",
            kind: ItemKind::Table,
            place: "question 2, results",
            title: "Permutations, with the right count",
            published: "The same tables.",
            method: "As above with white pegs counted by the rules of Mastermind.",
            command: "ludion mastermind table --law permutation --runs 10",
        },
        distribution: DistributionKind::Permutation,
        counting: WhitePegCounting::Right,
        published: PERMUTATION,
        claim: TableClaim::Agreement,
        reason: "The count of white pegs hardly matters here: what leads to the secret are black pegs.",
        seconds: [0.0, 2.0, 20.0],
    }
    .item()
}

pub(super) fn mallows() -> WorkItem {
    TableItem {
        head: ItemHead {
            id: "q3",
            kind: ItemKind::Table,
            place: "question 3, results for N = 5 (n + 1)",
            title: "The Mallows distribution, as published",
            published: "It converges less quickly and less often: 149 of 280 runs do not find the \
                        secret in 100 iterations; with 6 pegs or more none finds it at 40 colours.",
            method: "The same experiment (chain with burn-in 250 m and every 80th step, lambda 1, x* by \
                     the best assignment), white pegs as published. Medians are of the runs that found \
                     the secret.",
            command: "ludion mastermind table --law mallows --original --counting historical --runs 10",
        },
        distribution: DistributionKind::original(),
        counting: WhitePegCounting::Historical,
        published: MALLOWS,
        claim: TableClaim::Agreement,
        reason: "The runs fail where the published ones fail; the tables say how nearly as often. Medians \
                 of few runs vary much, and the published 14.5 at (4, 4) does not fit its neighbours. \
                 The mean error is 1 − gamma of the sample, not the error of the answer: it is far above \
                 0 where every run found the secret.",
        seconds: [0.0, 2.0, 22.0],
    }
    .item()
}

pub(super) fn mallows_corrected() -> WorkItem {
    TableItem {
        head: ItemHead {
            id: "q3-corrected",
            kind: ItemKind::Claim,
            place: "question 3, results for N = 5 (n + 1)",
            title: "The Mallows distribution, corrected",
            published: "The third distribution converges less often than the others: 149 of 280 runs \
                        fail.",
            method: "The same distribution and the same N with another estimate of x*: from the \
                     frequencies of the elite those that the distribution gives every code are \
                     subtracted, and the differences are summed over the iterations (smoothed by 0.1). \
                     Codes are drawn exactly, without a chain. The verdict is about the wrong runs of \
                     all sizes together.",
            command: "ludion mastermind table --law mallows --runs 10",
        },
        distribution: DistributionKind::corrected(),
        counting: WhitePegCounting::Right,
        published: MALLOWS,
        claim: TableClaim::WrongRuns,
        reason: "The failure belongs to the estimate, not to the distribution. The frequencies in a \
                 small elite repeat the centre: a code drawn around x* has its pegs whether it scores \
                 well or not. What the elite has more often than any code says where to move.",
        seconds: [0.0, 0.0, 1.0],
    }
    .item()
}
