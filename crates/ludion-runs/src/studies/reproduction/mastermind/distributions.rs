//! Comparisons between the distributions: samples that are no permutations, speed, times, and one
//! secret for all three.

use std::time::Instant;

use ludion_mastermind::WhitePegCounting;
use ludion_mastermind::experiment::{CrossEntropyRun, DistributionKind, Median};
use ludion_players::random::{Rng, derive_seed};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use serde::{Deserialize, Serialize};

use super::published::SECONDS;
use super::tables::{CellRuns, run_cell, run_once, settings};
use crate::RunPicture;
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

const DRAWN: [(usize, usize); 4] = [(4, 6), (4, 40), (6, 10), (10, 20)];

/// Permutations among uniform codes, and wrong runs of ten by discarding.
#[derive(Serialize, Deserialize)]
struct DiscardedCodes {
    permutations: u64,
    drawn: u64,
    discarding: CellRuns,
}

pub(super) fn discarding() -> WorkItem {
    let head = ItemHead {
        id: "q2-estimate",
        kind: ItemKind::Claim,
        place: "question 2, adaptation",
        title: "Is the estimate still valid, and how many codes are no permutations?",
        published: "The estimate stays the same. One could draw codes as in question 1, but many would \
                    not be relevant, because they are no permutations.",
        method: "The share of permutations among uniform codes, exact and drawn; and the method of \
                 question 1 with codes that repeat a colour discarded.",
        command: "ludion mastermind run --pegs 6 --colours 10 --law discarding",
    };
    let measure = |context: &JobContext<'_>| -> Result<DiscardedCodes, JobFailure> {
        let (n, m) = DRAWN[context.number as usize];
        let mut rng = Rng::new(context.seed());
        let drawn = context.size.pick([1000, 100_000, 1_000_000]);
        let is_permutation = |rng: &mut Rng| {
            let code: Vec<usize> = (0..n).map(|_| rng.below(m)).collect();
            (1..n).all(|i| !code[..i].contains(&code[i]))
        };
        let permutations = (0..drawn).filter(|_| is_permutation(&mut rng)).count() as u64;
        let law = settings((n, m), DistributionKind::Discarding, WhitePegCounting::Right);
        let discarding = run_cell(context, &law, context.size.pick([2, 10, 100]))?;
        Ok(DiscardedCodes { permutations, drawn, discarding })
    };
    let jobs = |_: RunSize| DRAWN.len() as u64;
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[DiscardedCodes]| {
        let mut comparisons = Vec::new();
        for ((n, m), cell) in DRAWN.iter().zip(found) {
            let exact: f64 = (0..*n).map(|k| (m - k) as f64 / *m as f64).product();
            let ours = MeasuredValue::share(cell.permutations, cell.drawn);
            let verdict = Verdict::figure(MeasuredValue::exact(exact), ours, 0.0, 0.05);
            let text = format!("exact {:.2} %", 100.0 * exact);
            let what = format!("codes that are permutations, n = {n}, m = {m}");
            comparisons.push(Comparison::share(what, text, ours, verdict));
            let wrong = cell.discarding.wrong();
            let what = format!("wrong runs by discarding, n = {n}, m = {m}");
            comparisons.push(Comparison {
                published: "0, the estimate is valid".to_owned(),
                ours: format!("{wrong} of {}", cell.discarding.found.len()),
                ..Comparison::exact(what, 0.0, wrong as f64)
            });
        }
        let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
        let reason = "The estimate counts colours in the elite and asks nothing of how the codes were \
                      drawn, so it is valid; and drawing without replacement saves what would be thrown \
                      away: at (10, 20) 93 of 100 codes at the beginning.";
        Finding::new(Verdict::table(&verdicts), reason).comparing(comparisons)
    })
    .seconds([0.0, 2.0, 20.0])
}

