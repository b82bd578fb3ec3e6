//! Type-erased games, positions and players: trait objects with states and moves as text, and
//! [`GameBuilder`], which makes a type-erased entry for the registry from a typed game.
//!
//! One virtual call asks for a whole choice of a move, walk or batch of games; the code inside it
//! is compiled for the type of its game. This module knows every kind of player, but no game; games
//! use it to make their entries.

mod any;
mod batch;
mod builder;
mod decoded;
mod dyn_game;
mod dyn_value;
mod entry;
mod error;
mod game;
mod history;
mod position_player;
mod riddle;
mod shared_players;
mod translate;
mod typed_parts;

pub use any::{
    AnyCensus, AnyGame, AnyObserver, AnyOutcomeFrequency, AnyPlayer, AnyPosition, AnySolution,
    MoveListError,
};
pub use batch::{AnyBatch, BatchOutputs, IllegalActionError};
pub use builder::GameBuilder;
pub use decoded::{AnyDecodedGame, VisitDecodedGame};
pub use entry::GameEntry;
pub use error::RegistryError;
pub use history::GameHistory;
pub use position_player::{PositionPlayer, PositionRequest};
pub use riddle::{AnyRiddle, RiddleEntry};
pub use shared_players::{BuildPositionPlayer, MakeTextPlayer, NamedTextPlayer};

pub(crate) use entry::GameContext;
pub(crate) use shared_players::{SharedPlayer, SharedPlayers};
