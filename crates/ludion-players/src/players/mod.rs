//! The players, one file each. The searches and tables that they share are in [`crate::search`].

pub mod alphabeta;
pub mod deepening;
pub mod mcts;
pub mod memory;
pub mod minimax;
pub mod montecarlo;
pub mod naive_memory;
pub mod negalphabeta;
pub mod negamax;
pub mod random;
pub mod text_player;
pub mod ucb;
pub mod uct;
pub mod ultimate;