const COMPARED: [(usize, usize); 6] = [(4, 10), (10, 10), (10, 40), (20, 20), (20, 40), (30, 30)];

pub(super) fn faster() -> WorkItem {
    let head = ItemHead {
        id: "q2-faster",
        kind: ItemKind::Claim,
        place: "question 2, results",
        title: "Permutations converge faster",
        published: "The second distribution converges faster than the first. Published medians (1 / 2): \
                    (10, 10) 13 / 10, (20, 20) 19.5 / 14, (30, 30) 24 / 18.",
        method: "Iterations of convergence of both at six sizes, with the published count and with the \
                 right one. Given is the mean difference, first minus second.",
        command: "ludion mastermind table --law permutation --pegs 20 --colours 20 --runs 30",
    };
    let jobs = |_: RunSize| 2 * COMPARED.len() as u64;
    let measure = |context: &JobContext<'_>| -> Result<[CellRuns; 2], JobFailure> {
        let at = COMPARED[context.number as usize % COMPARED.len()];
        let at = if context.size == RunSize::Tiny { (4, 10) } else { at };
        let counting = match context.number as usize / COMPARED.len() {
            0 => WhitePegCounting::Historical,
            _ => WhitePegCounting::Right,
        };
        let runs = context.size.pick([2, 20, 100]);
        let run = |law| run_cell(context, &settings(at, law, counting), runs);
        Ok([run(DistributionKind::Independent)?, run(DistributionKind::Permutation)?])
    };
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[[CellRuns; 2]]| {
        let mean = |cell: &CellRuns| {
            let sample: Vec<f64> = cell.iterations.iter().flatten().map(|&t| f64::from(t)).collect();
            MeasuredValue::mean(&sample)
        };
        let compare = |(i, [first, second]): (usize, &[CellRuns; 2])| {
            let (n, m) = COMPARED[i % COMPARED.len()];
            let count = if i < COMPARED.len() { "published" } else { "right" };
            let gain = mean(first).difference(mean(second));
            Comparison::estimate(
                format!("iterations saved, n = {n}, m = {m}, {count} count"),
                "above 0",
                (gain, 1, ""),
                Verdict::positive(gain),
            )
        };
        let comparisons: Vec<Comparison> = found.iter().enumerate().map(compare).collect();
        let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
        let confirmed = verdicts.iter().filter(|one| **one == Verdict::Confirmed).count();
        let verdict = match verdicts.contains(&Verdict::Refuted) {
            true => Verdict::Refuted,
            false if 2 * confirmed >= verdicts.len() => Verdict::Confirmed,
            false => Verdict::InsideNoise,
        };
        let reason = "With the published count permutations save several iterations, because the wrong \
                      count hurts independent pegs most. With the right count they save fewer, and at \
                      many colours for few pegs none: independent codes are then nearly all \
                      permutations anyway.";
        Finding::new(verdict, reason).comparing(comparisons)
    })
    .seconds([0.0, 15.0, 80.0])
}

