//! Games and riddles of the registry as data, as the command line and the laboratory list them.

use ludion::param::Param;
use ludion::registry::{GameEntry, RiddleEntry};
use serde::Serialize;

/// A game of the registry.
#[derive(Serialize, Clone, Debug)]
pub struct ListedGame {
    /// The name.
    pub name: String,
    /// What the game is, in one sentence.
    pub help: String,
    /// Whether it is for one player.
    pub puzzle: bool,
    /// The parameters of the rules.
    pub params: Vec<Param>,
    /// Specs that show the parameters.
    pub examples: Vec<String>,
    /// The names of its players.
    pub players: Vec<String>,
}

impl From<&GameEntry> for ListedGame {
    fn from(entry: &GameEntry) -> Self {
        ListedGame {
            name: entry.name.to_string(),
            help: entry.help.to_string(),
            puzzle: entry.puzzle,
            params: entry.params.to_vec(),
            examples: entry.examples.iter().map(ToString::to_string).collect(),
            players: entry.players().iter().map(|player| player.name.to_string()).collect(),
        }
    }
}

/// A riddle of the registry.
#[derive(Serialize, Clone, Debug)]
pub struct ListedRiddle {
    /// The name.
    pub name: String,
    /// What the riddle is, in one sentence.
    pub help: String,
    /// The parameters of the rules.
    pub params: Vec<Param>,
    /// Specs that show the parameters.
    pub examples: Vec<String>,
}

impl From<&RiddleEntry> for ListedRiddle {
    fn from(entry: &RiddleEntry) -> Self {
        ListedRiddle {
            name: entry.name.to_string(),
            help: entry.help.to_string(),
            params: entry.params.to_vec(),
            examples: entry.examples.iter().map(ToString::to_string).collect(),
        }
    }
}
