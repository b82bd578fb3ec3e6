//! One player with many values of a parameter: who takes part, and what their games tell.
//!
//! [`entrants`] makes the players from a text with open parameters, `mcts(a=1..50)`; [`score`] says
//! what each one's games are worth and whether anybody differs; [`curve`] smooths the scores of one
//! numeric parameter and finds its optimum; [`grid`] does without an order, for two parameters or
//! for words.

mod conclusions;
pub mod curve;
pub mod entrants;
pub mod grid;
mod range;
pub mod score;
mod spline;

pub use range::ParameterRangeError;
