//! The placements of one unit on one board as bitmaps: one row of bits for every row of the pivot
//! and every turn, where bit x is the placement whose leftmost cell is in column x. The placements
//! from which the lock can be reached are found by shifting whole rows of bits, from the bottom up.

use super::super::super::board::{RowCells, full_row};
use super::super::super::commands::Command;
use super::super::super::unit::{Placement, Unit};
use std::collections::VecDeque;

/// Effect of a command on a unit that is to lock at a given placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CommandDestination {
    /// The unit does not fit where the command leads, so it locks.
    Blocked,
    /// The unit moves to a placement from which the wanted lock cannot be reached.
    DeadEnd,
    /// The unit moves to this cell (see [`PlacementBitmaps`]) of the same row or, by a move down,
    /// of the next row; the wanted lock can be reached from there.
    Cell(u16),
}

/// Bitmaps of the placements of a unit on a board. A cell of a row is a placement with its pivot in
/// that row, numbered turn·width + column of its leftmost cell.
#[derive(Debug)]
pub(super) struct PlacementBitmaps<'a> {
    unit: &'a Unit,
    pub(super) width: usize,
    pub(super) turns: usize,
    /// Row of the board in which the pivot is when the unit appears; rows of the bitmaps count from
    /// there.
    top: i16,
    rows: usize,
    /// Placements where the unit fits, at index row·turns + turn, like all bitmaps here.
    free: Vec<RowCells>,
    /// Placements that a path may visit: those where the unit fits, or of these the ones in a corridor.
    allowed: Vec<RowCells>,
    /// Placements from which the wanted lock can be reached over allowed ones.
    pub(super) live: Vec<RowCells>,
    /// Placements where the unit covers the wanted cells and can lock.
    targets: Vec<RowCells>,
    /// Column of the pivot when the unit's leftmost cell is in column 0, by row and turn.
    pivots: Vec<i16>,
}

impl<'a> PlacementBitmaps<'a> {
    /// Computes the bitmaps of `unit` on `board` with `width` columns; the wanted lock covers the
    /// cells that the unit covers at `lock`. Paths keep within about `corridor` columns on either side
    /// of the straight line from the spawn to the lock, or more where obstacles are in the way.
    pub(super) fn new(
        unit: &'a Unit,
        board: &[RowCells],
        width: usize,
        lock: Placement,
        corridor: usize,
    ) -> Self {
        let top = unit.spawn().y;
        let turns = usize::from(unit.turns());
        let rows = (lowest_pivot_row(unit, board.len(), width) - top + 1).max(1) as usize;
        let mut bitmaps = PlacementBitmaps {
            unit,
            width,
            turns,
            top,
            rows,
            free: vec![0; rows * turns],
            allowed: Vec::new(),
            live: vec![0; rows * turns],
            targets: vec![0; rows * turns],
            pivots: vec![0; rows * turns],
        };
        bitmaps.find_free(board);
        bitmaps.find_targets(board, lock);
        let mut corridor = corridor;
        while corridor < width {
            bitmaps.allowed = bitmaps.corridor(lock, corridor as i32);
            bitmaps.find_live();
            if bitmaps.spawn().is_some() {
                return bitmaps;
            }
            corridor = (2 * corridor).max(1);
        }
        bitmaps.allowed.clone_from(&bitmaps.free);
        bitmaps.find_live();
        bitmaps
    }

    /// Returns the placements where the unit fits and its pivot is at most `margin` columns beside the
    /// straight line from the spawn to `lock`.
    fn corridor(&self, lock: Placement, margin: i32) -> Vec<RowCells> {
        // Odd rows are half a column further right, so half columns are counted.
        let half_columns = |at: Placement| 2 * i32::from(at.x) + i32::from(at.y & 1);
        let (spawn, rows) = (self.unit.spawn(), self.row(lock).max(1) as i32);
        let (from, to) = (half_columns(spawn), half_columns(lock));
        let columns = |(slot, &free): (usize, &RowCells)| {
            let row = (slot / self.turns) as i32;
            let middle = (from + (to - from) * row.min(rows) / rows) / 2;
            let first = middle - margin - i32::from(self.pivots[slot]);
            let columns = |count: i32| full_row(count.max(0) as usize);
            free & columns(first + 2 * margin + 1) & !columns(first)
        };
        self.free.iter().enumerate().map(columns).collect()
    }

    /// Returns the number of rows that the pivot can be in.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of cells (placements) of a row: turns · width.
    pub(super) fn cells(&self) -> usize {
        self.turns * self.width
    }

    /// Returns whether the unit has more than one orientation.
    pub(super) fn can_turn(&self) -> bool {
        self.turns > 1
    }

    /// Returns the turn of the placement that a cell stands for.
    #[inline]
    pub(super) fn turn(&self, cell: u16) -> u32 {
        u32::from(cell) / self.width as u32
    }

