//! Search algorithms and data structures that players share: fixed-depth and principal-variation
//! search, iterative deepening, transposition tables, Monte-Carlo statistics and trees, exhaustive
//! counts, and the timer of a decision.

pub mod census;
pub mod counters;
pub mod details;
pub mod fixed_depth;
pub mod iterative_deepening;
pub(crate) mod node_pool;
pub mod perft;
pub mod playout_evaluator;
pub mod proof_number;
pub mod pvs;
pub mod rewards;
pub mod sampling;
pub mod solve;
pub mod transposition_table;
pub(crate) mod tree;

pub use crate::timer;
