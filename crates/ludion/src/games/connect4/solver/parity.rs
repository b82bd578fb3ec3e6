//! Bounds without searching, from who is forced to open which cell (Allis, *A
//! Knowledge-based Approach of Connect-Four*, 1988: claimeven and the odd threat).
//!
//! On a board with an even number of rows a side can *follow*: reply in the column the
//! opponent has just played. Call a column even or odd by its number of stones. When the
//! first side is to move an even number of columns is odd, so the second side can always
//! follow, or, when the opponent has filled an odd column up, play in another odd one,
//! which makes that even. Whatever the first side does, in even columns it gets only
//! cells of odd rows, and the second side all cells of even rows.
//!
//! The first side can do the same when the second is to move and an odd column, where
//! it has a threat on an odd row, is kept out of the count: the second side runs out of
//! other moves and must at last play below that threat.

use super::search::SearchNode;
use super::shape::BoardShape;

/// Whether the second side is sure not to lose if it follows. Holds for every side to
/// move: the second side starts with a move in an odd column. Only for an even number
/// of rows.
#[inline(always)]
pub(super) fn follower_holds<const LANES: usize>(
    shape: &BoardShape<LANES>,
    first: u64,
    all: u64,
) -> bool {
    let columns = ColumnParity::new(shape, all);
    !shape.has_four(first | columns.odd | columns.even & shape.odd_rows)
}

/// A bound of the score of `node` that settles whether it is above `alpha`: the second
/// side has no four in reach any more, or a threat of the first side decides.
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
    let columns = ColumnParity::new(shape, node.all);
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
        // All cells but those above the threat may be played before it.
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

/// The empty cells, by whether their column holds an even or odd number of stones.
struct ColumnParity {
    even: u64,
    odd: u64,
}

impl ColumnParity {
    #[inline(always)]
    fn new<const LANES: usize>(shape: &BoardShape<LANES>, all: u64) -> Self {
        // In an even column the next cell is on an odd row. From it up to the top:
        // the bit above the board less the bit of the cell.
        let next = shape.open(all) & shape.odd_rows;
        let even = (shape.bottom << shape.rows).wrapping_sub(next) & shape.board;
        ColumnParity { even, odd: shape.board & !all & !even }
    }
}
