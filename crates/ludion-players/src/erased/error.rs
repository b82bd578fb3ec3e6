//! Errors of specs whose game, player or riddle is unknown or cannot be used.

use crate::notation::{nearest, quoted_excerpt};
use crate::param::{ParamError, did_you_mean};

/// Reasons why no game, player, riddle or referee can be built from a spec.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RegistryError {
    /// No game, player or riddle has the name in the spec.
    #[error(
        "no {what} is called {}{}; there are {known}",
        quoted_excerpt(name),
        did_you_mean(meant)
    )]
    Unknown {
        /// What was looked for: `game`, `player` or `riddle`.
        what: &'static str,
        /// The unknown name, as written.
        name: String,
        /// Known names similar to the unknown one, most similar first.
        meant: Vec<String>,
        /// All known names, separated by commas.
        known: String,
    },
    /// The name in the spec is that of a riddle, and a game was looked for.
    #[error("{name} is a riddle with a secret to guess, not a game with moves; games are {known}")]
    IsRiddle {
        /// The name of the riddle.
        name: String,
        /// The names of all games, separated by commas.
        known: String,
    },
    /// The spec does not parse or its parameters are wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The player plays only games for two sides, and the game is a puzzle.
    #[error("{player} plays duels only, and {game} is a puzzle for one; for it there are {known}")]
    DuelsOnly {
        /// The name of the player.
        player: String,
        /// The spec of the game.
        game: String,
        /// The names of the players of the game, separated by commas.
        known: String,
    },
    /// A referee for two players was requested, and the game is a puzzle for one.
    #[error("{game} is a puzzle for one, and a match needs a game for two")]
    NoOpponent {
        /// The spec of the game.
        game: String,
    },
}

impl RegistryError {
    /// Returns the error for a name that is not one of `known`; `what` is `game`, `player` or
    /// `riddle`.
    pub(crate) fn unknown(what: &'static str, name: &str, known: &[&str]) -> Self {
        RegistryError::Unknown {
            what,
            name: name.to_owned(),
            meant: nearest(name, known.iter().copied()).into_iter().map(str::to_owned).collect(),
            known: known.join(", "),
        }
    }
}
