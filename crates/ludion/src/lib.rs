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

mod aliases;
pub mod archive;
pub mod arena;
mod args;
pub mod assets;
pub mod erased;
pub mod evaluator;
pub mod game;
pub mod games;
pub mod grid;
pub mod laws;
pub mod learn;
#[doc(hidden)]
pub mod listing;
pub mod men;
pub mod named;
pub mod notation;
pub mod optimise;
pub mod outcome;
pub mod param;
pub mod player;
pub mod players;
pub mod random;
pub mod registry;
pub mod riddle;
pub mod riddles;
pub mod scene;
pub mod search;
#[doc(hidden)]
pub mod shelf;
pub mod solution;
pub mod spec;
pub mod threads;
pub mod timer;

/// Includes the README, so that the documentation tests compile and run its code.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
