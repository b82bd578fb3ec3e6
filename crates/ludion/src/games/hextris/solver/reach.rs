//! Where a unit can lock on a board: a flood over rows of placements. The pivot never goes up,
//! so its rows are layers, gone through once from the top: from the layer above by shifts, then
//! along the row by carries and through the turns until nothing new comes. A placement is
//! lockable if some command is blocked there. Nothing is allocated once the buffers have grown.

use super::super::unit::Placement;
use super::mover::UnitMover;
use super::row_word::{RowWord, fill_runs};

/// What a flood found, a word for every layer and turn; its buffers serve again and again.
#[derive(Clone, Debug, Default)]
pub struct ReachFlood<B> {
    turns: usize,
    first: i32,
    /// The corners at which the unit fits; one layer more than there are, which is empty.
    free: Vec<B>,
    /// Those it can come to.
    reached: Vec<B>,
    /// Those of them at which it can lock.
    lockable: Vec<B>,
}

impl<B: RowWord> ReachFlood<B> {
    /// Floods from the spawn. Returns whether the unit fits there; if not, nothing is reached.
    /// `rows` are those of a board of the size that `mover` was made for.
    pub fn flood(&mut self, mover: &UnitMover<B>, rows: &[B]) -> bool {
        self.prepare(mover, rows);
        let spawn = B::ONE << mover.spawn;
        if mover.layers == 0 || (self.free[0] & spawn).is_empty() {
            return false;
        }
        self.reached[0] = spawn;
        for layer in 0..mover.layers {
            let row = mover.first + layer as i32;
            if layer > 0 {
                self.descend(mover, layer, row);
            }
            self.spread(mover, layer, row);
            let reached = &self.reached[layer * mover.turns..][..mover.turns];
            if reached.iter().all(|&corners| corners.is_empty()) {
                break;
            }
            self.find_lockable(mover, layer, row);
        }
        true
    }

    /// Finds where the unit fits and forgets the last flood.
    fn prepare(&mut self, mover: &UnitMover<B>, rows: &[B]) {
        let size = (mover.layers + 1) * mover.turns;
        self.turns = mover.turns;
        self.first = mover.first;
        for buffer in [&mut self.free, &mut self.reached, &mut self.lockable] {
            buffer.clear();
            buffer.resize(size, B::default());
        }
        let empty = rows.iter().position(|row| !row.is_empty()).unwrap_or(rows.len()) as i32;
        for layer in 0..mover.layers {
            let row = mover.first + layer as i32;
            for turn in 0..mover.turns {
                let shape = mover.shape(turn, row);
                let (top, lines) = (row + shape.top, shape.rows.len() as i32);
                if lines == 0 || top < 0 || top + lines > mover.height {
                    continue;
                }
                let mut free = shape.inside;
                if top + lines > empty {
                    for &(y, x) in &shape.cells {
                        free &= !(rows[top as usize + usize::from(y)] >> u32::from(x));
                    }
                }
                self.free[layer * mover.turns + turn] = free;
            }
        }
    }

    /// Into a layer from the one above.
    #[inline]
    fn descend(&mut self, mover: &UnitMover<B>, layer: usize, row: i32) {
        for turn in 0..mover.turns {
            let shape = mover.shape(turn, row - 1);
            let (i, above) = (layer * mover.turns + turn, (layer - 1) * mover.turns + turn);
            let from = self.reached[above];
            self.reached[i] = (shape.southwest.of(from) | shape.southeast.of(from)) & self.free[i];
        }
    }

    /// Along the row and through the turns.
    #[inline]
    fn spread(&mut self, mover: &UnitMover<B>, layer: usize, row: i32) {
        let base = layer * mover.turns;
        let free = &self.free[base..][..mover.turns];
        let reached = &mut self.reached[base..][..mover.turns];
        let mut fresh = (1u32 << mover.turns) - 1;
        while fresh != 0 {
            let turn = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            if reached[turn].is_empty() {
                continue;
            }
            let corners = fill_runs(reached[turn], free[turn]);
            reached[turn] = corners;
            for &(to, shift) in mover.shape(turn, row).turned.iter().flatten() {
                let new = shift.of(corners) & free[to] & !reached[to];
                if !new.is_empty() {
                    reached[to] |= new;
                    fresh |= 1 << to;
                }
            }
        }
    }

