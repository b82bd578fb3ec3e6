//! Endgames by the seed's rules, solved: for every position with few men, whether the side to
//! move wins. There are no draws, so one bit a position says it all; and no position comes
//! twice in a game, so that whoever keeps to won positions wins.
//!
//! `index` numbers positions, [`build`] solves them, [`Endgames`] looks them up in bytes that
//! somebody else reads, [`WithEndgames`] judges by them, and [`Endgames::exam`] asks players.

mod build;
mod evaluator;
mod index;
mod table;
mod yardstick;

pub use build::{build, positions};
pub use evaluator::WithEndgames;
pub use table::{EndgameError, Endgames};
pub use yardstick::Exam;

/// No table has positions with more men: 8 would take half a gigabyte.
pub const MOST_PIECES: usize = index::MOST;

#[cfg(test)]
mod tests;
