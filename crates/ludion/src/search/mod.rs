//! What players and the command line share: walks over the tree of a game.

pub mod census;
pub mod counters;
pub mod meter;
pub mod perft;
pub mod playout_evaluator;
pub mod sampling;
