//! `GET /api/hextris/leaderboard`: ranks the teams whose solutions of built-in problems are in the
//! store.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use ludion_hextris::problems::PROBLEMS;
use ludion_store::CountingRule;
use serde::{Deserialize, Serialize};

use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;
use crate::submissions::{Leaderboard, rank};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct TeamsQuery {
    /// Which solution of a team counts: `newest` (the default) or `best`.
    counts: Option<String>,
}

#[derive(Serialize)]
pub(in crate::lab) struct TeamsResponse {
    /// Number of teams in the store, those without a solution included.
    teams: usize,
    #[serde(flatten)]
    board: Leaderboard,
    /// Names of the problems by number.
    names: BTreeMap<u32, &'static str>,
}

/// Serves `GET /api/hextris/leaderboard`.
pub(in crate::lab) async fn leaderboard(
    State(lab): State<SharedLabState>,
    QueryParameters(which): QueryParameters<TeamsQuery>,
) -> Result<Json<TeamsResponse>, LabError> {
    let counts = match which.counts.as_deref() {
        None | Some("newest") => CountingRule::Newest,
        Some("best") => CountingRule::Best,
        Some(other) => {
            return Err(LabError::Bad(format!("counts is {other:?}; allowed are newest and best")));
        }
    };
    let standings = lab.with_store(move |_, store| {
        let problems: BTreeMap<_, _> = PROBLEMS
            .iter()
            .map(|named| (named.problem(), named.name))
            .map(|(problem, name)| (problem.id(), (problem, name)))
            .collect();
        let names = problems.iter().map(|(&id, (_, name))| (id, *name)).collect();
        let problems = problems.into_iter().map(|(id, (problem, _))| (id, problem)).collect();
        let teams = store.teams()?;
        let board = rank(&problems, &teams, &store.counted_submissions(counts)?);
        Ok(TeamsResponse { teams: teams.len(), board, names })
    });
    Ok(Json(standings.await?))
}