pub(super) fn times() -> WorkItem {
    let head = ItemHead {
        id: "times",
        kind: ItemKind::Table,
        place: "questions 1 to 3, time until convergence",
        title: "Seconds a run",
        published: "Mean seconds of a run in R: from 0.03 at (4, 4) to 88 at (40, 40) for independent \
                    pegs, 0.06 to 211 for permutations: the second distribution is greedier.",
        method: "Mean seconds of a run here on one thread. Other machines and languages give other \
                 seconds; compared is which distribution takes longer.",
        command: "ludion mastermind table --law permutation --pegs 40 --colours 40 --runs 10 --threads 1",
    };
    let measure = |context: &JobContext<'_>| -> Result<Vec<[f64; 2]>, JobFailure> {
        let (n, m, _) = SECONDS[context.number as usize];
        let time = |law: DistributionKind, number: u64| -> Result<f64, JobFailure> {
            let law = settings((n, m), law, WhitePegCounting::Right);
            let began = Instant::now();
            run_once(context, &law, derive_seed(context.item_seed, &[number]))?;
            Ok(began.elapsed().as_secs_f64())
        };
        let both = |number: u64| {
            Ok([
                time(DistributionKind::Independent, number)?,
                time(DistributionKind::Permutation, number)?,
            ])
        };
        (0..context.size.pick([2, 5, 20])).map(both).collect()
    };
    let jobs = |size: RunSize| size.pick([1, 5, 5]);
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[Vec<[f64; 2]>]| {
        let mut comparisons = Vec::new();
        let mut rows = Vec::new();
        for ((n, m, published), cell) in SECONDS.iter().zip(found) {
            let logs: Vec<f64> = cell.iter().map(|[first, second]| (second / first).ln()).collect();
            let mean = MeasuredValue::mean(&logs);
            let ratio = MeasuredValue {
                value: mean.value.exp(),
                low: mean.low.exp(),
                high: mean.high.exp(),
            };
            comparisons.push(Comparison::estimate(
                format!("time of permutations / independent pegs, n = {n}, m = {m}"),
                format!("{:.1}", published[1] / published[0]),
                (ratio, 2, ""),
                Verdict::positive(mean),
            ));
            let seconds = |i: usize| {
                let ours: f64 = cell.iter().map(|both| both[i]).sum::<f64>() / cell.len() as f64;
                format!("{:.2} ms / {} s", 1e3 * ours, published[i])
            };
            rows.push(vec![format!("{n}, {m}"), seconds(0), seconds(1)]);
        }
        let columns = ["n, m", "independent pegs", "permutations"].map(str::to_owned).to_vec();
        let caption = "Time of a run, here / published".to_owned();
        Finding::all(
            comparisons,
            "A code drawn without replacement has to renormalise its row for every peg, so it costs \
             more although fewer iterations are needed.",
        )
        .table(FindingTable { caption, columns, rows, verdict: None })
    })
    .clock()
    .seconds([0.0, 3.0, 10.0])
}

/// The size at which one secret is looked for with all three distributions.
const ONE_SECRET: (usize, usize) = (10, 15);

/// Outcomes of one distribution on one secret: gamma by iteration, found, codes scored.
#[derive(Serialize, Deserialize)]
struct SecretTrace {
    gammas: Vec<f64>,
    found: bool,
    counted: Option<u32>,
    answers: u64,
}

const LAWS: [&str; 4] =
    ["independent pegs", "permutations", "Mallows as published", "Mallows corrected"];

fn law(i: usize) -> DistributionKind {
    match i {
        0 => DistributionKind::Independent,
        1 => DistributionKind::Permutation,
        2 => DistributionKind::original(),
        _ => DistributionKind::corrected(),
    }
}

pub(super) fn one_secret() -> WorkItem {
    let head = ItemHead {
        id: "one-secret",
        kind: ItemKind::Exercise,
        place: "question 3, point 3",
        title: "All distributions on the same secrets",
        published: "The exercise asks to compare the third distribution with the first. The answer: it \
                    converges less quickly, less often, and is greedier.",
        method: "The same secrets of 10 pegs in 15 colours without repeats for all distributions, white \
                 pegs counted right. Compared are iterations and the codes that were scored; the figure \
                 shows gamma on the first secret.",
        command: "ludion mastermind run --pegs 10 --colours 15 --law mallows --original",
    };
    let jobs = |size: RunSize| size.pick([1, 10, 100]);
    WorkItem::measured(head, jobs, run_laws, judge_laws).seconds([0.0, 3.0, 30.0])
}

