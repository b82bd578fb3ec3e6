//! Question 3: lambda, its likelihood and its choice, and the estimate of the centre x*.

use ludion_mastermind::WhitePegCounting;
use ludion_mastermind::experiment::{DistributionKind, ExperimentSettings};
use ludion_optimise::cross_entropy::mallows::{LambdaUpdate, MallowsDistribution, MallowsOptions};
use ludion_players::random::Rng;
use serde::{Deserialize, Serialize};

use super::tables::{CellRuns, run_cell};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// Values of lambda whose probability of x* is computed.
const LAMBDAS: [f64; 5] = [0.5, 1.0, 2.0, 5.0, 10.0];

pub(super) fn large() -> WorkItem {
    let head = ItemHead {
        id: "lambda-large",
        kind: ItemKind::Claim,
        place: "question 3, remark",
        title: "Large lambda: all samples are x*",
        published: "For large lambda one converges to x*, and all samples are equal to x*.",
        method: "The exact probability of x* at (10, 20) for five values of lambda.",
        command: "",
    };
    let measure = |context: &JobContext<'_>| -> Result<Vec<f64>, JobFailure> {
        let probability = |lambda: &f64| {
            let options = MallowsOptions {
                lambda: LambdaUpdate::Constant(*lambda),
                ..MallowsOptions::default()
            };
            let law = MallowsDistribution::new(10, 20, options, context.seed());
            Ok(law.map_err(failed)?.distance_distribution()[0])
        };
        LAMBDAS.iter().map(probability).collect()
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[Vec<f64>]| {
            let shares: Vec<f64> = found.concat();
            let is_rising = shares.windows(2).all(|pair| pair[0] < pair[1]);
            let holds = is_rising && shares.last().is_some_and(|last| *last > 0.95);
            let rows = LAMBDAS.iter().zip(&shares);
            let comparisons = rows.map(|(lambda, share)| {
                let published = if *lambda == 10.0 { "nearly 1" } else { "" };
                let verdict =
                    if *lambda == 10.0 { Verdict::exact(holds) } else { Verdict::Unknowable };
                let value = (MeasuredValue::exact(*share), 6, "");
                Comparison::estimate(
                    format!("probability of x*, lambda {lambda}"),
                    published,
                    value,
                    verdict,
                )
            });
            let comparisons: Vec<Comparison> = comparisons.collect();
            Finding::new(
            Verdict::exact(holds),
            "The probability of x* rises to 1 with lambda. At lambda = 1, the choice of the study, it is \
             tiny: nearly all codes differ from x* in most pegs, so the distribution searches broadly \
             and never closes in.",
        )
        .comparing(comparisons)
        },
    )
}

pub(super) fn centre() -> WorkItem {
    let head = ItemHead {
        id: "x-star",
        kind: ItemKind::Claim,
        place: "question 3, estimate of x*",
        title: "x* by the best assignment",
        published: "The x* that minimises the sum of the distances to the elite is found by taking one \
                    cell of each row and at most one of each column of the table of counts, so that \
                    their sum is greatest.",
        method: "Random elites of permutations, 4 of 6 colours: the best assignment and the least sum \
                 of distances, both by trying all 360 codes.",
        command: "",
    };
    let measure = |context: &JobContext<'_>| {
        let mut rng = Rng::new(context.seed());
        let codes = all_codes();
        let trials = context.size.pick([20, 500, 5000]);
        let equal = (0..trials).filter(|_| {
            let elite: Vec<[usize; 4]> = (0..7).map(|_| codes[rng.below(codes.len())]).collect();
            let distance = |code: &[usize; 4]| -> usize {
                elite.iter().map(|one| (0..4).filter(|&i| one[i] != code[i]).count()).sum()
            };
            let count = |code: &[usize; 4]| -> usize {
                (0..4).map(|i| elite.iter().filter(|one| one[i] == code[i]).count()).sum()
            };
            let assigned = codes.iter().max_by_key(|code| count(code)).map(distance);
            assigned == codes.iter().map(distance).min()
        });
        Ok([equal.count() as u64, trials])
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[[u64; 2]]| {
            let [equal, trials] = found.first().copied().unwrap_or_default();
            let what = format!("elites of {trials} whose assignment has the least sum");
            Finding::all(
                vec![Comparison::exact(what, trials as f64, equal as f64)],
                "The sum of the distances is the number of pegs in the elite minus the sum of the chosen \
             counts, so the greatest sum is the least distance. The estimate is right as an estimate; \
             that it moves x* so little is the subject of the corrected item below.",
            )
        },
    )
}

