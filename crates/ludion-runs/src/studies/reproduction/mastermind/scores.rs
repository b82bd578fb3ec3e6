//! The score of a code, and the first results of the web application.

use ludion_mastermind::experiment::{
    CrossEntropyRun, DistributionKind, DistributionSummary, ExperimentSettings,
};
use ludion_mastermind::{SecretPegCounter, WhitePegCounting};
use ludion_players::random::derive_seed;

use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem, failed};

/// A name, guess, secret (colours from 1), white pegs by the rules, and by the program of the study.
type PegExample = (&'static str, [u16; 4], [u16; 4], u32, u32);

const EXAMPLES: [PegExample; 3] = [
    ("1122 against 3314", [1, 1, 2, 2], [3, 3, 1, 4], 1, 2),
    ("1 2 3 4 against 10 11 12 13", [1, 2, 3, 4], [10, 11, 12, 13], 0, 3),
    ("1234 against 4321", [1, 2, 3, 4], [4, 3, 2, 1], 4, 4),
];

/// White pegs by both counts, for each example.
type WhitePegs = Vec<[u32; 2]>;

pub(super) fn counting() -> WorkItem {
    let head = ItemHead {
        id: "white-pegs",
        kind: ItemKind::Claim,
        place: "question 1, the score",
        title: "How white pegs are counted",
        published: "The score is (2 · black + white) / 2n. White pegs are balls of the right colour in \
                    the wrong place. The program searches for the number of a colour in the text of the \
                    other pegs.",
        method: "Both counts on three pairs of codes; the right one gives a colour as many pegs as both \
                 codes have of it.",
        command: "",
    };
    let measure = |_: &JobContext<'_>| -> Result<WhitePegs, JobFailure> {
        let count = |(_, guess, secret, _, _): &PegExample| {
            let zero_based = |code: &[u16; 4]| code.map(|colour| colour - 1);
            let whites = |counting| {
                let counter = SecretPegCounter::new(&zero_based(secret), 20, counting);
                u32::from(counter.feedback(&zero_based(guess)).white)
            };
            [whites(WhitePegCounting::Right), whites(WhitePegCounting::Historical)]
        };
        Ok(EXAMPLES.iter().map(count).collect())
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[WhitePegs]| {
            let mut comparisons = Vec::new();
            for ((name, _, _, right, published), [ours, theirs]) in
                EXAMPLES.iter().zip(found.iter().flatten())
            {
                let what = format!("white pegs, {name}");
                let rules = Comparison {
                    published: format!("{theirs} by the program"),
                    ours: format!("{ours} by the rules"),
                    ..Comparison::exact(what, f64::from(*theirs), f64::from(*ours))
                };
                debug_assert_eq!((ours, theirs), (right, published));
                comparisons.push(rules);
            }
            Finding::all(
                comparisons,
                "The formula is right and the program does not compute it: a colour that the guess has \
             twice finds the same peg twice, and the 1 of the guess is found in 10, 11 and 12. The \
             mistake is kept here under the name *historical*, to repeat the tables.",
            )
        },
    )
}

/// The published figures of one run at iteration 4: min, max_min, max, min_max.
const PUBLISHED: [(&str, f64); 4] =
    [("min", 0.0045), ("max_min", 0.0254), ("max", 0.7688), ("min_max", 0.4577)];

/// A run: convergence, stop, and the four figures of P at iteration 4 if gamma is 1 there first.
#[derive(serde::Serialize, serde::Deserialize)]
struct FirstRun {
    convergence: Option<u32>,
    stop: Option<u32>,
    at_four: Option<[f64; 4]>,
}

