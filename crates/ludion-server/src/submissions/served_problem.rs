//! The problems that a submission server accepts, as the store keeps them: a submission has only the
//! number of its problem, and the laboratory shows it with the board and the phrases it was scored by.

use ludion_hextris::problems::{NamedProblem, PROBLEMS};
use ludion_hextris::{JsonProblem, KNOWN_PHRASES, Phrases, Problem};
use ludion_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

/// Kind of the stored values.
const KIND: &str = "hextris problem";

/// A problem of a submission server, with the phrases that its solutions are scored by.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ServedProblem {
    /// The problem in the contest's JSON.
    pub problem: JsonProblem,
    /// The phrases of power.
    pub phrases: Vec<String>,
}

impl ServedProblem {
    /// Creates the value to store.
    #[must_use]
    pub fn new(problem: &Problem, phrases: &Phrases) -> Self {
        let (problem, phrases) = (problem.json().clone(), phrases.list().to_vec());
        ServedProblem { problem, phrases }
    }

    /// Stores the problem under its number, in place of an earlier one.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn put(&self, store: &mut Store) -> Result<(), StoreError> {
        let value = serde_json::to_vec(self).expect("plain data is JSON");
        store.cache_put(KIND, &self.problem.id.to_string(), &value)
    }

    /// Returns the problem with this number that was served last, or the built-in one; `None` if there
    /// is neither.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn get(store: &Store, number: u64) -> Result<Option<Self>, StoreError> {
        let stored = store.cache_get(KIND, &number.to_string())?;
        let stored = stored.and_then(|value| serde_json::from_slice(&value).ok());
        Ok(stored.or_else(|| {
            let mut problems = PROBLEMS.iter().map(NamedProblem::problem);
            let problem = problems.find(|problem| u64::from(problem.id()) == number)?;
            let phrases = KNOWN_PHRASES.iter().map(|&phrase| phrase.to_owned()).collect();
            Some(ServedProblem { problem: problem.json().clone(), phrases })
        }))
    }
}
