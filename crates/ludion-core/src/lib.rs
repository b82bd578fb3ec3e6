//! The core of Ludion: the traits [`Game`](game::Game), [`Player`](player::Player),
//! [`Evaluator`](evaluator::Evaluator) and [`Riddle`](riddle::Riddle) with the types they share,
//! notation, pictures, parameters, random numbers, and the laws that every game must satisfy.
//!
//! Use the crate `ludion`, which offers all of this with its games, players and searches.

#[doc(hidden)]
pub mod aliases;
mod args;
pub mod assets;
#[doc(hidden)]
pub mod bits;
mod details;
pub mod effective;
pub mod encoding;
pub mod evaluator;
pub mod game;
pub mod grid;
pub mod laws;
pub mod memory;
pub mod named;
pub mod notation;
pub mod outcome;
pub mod param;
pub mod plain_words;
pub mod player;
pub mod policy;
pub mod presentation;
pub mod random;
pub mod repetition;
pub mod riddle;
pub mod scene;
mod scene_svg;
pub mod solution;
pub mod spec;
pub mod threads;
pub mod timer;
