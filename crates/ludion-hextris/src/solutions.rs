//! Solutions in the contest's JSON format: a list of objects with the number of a problem, a seed,
//! the commands and an optional tag.

use serde::{Deserialize, Serialize};

use super::problem::read_json;

/// Maximum length of a solution in bytes.
pub const MAX_CHARACTERS: usize = 10_000_000;

/// A solution of one game of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with problemId, seed and solution")]
pub struct HextrisSolution {
    /// Number of the problem that is solved.
    pub problem_id: u32,
    /// Seed of the game.
    pub seed: u32,
    /// Name that the author gave to the solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The commands of the whole game, one character each.
    pub solution: String,
}

/// Reasons why a list of solutions is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolutionError {
    /// The text is not JSON of the expected structure.
    #[error("{field}: {reason}")]
    Json {
        /// Path of the field, such as `[2].seed`.
        field: String,
        /// Error message of the JSON parser.
        reason: String,
    },
    /// A solution has more than [`MAX_CHARACTERS`] bytes.
    #[error("[{number}].solution: {length} bytes; at most {MAX_CHARACTERS} are allowed")]
    TooLong {
        /// Index of the solution in the list, from 0.
        number: usize,
        /// Length of the solution in bytes.
        length: usize,
    },
}

impl HextrisSolution {
    /// Reads a list of solutions from text in the contest's JSON format.
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
