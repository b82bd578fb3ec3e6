//! Championships: round-robin tournaments of one player with many values of one or two parameters.
//!
//! [`entrants`] expands a player spec with open parameters, such as `mcts(a=1..50)`, into players.
//! [`score`] computes the mean score of each and tests whether the players differ at all. [`curve`]
//! smooths the scores of one numeric parameter and finds its optimum. [`grid`] compares players
//! without an order: two parameters, or words.

mod conclusions;
pub mod curve;
pub mod entrants;
pub mod grid;
mod range;
pub mod score;
mod spline;

pub use range::ParameterRangeError;
