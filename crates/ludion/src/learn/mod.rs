//! What is learned from games: labels of finished games, data sets, nearest neighbours, networks
//! and the models that hold them, players that choose by these, and patterns of cells with their
//! training.
//!
//! A position is a row of up to 128 bits or of real features and a label is a number, except in
//! [`patterns`], which look at the cells of any game on a grid. Training of networks lives in a
//! crate of its own.

pub mod dataset;
pub mod labelling;
pub mod labels;
pub mod learned_players;
pub mod linear;
pub mod model;
pub mod neighbours;
pub mod network;
pub mod patterns;
