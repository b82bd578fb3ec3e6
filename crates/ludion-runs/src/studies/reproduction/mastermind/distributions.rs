//! Comparisons between the distributions: how permutations are drawn, iterations, and the same secrets
//! for all three.

use ludion_mastermind::WhitePegCounting;
use ludion_mastermind::experiment::{CrossEntropyRun, DistributionKind, Median};
use ludion_players::random::Rng;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use serde::{Deserialize, Serialize};

use super::tables::{CellRuns, run_cell, settings};
use crate::RunPicture;
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

const DRAWN: [(usize, usize); 4] = [(4, 6), (4, 40), (6, 10), (10, 20)];

/// Codes drawn and, of them, permutations: with the column k set to 0, and with the column of the
/// colour that was drawn.
type DrawnPermutations = [u64; 3];

pub(super) fn drawing() -> WorkItem {
    let head = ItemHead {
        id: "q2-drawing",
        kind: ItemKind::Claim,
        place: "question 2, adaptation",
        title: "Drawing without replacement, as it is written",
        published: "After peg k the matrix P is changed: *its column k* is set to 0 and the rows are \
                    normalised; then the next peg is drawn from its row. The codes are drawn without \
                    replacement.",
        method: "Codes from uniform rows, drawn by this text and with the column of the colour that was \
                 drawn set to 0 instead. Counted are codes without a repeated colour.",
        command: "",
    };
    let measure = |context: &JobContext<'_>| -> Result<DrawnPermutations, JobFailure> {
        let (n, m) = DRAWN[context.number as usize];
        let mut rng = Rng::new(context.seed());
        let drawn = context.size.pick([1000, 100_000, 1_000_000]);
        let mut count = |by_colour: bool| {
            let codes = (0..drawn).filter(|_| is_drawn_without_repeat(n, m, by_colour, &mut rng));
            codes.count() as u64
        };
        Ok([drawn, count(false), count(true)])
    };
    let jobs = |_: RunSize| DRAWN.len() as u64;
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[DrawnPermutations]| {
        let mut comparisons = Vec::new();
        for ((n, m), [drawn, as_written, by_colour]) in DRAWN.iter().zip(found) {
            let what = format!("codes without a repeated colour, column k, n = {n}, m = {m}");
            let (ours, all) = (MeasuredValue::share(*as_written, *drawn), as_written == drawn);
            comparisons.push(Comparison::share(what, "all", ours, Verdict::exact(all)));
            let what = format!("the same, column of the colour drawn, n = {n}, m = {m}");
            let ours = MeasuredValue::share(*by_colour, *drawn);
            comparisons.push(Comparison::share(what, "", ours, Verdict::Unknowable));
        }
        Finding::all(
            comparisons,
            "A slip of the pen: the column to leave out is that of the colour just drawn. The column of \
             the peg is another colour, which then cannot be drawn although it is free, while the drawn \
             one can be drawn again. The published results are those of drawing without replacement \
             (see below), so the program does not have the slip.",
        )
    })
}

/// Draws a code from uniform rows, after each peg leaving out one column: that of the colour drawn or
/// that with the number of the peg. Returns whether no colour occurs twice.
fn is_drawn_without_repeat(n: usize, m: usize, by_colour: bool, rng: &mut Rng) -> bool {
    let mut free: Vec<usize> = (0..m).collect();
    let mut code = Vec::with_capacity(n);
    for peg in 0..n {
        let colour = free[rng.below(free.len())];
        let left_out = if by_colour { colour } else { peg };
        free.retain(|column| *column != left_out);
        if code.contains(&colour) {
            return false;
        }
        code.push(colour);
    }
    true
}

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
        method: "The share of uniform codes that repeat a colour, exact and drawn; and wrong runs of the \
                 method of question 1 with such codes discarded.",
        command: "ludion mastermind run --pegs 6 --colours 10 --law discarding",
    };
    let jobs = |_: RunSize| DRAWN.len() as u64;
    WorkItem::measured(head, jobs, discard_codes, judge_discarding).seconds([0.0, 0.0, 0.5])
}

fn discard_codes(context: &JobContext<'_>) -> Result<DiscardedCodes, JobFailure> {
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
}

