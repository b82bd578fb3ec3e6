//! Section 3.e: the scores of the solver, and what its features are worth.

use ludion_hextris::solver::baseline::{self, BaselineWeights};
use ludion_hextris::{HextrisReferee, Phrases, Problem};
use serde::{Deserialize, Serialize};

use super::published::CONTEST;
use super::{SLOTS, job_problems};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, RunSize, WorkItem};

/// Number of games of a problem that are played.
pub(super) fn seeds(size: RunSize) -> usize {
    size.pick([1, 2, usize::MAX])
}

/// Mean scores over the games of a problem: all points, and those of phrases.
pub(super) fn play(
    context: &JobContext<'_>,
    problem: &Problem,
    weights: &BaselineWeights,
) -> Result<[f64; 2], JobFailure> {
    let phrases = Phrases::known();
    let referee = HextrisReferee::new(problem, &phrases);
    let (mut sums, mut games) = ([0.0; 2], 0.0);
    for &seed in problem.seeds().iter().take(seeds(context.size)) {
        let stop = || context.check_stop().is_err();
        let commands = baseline::continue_game((problem, &phrases, seed), "", weights, &stop);
        context.check_stop()?;
        let score = referee.score(seed, &commands);
        sums[0] += score.score as f64;
        sums[1] += score.power_score as f64;
        games += 1.0;
    }
    Ok(sums.map(|sum| sum / games))
}

/// Scores of the solver on a problem with the default weights and with those tuned for the contest.
#[derive(Serialize, Deserialize)]
struct ProblemScores {
    name: String,
    id: u32,
    default: [f64; 2],
    tuned: [f64; 2],
    /// Whether all games of the problem were played.
    complete: bool,
}

/// The weights that the authors tuned for the contest.
const TUNED: [f64; 6] = [7.0, 7.0, 1.0, 4.0, 4.0, 4.0];

pub(super) fn scores() -> WorkItem {
    let head = ItemHead {
        id: "scores",
        kind: ItemKind::Exercise,
        place: "section 3.e",
        title: "The solver on all problems",
        published: "The report gives no scores. Those of the team on the contest's 25 problems are known \
                    from the contest.",
        method: "The solver with the default weights and with the ones tuned for the contest (7, 7, 1, \
                 4, 4, 4). On the contest's problems (`--problems FOLDER`) the scores are compared; quick \
                 runs play two games of a problem and leave out large ones, full runs play all games.",
        command: "ludion hextris bench --problems icfp2015 -t 20",
    };
    let measure = |context: &JobContext<'_>| -> Result<Vec<ProblemScores>, JobFailure> {
        let tuned = BaselineWeights::from_values(TUNED);
        let score = |(name, problem): (String, Problem)| {
            Ok(ProblemScores {
                id: problem.id(),
                default: play(context, &problem, &BaselineWeights::default())?,
                tuned: play(context, &problem, &tuned)?,
                complete: problem.seeds().len() <= seeds(context.size),
                name,
            })
        };
        job_problems(context).into_iter().map(score).collect()
    };
    WorkItem::measured(head, |_| SLOTS, measure, judge_scores).seconds([0.0, 1.0, 6.0])
}

