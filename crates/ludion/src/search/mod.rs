//! What players and the command line share: walks over the tree of a game, and the memory
//! of searches.

pub(crate) mod arena;
pub mod census;
pub mod perft;
pub mod score;
pub(crate) mod tree;