    /// Returns the cell at which the unit appears, in row 0; `None` if the wanted lock cannot be
    /// reached from there.
    pub(super) fn spawn(&self) -> Option<u16> {
        let spawn = self.unit.spawn();
        let cell = self.cell(spawn)?;
        self.is_live(0, cell).then_some(cell)
    }

    /// Returns whether the unit covers the wanted cells at this cell of `row` and can lock there.
    #[inline]
    pub(super) fn is_target(&self, row: usize, cell: u16) -> bool {
        self.bit(&self.targets, row, cell)
    }

    #[inline]
    fn is_live(&self, row: usize, cell: u16) -> bool {
        self.bit(&self.live, row, cell)
    }

    #[inline]
    fn bit(&self, table: &[RowCells], row: usize, cell: u16) -> bool {
        let (turn, x) = (usize::from(cell) / self.width, usize::from(cell) % self.width);
        table[row * self.turns + turn] >> x & 1 == 1
    }

    /// Returns the effect of `command` on the unit at the placement numbered `cell` in `row` (see
    /// [`PlacementBitmaps`]).
    pub(super) fn destination(
        &self,
        row: usize,
        cell: u16,
        command: Command,
    ) -> CommandDestination {
        let next = self.unit.step(self.placement(row, cell), command);
        let row = self.row(next);
        match self.cell(next) {
            Some(cell) if self.is_live(row, cell) => CommandDestination::Cell(cell),
            Some(cell) if self.bit(&self.free, row, cell) => CommandDestination::DeadEnd,
            _ => CommandDestination::Blocked,
        }
    }

    fn placement(&self, row: usize, cell: u16) -> Placement {
        let (turn, x) = (usize::from(cell) / self.width, usize::from(cell) % self.width);
        let pivot = self.pivots[row * self.turns + turn];
        Placement { x: pivot + x as i16, y: self.top + row as i16, turn: turn as u8 }
    }

    /// Returns the row of a placement in the bitmaps; a huge number if it is above the spawn.
    fn row(&self, at: Placement) -> usize {
        (i32::from(at.y) - i32::from(self.top)) as usize
    }

    /// Returns the number of a placement among the cells of its row; `None` if it is outside the
    /// side walls or below the board.
    fn cell(&self, at: Placement) -> Option<u16> {
        let row = self.row(at);
        let turn = usize::from(at.turn);
        if row >= self.rows || turn >= self.turns {
            return None;
        }
        let x = i32::from(at.x) - i32::from(self.pivots[row * self.turns + turn]);
        (0..self.width as i32).contains(&x).then(|| (turn * self.width) as u16 + x as u16)
    }

    fn find_free(&mut self, board: &[RowCells]) {
        let height = board.len();
        for row in 0..self.rows {
            for turn in 0..self.turns {
                // Indices of placements count by the leftmost cell, from which the pivot's column
                // follows.
                let highest = self.unit.placement(turn * height * self.width).y;
                let y = self.top + row as i16 - highest;
                if (0..height as i16).contains(&y) {
                    let slot = (turn * height + y as usize) * self.width;
                    let corner = self.unit.placement(slot);
                    self.pivots[row * self.turns + turn] = corner.x;
                    self.free[row * self.turns + turn] = self.columns(board, corner);
                }
            }
        }
    }

    /// Returns the columns of the leftmost cell in which the unit fits, one bit each, with the turn
    /// and row of `corner`, a placement whose leftmost cell is in column 0.
    fn columns(&self, board: &[RowCells], corner: Placement) -> RowCells {
        let (top, bottom) = self.unit.extent(corner);
        let (_, masks) = self.unit.masks(corner);
        let mut columns = 0;
        for (i, mut mask) in masks.enumerate() {
            if bottom as usize >= board.len() {
                return 0;
            }
            let empty = !board[top as usize + i] & full_row(self.width);
            if i == 0 {
                columns = full_row(self.width);
            }
            while mask != 0 {
                columns &= empty >> mask.trailing_zeros();
                mask &= mask - 1;
            }
        }
        columns
    }

    /// Finds the placements that cover the same cells as `lock` and where some command is blocked,
    /// so that the unit can lock.
    fn find_targets(&mut self, board: &[RowCells], lock: Placement) {
        let row = self.row(lock);
        if !self.cell(lock).is_some_and(|cell| self.bit(&self.free, row, cell)) {
            return;
        }
        let wanted: Vec<RowCells> = self.unit.masks(lock).1.collect();
        let corner = self.unit.slot(lock) % (board.len() * self.width);
        for turn in 0..self.turns {
            let at = self.unit.placement(turn * board.len() * self.width + corner);
            let Some(cell) = self.cell(at) else { continue };
            let row = self.row(at);
            let is_wanted =
                self.bit(&self.free, row, cell) && self.unit.masks(at).1.eq(wanted.iter().copied());
            let locks = |&command: &Command| {
                self.destination(row, cell, command) == CommandDestination::Blocked
            };
            if is_wanted && Command::ALL.iter().any(locks) {
                self.targets[row * self.turns + turn] |= 1 << (usize::from(cell) % self.width);
            }
        }
    }

