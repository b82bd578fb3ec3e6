//! Self-play of policy-value networks: games in which a network, improved by a small tree search,
//! plays both sides, and the training samples made from them.
//!
//! The root of a search uses Gumbel sampling with sequential halving (Danihelka et al. 2022), which
//! improves the policy with few simulations; below the root PUCT leads down. Some moves are searched
//! fully and give policy targets, the others cheaply (*playout cap*, Wu 2019). A game begins with
//! random moves, so that games differ, and ends when its result is proven or a side resigns. Some
//! games are played on after a resignation, to check it.
//!
//! Games are played many at a time, so that the network evaluates their leaves in one batch. A game
//! depends only on the network, the options, the seed and its number.

mod game;
mod learner;
mod player;
mod record;
mod samples;
mod search;
#[cfg(test)]
mod tests;

pub use learner::{AnyNetworkLearner, NetworkLearner};
pub use player::SelfPlayer;
pub use record::{Resignation, SearchedMove, SelfPlayRecord, SelfPlayRecordError};
pub use samples::{SelfPlaySample, for_each_sample};

use serde::{Deserialize, Serialize};

/// The options of self-play games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlayOptions {
    /// Number of simulations of a full search.
    pub full_sims: u32,
    /// Number of simulations of a cheap search.
    pub cheap_sims: u32,
    /// Share of the moves that are searched fully, from 0 to 1.
    pub full_share: f64,
    /// Number of moves that a full search considers at the root.
    pub considered: usize,
    /// Exploration factor of PUCT below the root.
    pub c: f32,
    /// Share of the games that begin with a long random opening, from 0 to 1.
    pub long_openings: f64,
    /// Maximum number of random plies of a long opening.
    pub long_opening: u32,
    /// Maximum number of random plies of the other openings.
    pub short_opening: u32,
    /// Number of plies after which an unfinished game is drawn.
    pub longest: usize,
    /// Whether a side resigns after [`RESIGN_MOVES`] moves with a value of at most [`RESIGN_VALUE`].
    pub resign: bool,
}

/// The expected result, from −1 to 1, with which a side resigns.
pub const RESIGN_VALUE: f32 = -0.95;
/// Number of consecutive moves of a side with such a value before it resigns.
pub const RESIGN_MOVES: u32 = 3;
/// Share of the games that are played on after a resignation, to check it.
const PLAYED_ON: f64 = 0.1;

impl SelfPlayOptions {
    /// The defaults, chosen on Connect Four.
    pub const DEFAULT: SelfPlayOptions = SelfPlayOptions {
        full_sims: 100,
        cheap_sims: 16,
        full_share: 0.35,
        considered: 16,
        c: 1.0,
        long_openings: 0.5,
        long_opening: 24,
        short_opening: 3,
        longest: 400,
        resign: true,
    };
}
