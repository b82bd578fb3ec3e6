//! Solutions as the contest wrote them: a list of problem, seed and commands, each with a tag
//! of its author's choice.

use serde::{Deserialize, Serialize};

use super::problem::read_json;

/// The most characters of one solution.
pub const MAX_CHARACTERS: usize = 10_000_000;

/// One game of one problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with problemId, seed and solution")]
pub struct HextrisSolution {
    /// The number of the problem.
    pub problem_id: u32,
    /// Which of its seeds.
    pub seed: u32,
    /// What its author calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The commands.
    pub solution: String,
}

/// Why a text is no list of solutions.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolutionError {
    /// It is not the JSON that was expected.
    #[error("{field}: {reason}")]
    Json {
        /// Where, such as `[2].seed`.
        field: String,
        /// What was wrong.
        reason: String,
    },
    /// A solution that nobody could want to be read.
    #[error("[{number}].solution: {length} bytes; at most {MAX_CHARACTERS} are allowed")]
    TooLong {
        /// Its place in the list, from 0.
        number: usize,
        /// Its length.
        length: usize,
    },
}

impl HextrisSolution {
    /// Reads a list of solutions from JSON.
    ///
    /// # Errors
    /// Names the solution and its field that is missing, of the wrong type or too long.
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
