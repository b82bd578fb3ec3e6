//! What players and the command line share: walks over the tree of a game.

pub mod census;
pub mod deepen;
pub mod fixed;
pub mod perft;
pub mod pvs;
pub mod solve;
pub mod table;
