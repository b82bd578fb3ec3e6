//! What values mean: certain ones count plies from the root, in the table from their own
//! state; and when an entry of the table answers for a search.

use crate::evaluator::WIN;
use crate::search::transposition_table::{Bound, TableEntry};

/// A game won at the root itself. Values beyond [`WIN`] are certain.
pub const MATE: i32 = 30_000;
/// Greater than any value.
pub const INFINITY: i32 = MATE + 1;
/// Whether a value is a win or a loss that was seen to its end.
#[inline]
#[must_use]
pub const fn is_certain(value: i32) -> bool {
    value.abs() > WIN
}

/// How many plies from the root a certain value is won or lost.
#[inline]
#[must_use]
pub const fn plies_to_end(value: i32) -> u32 {
    (MATE - value.abs()) as u32
}

/// A certain value counts plies from the root; in the table, from its own state.
#[inline]
pub(super) fn to_table(value: i32, ply: u32) -> i32 {
    if is_certain(value) { value + value.signum() * ply as i32 } else { value }
}

#[inline]
fn from_table(value: i32, ply: u32) -> i32 {
    if is_certain(value) { value - value.signum() * ply as i32 } else { value }
}

/// Whether this is a win or a loss in so many plies, which every search finds that looks so
/// far or farther.
#[inline]
pub(super) fn holds_at_any_depth(value: i32, bound: Bound) -> bool {
    match bound {
        Bound::Lower => value > WIN,
        Bound::Upper => value < -WIN,
        Bound::Exact => is_certain(value),
    }
}

/// What an entry answers to a search of `depth` in this window, if that search would have
/// come to the same.
#[inline]
pub(super) fn usable_value(
    known: TableEntry,
    depth: u32,
    alpha: i32,
    beta: i32,
    ply: u32,
) -> Option<i32> {
    let value = from_table(known.value, ply);
    let settles = match known.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    let seen_to_end =
        || holds_at_any_depth(known.value, known.bound) && plies_to_end(known.value) <= depth;
    let fits = || known.depth == depth || known.complete && known.depth < depth || seen_to_end();
    (settles && fits()).then_some(value)
}
