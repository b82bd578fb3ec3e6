//! Bounds without searching, from who is forced to open which cell (Allis, *A
//! Knowledge-based Approach of Connect-Four*, 1988: claimeven and the odd threat).
//!
//! On a board with an even number of rows a side can *follow*: reply in the column the
//! opponent has just played. Call a column even or odd by its number of stones. When the
//! first side is to move an even number of columns is odd, so the second side can always
//! follow, or, when the opponent has filled an odd column up, play in another odd one,
//! which makes that even. Whatever the first side does it gets in even columns only
//! cells of odd rows.
//!
//! The first side can do the same when the second is to move and the odd column of its
//! own threat on an odd row is kept out: the second side runs out of other moves and
//! must play below that threat.

use super::search::Node;
use super::shape::Shape;

/// A bound of the score of `node` that settles whether it is above `alpha`, if the
/// parity of columns gives one.
#[inline(always)]
pub(super) fn bound<const LANES: usize>(
    shape: &Shape<LANES>,
    node: &Node,
    alpha: i32,
) -> Option<i32> {
    if shape.rows % 2 == 1 {
        return None;
    }
    let first_moves = node.plies % 2 == 0;
    let opponent = node.mover ^ node.all;
    let (first, second, first_threats) = if first_moves {
        (node.mover, opponent, node.mine)
    } else {
        (opponent, node.mover, node.theirs)
    };
    let columns = Columns::new(shape, node.all);
    // A bound on the second side's score, settling if it is on the right side of alpha.
    let settles = |score: i32| if first_moves { -score <= alpha } else { score > alpha };
    let for_mover = |score: i32| if first_moves { -score } else { score };
    if settles(1) && !shape.has_four(first | columns.odd | columns.even & shape.odd_rows) {
        let wins = shape.has_four(second | columns.even & !shape.odd_rows);
        if wins || settles(0) {
            return Some(for_mover(i32::from(wins)));
        }
    }
    if !first_moves && alpha >= 0 && !shape.has_four(second | columns.even | columns.odd) {
        return Some(0);
    }
    let mut threats = first_threats & shape.odd_rows & columns.odd;
    while threats != 0 {
        let threat = threats & threats.wrapping_neg();
        threats ^= threat;
        let (column, above) = shape.column_of(threat);
        // All other cells may be played first.
        let score = (above + 2) / 2;
        let decides = if first_moves { score > alpha } else { -score <= alpha };
        if decides {
            let below = column & (threat - 1) & columns.odd & !shape.odd_rows;
            let theirs = second | columns.even & shape.odd_rows | columns.odd & !column | below;
            if !shape.has_four(theirs) {
                return Some(if first_moves { score } else { -score });
            }
        }
    }
    None
}

/// The empty cells, by whether their column holds an even or odd number of stones.
struct Columns {
    even: u64,
    odd: u64,
}

impl Columns {
    #[inline(always)]
    fn new<const LANES: usize>(shape: &Shape<LANES>, all: u64) -> Self {
        // In an even column the next cell is on an odd row. From it up to the top:
        // the bit above the board less the bit of the cell.
        let next = shape.open(all) & shape.odd_rows;
        let even = (shape.bottom << shape.rows).wrapping_sub(next) & shape.board;
        Columns { even, odd: shape.board & !all & !even }
    }
}
