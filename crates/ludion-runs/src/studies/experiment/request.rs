//! Request for the checkers experiment, with its defaults and limits.

use serde::Deserialize;

use super::CheckersExperimentSettings;
use crate::RunError;

/// Request for a checkers experiment.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckersExperimentRequest {
    /// Number of random games to learn from; by default 50000, or 2000 if `quick`.
    pub games: Option<u64>,
    /// Number of games of each match; by default 1000, or 100 if `quick`.
    pub matches: Option<u64>,
    /// Maximum number of epochs of a training; by default 30, or 5 if `quick`.
    pub epochs: Option<u32>,
    /// Widths of the hidden layers; by default 64, 64, 32 and 16.
    pub layers: Option<Vec<usize>>,
    /// Whether the defaults of the other fields are those of a small, quick experiment.
    pub quick: bool,
    /// Model file of the player `patterns`; by default the model that comes with the game.
    pub patterns: Option<String>,
}

/// The default widths of the hidden layers.
const LAYERS: [usize; 4] = [64, 64, 32, 16];
/// Maximum of `games` and of `matches`.
const MAX_GAMES: u64 = 10_000_000;

impl CheckersExperimentRequest {
    pub(super) fn settings(self, seed: u64) -> Result<CheckersExperimentSettings, RunError> {
        let size = |given: Option<u64>, quick, usual| {
            given.unwrap_or(if self.quick { quick } else { usual })
        };
        let games = size(self.games, 2000, 50_000);
        let matches = size(self.matches, 100, 1000);
        let epochs = size(self.epochs.map(u64::from), 5, 30) as u32;
        for (name, value, low) in [("games", games, 10), ("matches", matches, 2)] {
            if !(low..=MAX_GAMES).contains(&value) {
                return Err(RunError::Wrong(format!(
                    "{name} = {value} is not allowed; {name} is {low} to {MAX_GAMES}"
                )));
            }
        }
        if !matches.is_multiple_of(2) {
            return Err(RunError::Wrong(format!(
                "--matches {matches} is odd; seats are swapped, so it must be even"
            )));
        }
        Ok(CheckersExperimentSettings {
            games,
            pairs: matches / 2,
            epochs,
            layers: self.layers.unwrap_or_else(|| LAYERS.to_vec()),
            patterns: self.patterns,
            argmin: true,
            seed,
            files: Vec::new(),
        })
    }
}
