//! Learning from games: labels of finished games, datasets, nearest neighbours, networks and their
//! model files, players that use them, and pattern evaluators with their training.
//!
//! A position or move is a row of bits, the features of [`Game::features`](crate::game::Game), and
//! its label is a number. Only [`patterns`] work differently: on the cells of any game on a grid. The
//! crate `ludion-train` trains networks.

pub mod dataset;
pub mod labelling;
pub mod labels;
pub mod learned_players;
pub mod linear;
pub mod model;
pub mod neighbours;
pub mod network;
pub mod patterns;
pub mod rows;
