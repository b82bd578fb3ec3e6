//! The players, one file each. What they share lives in [`crate::search`].

pub mod mcts;
pub mod minimax;
pub mod random;
