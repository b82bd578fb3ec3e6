//! What is learned from games, as far as it needs no training: labels of finished games, data
//! sets, nearest neighbours, networks and the models that hold them.
//!
//! Nothing here knows a particular game: a position is a row of up to 128 bits or of real
//! features, a label is a number. Training lives in a crate of its own.

pub mod dataset;
pub mod labels;
pub mod linear;
pub mod model;
pub mod neighbours;
pub mod network;
