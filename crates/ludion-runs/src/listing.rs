//! Games and riddles of the registry as data, as the command line and the laboratory list them.

use ludion_players::param::Param;
use ludion_players::registry::{GameEntry, RiddleEntry};
use serde::Serialize;

/// Description of a registered game, for lists of games.
#[derive(Serialize, Clone, Debug)]
pub struct GameDescription {
    /// Name of the game.
    pub name: String,
    /// One sentence about the game.
    pub help: String,
    /// Whether the game is for one player.
    pub puzzle: bool,
    /// Parameters of the rules that a spec of the game can set.
    pub params: Vec<Param>,
    /// Specs of the game with parameters, as examples for users.
    pub examples: Vec<String>,
    /// Names of the players that can play the game.
    pub players: Vec<String>,
}

impl From<&GameEntry> for GameDescription {
    fn from(entry: &GameEntry) -> Self {
        GameDescription {
            name: entry.name.to_string(),
            help: entry.help.to_string(),
            puzzle: entry.puzzle,
            params: entry.params.to_vec(),
            examples: entry.examples.iter().map(ToString::to_string).collect(),
            players: entry.players().iter().map(|player| player.name.to_string()).collect(),
        }
    }
}

/// Description of a registered riddle, for lists of riddles.
#[derive(Serialize, Clone, Debug)]
pub struct RiddleDescription {
    /// Name of the riddle.
    pub name: String,
    /// One sentence about the riddle.
    pub help: String,
    /// Parameters of the rules that a spec of the riddle can set.
    pub params: Vec<Param>,
    /// Specs of the riddle with parameters, as examples for users.
    pub examples: Vec<String>,
}

impl From<&RiddleEntry> for RiddleDescription {
    fn from(entry: &RiddleEntry) -> Self {
        RiddleDescription {
            name: entry.name.to_string(),
            help: entry.help.to_string(),
            params: entry.params.to_vec(),
            examples: entry.examples.iter().map(ToString::to_string).collect(),
        }
    }
}
