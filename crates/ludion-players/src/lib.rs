//! Players of the games of Ludion, and what is measured with them: searches, learning, matches,
//! archives, and the registry that builds games and players by name. No built-in game is here, so a
//! change of their rules leaves this crate and the crates above it as they are. The crate `ludion`
//! offers its modules together with the games.

#[doc(inline)]
pub use ludion_core::{
    assets, effective, encoding, evaluator, game, grid, laws, memory, named, notation, outcome,
    param, plain_words, player, policy, presentation, random, repetition, riddle, scene, solution,
    spec, threads, timer,
};

use ludion_core::aliases;

pub mod archive;
pub mod arena;
pub mod erased;
pub mod learn;
pub mod players;
pub mod registry;
pub mod search;
