//! One player with many values of a parameter: who takes part, and what their games tell.
//!
//! [`field`] makes the players from a text with open parameters, `mcts(a=1..50)`; [`score`] says
//! what each one's games are worth and whether anybody differs; [`curve`] smooths the scores of one
//! numeric parameter and finds its optimum; [`grid`] does without an order, for two parameters or
//! for words.

pub mod curve;
pub mod field;
pub mod grid;
mod range;
pub mod score;
mod spline;
mod words;

pub use range::RangeError;
