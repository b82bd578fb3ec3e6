//! The placements that a unit can reach and those at which it can lock, found by a flood fill over
//! whole rows of placements. A row of placements is a word in which each bit is a *corner*: the
//! column of the unit's leftmost cell.
//!
//! The pivot never rises, so its rows are layers that are processed once, from the top. The
//! placements of a layer are reached from the layer above by shifts of words, then along the row by
//! carries of an addition and by rotations, until nothing new is reached. A unit can lock at a
//! placement if some command is blocked there. Nothing is allocated once the buffers have grown.

use super::super::unit::Placement;
use super::prepared::PreparedUnit;
use super::row_word::{RowWord, fill_runs};

/// Flood fill over the placements of a unit, with one word for each row of the pivot and each turn;
/// its buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct PlacementFlood<B> {
    turns: usize,
    first: i32,
    /// Columns of the leftmost cell at which the unit fits, at index layer·turns + turn; one
    /// additional layer at the end is empty.
    free: Vec<B>,
    /// Columns of the leftmost cell that the unit can reach, with the same indices as `free`.
    reached: Vec<B>,
    /// Those of the columns in `reached` at which the unit can lock.
    lockable: Vec<B>,
}

impl<B: RowWord> PlacementFlood<B> {
    /// Finds all placements that `unit` can reach from its spawn, and those at which it can lock.
    /// Returns whether it fits at the spawn; if not, nothing is reached. `rows` must have the board
    /// size that `unit` was prepared for.
    pub fn flood(&mut self, unit: &PreparedUnit<B>, rows: &[B]) -> bool {
        self.prepare(unit, rows);
        let spawn = B::ONE << unit.spawn;
        if unit.layers == 0 || (self.free[0] & spawn).is_empty() {
            return false;
        }
        self.reached[0] = spawn;
        for layer in 0..unit.layers {
            let row = unit.first + layer as i32;
            if layer > 0 {
                self.descend(unit, layer, row);
            }
            self.spread(unit, layer, row);
            let reached = &self.reached[layer * unit.turns..][..unit.turns];
            if reached.iter().all(|&corners| corners.is_empty()) {
                break;
            }
            self.find_lockable(unit, layer, row);
        }
        true
    }

    /// Finds the placements at which the unit fits, and clears the other buffers.
    fn prepare(&mut self, unit: &PreparedUnit<B>, rows: &[B]) {
        let size = (unit.layers + 1) * unit.turns;
        self.turns = unit.turns;
        self.first = unit.first;
        for buffer in [&mut self.free, &mut self.reached, &mut self.lockable] {
            buffer.clear();
            buffer.resize(size, B::default());
        }
        let empty = rows.iter().position(|row| !row.is_empty()).unwrap_or(rows.len()) as i32;
        for layer in 0..unit.layers {
            let row = unit.first + layer as i32;
            for turn in 0..unit.turns {
                let shape = unit.shape(turn, row);
                let (top, lines) = (row + shape.top, shape.rows.len() as i32);
                if lines == 0 || top < 0 || top + lines > unit.height {
                    continue;
                }
                let mut free = shape.inside;
                if top + lines > empty {
                    for &(y, x) in &shape.cells {
                        free &= !(rows[top as usize + usize::from(y)] >> u32::from(x));
                    }
                }
                self.free[layer * unit.turns + turn] = free;
            }
        }
    }

    /// Finds the placements of a layer that are reached by a move down from the layer above.
    #[inline]
    fn descend(&mut self, unit: &PreparedUnit<B>, layer: usize, row: i32) {
        for turn in 0..unit.turns {
            let shape = unit.shape(turn, row - 1);
            let (i, above) = (layer * unit.turns + turn, (layer - 1) * unit.turns + turn);
            let from = self.reached[above];
            self.reached[i] =
                (shape.southwest.apply(from) | shape.southeast.apply(from)) & self.free[i];
        }
    }

    /// Adds the placements of a layer that are reached by moves along the row and by rotations.
    #[inline]
    fn spread(&mut self, unit: &PreparedUnit<B>, layer: usize, row: i32) {
        let base = layer * unit.turns;
        let free = &self.free[base..][..unit.turns];
        let reached = &mut self.reached[base..][..unit.turns];
        let mut pending = (1u32 << unit.turns) - 1;
        while pending != 0 {
            let turn = pending.trailing_zeros() as usize;
            pending &= pending - 1;
            if reached[turn].is_empty() {
                continue;
            }
            let corners = fill_runs(reached[turn], free[turn]);
            reached[turn] = corners;
            for &(to, shift) in unit.shape(turn, row).turned.iter().flatten() {
                let new = shift.apply(corners) & free[to] & !reached[to];
                if !new.is_empty() {
                    reached[to] |= new;
                    pending |= 1 << to;
                }
            }
        }
    }

    /// Finds the reached placements of a layer at which some command is blocked, so that the unit
    /// can lock.
    #[inline]
    fn find_lockable(&mut self, unit: &PreparedUnit<B>, layer: usize, row: i32) {
        let base = layer * unit.turns;
        for turn in 0..unit.turns {
            let shape = unit.shape(turn, row);
            let (free, below) = (self.free[base + turn], self.free[base + unit.turns + turn]);
            let mut passable = free << 1 & free >> 1;
            passable &= shape.southwest.undo(below) & shape.southeast.undo(below);
            for turned in shape.turned {
                passable &=
                    turned.map_or(B::default(), |(to, shift)| shift.undo(self.free[base + to]));
            }
            self.lockable[base + turn] = self.reached[base + turn] & !passable;
        }
    }

