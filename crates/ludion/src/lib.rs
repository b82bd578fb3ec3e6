//! Ludion: a laboratory for players of games.
//!
//! The rules of a game are an implementation of the trait [`game::Game`], in one file. Every such
//! game can be played, searched, counted and drawn. [`registry::Registry`] builds all games and
//! players by name.
//!
//! ```
//! use ludion::registry::Registry;
//! let registry = Registry::standard();
//! let game = registry.game("matches(5, misere)").unwrap();
//! let mut position = game.start();
//! position.play("1").unwrap();
//! assert_eq!(position.show(), "4 second");
//! assert_eq!(position.moves(), ["1", "2", "3"]);
//! ```
//!
//! The library opens no files and no sockets. It reads the clock only to keep a time budget and to
//! report how long a choice took.

#[doc(inline)]
pub use ludion_core::{
    assets, evaluator, game, grid, laws, men, named, notation, outcome, param, player, random,
    riddle, scene, solution, spec, threads, timer,
};
#[doc(inline)]
pub use ludion_optimise as optimise;

use ludion_core::aliases;

pub mod archive;
pub mod arena;
pub mod erased;
pub mod games;
pub mod learn;
#[doc(hidden)]
pub mod listing;
pub mod players;
pub mod registry;
pub mod riddles;
pub mod search;
#[doc(hidden)]
pub mod shelf;

/// Includes the README, so that the documentation tests compile and run its code.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
