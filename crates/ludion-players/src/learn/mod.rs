//! Learning from games: labels of finished games, datasets, nearest neighbours, networks and their
//! model files, players that use them, and pattern evaluators with their training.
//!
//! A position or move is a row of bits, the features of [`Game::features`](crate::game::Game), and
//! its label is a number. Two modules work differently: [`patterns`] on the cells of any game on a
//! grid, [`policy_value`] on the active features and the numbered actions of a state. The crate
//! `ludion-train` trains networks.

pub mod dataset;
pub mod labelling;
pub mod labels;
pub mod learned_players;
pub mod linear;
pub mod model;
pub mod neighbours;
pub mod network;
pub mod patterns;
pub mod policy_value;
pub mod rows;
pub mod self_play;
pub mod tensor_file;
mod varint;
