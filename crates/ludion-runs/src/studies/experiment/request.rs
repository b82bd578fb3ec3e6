//! What a user asks of the experiment.

use serde::Deserialize;

use super::ExperimentSettings;
use crate::RunError;

/// An experiment that a user asks for.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExperimentRequest {
    /// The number of random games to learn from; 50000 by default, 2000 where it is quick.
    pub games: Option<u64>,
    /// The number of games against each opponent; 1000 by default, 100 where it is quick.
    pub matches: Option<u64>,
    /// The number of epochs of a training, at most; 30 by default, 5 where it is quick.
    pub epochs: Option<u32>,
    /// The widths of the hidden layers.
    pub layers: Option<Vec<usize>>,
    /// Whether the default sizes are small.
    pub quick: bool,
    /// The file of the patterns; by default the model that comes with the game.
    pub patterns: Option<String>,
}

/// The default widths of the hidden layers.
const LAYERS: [usize; 4] = [64, 64, 32, 16];
/// The most random games, and the most games of a match.
const MAX_GAMES: u64 = 10_000_000;

impl ExperimentRequest {
    pub(super) fn settings(self, seed: u64) -> Result<ExperimentSettings, RunError> {
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
        Ok(ExperimentSettings {
            games,
            pairs: matches / 2,
            epochs,
            layers: self.layers.unwrap_or_else(|| LAYERS.to_vec()),
            patterns: self.patterns,
            seed,
        })
    }
}
