//! Bounds of the score without search, by zugzwang control: they follow from which side is forced
//! to play below which cell (claimeven and the odd threat of Allis, *A Knowledge-based Approach of
//! Connect-Four*, 1988).
//!
//! On a board with an even number of rows a side can *follow up*: reply in the column that the
//! opponent has just played. Call a column even or odd by its number of stones. When the first
//! side is to move, the number of odd columns is even, so the second side can always follow up,
//! or, if the opponent has filled an odd column, play in another odd column and make it even.
//! So in even columns the first side gets only cells of odd rows, and the second side all cells
//! of even rows.
//!
//! The first side can do the same if the second is to move and if an odd column, in which the
//! first side has a threat on an odd row, is left out of the count: the second side runs out of
//! other moves and must finally play below that threat.

use super::search::SearchNode;
use super::shape::BoardShape;

/// Returns whether the second side cannot lose if it follows up, that is, replies in the column
/// just played. This is valid for either side to move: if the second side is to move, it starts in
/// a column with an odd number of stones. The number of rows must be even.
#[inline(always)]
pub(super) fn follow_up_holds<const LANES: usize>(
    shape: &BoardShape<LANES>,
    first: u64,
    all: u64,
) -> bool {
    let columns = EmptyCellsByParity::new(shape, all);
    !shape.has_four(first | columns.odd | columns.even & shape.odd_rows)
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
            let others = columns.even & shape.odd_rows | columns.odd & !column;
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
