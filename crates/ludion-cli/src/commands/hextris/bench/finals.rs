//! The finals of the contest: the beam solver with four lists of phrases, beside the best score of
//! the finals on each problem and list.

use std::sync::atomic::Ordering;

use ludion::games::hextris::solver::SolveMethod;
use ludion::games::hextris::{Phrases, Problem};
use serde::{Deserialize, Serialize};

use super::{HextrisBenchArgs, mean, read_scores, stopped};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::runs::interrupt;
use crate::table::figures;

/// Names of the four lists, in the order of [`FinalsScores::best`].
const LISTS: [&str; 4] = ["none", "the 18", "custom", "across locks"];

/// Returns the phrases of a list. Those of the last one can be completed only across a lock.
fn phrases(list: usize) -> Phrases {
    let custom = ["pkkpdbbd", "aaaabbbb", "aabllp", "ssseespsps", "uuuuu", "ddddd"];
    let across_locks = ["pkkpdbbd", "ssseespsps", "pb", "sd"];
    match list {
        0 => Phrases::none(),
        1 => Phrases::known(),
        2 => Phrases::new(custom).expect("valid phrases"),
        _ => Phrases::new(across_locks).expect("valid phrases"),
    }
}

/// The best scores of the finals on one problem.
#[derive(Deserialize)]
struct FinalsScores {
    id: u32,
    /// Best score with each list of phrases.
    best: [u64; LISTS.len()],
}

/// A score with one list of phrases on one problem.
#[derive(Serialize)]
struct FinalsResult {
    problem: u32,
    phrases: &'static str,
    score: u64,
    best: u64,
    ratio: f64,
    /// Points as the finals counted them: 100·(score/best)², at most 100.
    points: f64,
}

/// Mean over the problems with one list of phrases.
#[derive(Serialize)]
struct FinalsMean {
    phrases: &'static str,
    ratio: Option<f64>,
    lowest: Option<f64>,
}

#[derive(Serialize)]
struct FinalsReport {
    finals: Vec<FinalsResult>,
    means: Vec<FinalsMean>,
    /// Problems of the folder that were not in the finals, or whose best scores are not known.
    left_out: Vec<u32>,
    seconds: f64,
}

impl HextrisBenchArgs {
    /// Solves every problem of the folder that was in the finals with each list of phrases.
    pub(super) fn run_finals(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let known: Vec<FinalsScores> = read_scores(include_str!("finals.json"))?;
        let problems = self.load()?;
        let of_finals = |scores: FinalsScores| {
            let problem = problems.iter().find(|problem| problem.id() == scores.id)?;
            Some((problem, scores.best))
        };
        let rows: Vec<_> = known.into_iter().filter_map(of_finals).collect();
        if rows.is_empty() {
            let said = format!("{} holds no problem of the finals", self.problems);
            return Err(CommandFailure::Usage(said));
        }
        let solves = (LISTS.len() * rows.len()) as u64;
        let (progress, stop) = (context.progress("solves").at_most(), interrupt::flag());
        let what = format!("{} with four lists of phrases", plural(rows.len() as u64, "problem"));
        self.announce(&progress, solves, &what);
        progress.update(0, Some(solves), String::new);
        let mut results = Vec::new();
        for (list, name) in LISTS.into_iter().enumerate() {
            for (problem, best) in &rows {
                let (best, id) = (best[list], problem.id());
                let score = self.score(context, problem, &phrases(list), SolveMethod::default())?;
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let ratio = score as f64 / best as f64;
                let points = 100.0 * ratio.min(1.0).powi(2);
                results.push(FinalsResult {
                    problem: id,
                    phrases: name,
                    score,
                    best,
                    ratio,
                    points,
                });
                let done = results.len() as u64;
                progress.update(done, Some(solves), || format!("problem {id}: {score} points"));
            }
        }
        progress.finish();
        let is_whole = results.len() as u64 == solves;
        let is_known = |id: &u32| rows.iter().any(|(problem, _)| problem.id() == *id);
        let left_out = problems.iter().map(Problem::id).filter(|id| !is_known(id)).collect();
        let report = FinalsReport { left_out, ..FinalsReport::new(results, self.seconds()) };
        context.output.report(&report)?;
        if is_whole { Ok(()) } else { Err(stopped()) }
    }
}

impl FinalsReport {
    fn new(finals: Vec<FinalsResult>, seconds: f64) -> Self {
        let of_list = |phrases: &'static str| {
            let of_list = finals.iter().filter(|result| result.phrases == phrases);
            let ratios: Vec<f64> = of_list.map(|result| result.ratio).collect();
            let lowest = ratios.iter().copied().reduce(f64::min);
            FinalsMean { phrases, ratio: mean(&ratios), lowest }
        };
        let means = LISTS.map(of_list).into();
        FinalsReport { finals, means, left_out: Vec::new(), seconds }
    }
}

impl CommandReport for FinalsReport {
    fn text(&self) -> String {
        let head = ["problem", "phrases", "score", "best", "score/best", "points"];
        let row = |result: &FinalsResult| {
            vec![
                result.problem.to_string(),
                result.phrases.to_owned(),
                result.score.to_string(),
                result.best.to_string(),
                format!("{:.3}", result.ratio),
                format!("{:.1}", result.points),
            ]
        };
        let mut text = figures(&head, self.finals.iter().map(row)) + "\n";
        for FinalsMean { phrases, ratio, lowest } in &self.means {
            if let (Some(ratio), Some(lowest)) = (ratio, lowest) {
                text += &format!(
                    "{phrases}: score/best {ratio:.3} in the mean, at least {lowest:.3}\n"
                );
            }
        }
        if !self.left_out.is_empty() {
            let ids: Vec<String> = self.left_out.iter().map(u32::to_string).collect();
            text += &format!("left out, without a score of the finals: {}\n", ids.join(", "));
        }
        text
    }
}
