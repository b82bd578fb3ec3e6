//! `POST /api/hextris/score`: scores solutions, given as a list in the contest's JSON or as the
//! commands of one game.

use axum::Json;
use axum::extract::State;
use ludion_hextris::{HextrisReferee, HextrisSolution, Problem, SolutionScore, problems};
use serde::{Deserialize, Serialize};

use super::{ProblemReference, read_phrases};
use crate::lab::SharedLabState;
use crate::lab::body::JsonBodyWithFiles;
use crate::lab::error::LabError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct ScoreRequest {
    /// The problem that the solutions are for. In a list, it is used for solutions with its number;
    /// the others are for built-in problems with their numbers.
    problem: ProblemReference,
    /// The seed of the game if `solutions` are plain commands; the default is the problem's first.
    seed: Option<u32>,
    /// A list of solutions in the contest's JSON, or the commands of one game.
    solutions: String,
    /// The phrases of power; the default is the contest's list.
    phrases: Option<Vec<String>>,
}

/// One solution of the answer, with its score.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::lab) struct ScoreResponse {
    problem_id: u32,
    /// The name of the built-in problem that the solution is for; `None` if it is for the problem
    /// of the request.
    problem: Option<&'static str>,
    seed: u32,
    tag: Option<String>,
    solution: String,
    verdict: SolutionScore,
    /// The error of the solution as a sentence; `None` for a valid solution.
    complaint: Option<String>,
}

/// Maximum number of solutions in one request.
const MAX_SOLUTIONS: usize = 1_000;

/// Serves `POST /api/hextris/score`.
pub(in crate::lab) async fn score(
    State(lab): State<SharedLabState>,
    JsonBodyWithFiles(request): JsonBodyWithFiles<ScoreRequest>,
) -> Result<Json<Vec<ScoreResponse>>, LabError> {
    let scored = lab.blocking(move |_| {
        let given = request.problem.read()?;
        let phrases = read_phrases(request.phrases.as_ref())?;
        let solutions = request.solutions(&given)?;
        if solutions.len() > MAX_SOLUTIONS {
            let count = solutions.len();
            return Err(LabError::Bad(format!(
                "{count} solutions; at most {MAX_SOLUTIONS} are taken"
            )));
        }
        let mut scored = Vec::new();
        for (number, solution) in solutions.into_iter().enumerate() {
            let (problem, name) = problem_of(&given, &solution, number)?;
            let verdict =
                HextrisReferee::new(&problem, &phrases).score(solution.seed, &solution.solution);
            scored.push(ScoreResponse {
                problem_id: solution.problem_id,
                problem: name,
                seed: solution.seed,
                tag: solution.tag,
                solution: solution.solution,
                complaint: verdict.error_message(),
                verdict,
            });
        }
        Ok(scored)
    });
    Ok(Json(scored.await?))
}

impl ScoreRequest {
    /// Parses the solutions; plain commands become one solution.
    fn solutions(&self, given: &Problem) -> Result<Vec<HextrisSolution>, LabError> {
        let text = self.solutions.trim_start();
        // No command begins with a bracket.
        if text.starts_with('[') {
            return HextrisSolution::list_from_json(text)
                .map_err(|error| LabError::Bad(format!("the solutions: {error}")));
        }
        let seed = self.seed.unwrap_or(given.seeds()[0]);
        let solution = self.solutions.clone();
        Ok(vec![HextrisSolution { problem_id: given.id(), seed, tag: None, solution }])
    }
}

/// Returns the problem that a solution is for: `given`, or a built-in problem with its name.
/// `number` is the index of the solution for error messages.
fn problem_of(
    given: &Problem,
    solution: &HextrisSolution,
    number: usize,
) -> Result<(Problem, Option<&'static str>), LabError> {
    if solution.problem_id == given.id() {
        return Ok((given.clone(), None));
    }
    let mut known = problems::PROBLEMS.iter().map(|named| (named.problem(), Some(named.name)));
    known.find(|(problem, _)| problem.id() == solution.problem_id).ok_or_else(|| {
        let id = solution.problem_id;
        let given = given.id();
        LabError::Bad(format!(
            "the solutions: [{number}].problemId: {id} is neither {given}, the problem that is \
             chosen, nor one of ours"
        ))
    })
}
