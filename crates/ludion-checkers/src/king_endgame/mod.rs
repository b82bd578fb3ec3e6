//! Endgame tables of checkers with kings: for every position with few pieces, whether the side to
//! move wins, draws or loses, and after how many moves. The rules that draw a game after many moves of kings are left out, so
//! a win may take longer than they allow.
//!
//! `index` numbers the positions, [`build_king_table`] solves them, [`KingTable`] looks them up in
//! bytes that the caller has loaded, [`KingTableEvaluator`] evaluates with them.

mod build;
mod evaluator;
mod index;
mod table;
mod value;

pub use build::{build_king_table, king_position_count};
pub use evaluator::KingTableEvaluator;
pub use table::{KingTable, KingTableError};
pub use value::KingTableValue;

/// The most pieces, of both sides together, that a table can cover.
pub const MAX_KING_PIECES: usize = index::MAX_PIECES;

#[cfg(test)]
mod tests;
