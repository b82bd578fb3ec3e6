//! Who is ahead in the contest whose teams are in the store, on problems of ours.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use ludion::games::hextris::problems::PROBLEMS;
use ludion_store::Counts;
use serde::{Deserialize, Serialize};

use crate::contest::{Leaderboard, rank};
use crate::lab::Shared;
use crate::lab::body::Asked;
use crate::lab::reply::Refusal;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct Which {
    counts: Option<String>,
}

#[derive(Serialize)]
pub(in crate::lab) struct Standings {
    /// Teams that there are, whether they solved anything or not.
    teams: usize,
    #[serde(flatten)]
    board: Leaderboard,
    /// The names of the problems by their numbers.
    names: BTreeMap<u32, &'static str>,
}

/// `GET /api/hextris/leaderboard`, or with `?counts=best`.
pub(in crate::lab) async fn leaderboard(
    State(running): State<Shared>,
    Asked(which): Asked<Which>,
) -> Result<Json<Standings>, Refusal> {
    let counts = match which.counts.as_deref() {
        None | Some("newest") => Counts::Newest,
        Some("best") => Counts::Best,
        Some(other) => {
            return Err(Refusal::Bad(format!("counts is {other:?}; allowed are newest and best")));
        }
    };
    let standings = running.with_store(move |_, store| {
        let problems: BTreeMap<_, _> = PROBLEMS
            .iter()
            .map(|named| (named.problem(), named.name))
            .map(|(problem, name)| (problem.id(), (problem, name)))
            .collect();
        let names = problems.iter().map(|(&id, (_, name))| (id, *name)).collect();
        let problems = problems.into_iter().map(|(id, (problem, _))| (id, problem)).collect();
        let teams = store.teams()?;
        let board = rank(&problems, &teams, &store.counting(counts)?);
        Ok(Standings { teams: teams.len(), board, names })
    });
    Ok(Json(standings.await?))
}
