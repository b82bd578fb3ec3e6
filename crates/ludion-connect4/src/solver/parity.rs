//! Bounds of the score without search, by zugzwang control: they follow from which side is forced
//! to play below which cell (claimeven and the odd threat of Allis, *A Knowledge-based Approach of
//! Connect-Four*, 1988).
//!
//! On a board with an even number of rows a side can *follow up*: reply in the column that the
//! opponent has just played. Call a column even or odd by its number of stones. When the first
//! side is to move, the number of odd columns is even, so they form pairs. If the first side plays
//! in an odd column, the second side plays in the other column of the pair, and both are even. In
//! even columns the second side replies in the same column. So the first side gets only cells of
//! odd rows, and the next cells of odd columns (claimeven and baseinverse). The second side gets
//! all other cells of even rows in the end, and wins if they complete four in a row.
//!
//! The first side can do the same if the second is to move and if an odd column, in which the
//! first side has a threat on an odd row, is left out of the count: the second side runs out of
//! other moves and must finally play below that threat.

use super::search::SearchNode;
use super::shape::BoardShape;

/// Returns whether [`follow_up_scores`] may find `score`: a column has room for the cells that are
/// empty when the second side wins with it.
#[inline(always)]
pub(super) fn can_prove<const LANES: usize>(shape: &BoardShape<LANES>, score: i32) -> bool {
    2 * (score - 1) < shape.rows
}

/// Returns whether the second side gets at least `score`, 0 or more, if it follows up. This is valid
/// for either side to move: if the second side is to move, it starts in a column with an odd number
/// of stones. The number of rows must be even.
#[inline(always)]
pub(super) fn follow_up_scores<const LANES: usize>(
    shape: &BoardShape<LANES>,
    second: u64,
    all: u64,
    score: i32,
) -> bool {
    let next = shape.open(all);
    let first = second ^ all | shape.odd_rows & !all | next;
    // When the second side wins, the cells above its last stone are empty: two for each stone that
    // it has left.
    let low = (shape.bottom << (shape.rows - 2 * (score - 1).max(0))).wrapping_sub(shape.bottom);
    let sure = low & !(shape.odd_rows | all | next);
    !shape.has_four(first) & (score == 0 || shape.has_four(second | sure))
}

/// Returns a bound of the score of `node` that decides whether the score is above `alpha`. It
/// exists if the second side can no longer complete four in a row, or if a threat of the first side
/// on an odd row wins; otherwise returns `None`.
#[inline(always)]
pub(super) fn bound<const LANES: usize>(
    shape: &BoardShape<LANES>,
    node: &SearchNode,
    alpha: i32,
) -> Option<i32> {
    let first_moves = node.plies % 2 == 0;
    let opponent = node.mover ^ node.all;
    let (second, threats) =
        if first_moves { (opponent, node.mine) } else { (node.mover, node.theirs) };
    let columns = EmptyCellsByParity::new(shape, node.all);
    if !first_moves && alpha >= 0 && !shape.has_four(second | columns.even | columns.odd) {
        return Some(0);
    }
    if shape.rows % 2 == 1 {
        return None;
    }
    let mut threats = threats & shape.odd_rows & columns.odd;
    while threats != 0 {
        let threat = threats & threats.wrapping_neg();
        threats ^= threat;
        let (column, above) = shape.column_of(threat);
        // The threat is played at the latest when only it and the cells above it are empty.
        let score = if first_moves { (above + 2) / 2 } else { -((above + 2) / 2) };
        if first_moves == (score > alpha) {
            let below = column & (threat - 1) & columns.odd & !shape.odd_rows;
            let others = (shape.odd_rows & !node.all | shape.open(node.all)) & !column;
            if !shape.has_four(second | others | below) {
                return Some(score);
            }
        }
    }
    None
}

/// The empty cells of the columns with an even number of stones, and of those with an odd number.
struct EmptyCellsByParity {
    even: u64,
    odd: u64,
}

impl EmptyCellsByParity {
    #[inline(always)]
    fn new<const LANES: usize>(shape: &BoardShape<LANES>, all: u64) -> Self {
        // In an even column the next cell is on an odd row. The cells from it to the top are
        // the bit above the board minus the bit of the cell.
        let next = shape.open(all) & shape.odd_rows;
        let even = (shape.bottom << shape.rows).wrapping_sub(next) & shape.board;
        EmptyCellsByParity { even, odd: shape.board & !all & !even }
    }
}
