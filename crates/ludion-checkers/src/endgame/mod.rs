//! Endgame tables of checkers with the simple rules: for every position with few men, whether the
//! side to move wins. These rules have no draws, so one bit per position is enough, and no position
//! can repeat, so a side that always moves to positions that its opponent loses does win.
//!
//! `index` numbers the positions, [`build`] solves them, [`EndgameTable`] looks them up in bytes
//! that the caller has loaded, [`EndgameEvaluator`] evaluates with them, and
//! [`EndgameTable::random_test_position`] makes positions to test players with.

mod build;
mod evaluator;
mod index;
mod table;
mod test_positions;

pub use build::{build, position_count};
pub use evaluator::EndgameEvaluator;
pub use table::{EndgameTable, EndgameTableError};
pub use test_positions::EndgameTestPosition;

/// The most men, of both sides together, that a table can cover; a table of 8 men would take half a
/// gigabyte.
pub const MAX_PIECES: usize = index::MAX_MEN;

#[cfg(test)]
mod tests;
