//! `ludion hextris score`: scores solutions exactly as the contest did.

use std::collections::HashMap;

use clap::Args;
use ludion::games::hextris::{HextrisReferee, SolutionScore, SolutionStatus};
use serde::Serialize;

use super::input::{HextrisInputArgs, LoadedInput};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint};
use crate::table::figures;

/// Score solutions as the contest did
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris score --problem well solutions.json
  ludion hextris score --problem problem_0.json --problem problem_1.json solutions.json
  ludion hextris score --problem problem_*.json -p ei! -p \"ia! ia!\" - --json

The score of a problem is the mean over all its seeds, rounded down; a seed without a
solution counts 0, of several solutions for one seed the last counts.")]
pub(super) struct ScoreArgs {
    #[command(flatten)]
    input: HextrisInputArgs,
}

/// Scores of the solutions in the order of the file.
#[derive(Serialize)]
#[serde(transparent)]
struct ScoreReport {
    scored: Vec<ScoredSolution>,
    #[serde(skip)]
    problem_scores: Vec<ProblemScore>,
}

#[derive(Serialize)]
struct ScoredSolution {
    #[serde(rename = "problemId")]
    problem: u32,
    seed: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(flatten)]
    verdict: SolutionScore,
    /// Score of the whole problem: the mean over its seeds, where a seed without a solution in the
    /// file counts 0.
    problem_score: u64,
}

/// Score of a problem: the mean over its seeds, where a seed without a solution counts 0.
struct ProblemScore {
    problem: u32,
    score: u64,
    /// Number of seeds for which there is a solution.
    played: usize,
    seeds: usize,
}

impl ScoreArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let loaded = self.input.load()?;
        let verdicts = loaded.solutions.iter().map(|solution| {
            let referee = HextrisReferee::new(loaded.problem(solution), &loaded.phrases);
            referee.score(solution.seed, &solution.solution)
        });
        let verdicts: Vec<SolutionScore> = verdicts.collect();
        let problem_scores = problem_scores(&loaded, &verdicts);
        let of_problem: HashMap<u32, u64> =
            problem_scores.iter().map(|mean| (mean.problem, mean.score)).collect();
        let scored =
            loaded.solutions.iter().zip(verdicts).map(|(solution, verdict)| ScoredSolution {
                problem: solution.problem_id,
                seed: solution.seed,
                tag: solution.tag.clone(),
                verdict,
                problem_score: of_problem[&solution.problem_id],
            });
        context.output.report(&ScoreReport { scored: scored.collect(), problem_scores })
    }
}

fn problem_scores(loaded: &LoadedInput, verdicts: &[SolutionScore]) -> Vec<ProblemScore> {
    let scores: HashMap<(u32, u32), u64> = loaded
        .solutions
        .iter()
        .zip(verdicts)
        .map(|(solution, verdict)| ((solution.problem_id, solution.seed), verdict.score))
        .collect();
    let mean = |problem: &ludion::games::hextris::Problem| {
        let score = |seed| scores.get(&(problem.id(), seed)).copied();
        ProblemScore {
            problem: problem.id(),
            score: problem.mean(|seed| score(seed).unwrap_or(0)),
            played: problem.seeds().iter().filter(|&&seed| score(seed).is_some()).count(),
            seeds: problem.seeds().len(),
        }
    };
    loaded.problems.iter().map(mean).collect()
}

impl CommandReport for ScoreReport {
    fn text(&self) -> String {
        let head = ["problem", "seed", "status", "score", "moves", "power", "lines", "locked"];
        let row = |scored: &ScoredSolution| {
            let v = &scored.verdict;
            let figures = [v.score, v.move_score, v.power_score, v.lines, v.locked as u64];
            let mut row = vec![scored.problem.to_string(), scored.seed.to_string()];
            row.push(v.status.name().to_owned());
            row.extend(figures.iter().map(u64::to_string));
            row
        };
        let mut text = figures(&head, self.scored.iter().map(row));
        for (number, scored) in self.scored.iter().enumerate() {
            text += &remarks(number + 1, scored);
        }
        text += "\n";
        for ProblemScore { problem, score, played, seeds } in &self.problem_scores {
            let loud = paint(LOUD, &score.to_string());
            let games = paint(QUIET, &format!("  {played} of {seeds} seeds played"));
            text += &format!("problem {problem}: {loud}{games}\n");
        }
        text
    }
}

/// Describes the spelled phrases of a solution, or its error.
fn remarks(number: usize, scored: &ScoredSolution) -> String {
    let verdict = &scored.verdict;
    let mut text = String::new();
    if verdict.status == SolutionStatus::UnknownSeed {
        text += &format!("{number}. the problem has no seed {}\n", scored.seed);
    } else if let Some(complaint) = verdict.error_message() {
        text += &format!("{number}. {complaint}\n");
    }
    let phrases: Vec<String> = verdict
        .phrases
        .iter()
        .map(|power| format!("{:?} x{} = {}", power.phrase, power.count, power.power))
        .collect();
    if !phrases.is_empty() {
        text += &format!("{number}. {}\n", paint(QUIET, &phrases.join(", ")));
    }
    text
}
