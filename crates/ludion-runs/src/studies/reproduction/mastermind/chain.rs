//! Question 3: the Markov chain, its burn-in and its autocorrelation, in the form of figures 1 to 4.

use ludion_mastermind::experiment::chain::{ChainDiagnostics, ChainOptions};
use ludion_optimise::cross_entropy::mallows::{MallowsDistribution, MallowsOptions};
use ludion_players::random::{Rng, derive_seed};
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use serde::{Deserialize, Serialize};

use crate::RunPicture;
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// The sizes of figures 1 and 2.
const TRACES: [(usize, usize); 2] = [(4, 6), (40, 40)];
/// Index of the published burn-in, 250 m steps, among the numbers of steps that are measured.
const CLAIMED_MARK: usize = 3;
/// Number of steps that the figures show.
const SHOWN: usize = 2000;

/// A trace of the first four pegs, and the mean distance to x* over many chains after some steps.
#[derive(Serialize, Deserialize)]
struct BurnIn {
    traces: Vec<Vec<f64>>,
    /// Steps after which distances were taken, with the mean distance and its standard error.
    distances: Vec<(usize, Vec<f64>)>,
    /// The exact mean distance.
    exact: f64,
}

pub(super) fn burn_in() -> WorkItem {
    let head = ItemHead {
        id: "burn-in",
        kind: ItemKind::Figure,
        place: "question 3, figures 1 and 2",
        title: "Traces of the first four pegs, and the burn-in",
        published: "Figures 1 and 2 show 2000 steps of the first four coordinates at (4, 6) and (40, \
                    40); from them a burn-in of about 250 m steps is taken.",
        method: "Traces of the same chains; and many chains from random codes, whose mean distance to \
                 x* after m/4, m, 10 m and 250 m steps is compared with the exact mean of the \
                 distribution.",
        command: "ludion mastermind chain --pegs 4 --colours 6 --plot chain.svg",
    };
    let jobs = |size: RunSize| size.pick([1, 2, 2]);
    WorkItem::measured(head, jobs, run_chains, judge_burn_in).seconds([0.0, 0.0, 1.0])
}

fn run_chains(context: &JobContext<'_>) -> Result<BurnIn, JobFailure> {
    let (n, m) = TRACES[context.number as usize];
    let law = MallowsDistribution::new(n, m, MallowsOptions::original(), context.seed());
    let law = law.map_err(failed)?;
    let centre = law.centre().to_vec();
    let distance = |word: &[u16]| word.iter().zip(&centre).filter(|(a, b)| a != b).count() as f64;
    let mut rng = Rng::new(derive_seed(context.seed(), &[0]));
    let mut chain = law.chain(&mut rng);
    let mut traces = vec![Vec::new(); 4];
    for _ in 0..SHOWN {
        for (trace, colour) in traces.iter_mut().zip(chain.word()) {
            trace.push(f64::from(*colour) + 1.0);
        }
        chain.step(&mut rng);
    }
    let marks = [m.div_ceil(4), m, 10 * m, 250 * m];
    let mut distances: Vec<(usize, Vec<f64>)> = marks.map(|mark| (mark, Vec::new())).to_vec();
    for number in 0..context.size.pick([20, 1000, 10_000]) {
        context.check_stop()?;
        let mut rng = Rng::new(derive_seed(context.seed(), &[1, number]));
        let (mut chain, mut steps) = (law.chain(&mut rng), 0);
        for (mark, sample) in &mut distances {
            while steps < *mark {
                chain.step(&mut rng);
                steps += 1;
            }
            sample.push(distance(chain.word()));
        }
    }
    let exact = law.distance_distribution().iter().enumerate().map(|(d, p)| d as f64 * p).sum();
    Ok(BurnIn { traces, distances, exact })
}

fn judge_burn_in(_: &JudgeContext<'_>, found: &[BurnIn]) -> Finding {
    let mut finding = Finding::new(
        Verdict::Unknowable,
        "250 m steps are enough at both sizes: chains that began at random codes then have the exact \
         mean distance. They are more than enough; the table says after how many steps the mean is \
         already right. A trace of coordinates shows this only roughly.",
    );
    for ((n, m), chain) in TRACES.iter().zip(found) {
        for (i, (steps, sample)) in chain.distances.iter().enumerate() {
            let ours = MeasuredValue::mean(sample);
            let exact = MeasuredValue::exact(chain.exact);
            let (published, verdict) = match i {
                CLAIMED_MARK => {
                    ("that of the distribution", Verdict::figure(exact, ours, 0.0, 0.2))
                }
                _ => ("", Verdict::Unknowable),
            };
            let what = format!("mean distance to x* after {steps} steps, n = {n}, m = {m}");
            finding.comparisons.push(Comparison {
                ours: format!("{}, exact {:.3}", ours.text(3), chain.exact),
                ..Comparison::estimate(what, published, (ours, 3, ""), verdict)
            });
        }
        let series = |(i, trace): (usize, &Vec<f64>)| {
            let points = trace.iter().zip(0..);
            RunPicture::Chart(Chart {
                title: format!("coordinate {}", i + 1),
                x: PlotAxis::linear("step").unit(NumberUnit::Count),
                y: PlotAxis::linear("colour").unit(NumberUnit::Count),
                series: vec![ChartSeries {
                    line: points
                        .step_by(4)
                        .map(|(colour, t)| ChartPoint::bare(f64::from(t), *colour))
                        .collect(),
                    ..ChartSeries::default()
                }],
                ..Chart::default()
            })
        };
        let panels = chain.traces.iter().enumerate().map(series).collect();
        let title = format!("Traces, n = {n}, m = {m}");
        let picture =
            RunPicture::Panels { title: title.clone(), panels, columns: 2, size: [420, 220] };
        finding = finding.figure(title, picture);
    }
    let verdicts: Vec<Verdict> = finding.comparisons.iter().map(|one| one.verdict).collect();
    finding.verdict = Verdict::all(&verdicts);
    finding
}

