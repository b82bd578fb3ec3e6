//! The evaluator of Hex: the lengths of the shortest chains that the sides can still complete.

use super::board::{MAX_SIZE, Rows, count};
use super::{Hex, HexState};
use crate::evaluator::{Evaluator, expected_result};
use crate::game::Side;

/// Evaluates a position by the number of stones that each side still needs for a chain, and by the
/// number of cells on such shortest paths.
#[derive(Clone, Copy, Debug)]
pub struct ShortestPathEvaluator;

impl ShortestPathEvaluator {
    /// Returns the sets of empty cells that can be joined to an edge of `side` with 1, 2, … stones,
    /// the last of which on the cell: up to the set for which `is_last` holds, given its number of
    /// stones. `None` if no cells are left before.
    fn layers(
        g: &Hex,
        s: &HexState,
        (side, is_end): (Side, bool),
        is_last: impl Fn(usize, &Rows) -> bool,
    ) -> Option<Vec<Rows>> {
        let (stones, empty) = (&s.stones[side.index()], g.empty(s));
        let mut layers = Vec::with_capacity(g.size);
        let mut seen = [0; MAX_SIZE];
        let edge = g.edge(side, is_end);
        let mut joined = g.flood(stones, &edge);
        let mut reach = g.around(&joined);
        for y in 0..g.size {
            reach[y] |= edge[y];
        }
        loop {
            let mut next = [0; MAX_SIZE];
            for y in 0..g.size {
                next[y] = reach[y] & empty[y] & !seen[y];
                seen[y] |= next[y];
            }
            if next == [0; MAX_SIZE] {
                return None;
            }
            layers.push(next);
            if is_last(layers.len(), &next) {
                return Some(layers);
            }
            reach = g.around(&next);
            // On most boards few stones are met for the first time, and often none.
            let mut met = [0; MAX_SIZE];
            for y in 0..g.size {
                met[y] = stones[y] & reach[y] & !joined[y];
            }
            if met != [0; MAX_SIZE] {
                let chains = g.flood(stones, &met);
                let further = g.around(&chains);
                for y in 0..g.size {
                    joined[y] |= chains[y];
                    reach[y] |= further[y];
                }
            }
        }
    }

    /// Returns the number of stones that `side` needs for a chain if the opponent does not move, and
    /// the number of cells on shortest paths; `None` if the opponent has a chain.
    fn shortest(g: &Hex, s: &HexState, side: Side) -> Option<(i32, i32)> {
        let last = Self::layers(g, s, (side, true), |_, _| true)?;
        let forward =
            Self::layers(g, s, (side, false), |_, cells| count(&common(cells, &last[0])) > 0)?;
        let stones = forward.len();
        let back = Self::layers(g, s, (side, true), |number, _| number == stones)?;
        let mut cells = 0;
        for (ahead, behind) in forward.iter().zip(back.iter().rev()) {
            cells += count(&common(ahead, behind));
        }
        Some((stones as i32, cells as i32))
    }
}

/// Returns the cells of both sets.
#[inline]
fn common(a: &Rows, b: &Rows) -> Rows {
    let mut both = *a;
    for y in 0..MAX_SIZE {
        both[y] &= b[y];
    }
    both
}

/// What [`ShortestPathEvaluator::shortest`] counts for a side that cannot complete a chain.
const NO_CHAIN: (i32, i32) = (2 * MAX_SIZE as i32, 0);

impl Evaluator<Hex> for ShortestPathEvaluator {
    fn value(&self, g: &Hex, s: &HexState) -> i32 {
        let (own, own_cells) = Self::shortest(g, s, s.turn).unwrap_or(NO_CHAIN);
        let (other, other_cells) = Self::shortest(g, s, s.turn.other()).unwrap_or(NO_CHAIN);
        // The move is worth about half a stone.
        100 * (other - own) + 50 + 3 * (own_cells - other_cells)
    }

    fn expected_result(&self, g: &Hex, s: &HexState) -> f64 {
        expected_result(self.value(g, s), 150.0)
    }
}
