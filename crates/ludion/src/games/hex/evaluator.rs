//! The evaluator of Hex: the lengths of the shortest chains that the sides can still complete.

use super::board::{MAX_SIZE, Rows};
use super::{Hex, HexState};
use crate::evaluator::{Evaluator, expected_result};
use crate::game::Side;

/// Evaluates a position by the number of stones that each side still needs for a chain, and by the
/// number of cells on such shortest paths.
#[derive(Clone, Copy, Debug)]
pub struct ShortestPathEvaluator;

impl ShortestPathEvaluator {
    /// Returns the sets of empty cells that can be joined to an edge of `side` with 1, 2, … stones,
    /// the last of which on the cell, up to the first set with a cell that reaches the other edge.
    fn distances(g: &Hex, s: &HexState, side: Side, is_end: bool, out: &mut Vec<Rows>) {
        let (stones, empty) = (&s.stones[side.index()], g.empty(s));
        let mut seen = [0; MAX_SIZE];
        let mut joined = g.flood(stones, &g.edge(side, is_end));
        let mut reach = g.around(&joined);
        let edge = g.edge(side, is_end);
        (0..g.size).for_each(|y| reach[y] |= edge[y]);
        loop {
            let mut next = [0; MAX_SIZE];
            for y in 0..g.size {
                next[y] = reach[y] & empty[y] & !seen[y];
                seen[y] |= next[y];
            }
            if next == [0; MAX_SIZE] {
                return;
            }
            out.push(next);
            let beside = g.around(&next);
            let reached = g.flood(stones, &beside);
            (0..g.size).for_each(|y| joined[y] |= reached[y]);
            let further = g.around(&joined);
            (0..g.size).for_each(|y| reach[y] = beside[y] | further[y]);
        }
    }

    /// Returns the number of stones that `side` needs for a chain if the opponent does not move, and
    /// the number of cells on shortest paths.
    fn shortest(g: &Hex, s: &HexState, side: Side) -> (i32, i32) {
        let (mut forward, mut back) = (Vec::new(), Vec::new());
        ShortestPathEvaluator::distances(g, s, side, false, &mut forward);
        ShortestPathEvaluator::distances(g, s, side, true, &mut back);
        for stones in 1..=forward.len() + back.len() {
            let meeting = |i: usize| -> u32 {
                let (Some(a), Some(b)) = (forward.get(i), back.get(stones - 1 - i)) else {
                    return 0;
                };
                (0..g.size).map(|y| (a[y] & b[y]).count_ones()).sum()
            };
            let cells: u32 = (0..stones).map(meeting).sum();
            if cells > 0 {
                return (stones as i32, cells as i32);
            }
        }
        (2 * MAX_SIZE as i32, 0)
    }
}

impl Evaluator<Hex> for ShortestPathEvaluator {
    fn value(&self, g: &Hex, s: &HexState) -> i32 {
        let (own, own_cells) = ShortestPathEvaluator::shortest(g, s, s.turn);
        let (other, other_cells) = ShortestPathEvaluator::shortest(g, s, s.turn.other());
        // The move is worth about half a stone.
        100 * (other - own) + 50 + 3 * (own_cells - other_cells)
    }

    fn expected_result(&self, g: &Hex, s: &HexState) -> f64 {
        expected_result(self.value(g, s), 150.0)
    }
}