/// Returns all codes of four of six colours without repeats.
fn all_codes() -> Vec<[usize; 4]> {
    let mut codes = Vec::new();
    for number in 0..6_usize.pow(4) {
        let code = [number % 6, number / 6 % 6, number / 36 % 6, number / 216];
        if (1..4).all(|i| !code[..i].contains(&code[i])) {
            codes.push(code);
        }
    }
    codes
}

/// Sizes at which the normaliser is compared with a sum over all codes.
const NORMALISED: [(usize, usize); 4] = [(3, 3), (4, 4), (3, 5), (4, 7)];

/// The logarithm of the normaliser by a sum over all codes, by the published formula, and by the
/// right one.
type Normalisers = [f64; 3];

pub(super) fn normaliser() -> WorkItem {
    let head = ItemHead {
        id: "normaliser",
        kind: ItemKind::Claim,
        place: "question 3, estimate of lambda",
        title: "The normaliser of the distribution",
        published: "The constant is m! exp(−λm) Σ (exp λ − 1)^k / k!, the sum over k from 0 to m \
                    (Arrieta 2014); it is used for n pegs of m colours.",
        method: "The constant for lambda = 1 by a sum over all codes, by the published formula, and by \
                 exp(−λn) Σ C(n, k) (exp λ − 1)^k (m − k)! / (m − n)!, the sum over k from 0 to n.",
        command: "",
    };
    let measure = |_: &JobContext<'_>| -> Result<Vec<Normalisers>, JobFailure> {
        Ok(NORMALISED.iter().map(|&(n, m)| normalisers(n, m)).collect())
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[Vec<Normalisers>]| {
            let mut comparisons = Vec::new();
            for ((n, m), [exact, published, right]) in NORMALISED.iter().zip(found.iter().flatten())
            {
                let rounded = |value: f64| (1e6 * value).round() / 1e6;
                let what =
                    format!("normaliser, n = {n}, m = {m}: published formula beside the sum");
                comparisons.push(Comparison::exact(what, rounded(*published), rounded(*exact)));
                let what = format!("normaliser, n = {n}, m = {m}: formula for n of m colours");
                comparisons.push(Comparison {
                    published: String::new(),
                    verdict: Verdict::Unknowable,
                    ..Comparison::exact(what, rounded(*exact), rounded(*right))
                });
            }
            Finding::all(
                comparisons,
                "The formula holds for permutations of all m colours (n = m). With fewer pegs than colours \
             it is the constant of another distribution, so the lambda that maximises its likelihood is \
             not the one of the codes that are drawn.",
            )
        },
    )
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

/// Computes the normaliser for lambda = 1 in three ways.
fn normalisers(n: usize, m: usize) -> Normalisers {
    let e = std::f64::consts::E;
    let mut sum = 0.0;
    for number in 0..m.pow(n as u32) {
        let code: Vec<usize> = (0..n).map(|i| number / m.pow(i as u32) % m).collect();
        if (1..n).all(|i| !code[..i].contains(&code[i])) {
            let distance = code.iter().enumerate().filter(|(i, colour)| i != *colour).count();
            sum += (-(distance as f64)).exp();
        }
    }
    let power = |k: usize| (e - 1.0).powi(k as i32);
    let series: f64 = (0..=m).map(|k| power(k) / factorial(k)).sum();
    let published = factorial(m) * (-(m as f64)).exp() * series;
    let choose = |k: usize| factorial(n) / factorial(k) / factorial(n - k);
    let right: f64 =
        (0..=n).map(|k| choose(k) * power(k) * factorial(m - k) / factorial(m - n)).sum();
    [sum, published, right * (-(n as f64)).exp()]
}