fn run_laws(context: &JobContext<'_>) -> Result<Vec<SecretTrace>, JobFailure> {
    let (n, m) = ONE_SECRET;
    let mut rng = Rng::new(context.seed());
    let mut colours: Vec<u16> = (0..m as u16).collect();
    for i in 0..n {
        let j = i + rng.below(m - i);
        colours.swap(i, j);
    }
    colours.truncate(n);
    let run = |i: usize| {
        let settings = settings(ONE_SECRET, law(i), WhitePegCounting::Right);
        let run = CrossEntropyRun::new(settings, Some(colours.clone()), context.seed());
        let trace = run.map_err(failed)?.run(false, |_| ());
        context.check_stop()?;
        Ok(SecretTrace {
            gammas: trace.steps.iter().map(|step| step.gamma).collect(),
            found: trace.outcome.found,
            counted: trace.outcome.counted(&law(i)),
            answers: trace.outcome.answers,
        })
    };
    (0..LAWS.len()).map(run).collect()
}

fn judge_laws(_: &JudgeContext<'_>, found: &[Vec<SecretTrace>]) -> Finding {
    let of = |i: usize| found.iter().filter_map(move |secret| secret.get(i));
    let found_share = |i: usize| {
        MeasuredValue::share(of(i).filter(|run| run.found).count() as u64, found.len() as u64)
    };
    let median = |i: usize| {
        let known = of(i).filter_map(|run| run.counted).map(f64::from).collect();
        Median::of(known).map_or_else(|| "–".to_owned(), |m| MeasuredValue::median(&m).text(1))
    };
    let answers =
        |i: usize| of(i).map(|run| run.answers as f64).sum::<f64>() / found.len().max(1) as f64;
    let rows = LAWS.iter().enumerate().map(|(i, name)| {
        let share = found_share(i).percent().text(0);
        vec![(*name).to_owned(), share, median(i), format!("{:.0}", answers(i))]
    });
    let gap = found_share(0).difference(found_share(2));
    let often = Comparison::estimate(
        "secrets found, first minus third as published",
        "above 0",
        (gap.percent(), 0, " points"),
        Verdict::positive(gap),
    );
    let iterations = |i: usize| {
        let known: Vec<f64> = of(i).filter_map(|run| run.counted).map(f64::from).collect();
        MeasuredValue::mean(&known)
    };
    let slower = iterations(2).difference(iterations(0));
    let quickly = Comparison::estimate(
        "iterations of the runs that found it, third minus first",
        "above 0",
        (slower, 1, ""),
        Verdict::positive(slower),
    );
    let codes = Comparison {
        published: String::new(),
        ours: format!("{:.0} against {:.0}", answers(2), answers(0)),
        verdict: Verdict::Unknowable,
        ..Comparison::exact("codes scored, third against first", 0.0, answers(2))
    };
    let series = LAWS.iter().enumerate().map(|(i, name)| ChartSeries {
        name: (*name).to_owned(),
        line: found.first().and_then(|secret| secret.get(i)).map_or_else(Vec::new, |run| {
            let points = run.gammas.iter().zip(1..);
            points.map(|(gamma, t)| ChartPoint::bare(f64::from(t), *gamma)).collect()
        }),
        ..ChartSeries::default()
    });
    let chart = Chart {
        title: "gamma by iteration, one secret".to_owned(),
        note: "10 pegs, 15 colours".to_owned(),
        x: PlotAxis::linear("iteration").unit(NumberUnit::Count),
        y: PlotAxis::linear("gamma"),
        series: series.collect(),
        ..Chart::default()
    };
    let columns = ["distribution", "found, %", "median iteration", "codes scored"];
    Finding::all(
        vec![quickly, often, codes],
        "The third distribution needs more iterations; how often it fails depends on the size (see the \
         tables), and at this one it often succeeds. In codes scored, which is what a run asks of the \
         secret, an iteration of it is cheap (N = 55 against 750): what made it greedy was the chain. \
         Corrected it asks for the fewest codes.",
    )
    .table(FindingTable {
        caption: "The same secrets for all".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        verdict: None,
    })
    .figure("gamma by iteration on the first secret", RunPicture::Chart(chart))
}
