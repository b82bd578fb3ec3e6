//! Hexagonal Tetris in the laboratory: problems of ours and of anybody's, the solver at work,
//! solutions scored and replayed, the teams of the contest.
//!
//! A page that replays knows how hexagons lie and that full rows vanish, no other rule: which
//! placement every character leads to, what locks and what is spelled comes from here. A game under way is a solution that is
//! not finished; nothing is remembered between requests.

mod problem;
mod replay;
mod score;
mod solve;
mod teams;

pub(super) use problem::{problem, problems};
pub(super) use replay::replay;
pub(super) use score::score;
pub(super) use solve::solve;
pub(super) use teams::leaderboard;

use ludion::games::hextris::{Phrases, Problem, problems as ours};
use ludion::notation::nearest;
use serde::Deserialize;
use serde_json::Value;

use super::error::LabError;

/// A problem by the name of one of ours, or in the contest's JSON, as a text or as it is.
#[derive(Deserialize)]
#[serde(untagged)]
enum ProblemReference {
    Text(String),
    Json(Value),
}

impl ProblemReference {
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

/// The phrases of a request: those of the contest where nothing is said.
fn read_phrases(given: Option<&Vec<String>>) -> Result<Phrases, LabError> {
    match given {
        None => Ok(Phrases::known()),
        Some(list) => Phrases::new(list).map_err(|error| LabError::Bad(error.to_string())),
    }
}
