//! The network with policy and value that comes with Connect Four, so that `mcts(eval=net)` and
//! `policy` need no file. It was learned from nothing by self-play, with the random seed 1, by this
//! command:
//!
//! ```text
//! ludion learn connect4 --rounds 400 --check 100 --uses 12 --weights i8 --out connect4.net
//! ```

/// The bytes of the file of the network for the standard board.
pub const NETWORK: &[u8] = include_bytes!("connect4.net");