    /// Returns the number of reached placements divided by the number of turns.
    #[must_use]
    pub fn room(&self) -> u32 {
        let placements: u32 = self.reached.iter().map(|&corners| corners.count()).sum();
        placements / self.turns as u32
    }

    /// Calls `found` with turn, row of the pivot and column of the leftmost cell of every placement
    /// at which the unit can lock, from the top down in a fixed order; of placements that cover the
    /// same cells only the one with the lowest pivot is listed.
    #[inline]
    pub fn for_each_lock(&self, unit: &PreparedUnit<B>, mut found: impl FnMut(usize, i32, u32)) {
        for (i, &lockable) in self.lockable.iter().enumerate() {
            if lockable.is_empty() {
                continue;
            }
            let (turn, row) = (i % self.turns, self.first + (i / self.turns) as i32);
            let mut corners = lockable & !self.seen_as_equivalent(unit, turn, row);
            while !corners.is_empty() {
                let corner = corners.first();
                corners = corners ^ B::ONE << corner;
                found(turn, row, corner);
            }
        }
    }

    /// Returns the columns of the leftmost cell at which the unit would cover the same cells as a
    /// lock placement of a preferred turn, which is listed instead.
    #[inline]
    fn seen_as_equivalent(&self, unit: &PreparedUnit<B>, turn: usize, row: i32) -> B {
        let shape = unit.shape(turn, row);
        let mut seen = B::default();
        for &equivalent in &shape.equivalents {
            let twin_row = row + shape.top - unit.shape(equivalent, row).top;
            let layer = (twin_row - self.first) as usize;
            if twin_row >= self.first && layer * self.turns < self.lockable.len() {
                seen |= self.lockable[layer * self.turns + equivalent];
            }
        }
        seen
    }

    /// Returns the placements at which the unit can lock; of those that cover the same cells only
    /// one.
    #[must_use]
    pub fn locks(&self, unit: &PreparedUnit<B>) -> Vec<Placement> {
        let mut placements = Vec::new();
        self.for_each_lock(unit, |turn, row, corner| {
            placements.push(unit.placement(turn, row, corner));
        });
        placements
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;
    use crate::{Command, RowCells, Unit};
    use ludion_core::random::Rng;

    /// Returns the sets of cells at which a unit can lock, found placement by placement.
    fn locks_by_single_steps(unit: &Unit, rows: &[RowCells]) -> BTreeSet<Vec<(i32, i32)>> {
        let (mut seen, mut found) = (HashSet::new(), BTreeSet::new());
        let mut waiting = vec![unit.spawn()];
        waiting.retain(|&at| unit.fits(rows, at));
        while let Some(at) = waiting.pop() {
            if !seen.insert(at) {
                continue;
            }
            let next = Command::ALL.map(|command| unit.step(at, command));
            if next.iter().any(|&to| !unit.fits(rows, to)) {
                let mut cells: Vec<_> = unit.cells(at).collect();
                cells.sort_unstable();
                found.insert(cells);
            }
            waiting.extend(next.into_iter().filter(|&to| unit.fits(rows, to)));
        }
        found
    }

    fn random_unit(rng: &mut Rng, width: usize, height: usize) -> Unit {
        let cell = |rng: &mut Rng| (rng.below(4) as i32, rng.below(4) as i32);
        let count = 1 + rng.below(5);
        let members: BTreeSet<(i32, i32)> = (0..count).map(|_| cell(rng)).collect();
        let members: Vec<_> = members.into_iter().collect();
        let pivot = (rng.below(8) as i32 - 2, rng.below(8) as i32 - 2);
        Unit::new(&members, pivot, width, height)
    }

    fn check_flood<B: RowWord>(seed: u64) {
        let mut rng = Rng::new(seed);
        let mut reach = PlacementFlood::<B>::default();
        for _ in 0..400 {
            let width = 3 + rng.below(if B::BITS == 32 { 30 } else { 60 });
            let height = 3 + rng.below(12);
            let full = super::super::super::board::full_row(width);
            let random = |rng: &mut Rng| RowCells::from(rng.bits() & rng.bits() & rng.bits());
            let rows: Vec<RowCells> =
                (0..height).map(|y| if y < 3 { 0 } else { random(&mut rng) & full }).collect();
            let unit = random_unit(&mut rng, width, height);
            let prepared = PreparedUnit::<B>::new(&unit, width, height);
            let narrow: Vec<B> = rows.iter().map(|&row| B::of(row)).collect();
            assert_eq!(reach.flood(&prepared, &narrow), unit.fits(&rows, unit.spawn()));
            let locks = reach.locks(&prepared);
            let cells = |at: &Placement| {
                let mut cells: Vec<_> = unit.cells(*at).collect();
                cells.sort_unstable();
                cells
            };
            let found: BTreeSet<_> = locks.iter().map(cells).collect();
            assert_eq!(found, locks_by_single_steps(&unit, &rows));
            assert_eq!(found.len(), locks.len(), "distinct by cells");
        }
    }

    #[test]
    fn the_flood_finds_the_same_locks_as_single_steps() {
        check_flood::<u32>(1);
        check_flood::<u64>(2);
        check_flood::<u128>(3);
    }
}