/// Sizes at which the rules for lambda are compared.
const CHOICES: [(usize, usize); 4] = [(4, 6), (6, 10), (10, 10), (10, 15)];
const RULES: [&str; 3] = ["maximum likelihood", "linear growth", "constant 1"];

fn rule(i: usize) -> LambdaUpdate {
    match i {
        0 => LambdaUpdate::Likelihood { start: 1.0, max: 20.0 },
        1 => LambdaUpdate::Growing { start: 1.0, step: 0.1 },
        _ => LambdaUpdate::Constant(1.0),
    }
}

/// The runs of each rule at one size.
#[derive(Serialize, Deserialize)]
struct RuleRuns(Vec<CellRuns>);

pub(super) fn choice() -> WorkItem {
    let head = ItemHead {
        id: "lambda",
        kind: ItemKind::Claim,
        place: "question 3, estimate of lambda",
        title: "Lambda by likelihood, growing or constant",
        published: "By maximum likelihood lambda grows quickly; if y is not decoded in the first \
                    iterations, the samples are very near x* and y is not found. Also tried were linear \
                    growth and a constant. The best solution: lambda = 1.",
        method: "Runs with the three rules at four sizes, everything else as published; the likelihood \
                 is the right one, growth is 0.1 an iteration (the study does not give it). Compared is \
                 the share of secrets found.",
        command: "ludion mastermind run --pegs 6 --colours 10 --law mallows --original --lambda likelihood",
    };
    let jobs = |_: RunSize| CHOICES.len() as u64;
    WorkItem::measured(head, jobs, run_rules, judge_rules).seconds([0.0, 1.5, 8.0])
}

fn run_rules(context: &JobContext<'_>) -> Result<RuleRuns, JobFailure> {
    let (n, m) = CHOICES[context.number as usize];
    let run = |i: usize| {
        let options = MallowsOptions { lambda: rule(i), ..MallowsOptions::original() };
        let law = ExperimentSettings {
            counting: WhitePegCounting::Historical,
            ..ExperimentSettings::new(n, m, DistributionKind::Mallows(options))
        };
        run_cell(context, &law, context.size.pick([1, 30, 200]))
    };
    Ok(RuleRuns((0..RULES.len()).map(run).collect::<Result<_, _>>()?))
}

fn judge_rules(_: &JudgeContext<'_>, found: &[RuleRuns]) -> Finding {
    let share = |cells: &[&CellRuns]| {
        let runs: usize = cells.iter().map(|cell| cell.found.len()).sum();
        let wrong: u64 = cells.iter().map(|cell| cell.wrong()).sum();
        MeasuredValue::share(runs as u64 - wrong, runs as u64)
    };
    let total = |i: usize| share(&found.iter().map(|one| &one.0[i]).collect::<Vec<_>>());
    let totals = [total(0), total(1), total(2)];
    let comparisons = RULES.iter().zip(totals).enumerate().map(|(i, (name, total))| {
        let (published, verdict) = match i {
            2 => ("the best", Verdict::optimum(2, &totals)),
            _ => ("", Verdict::Unknowable),
        };
        Comparison::share(format!("secrets found, {name}"), published, total, verdict)
    });
    let comparisons: Vec<Comparison> = comparisons.collect();
    let row = |(i, name): (usize, &&str)| {
        let mut row = vec![(*name).to_owned()];
        row.extend(found.iter().map(|one| share(&[&one.0[i]]).percent().text(0)));
        row
    };
    let mut columns = vec!["lambda".to_owned()];
    columns.extend(CHOICES.iter().take(found.len()).map(|(n, m)| format!("n = {n}, m = {m}")));
    Finding::new(
        comparisons[2].verdict,
        "A lambda that grows draws the codes to x* before x* is right. Constant 1 keeps the search \
         broad; it finds the secret more often than the others where the verdict says so.",
    )
    .comparing(comparisons)
    .table(FindingTable {
        caption: "Secrets found in per cent".to_owned(),
        columns,
        rows: RULES.iter().enumerate().map(row).collect(),
        verdict: None,
    })
}
