//! Endgames by the seed's rules, solved: for every position with few men, whether the side to
//! move wins. There are no draws, so one bit a position says it all; and no position comes
//! twice in a game, so that whoever keeps to won positions wins.
//!
//! `index` numbers positions, [`build`] solves them, [`EndgameTable`] looks them up in bytes that
//! somebody else reads, [`EndgameEvaluator`] judges by them, and [`EndgameTable::exam`] asks players.

mod build;
mod evaluator;
mod index;
mod table;
mod win_tests;

pub use build::{build, positions};
pub use evaluator::EndgameEvaluator;
pub use table::{EndgameError, EndgameTable};
pub use win_tests::WinTest;

/// No table has positions with more men: 8 would take half a gigabyte.
pub const MAX_PIECES: usize = index::MOST;

#[cfg(test)]
mod tests;
