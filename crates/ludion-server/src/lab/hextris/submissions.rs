//! Everybody's submissions, read from the store: `GET /api/hextris/submissions` lists the problems
//! that have some, `GET /api/hextris/submissions/{problem}` ranks those of one problem, and
//! `GET /api/hextris/solutions/{id}` returns one with its commands. Tokens are not read.

use std::collections::{HashMap, HashSet};

use axum::Json;
use axum::extract::State;
use ludion_hextris::problems::PROBLEMS;
use ludion_hextris::{JsonProblem, Problem, ProblemSummary};
use ludion_store::{CountingRule, Store, Submission, SubmittedProblem, TeamId};
use serde::Serialize;

use crate::lab::SharedLabState;
use crate::lab::error::LabError;
use crate::lab::runs::paths::{ProblemPath, SubmissionPath};
use crate::submissions::ServedProblem;

/// Maximum number of submissions in an answer; worse ones are left out.
const MAX_LISTED: u32 = 1_000;

/// A problem with submissions.
#[derive(Serialize)]
pub(in crate::lab) struct SubmittedProblemResponse {
    #[serde(flatten)]
    counts: SubmittedProblem,
    /// The name of a built-in problem.
    name: Option<&'static str>,
    /// Whether the problem itself is known, so that its solutions can be replayed.
    known: bool,
}

/// Serves `GET /api/hextris/submissions`.
pub(in crate::lab) async fn submitted_problems(
    State(lab): State<SharedLabState>,
) -> Result<Json<Vec<SubmittedProblemResponse>>, LabError> {
    let listed = lab.with_store(|_, store| {
        let mut listed = Vec::new();
        for counts in store.submitted_problems()? {
            let served = ServedProblem::get(store, counts.problem)?;
            let name = served.as_ref().and_then(|served| name_of(&served.problem));
            listed.push(SubmittedProblemResponse { counts, name, known: served.is_some() });
        }
        Ok(listed)
    });
    Ok(Json(listed.await?))
}

/// Returns the name of a problem if it is a built-in one.
fn name_of(problem: &JsonProblem) -> Option<&'static str> {
    let mut named = PROBLEMS.iter().map(|named| (named.name, named.problem()));
    named.find(|(_, own)| own.json() == problem).map(|(name, _)| name)
}

/// The submissions of one problem, the best first.
#[derive(Serialize)]
pub(in crate::lab) struct SubmissionsResponse {
    /// The name of a built-in problem.
    name: Option<&'static str>,
    /// The problem in the contest's JSON; `None` if only its number is known.
    problem: Option<JsonProblem>,
    about: Option<ProblemSummary>,
    /// The phrases of power that solutions were scored by.
    phrases: Vec<String>,
    submissions: Vec<ListedSubmission>,
    /// Number of submissions that are not listed.
    left_out: u64,
}

/// A submission without its commands.
#[derive(Serialize)]
pub(in crate::lab) struct ListedSubmission {
    id: i64,
    team: TeamId,
    /// Name of the team.
    name: String,
    created: String,
    problem: u64,
    seed: u64,
    tag: Option<String>,
    /// The score; absent until the solution is scored.
    score: Option<u64>,
    /// The part of the score that phrases gave.
    power: Option<u64>,
    status: Option<String>,
    /// Whether the submission counts for its team and seed: it is the newest.
    newest: bool,
}

/// Serves `GET /api/hextris/submissions/{problem}`.
pub(in crate::lab) async fn submissions(
    State(lab): State<SharedLabState>,
    ProblemPath(number): ProblemPath,
) -> Result<Json<SubmissionsResponse>, LabError> {
    let found = lab.with_store(move |_, store| {
        let all = store.submitted_problems()?;
        let count = all.iter().find(|one| one.problem == number).map_or(0, |one| one.submissions);
        let served = ServedProblem::get(store, number)?;
        if served.is_none() && count == 0 {
            return Err(LabError::Unknown(format!("there is no problem {number}")));
        }
        let names: HashMap<TeamId, String> =
            store.teams()?.into_iter().map(|team| (team.id, team.name)).collect();
        let best = store.best_submissions(number, MAX_LISTED)?;
        let newest = newest_submissions(store)?;
        let submissions: Vec<ListedSubmission> =
            best.into_iter().map(|one| listed(one, &names, &newest)).collect();
        let left_out = count.saturating_sub(submissions.len() as u64);
        let name = served.as_ref().and_then(|served| name_of(&served.problem));
        let (problem, phrases) = served.map(|one| (one.problem, one.phrases)).unzip();
        let about = problem.clone().and_then(|json| Problem::new(json).ok());
        let about = about.map(|problem| problem.summary());
        let phrases = phrases.unwrap_or_default();
        Ok(SubmissionsResponse { name, problem, about, phrases, submissions, left_out })
    });
    Ok(Json(found.await?))
}

/// Returns the numbers of the newest submissions of every team, problem and seed.
fn newest_submissions(store: &Store) -> Result<HashSet<i64>, LabError> {
    let newest = store.counted_submissions(CountingRule::Newest)?;
    Ok(newest.into_iter().map(|one| one.id).collect())
}

fn listed(
    one: Submission,
    names: &HashMap<TeamId, String>,
    newest: &HashSet<i64>,
) -> ListedSubmission {
    let scored = one.scored.as_ref();
    ListedSubmission {
        id: one.id,
        team: one.team,
        name: names.get(&one.team).cloned().unwrap_or_else(|| format!("team {}", one.team)),
        created: one.created,
        problem: one.problem,
        seed: one.seed,
        tag: one.tag,
        score: scored.map(|scored| scored.score),
        power: scored.map(|scored| scored.power),
        status: scored.map(|scored| scored.status.clone()),
        newest: newest.contains(&one.id),
    }
}

/// A submission with its commands.
#[derive(Serialize)]
pub(in crate::lab) struct SubmissionResponse {
    #[serde(flatten)]
    about: ListedSubmission,
    solution: String,
}

/// Serves `GET /api/hextris/solutions/{id}`.
pub(in crate::lab) async fn submission(
    State(lab): State<SharedLabState>,
    SubmissionPath(id): SubmissionPath,
) -> Result<Json<SubmissionResponse>, LabError> {
    let found = lab.with_store(move |_, store| {
        let found = store.submission(id)?;
        let one = found.ok_or_else(|| LabError::Unknown(format!("there is no submission {id}")))?;
        let names = HashMap::from([(one.team, store.team(one.team)?.name)]);
        let (solution, newest) = (one.solution.clone(), newest_submissions(store)?);
        Ok(SubmissionResponse { about: listed(one, &names, &newest), solution })
    });
    Ok(Json(found.await?))
}
