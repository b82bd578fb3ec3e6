//! `GET /api/hextris/leaderboard`: ranks the teams whose solutions are in the store, of built-in
//! problems and of those that were served.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use ludion_hextris::Problem;
use ludion_hextris::problems::PROBLEMS;
use ludion_store::{CountingRule, Store};
use serde::{Deserialize, Serialize};

use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;
use crate::submissions::{Leaderboard, ServedProblem, rank};

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
        let KnownProblems { problems, names } = KnownProblems::read(store)?;
        let teams = store.teams()?;
        let board = rank(&problems, &teams, &store.counted_submissions(counts)?);
        Ok(TeamsResponse { teams: teams.len(), board, names })
    });
    Ok(Json(standings.await?))
}

/// The built-in problems and those that were served, by number.
struct KnownProblems {
    problems: BTreeMap<u32, Problem>,
    /// Names of the built-in ones.
    names: BTreeMap<u32, &'static str>,
}

impl KnownProblems {
    fn read(store: &Store) -> Result<Self, LabError> {
        let (mut problems, mut names) = (BTreeMap::new(), BTreeMap::new());
        for named in PROBLEMS {
            let problem = named.problem();
            names.insert(problem.id(), named.name);
            problems.insert(problem.id(), problem);
        }
        for counted in store.submitted_problems()? {
            let served = ServedProblem::get(store, counted.problem)?;
            let Some(problem) = served.and_then(|served| Problem::new(served.problem).ok()) else {
                continue;
            };
            // A served problem may have the number of a built-in one.
            if problems.get(&problem.id()).is_some_and(|own| own.json() != problem.json()) {
                names.remove(&problem.id());
            }
            problems.insert(problem.id(), problem);
        }
        Ok(KnownProblems { problems, names })
    }
}
