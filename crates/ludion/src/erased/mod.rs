//! Games, positions and players behind trait objects, with states and moves as text, and
//! [`GameBuilder`], which makes such an entry from a typed game.
//!
//! Types are erased at the edge of a decision: one virtual call asks for a whole choice, walk or
//! batch of games, and inside it everything is compiled for its game. This module knows every
//! kind of player, but no game; games use it to offer their entries.

mod any;
mod archived;
mod builder;
mod entry;
mod error;
mod history;
mod position_player;
mod riddle;
mod shared_players;
mod translate;
mod typed;

pub use any::{
    AnyCensus, AnyGame, AnyObserver, AnyOutcomeCount, AnyPlayer, AnyPosition, AnySolution,
    MoveListError,
};
pub use archived::{AnyArchivedGame, VisitArchivedGame};
pub use builder::GameBuilder;
pub use entry::GameEntry;
pub use error::RegistryError;
pub use history::GameHistory;
pub use position_player::{PositionPlayer, PositionRequest};
pub use riddle::{AnyRiddle, RiddleEntry};
pub use shared_players::{BuildPositionPlayer, MakeTextPlayer, NamedTextPlayer};

pub(crate) use entry::GameContext;
pub(crate) use shared_players::{SharedPlayer, SharedPlayers};