fn judge_discarding(_: &JudgeContext<'_>, found: &[DiscardedCodes]) -> Finding {
    let mut comparisons = Vec::new();
    for ((n, m), cell) in DRAWN.iter().zip(found) {
        let exact: f64 = 1.0 - (0..*n).map(|k| (m - k) as f64 / *m as f64).product::<f64>();
        let ours = MeasuredValue::share(cell.drawn - cell.permutations, cell.drawn);
        let what = format!("codes that are no permutations, n = {n}, m = {m}");
        comparisons.push(Comparison {
            ours: format!("{} %, exact {:.2}", ours.percent().text(1), 100.0 * exact),
            ..Comparison::share(what, "many", ours, Verdict::positive(ours.minus(0.5)))
        });
        let wrong = cell.discarding.wrong();
        let what = format!("wrong runs by discarding, n = {n}, m = {m}");
        comparisons.push(Comparison {
            published: "0, the estimate is valid".to_owned(),
            ours: format!("{wrong} of {}", cell.discarding.found.len()),
            ..Comparison::exact(what, 0.0, wrong as f64)
        });
    }
    let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
    let reason = "*Many* is read as more than half. The estimate counts colours in the elite and asks \
                  nothing of how the codes were drawn, so it is valid; and drawing without \
                  replacement saves what would be thrown away, at (10, 20) 93 of 100 codes at the \
                  beginning. With few pegs in many colours little is saved.";
    Finding::new(Verdict::table(&verdicts), reason).comparing(comparisons)
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
                 right one. Given is the mean difference, first minus second. The verdict is about the \
                 published count.",
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
        let mean = |cell: &CellRuns| MeasuredValue::mean(&cell.known_iterations());
        let compare = |(i, [first, second]): (usize, &[CellRuns; 2])| {
            let (n, m) = COMPARED[i % COMPARED.len()];
            let gain = mean(first).difference(mean(second));
            let (count, published, verdict) = match i < COMPARED.len() {
                true => ("published", "above 0", Verdict::positive(gain)),
                false => ("right", "", Verdict::Unknowable),
            };
            let what = format!("iterations saved, n = {n}, m = {m}, {count} count");
            Comparison::estimate(what, published, (gain, 1, ""), verdict)
        };
        let comparisons: Vec<Comparison> = found.iter().enumerate().map(compare).collect();
        let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
        let reason = "With the published count permutations save several iterations, because the wrong \
                      count hurts independent pegs most. With the right count they save fewer, and at \
                      many colours for few pegs none: independent codes are then nearly all \
                      permutations anyway.";
        Finding::new(Verdict::table(&verdicts), reason).comparing(comparisons)
    })
    .seconds([0.0, 3.0, 15.0])
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
    WorkItem::measured(head, jobs, run_laws, judge_laws).seconds([0.0, 0.0, 0.5])
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

/// The runs of all distributions on the same secrets.
struct LawRuns<'a>(&'a [Vec<SecretTrace>]);

impl LawRuns<'_> {
    fn of(&self, law: usize) -> impl Iterator<Item = &SecretTrace> {
        self.0.iter().filter_map(move |secret| secret.get(law))
    }

    fn found_share(&self, law: usize) -> MeasuredValue {
        let found = self.of(law).filter(|run| run.found).count();
        MeasuredValue::share(found as u64, self.0.len() as u64)
    }

    fn iterations(&self, law: usize) -> Vec<f64> {
        self.of(law).filter_map(|run| run.counted).map(f64::from).collect()
    }

    /// Returns the mean number of codes that were scored.
    fn answers(&self, law: usize) -> f64 {
        self.of(law).map(|run| run.answers as f64).sum::<f64>() / self.0.len().max(1) as f64
    }

    fn table(&self) -> FindingTable {
        let row = |(i, name): (usize, &&str)| {
            let median = Median::of(self.iterations(i));
            let median = median.map(|median| MeasuredValue::median(&median).text(1));
            vec![
                (*name).to_owned(),
                self.found_share(i).percent().text(0),
                median.unwrap_or_else(|| "–".to_owned()),
                format!("{:.0}", self.answers(i)),
            ]
        };
        let columns = ["distribution", "found, %", "median iteration", "codes scored"];
        FindingTable {
            caption: "The same secrets for all".to_owned(),
            columns: columns.map(str::to_owned).to_vec(),
            rows: LAWS.iter().enumerate().map(row).collect(),
            verdict: None,
        }
    }

    /// Draws gamma by iteration on the first secret.
    fn chart(&self) -> Chart {
        let line = |run: &SecretTrace| {
            let points = run.gammas.iter().zip(1..);
            points.map(|(gamma, t)| ChartPoint::bare(f64::from(t), *gamma)).collect()
        };
        let series = |(i, name): (usize, &&str)| ChartSeries {
            name: (*name).to_owned(),
            line: self.of(i).next().map_or_else(Vec::new, line),
            ..ChartSeries::default()
        };
        Chart {
            title: "gamma by iteration, one secret".to_owned(),
            note: "10 pegs, 15 colours".to_owned(),
            x: PlotAxis::linear("iteration").unit(NumberUnit::Count),
            y: PlotAxis::linear("gamma"),
            series: LAWS.iter().enumerate().map(series).collect(),
            ..Chart::default()
        }
    }
}

fn judge_laws(_: &JudgeContext<'_>, found: &[Vec<SecretTrace>]) -> Finding {
    let runs = LawRuns(found);
    let mean = |law: usize| MeasuredValue::mean(&runs.iterations(law));
    let slower = mean(2).difference(mean(0));
    let quickly = Comparison::estimate(
        "iterations of the runs that found it, third minus first",
        "above 0",
        (slower, 1, ""),
        Verdict::positive(slower),
    );
    let gap = runs.found_share(0).difference(runs.found_share(2));
    let often = Comparison::estimate(
        "secrets found, first minus third as published",
        "above 0",
        (gap.percent(), 0, " points"),
        Verdict::positive(gap),
    );
    let codes = Comparison {
        published: String::new(),
        ours: format!("{:.0} against {:.0}", runs.answers(2), runs.answers(0)),
        verdict: Verdict::Unknowable,
        ..Comparison::exact("codes scored, third against first", 0.0, runs.answers(2))
    };
    Finding::all(
        vec![quickly, often, codes],
        "The third distribution needs more iterations; how often it fails depends on the size (see the \
         tables), and at this one it often succeeds. In codes scored, which is what a run asks of the \
         secret, an iteration of it is cheap (N = 55 against 750): what made it greedy was the chain. \
         Corrected it asks for the fewest codes.",
    )
    .table(runs.table())
    .figure("gamma by iteration on the first secret", RunPicture::Chart(runs.chart()))
}
