//! Solutions in the contest's JSON format: a list of problem, seed and commands, each with an
//! optional tag.

use serde::{Deserialize, Serialize};

use super::problem::read_json;

/// Maximum length of a solution in bytes.
pub const MAX_CHARACTERS: usize = 10_000_000;

/// A solution of one game of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with problemId, seed and solution")]
pub struct HextrisSolution {
    /// Number of the problem.
    pub problem_id: u32,
    /// Seed of the game.
    pub seed: u32,
    /// Name given by the author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The commands.
    pub solution: String,
}

/// Reasons why a list of solutions is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolutionError {
    /// The text is not the expected JSON.
    #[error("{field}: {reason}")]
    Json {
        /// Path of the field, such as `[2].seed`.
        field: String,
        /// Message of the parser.
        reason: String,
    },
    /// A solution is too long.
    #[error("[{number}].solution: {length} bytes; at most {MAX_CHARACTERS} are allowed")]
    TooLong {
        /// Index in the list, from 0.
        number: usize,
        /// Its length in bytes.
        length: usize,
    },
}

impl HextrisSolution {
    /// Reads a list of solutions from JSON.
    ///
    /// # Errors
    /// Returns an error that names the solution and the field that is missing, has the wrong type
    /// or is too long.
    pub fn list_from_json(text: &str) -> Result<Vec<HextrisSolution>, SolutionError> {
        let list: Vec<HextrisSolution> = read_json(text, "solutions")
            .map_err(|(field, reason)| SolutionError::Json { field, reason })?;
        match list.iter().position(|solution| solution.solution.len() > MAX_CHARACTERS) {
            Some(number) => {
                Err(SolutionError::TooLong { number, length: list[number].solution.len() })
            }
            None => Ok(list),
        }
    }
}