    #[inline]
    fn find_lockable(&mut self, mover: &UnitMover<B>, layer: usize, row: i32) {
        let base = layer * mover.turns;
        for turn in 0..mover.turns {
            let shape = mover.shape(turn, row);
            let (free, below) = (self.free[base + turn], self.free[base + mover.turns + turn]);
            let mut passable = free << 1 & free >> 1;
            passable &= shape.southwest.back(below) & shape.southeast.back(below);
            for turned in shape.turned {
                passable &=
                    turned.map_or(B::default(), |(to, shift)| shift.back(self.free[base + to]));
            }
            self.lockable[base + turn] = self.reached[base + turn] & !passable;
        }
    }

    /// How many placements were reached, the mean over the turns.
    #[must_use]
    pub fn room(&self) -> u32 {
        let placements: u32 = self.reached.iter().map(|&corners| corners.count()).sum();
        placements / self.turns as u32
    }

    /// Calls `found` with turn, row of the pivot and corner of every placement at which the unit
    /// can lock: of several that cover the same cells with the one whose pivot is lowest. From
    /// the top down, in a fixed order.
    #[inline]
    pub fn each_lock(&self, mover: &UnitMover<B>, mut found: impl FnMut(usize, i32, u32)) {
        for (i, &lockable) in self.lockable.iter().enumerate() {
            if lockable.is_empty() {
                continue;
            }
            let (turn, row) = (i % self.turns, self.first + (i / self.turns) as i32);
            let mut corners = lockable & !self.seen_as_twin(mover, turn, row);
            while !corners.is_empty() {
                let corner = corners.first();
                corners = corners ^ B::ONE << corner;
                found(turn, row, corner);
            }
        }
    }

    #[inline]
    fn seen_as_twin(&self, mover: &UnitMover<B>, turn: usize, row: i32) -> B {
        let shape = mover.shape(turn, row);
        let mut seen = B::default();
        for &twin in &shape.twins {
            let twin_row = row + shape.top - mover.shape(twin, row).top;
            let layer = (twin_row - self.first) as usize;
            if twin_row >= self.first && layer * self.turns < self.lockable.len() {
                seen |= self.lockable[layer * self.turns + twin];
            }
        }
        seen
    }

    /// The placements at which the unit can lock, those that cover the same cells once.
    #[must_use]
    pub fn locks(&self, mover: &UnitMover<B>) -> Vec<Placement> {
        let mut placements = Vec::new();
        self.each_lock(mover, |turn, row, corner| {
            placements.push(mover.placement(turn, row, corner));
        });
        placements
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;
    use crate::games::hextris::{Command, RowCells, Unit};
    use crate::random::Rng;

    /// The sets of cells at which a unit can lock, found placement by placement.
    fn one_by_one(unit: &Unit, rows: &[RowCells]) -> BTreeSet<Vec<(i32, i32)>> {
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

    fn agrees<B: RowWord>(seed: u64) {
        let mut rng = Rng::new(seed);
        let mut reach = ReachFlood::<B>::default();
        for _ in 0..400 {
            let width = 3 + rng.below(if B::BITS == 32 { 30 } else { 60 });
            let height = 3 + rng.below(12);
            let full = super::super::super::board::full_row(width);
            let random = |rng: &mut Rng| RowCells::from(rng.bits() & rng.bits() & rng.bits());
            let rows: Vec<RowCells> =
                (0..height).map(|y| if y < 3 { 0 } else { random(&mut rng) & full }).collect();
            let unit = random_unit(&mut rng, width, height);
            let mover = UnitMover::<B>::new(&unit, width, height);
            let narrow: Vec<B> = rows.iter().map(|&row| B::of(row)).collect();
            assert_eq!(reach.flood(&mover, &narrow), unit.fits(&rows, unit.spawn()));
            let locks = reach.locks(&mover);
            let cells = |at: &Placement| {
                let mut cells: Vec<_> = unit.cells(*at).collect();
                cells.sort_unstable();
                cells
            };
            let found: BTreeSet<_> = locks.iter().map(cells).collect();
            assert_eq!(found, one_by_one(&unit, &rows));
            assert_eq!(found.len(), locks.len(), "distinct by cells");
        }
    }

    #[test]
    fn the_flood_finds_the_locks_that_going_one_by_one_finds() {
        agrees::<u32>(1);
        agrees::<u64>(2);
        agrees::<u128>(3);
    }
}