pub(super) fn first_results() -> WorkItem {
    let head = ItemHead {
        id: "first-results",
        kind: ItemKind::Figure,
        place: "question 1, first results (screen of the application)",
        title: "One run with 4 pegs and 6 colours",
        published: "Convergence at iteration 9, stop at iteration 4; at iteration 4 gamma 1, min 0.0045, \
                    max_min 0.0254, max 0.7688, min_max 0.4577 of P. N = 120, rho 0.1, alpha 0.7, d = 5.",
        method: "Many runs of the same size; given is the range of 95 % of them. The figures of P are \
                 those of the runs that stop at iteration 4, of the distribution that its codes are \
                 drawn from: 0.0045 is 0.3³/6, what three updates leave of 1/6.",
        command: "ludion mastermind run --pegs 4 --colours 6",
    };
    let measure = |context: &JobContext<'_>| -> Result<Vec<FirstRun>, JobFailure> {
        let run = |number: u64| -> Result<FirstRun, JobFailure> {
            let settings = ExperimentSettings {
                counting: WhitePegCounting::Historical,
                ..ExperimentSettings::new(4, 6, DistributionKind::Independent)
            };
            let seed = derive_seed(context.seed(), &[number]);
            let trace = CrossEntropyRun::new(settings, None, seed).map_err(failed)?;
            let trace = trace.run(false, |_| ());
            // The application shows the distribution from which the codes of the iteration are drawn.
            let step = trace.steps.get(2).filter(|_| trace.outcome.stop == Some(4));
            let at_four = step.and_then(|step| match &step.summary {
                DistributionSummary::Rows(rows) => {
                    Some([rows.min, rows.max_min, rows.max, rows.min_max])
                }
                DistributionSummary::Mallows(_) => None,
            });
            let outcome = trace.outcome;
            Ok(FirstRun { convergence: outcome.convergence, stop: outcome.stop, at_four })
        };
        (0..context.size.pick([20, 1000, 10_000])).map(run).collect()
    };
    WorkItem::measured(head, |_| 1, measure, judge_first).seconds([0.0, 0.0, 0.5])
}

/// Returns the range of 95 % of a sample and whether it has the published value.
fn in_range(what: &str, published: f64, mut sample: Vec<f64>, decimals: usize) -> Comparison {
    sample.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = ((sample.len() as f64 - 1.0) * share).round() as usize;
        sample.get(place).copied().unwrap_or(f64::NAN)
    };
    let range = MeasuredValue { value: at(0.5), low: at(0.025), high: at(0.975) };
    let verdict = match sample.is_empty() {
        true => Verdict::Unknowable,
        // Published figures are rounded to this many decimals.
        false => {
            let rounding = 0.5 * 0.1_f64.powi(decimals as i32);
            let ends = range.low - rounding..=range.high + rounding;
            Verdict::exact(ends.contains(&published))
        }
    };
    Comparison {
        ours: format!(
            "median {:.decimals$}, 95 % from {:.decimals$} to {:.decimals$}",
            range.value, range.low, range.high
        ),
        ..Comparison::estimate(what, published.to_string(), (range, decimals, ""), verdict)
    }
}

fn judge_first(_: &JudgeContext<'_>, found: &[Vec<FirstRun>]) -> Finding {
    let runs: Vec<&FirstRun> = found.iter().flatten().collect();
    let of = |figure: fn(&FirstRun) -> Option<u32>| {
        runs.iter().filter_map(|run| figure(run)).map(f64::from).collect::<Vec<f64>>()
    };
    let mut comparisons = vec![
        in_range("iteration of convergence", 9.0, of(|run| run.convergence), 0),
        in_range("iteration of stop", 4.0, of(|run| run.stop), 0),
    ];
    comparisons.extend(PUBLISHED.iter().enumerate().map(|(i, (name, published))| {
        let sample = runs.iter().filter_map(|run| run.at_four).map(|four| four[i]).collect();
        in_range(&format!("{name} of P at iteration 4"), *published, sample, 4)
    }));
    let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
    let reason = "One run cannot be repeated without its seed; it is compared with the range that 95 % \
                  of runs fall into.";
    Finding::new(Verdict::table(&verdicts), reason).comparing(comparisons)
}
