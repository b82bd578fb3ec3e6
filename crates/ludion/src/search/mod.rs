//! What players and the command line share: walks over the tree of a game, the memory of
//! searches, random games and what they say, the clock of a decision.

pub mod census;
pub mod counters;
pub mod fixed_depth;
pub mod iterative_deepening;
pub(crate) mod node_pool;
pub mod perft;
pub mod playout_evaluator;
pub mod pvs;
pub mod rewards;
pub mod sampling;
pub mod solve;
pub mod transposition_table;
pub(crate) mod tree;

pub use crate::timer;