/// What is kept of the diagnostics: autocorrelations of four pegs before and after thinning, and the
/// p-values of the tests of independence.
#[derive(Serialize, Deserialize)]
struct Correlograms {
    all: Vec<Vec<f64>>,
    thinned: Vec<Vec<f64>>,
    p_all: Vec<f64>,
    p_thinned: Vec<f64>,
    values: usize,
}

pub(super) fn autocorrelation() -> WorkItem {
    let head = ItemHead {
        id: "autocorrelation",
        kind: ItemKind::Figure,
        place: "question 3, figures 3 and 4",
        title: "Autocorrelograms before and after thinning",
        published: "Figures 3 and 4 show the autocorrelations of the first four coordinates at n = 10, \
                    m = 40, lambda = 1, of all steps and of every 80th: only simulations 80 apart are \
                    kept.",
        method: "The same correlograms of 80,000 steps (full: 800,000), and the Ljung-Box test of \
                 independence over 40 lags.",
        command: "ludion mastermind chain --pegs 10 --colours 40 --plot chain.svg",
    };
    let measure = |context: &JobContext<'_>| -> Result<Correlograms, JobFailure> {
        let length = context.size.pick([8000, 80_000, 800_000]);
        let options = ChainOptions { length, ..ChainOptions::new(10, 40) };
        let seen: ChainDiagnostics = options.diagnose(context.seed()).map_err(failed)?;
        let p = |test: Option<ludion_optimise::diagnostics::ChiSquaredTest>| {
            test.map_or(1.0, |test| test.p)
        };
        let pegs = &seen.coordinates;
        Ok(Correlograms {
            all: pegs.iter().map(|peg| peg.all.autocorrelation.clone()).collect(),
            thinned: pegs.iter().map(|peg| peg.thinned.autocorrelation.clone()).collect(),
            p_all: pegs.iter().map(|peg| p(peg.all.ljung_box)).collect(),
            p_thinned: pegs.iter().map(|peg| p(peg.thinned.ljung_box)).collect(),
            values: pegs.first().map_or(0, |peg| peg.thinned.values),
        })
    };
    WorkItem::measured(head, |_| 1, measure, judge_autocorrelation).seconds([0.0, 0.0, 0.5])
}

fn judge_autocorrelation(_: &JudgeContext<'_>, found: &[Correlograms]) -> Finding {
    let Some(seen) = found.first() else { return Finding::new(Verdict::Unknowable, "") };
    let mut comparisons = Vec::new();
    for (i, (all, thinned)) in seen.p_all.iter().zip(&seen.p_thinned).enumerate() {
        let peg = i + 1;
        let compare = |what: String, published: &str, p: f64, verdict| Comparison {
            ours: format!("p = {p:.4}"),
            ..Comparison::estimate(what, published, (MeasuredValue::exact(p), 4, ""), verdict)
        };
        let dependent = format!("Ljung-Box, peg {peg}, all steps");
        comparisons.push(compare(dependent, "dependent", *all, Verdict::exact(*all < 0.05)));
        let independent = format!("Ljung-Box, peg {peg}, every 80th");
        let verdict = Verdict::exact(*thinned >= 0.05);
        comparisons.push(compare(independent, "independent", *thinned, verdict));
    }
    let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
    let panel = |(i, (lags, title)): (usize, (&Vec<f64>, &str))| {
        let bars = lags.iter().zip(0..).skip(1);
        RunPicture::Chart(Chart {
            title: format!("peg {}, {title}", i % 4 + 1),
            x: PlotAxis::linear("lag").unit(NumberUnit::Count),
            y: PlotAxis::linear("autocorrelation"),
            series: vec![ChartSeries {
                points: bars.map(|(r, lag)| ChartPoint::bare(f64::from(lag), *r)).collect(),
                ..ChartSeries::default()
            }],
            level: Some(0.0),
            ..Chart::default()
        })
    };
    let all = seen.all.iter().zip(std::iter::repeat("all steps"));
    let thinned = seen.thinned.iter().zip(std::iter::repeat("every 80th"));
    let panels = all.chain(thinned).enumerate().map(panel).collect();
    let title = "Autocorrelations, n = 10, m = 40".to_owned();
    Finding::new(
        Verdict::table(&verdicts),
        format!(
            "Neighbouring steps are far from independent; whether every 80th is, the rows say. A test at \
             5 % rejects one in twenty also if all is well; here it has {} codes.",
            seen.values
        ),
    )
    .comparing(comparisons)
    .figure(
        title.clone(),
        RunPicture::Panels { title, panels, columns: 4, size: [300, 200] },
    )
}

pub(super) fn test_inside() -> WorkItem {
    let head = ItemHead {
        id: "test-inside",
        kind: ItemKind::Claim,
        place: "question 3, autocorrelations",
        title: "Testing independence within the sampler",
        published: "To integrate this test into the mechanism of proposals is very costly in time.",
        method: "",
        command: "",
    };
    WorkItem::unknowable(
        head,
        "Neither the test meant nor its cost is stated. The question does not arise with a sampler that \
         draws from the distribution directly: Ludion draws the distance first, then the pegs that \
         differ, and needs no chain.",
    )
}
