//! Hexagonal Tetris in the laboratory: problems, solver, scoring, replay, the submissions in the store
//! and their leaderboard.
//!
//! The page that replays a solution knows the layout of the hexagons and that full rows vanish, but
//! no other rule: the server computes the placement after every character, the locks and the
//! spelled phrases. A game in progress is an unfinished solution; the server stores nothing between
//! requests.

mod placements;
mod problem;
mod replay;
mod score;
mod solve;
mod submissions;
mod team_admin;
mod teams;

pub(super) use placements::placements;
pub(super) use problem::{problem, problems};
pub(super) use replay::replay;
pub(super) use score::score;
pub(super) use solve::solve;
pub(super) use submissions::{submission, submissions, submitted_problems};
pub(super) use team_admin::{add_team, remove_team, renew_token, teams as listed_teams};
pub(super) use teams::leaderboard;

use ludion_hextris::{Phrases, Problem, problems as ours};
use ludion_players::notation::nearest;
use serde::Deserialize;
use serde_json::Value;

use super::error::LabError;

/// The problem of a request: the name of a built-in one, or a problem in the contest's JSON, as a
/// string or an object.
#[derive(Deserialize)]
#[serde(untagged)]
enum ProblemReference {
    Text(String),
    Json(Value),
}

impl ProblemReference {
    /// Returns the problem, found by name or parsed.
    fn read(&self) -> Result<Problem, LabError> {
        let text = match self {
            ProblemReference::Text(text) if text.trim_start().starts_with('{') => text.clone(),
            ProblemReference::Text(name) => {
                let named = ours::find(name).ok_or_else(|| unknown(name))?;
                return Ok(named.problem());
            }
            ProblemReference::Json(json) => json.to_string(),
        };
        Problem::from_json(&text).map_err(|error| LabError::Bad(format!("the problem: {error}")))
    }
}

/// Returns the error of a name that no built-in problem has, with similar names.
fn unknown(name: &str) -> LabError {
    let names = ours::PROBLEMS.iter().map(|named| named.name);
    let known: Vec<&str> = names.clone().collect();
    let meant = match &nearest(name, names)[..] {
        [] => String::new(),
        near => format!(", did you mean {}?", near.join(" or ")),
    };
    let known = known.join(", ");
    LabError::Unknown(format!("no problem is called {name:?}{meant}; there are {known}"))
}

/// Parses the phrases of a request; the default is the contest's list.
fn read_phrases(given: Option<&Vec<String>>) -> Result<Phrases, LabError> {
    match given {
        None => Ok(Phrases::known()),
        Some(list) => Phrases::new(list).map_err(|error| LabError::Bad(error.to_string())),
    }
}
