//! Ludion: a laboratory for players of games.
//!
//! A [`game::Game`] is one trait in one file. Whoever implements it can have it played,
//! searched, counted and looked at; see [`registry::Registry`] for everything by name.
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
//! The library is pure: it opens no file and no socket, and it looks at no clock except to
//! honour a budget in time and to say how long a choice took.

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
pub mod solution;
pub mod spec;
pub mod timer;

/// The code of the README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