fn judge_scores(context: &JudgeContext<'_>, found: &[Vec<ProblemScores>]) -> Finding {
    let mut scores: Vec<&ProblemScores> = found.iter().flatten().collect();
    scores.sort_by_key(|one| one.id);
    let row = |one: &&ProblemScores| {
        let whole = |value: f64| format!("{value:.0}");
        vec![
            one.name.clone(),
            whole(one.default[0]),
            whole(one.default[1]),
            whole(one.tuned[0]),
            whole(one.tuned[1]),
        ]
    };
    let columns = ["problem", "default", "of it phrases", "tuned", "of it phrases"];
    let table = FindingTable {
        caption: "Mean points of a game".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: scores.iter().map(row).collect(),
        verdict: None,
    };
    if context.problems.is_empty() {
        let reason = "These problems are Ludion's own, so there is nothing to compare with; the contest's \
                      are not part of Ludion. With them, twelve of 25 scores are exactly those of the \
                      team (see docs/hextris.md).";
        return Finding::new(Verdict::Unknowable, reason).table(table);
    }
    let compare = |one: &&ProblemScores| {
        let (_, team, _) = CONTEST.iter().find(|(id, ..)| *id == one.id)?;
        let ratio = one.tuned[0].floor() / *team as f64;
        let verdict = match one.complete {
            true => Verdict::exact((ratio - 1.0).abs() <= 0.01),
            false => Verdict::Unknowable,
        };
        Some(Comparison {
            ours: format!("{:.0}, ratio {ratio:.2}", one.tuned[0].floor()),
            verdict,
            ..Comparison::exact(format!("problem {}", one.id), *team as f64, one.tuned[0].floor())
        })
    };
    let comparisons: Vec<Comparison> = scores.iter().filter_map(compare).collect();
    let judged: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
    let confirmed = judged.iter().filter(|one| **one == Verdict::Confirmed).count();
    let refuted = judged.iter().filter(|one| **one == Verdict::Refuted).count();
    let verdict = match (confirmed, refuted) {
        (0, 0) => Verdict::Unknowable,
        (yes, no) if yes >= no => Verdict::Confirmed,
        _ => Verdict::Refuted,
    };
    let reason = "A score within one per cent of the team's counts as the same. Where ours is higher, the \
                  problem is large or has many games, and the team's program ran out of time.";
    Finding::new(verdict, reason).comparing(comparisons).table(table)
}

/// The features, as the report names them, with the index of their weight.
const FEATURES: [(&str, usize); 5] = [
    ("height of the board (rise)", 0),
    ("depth of the lock", 1),
    ("enclosed and empty cells around the unit", 2),
    ("full rows", 3),
    ("phrases used", 4),
];

/// Logarithms of score with a feature / score without it, for each feature.
type FeatureRatios = Vec<[f64; 5]>;

pub(super) fn indicators() -> WorkItem {
    let head = ItemHead {
        id: "indicators",
        kind: ItemKind::Claim,
        place: "section 3.e",
        title: "What the features are worth",
        published: "Features to minimise or maximise: the height of the board, the height above the \
                    piece, full rows, trapped cells, empty cells beside the piece in its lowest row \
                    (without it pieces lay at random along the lowest row), and phrases.",
        method: "The solver without one of its weights. Given is the geometric mean over problems of the \
                 score with all weights divided by that without this one, so a number above 1 says that \
                 the feature helps.",
        command: "ludion hextris solve -f tetrahexes --solver baseline -t 2",
    };
    let measure = |context: &JobContext<'_>| -> Result<FeatureRatios, JobFailure> {
        let ratios = |(_, problem): (String, Problem)| {
            let all = BaselineWeights::default();
            let base = play(context, &problem, &all)?[0].max(1.0);
            let mut logs = [0.0; 5];
            for (log, (_, index)) in logs.iter_mut().zip(FEATURES) {
                let mut values = all.values();
                values[index] = 0.0;
                let without = play(context, &problem, &BaselineWeights::from_values(values))?[0];
                *log = (base / without.max(1.0)).ln();
            }
            Ok(logs)
        };
        job_problems(context).into_iter().map(ratios).collect()
    };
    WorkItem::measured(head, |_| SLOTS, measure, |_: &JudgeContext<'_>, found: &[FeatureRatios]| {
        let problems: Vec<&[f64; 5]> = found.iter().flatten().collect();
        let compare = |(i, (name, _)): (usize, &(&str, usize))| {
            let logs: Vec<f64> = problems.iter().map(|logs| logs[i]).collect();
            let mean = MeasuredValue::mean(&logs);
            let ratio = MeasuredValue {
                value: mean.value.exp(),
                low: mean.low.exp(),
                high: mean.high.exp(),
            };
            Comparison::estimate(*name, "above 1", (ratio, 2, ""), Verdict::positive(mean))
        };
        let comparisons: Vec<Comparison> = FEATURES.iter().enumerate().map(compare).collect();
        Finding::all(
            comparisons,
            "Each feature is judged by itself over all problems of the run. A feature whose interval \
             includes 1 helps on some boards and harms on others. The sixth weight of the report, for \
             connected components, is computed nowhere in its program.",
        )
    })
    .seconds([0.0, 3.0, 20.0])
}