    /// Finds the placements from which one of the wanted locks can be reached.
    fn find_live(&mut self) {
        for row in (0..self.rows).rev() {
            let at = row * self.turns;
            for turn in 0..self.turns {
                self.live[at + turn] = self.targets[at + turn] & self.allowed[at + turn];
                if row + 1 < self.rows {
                    let above = self.above_live(row, turn) & self.allowed[at + turn];
                    self.live[at + turn] |= above;
                }
            }
            while self.spread(row) {}
        }
    }

    /// Returns the columns of `row` from which a move down leads to a placement of the next row
    /// from which the wanted lock can be reached.
    fn above_live(&self, row: usize, turn: usize) -> RowCells {
        let (at, below) = (row * self.turns + turn, (row + 1) * self.turns + turn);
        let here = Placement { x: self.pivots[at], y: self.top + row as i16, turn: turn as u8 };
        let back = |command| {
            let by = self.unit.step(here, command).x - self.pivots[below];
            shift(self.live[below], -by)
        };
        back(Command::SouthWest) | back(Command::SouthEast)
    }

    /// Extends the set `live` of a row by one rotation in each direction and by moves along the
    /// row; returns whether it grew.
    fn spread(&mut self, row: usize) -> bool {
        let at = row * self.turns;
        let mut is_new = false;
        for turn in 0..self.turns {
            let mut live = self.live[at + turn];
            for other in [(turn + 1) % self.turns, (turn + self.turns - 1) % self.turns] {
                live |=
                    shift(self.live[at + other], self.pivots[at + other] - self.pivots[at + turn]);
            }
            live &= self.allowed[at + turn];
            loop {
                let wider = (live | live << 1 | live >> 1) & self.allowed[at + turn];
                if wider == live {
                    break;
                }
                live = wider;
            }
            is_new |= live != self.live[at + turn];
            self.live[at + turn] = live;
        }
        is_new
    }
}

/// Returns the lowest row of the board that the pivot can be in, over all turns of the unit.
fn lowest_pivot_row(unit: &Unit, height: usize, width: usize) -> i16 {
    let bottom = |turn: usize| {
        let at = unit.placement(turn * height * width);
        at.y + height as i16 - 1 - unit.extent(at).1
    };
    (0..usize::from(unit.turns())).map(bottom).max().unwrap_or(0)
}

/// Returns whether a command moves the unit down to the next row.
#[inline]
pub(super) fn is_descent(command: Command) -> bool {
    matches!(command, Command::SouthWest | Command::SouthEast)
}

/// Shifts the bits of a row by `by` columns to higher columns, or to lower ones if `by` is
/// negative.
#[inline]
fn shift(row: RowCells, by: i16) -> RowCells {
    match by {
        0..=127 => row << by,
        -127..=-1 => row >> -by,
        _ => 0,
    }
}

impl PlacementBitmaps<'_> {
    /// Restricts `live` to the placements on one shortest path to the wanted lock, on which no path
    /// can get stuck.
    pub(super) fn keep_shortest_path(&mut self) {
        let mut path = vec![0; self.live.len()];
        for (row, cell) in self.shortest_path() {
            path[row * self.turns + self.turn(cell) as usize] |=
                1 << (usize::from(cell) % self.width);
        }
        self.live = path;
    }

    /// Returns row and cell of each placement on a shortest path from the spawn to the wanted lock,
    /// found by breadth-first search; empty if there is none.
    fn shortest_path(&self) -> Vec<(usize, u16)> {
        let index = |(row, cell): (usize, u16)| row * self.cells() + usize::from(cell);
        let Some(spawn) = self.spawn() else { return Vec::new() };
        let mut from = vec![None; self.rows() * self.cells()];
        let mut queue = VecDeque::from([(0, spawn)]);
        from[index((0, spawn))] = Some((0, spawn));
        while let Some(at) = queue.pop_front() {
            if self.is_target(at.0, at.1) {
                let before = |&at: &(usize, u16)| from[index(at)].filter(|&before| before != at);
                return std::iter::successors(Some(at), before).collect();
            }
            for command in Command::ALL {
                let row = at.0 + usize::from(is_descent(command));
                let CommandDestination::Cell(cell) = self.destination(at.0, at.1, command) else {
                    continue;
                };
                if from[index((row, cell))].is_none() {
                    from[index((row, cell))] = Some(at);
                    queue.push_back((row, cell));
                }
            }
        }
        Vec::new()
    }
}
