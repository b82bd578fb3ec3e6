//! What players and the command line share: walks over the tree of a game, the memory of
//! searches, random games and what they say, the clock of a decision.

pub(crate) mod arena;
pub mod census;
pub mod counters;
pub mod deepen;
pub mod fixed;
pub mod meter;
pub mod perft;
pub mod playout_evaluator;
pub mod pvs;
pub mod sampling;
pub mod score;
pub mod solve;
pub mod table;
pub(crate) mod tree;
