//! The evaluator of Othello: mobility, corners, frontier and parity, weighted by the phase of the
//! game.

use super::kernel::{Discs, PortableTarget, neighbours};
use super::{Othello, OthelloState};
use crate::evaluator::{Evaluator, WIN, expected_result};

/// Evaluates a position by the moves of both sides, their discs beside empty cells (which give the
/// opponent moves later), corners, the cells beside empty corners, and, near the end, parity and the
/// difference of discs.
#[derive(Clone, Copy, Debug)]
pub struct MobilityEvaluator;

/// The corners of a board with the cells beside them: those on the diagonal, and those on the edges.
struct Corners {
    corner: [u64; 4],
    diagonal: [u64; 4],
    edges: [u64; 4],
}

impl Corners {
    #[inline]
    fn of(g: &Othello) -> Self {
        let last = u32::from(g.size) - 1;
        let at = |x: u32, y: u32| 1u64 << (8 * y + x);
        Corners {
            corner: [at(0, 0), at(last, 0), at(0, last), at(last, last)],
            diagonal: [at(1, 1), at(last - 1, 1), at(1, last - 1), at(last - 1, last - 1)],
            edges: [
                at(1, 0) | at(0, 1),
                at(last - 1, 0) | at(last, 1),
                at(1, last) | at(0, last - 1),
                at(last - 1, last) | at(last, last - 1),
            ],
        }
    }
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns the value of the discs of the side to move, without those of the opponent.
#[inline]
fn side_value(discs: Discs, corners: &Corners, empties: i32) -> i32 {
    let (empty, moves) = (discs.empty(), discs.moves::<PortableTarget>());
    let mut value = 14 * count(moves) - 7 * count(discs.own & neighbours(empty));
    // Few moves hurt more than many help.
    value -= [60, 25, 8].get(count(moves) as usize).copied().unwrap_or(0);
    for i in 0..4 {
        let corner = corners.corner[i];
        if discs.own & corner != 0 {
            // A disc on the edge beside an own corner is stable.
            value += 110 + 15 * count(discs.own & corners.edges[i]);
        } else if empty & corner != 0 {
            value -= 45 * count(discs.own & corners.diagonal[i]);
            value -= 18 * count(discs.own & corners.edges[i]);
            value += 25 * i32::from(moves & corner != 0);
        }
    }
    if empties < 16 {
        value += (16 - empties) * count(discs.own);
    }
    value
}

impl Evaluator<Othello> for MobilityEvaluator {
    fn value(&self, g: &Othello, s: &OthelloState) -> i32 {
        let (discs, corners) = (g.discs(s), Corners::of(g));
        let empties = count(discs.empty());
        let mut value =
            side_value(discs, &corners, empties) - side_value(discs.swapped(), &corners, empties);
        if empties < 20 {
            // With an odd number of empty cells the side to move gets the last move.
            value += if empties % 2 == 1 { 12 } else { -12 };
        }
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Othello, s: &OthelloState) -> f64 {
        expected_result(self.value(g, s), 150.0)
    }
}
