//! One player with many values of a parameter: who takes part, and what their games tell.
//!
//! [`field`] makes the players from a text with open parameters, `mcts(a=1..50)`.

pub mod field;
mod range;

pub use range::RangeError;
