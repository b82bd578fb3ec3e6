//! The players, one file each. What they share lives in [`crate::search`].

pub mod minimax;
pub mod montecarlo;
pub mod random;
pub mod ucb;
pub mod uct;
