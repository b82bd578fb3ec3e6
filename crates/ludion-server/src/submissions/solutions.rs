//! Submitting solutions and reading them back.

use std::collections::HashSet;
use std::time::Instant;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use ludion_players::plain_words::plain_message;
use ludion_store::{NewSolution, Submission, TeamId};
use serde::{Deserialize, Serialize};

use super::error::SubmissionError;
use super::{SharedSubmissionState, SubmissionState, auth, judge};
use crate::connections::BodyTimeout;

/// A solution in the body of a request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with problemId, seed and solution")]
struct SubmittedSolution {
    problem_id: u64,
    seed: u64,
    tag: Option<String>,
    solution: String,
}

/// A solution in a response.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedSolution {
    team_id: TeamId,
    /// Number of the team again: the contest distinguished team and author, this server does not.
    author_id: TeamId,
    created_at: String,
    problem_id: u64,
    seed: u64,
    /// The score; absent until the solution is scored.
    score: Option<u64>,
    /// Bit mask of the phrases of power that the solution contains: bit n is phrase n of the
    /// server's list. Absent until the solution is scored.
    power_score: Option<u64>,
    /// The referee's verdict in a word or two; absent until the solution is scored.
    status: Option<String>,
    solution: String,
    tag: Option<String>,
}

impl From<Submission> for ListedSolution {
    fn from(one: Submission) -> Self {
        let scored = one.scored;
        ListedSolution {
            team_id: one.team,
            author_id: one.team,
            created_at: one.created,
            problem_id: one.problem,
            seed: one.seed,
            score: scored.as_ref().map(|scored| scored.score),
            power_score: scored.as_ref().map(|scored| scored.phrases),
            status: scored.map(|scored| scored.status),
            solution: one.solution,
            tag: one.tag,
        }
    }
}

/// Serves `GET /teams/ID/solutions`: all solutions of a team.
pub(super) async fn list(
    State(server): State<SharedSubmissionState>,
    Path(team): Path<TeamId>,
    headers: HeaderMap,
) -> Result<Json<Vec<ListedSolution>>, SubmissionError> {
    let token = auth::token_of(&headers);
    let found = server.with_store(move |_, store| {
        auth::check(store, team, token.as_ref())?;
        Ok(store.submissions(team)?)
    });
    Ok(Json(found.await?.into_iter().map(ListedSolution::from).collect()))
}

/// Serves `POST /teams/ID/solutions`: stores solutions. The answer is `created`, as that of the
/// contest's server; clients that accept JSON get the solutions with their scores.
pub(super) async fn submit(
    State(server): State<SharedSubmissionState>,
    Path(team): Path<TeamId>,
    request: Request,
) -> Result<Response, SubmissionError> {
    let headers = request.headers().clone();
    let token = auth::token_of(&headers);
    server.with_store(move |_, store| auth::check(store, team, token.as_ref())).await?;
    server.rates.take(team, Instant::now()).map_err(SubmissionError::TooMany)?;
    // The body is read after the token, so that only teams can make the server keep bytes.
    let body = Bytes::from_request(request, &server).await;
    let body = body.map_err(|error| refusal(error, server.limits.body_bytes))?;
    let solutions = read(&server, &body)?;
    let stored = server.with_store(move |server, store| {
        Ok(store.submit_within(team, &solutions, server.limits.team_bytes)?)
    });
    let numbers = stored.await?;
    let json = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    if !json.is_some_and(|accepted| accepted.contains("application/json")) {
        judge::score_in_background(&server);
        return Ok((StatusCode::CREATED, "created").into_response());
    }
    let shared = std::sync::Arc::clone(&server);
    let judged = tokio::task::spawn_blocking(move || judge::score_all(&shared)).await;
    judged.map_err(|_| SubmissionError::Internal)??;
    let first = numbers.first().copied().unwrap_or(i64::MAX);
    let found = server.with_store(move |_, store| Ok(store.submissions_from(team, first)?)).await?;
    let created =
        found.into_iter().filter(|one| numbers.contains(&one.id)).map(ListedSolution::from);
    Ok((StatusCode::CREATED, Json(created.collect::<Vec<_>>())).into_response())
}

/// Converts the rejection of a body to an error; `most` is the maximum size of the body in bytes.
fn refusal(error: BytesRejection, most: usize) -> SubmissionError {
    if let Some(BodyTimeout(time)) = BodyTimeout::cause_of(&error) {
        return SubmissionError::TooSlow(time);
    }
    match error.into_response().status() {
        StatusCode::PAYLOAD_TOO_LARGE => SubmissionError::TooLarge(most),
        _ => SubmissionError::Bad("the request broke off".to_owned()),
    }
}

/// Returns the error of a body that is no list of solutions.
fn unreadable(why: &str) -> SubmissionError {
    SubmissionError::Bad(format!("this is no list of solutions: {}", plain_message(why)))
}

/// Parses and checks the solutions of a request.
fn read(server: &SubmissionState, body: &[u8]) -> Result<Vec<NewSolution>, SubmissionError> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let submitted: Vec<SubmittedSolution> = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| unreadable(&error.to_string()))?;
    json.end().map_err(|error| unreadable(&error.to_string()))?;
    let most = server.limits.solutions;
    if submitted.is_empty() || submitted.len() > most {
        let count = submitted.len();
        return Err(SubmissionError::Bad(format!("{count} solutions; a request has 1 to {most}")));
    }
    let mut seen = HashSet::new();
    let mut solutions = Vec::with_capacity(submitted.len());
    for (i, one) in submitted.into_iter().enumerate() {
        let at = |problem: String| SubmissionError::Bad(format!("solution {}: {problem}", i + 1));
        check(server, &one).map_err(at)?;
        let SubmittedSolution { problem_id: problem, seed, tag, solution } = one;
        if !seen.insert((problem, seed)) {
            return Err(at(format!("problem {problem}, seed {seed} is in this request twice")));
        }
        solutions.push(NewSolution { problem, seed, tag, solution });
    }
    Ok(solutions)
}

/// Rejects a solution of an unknown problem or seed, or one that is too long.
fn check(server: &SubmissionState, one: &SubmittedSolution) -> Result<(), String> {
    let limits = server.limits;
    let SubmittedSolution { problem_id: number, seed, .. } = one;
    let problem = u32::try_from(*number).ok().and_then(|number| server.problems.get(&number));
    let problem = problem.ok_or_else(|| format!("there is no problem {number} here"))?;
    if !problem.seeds().iter().any(|known| u64::from(*known) == *seed) {
        return Err(format!("problem {number} has no seed {seed}"));
    }
    let characters = one.solution.chars().count();
    if characters > limits.characters {
        return Err(format!("{characters} characters; at most {} are taken", limits.characters));
    }
    let tag = one.tag.as_ref().map_or(0, |tag| tag.chars().count());
    if tag > limits.tag {
        return Err(format!("a tag of {tag} characters; at most {} are taken", limits.tag));
    }
    Ok(())
}
