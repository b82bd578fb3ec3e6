//! Errors of names: of games, players and riddles.

use crate::notation::nearest;
use crate::param::{ParamError, did_you_mean};

/// Reasons why a spec gives no game, player, riddle or match.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RegistryError {
    /// The name is unknown.
    #[error("no {what} is called {name:?}{}; there are {known}", did_you_mean(meant))]
    Unknown {
        /// `game`, `player` or `riddle`.
        what: &'static str,
        /// What was written.
        name: String,
        /// The names nearest to it.
        meant: Vec<String>,
        /// All names, with commas between.
        known: String,
    },
    /// The parameters are wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The player plays duels, and the game is a puzzle.
    #[error("{player} plays duels only, and {game} is a puzzle for one; for it there are {known}")]
    DuelsOnly {
        /// The player.
        player: String,
        /// The game.
        game: String,
        /// Players of the game, with commas between.
        known: String,
    },
    /// The player plays games of men alone, and the game is none.
    #[error(
        "{player} is not for {game}: it plays games of men alone on 32 squares, as checkers by the \
         simple rules is; for {game} there are {known}"
    )]
    MenOnly {
        /// The player.
        player: String,
        /// The game.
        game: String,
        /// Players of the game, with commas between.
        known: String,
    },
    /// A match was asked for, and the game is a puzzle.
    #[error("{game} is a puzzle for one, and a match needs a game for two")]
    NoOpponent {
        /// The game.
        game: String,
    },
}

impl RegistryError {
    /// Returns the error for a name that is none of `known`.
    pub(crate) fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        RegistryError::Unknown {
            what,
            name: name.to_owned(),
            meant: nearest(name, known.clone()).into_iter().map(str::to_owned).collect(),
            known: known.collect::<Vec<_>>().join(", "),
        }
    }
}
