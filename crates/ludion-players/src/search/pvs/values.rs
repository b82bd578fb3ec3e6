//! The values of principal-variation search. The value of a certain win or loss contains the number
//! of plies to the end of the game: from the root during the search, from the state itself in the
//! table. This file also decides when a table entry can replace a search.

use crate::evaluator::WIN;
use crate::search::transposition_table::{Bound, TableEntry};

/// The value of a game that is won at the root. Values above [`WIN`] are certain wins, values below
/// −[`WIN`] certain losses.
pub const MATE: i32 = 30_000;
/// A number greater than any value, the end of the full window.
pub const INFINITY: i32 = MATE + 1;

/// Returns whether a value of the search is a proven win or loss.
#[inline]
#[must_use]
pub const fn is_certain(value: i32) -> bool {
    value.abs() > WIN
}

/// Returns the number of plies from the root to the end of the game, given the value of a certain
/// win or loss.
#[inline]
#[must_use]
pub const fn plies_to_end(value: i32) -> u32 {
    (MATE - value.abs()) as u32
}

/// Converts a value of the search to one of the table: a certain win or loss counts plies from its
/// own state, which is `ply` plies below the root, instead of from the root.
#[inline]
pub(super) fn to_table(value: i32, ply: u32) -> i32 {
    if is_certain(value) { value + value.signum() * ply as i32 } else { value }
}

/// Converts a value of the table to one of the search: the inverse of [`to_table`].
#[inline]
pub(super) fn from_table(value: i32, ply: u32) -> i32 {
    if is_certain(value) { value - value.signum() * ply as i32 } else { value }
}

/// Returns whether a value with this bound proves a win or loss, which every search that is deep
/// enough finds as well.
#[inline]
pub(super) fn holds_at_any_depth(value: i32, bound: Bound) -> bool {
    match bound {
        Bound::Lower => value > WIN,
        Bound::Upper => value < -WIN,
        Bound::Exact => is_certain(value),
    }
}

/// Returns the value of a table entry, converted to a node `ply` plies below the root, if a search
/// to `depth` with the window `alpha` to `beta` would have returned the same.
#[inline]
pub(super) fn usable_value(
    entry: TableEntry,
    depth: u32,
    alpha: i32,
    beta: i32,
    ply: u32,
) -> Option<i32> {
    let value = from_table(entry.value, ply);
    let cuts_off = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    let proven_within_depth =
        || holds_at_any_depth(entry.value, entry.bound) && plies_to_end(entry.value) <= depth;
    let depth_matches =
        || entry.depth == depth || entry.complete && entry.depth < depth || proven_within_depth();
    (cuts_off && depth_matches()).then_some(value)
}
