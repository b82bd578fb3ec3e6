//! What players and the command line share: walks over the tree of a game,
//! random games and what they say, the clock of a decision.

pub mod census;
pub mod counters;
pub mod meter;
pub mod perft;
pub mod playout_evaluator;
pub mod sampling;
