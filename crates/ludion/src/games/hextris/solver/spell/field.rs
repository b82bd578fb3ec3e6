//! The placements of one unit on one board as bits: a row of bits for every row of the pivot
//! and every turn, bit x for the placement whose leftmost cell is in column x. From them all
//! that can still come to the lock is found by shifting whole rows, from the bottom up.

use super::super::super::board::{RowCells, full_row};
use super::super::super::commands::Command;
use super::super::super::unit::{Placement, Unit};

/// Where a command leads, to those who want to lock at a certain place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CommandTarget {
    /// The unit does not fit there: it locks.
    Blocked,
    /// From there the lock cannot be reached.
    Lost,
    /// To this cell of this row or of the one below.
    Cell(u16),
}

/// The placements of a unit. A cell of a row is a turn and a column: turn·width + x.
#[derive(Debug)]
pub(super) struct PlacementField<'a> {
    unit: &'a Unit,
    pub(super) width: usize,
    pub(super) turns: usize,
    /// The row of the pivot where the unit comes.
    top: i16,
    rows: usize,
    /// Where it fits: index row·turns + turn, as in all tables here.
    free: Vec<RowCells>,
    /// From where the lock can be reached.
    pub(super) live: Vec<RowCells>,
    /// The places of the lock.
    targets: Vec<RowCells>,
    /// The column of the pivot when the leftmost cell is in column 0.
    pivots: Vec<i16>,
}

impl<'a> PlacementField<'a> {
    /// The field of `unit` on `board`, of so many columns, where it is to cover the cells that
    /// it covers at `lock`.
    pub(super) fn new(unit: &'a Unit, board: &[RowCells], width: usize, lock: Placement) -> Self {
        let top = unit.spawn().y;
        let turns = usize::from(unit.turns());
        let rows = (lowest(unit, board.len(), width) - top + 1).max(1) as usize;
        let mut field = PlacementField {
            unit,
            width,
            turns,
            top,
            rows,
            free: vec![0; rows * turns],
            live: vec![0; rows * turns],
            targets: vec![0; rows * turns],
            pivots: vec![0; rows * turns],
        };
        field.find_free(board);
        field.find_targets(board, lock);
        field.find_live();
        field
    }

    /// Rows that the pivot can be in.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Cells of a row.
    pub(super) fn cells(&self) -> usize {
        self.turns * self.width
    }

    /// Whether the unit ever looks different after a turn.
    pub(super) fn can_turn(&self) -> bool {
        self.turns > 1
    }

    /// The turn of a cell.
    #[inline]
    pub(super) fn turn(&self, cell: u16) -> u32 {
        u32::from(cell) / self.width as u32
    }

    /// The cell in the first row where the unit comes, if it can come to the lock from there.
    pub(super) fn spawn(&self) -> Option<u16> {
        let spawn = self.unit.spawn();
        let cell = self.cell(spawn)?;
        self.is_live(0, cell).then_some(cell)
    }

    /// Whether a lock at this cell of `row` is as wanted.
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

    /// Where `command` leads from a cell of `row`.
    pub(super) fn ahead(&self, row: usize, cell: u16, command: Command) -> CommandTarget {
        let next = self.unit.step(self.placement(row, cell), command);
        let row = self.row(next);
        match self.cell(next) {
            Some(cell) if self.is_live(row, cell) => CommandTarget::Cell(cell),
            Some(cell) if self.bit(&self.free, row, cell) => CommandTarget::Lost,
            _ => CommandTarget::Blocked,
        }
    }

    fn placement(&self, row: usize, cell: u16) -> Placement {
        let (turn, x) = (usize::from(cell) / self.width, usize::from(cell) % self.width);
        let pivot = self.pivots[row * self.turns + turn];
        Placement { x: pivot + x as i16, y: self.top + row as i16, turn: turn as u8 }
    }

    /// The row of a placement; beyond all rows if it is above where the unit comes.
    fn row(&self, at: Placement) -> usize {
        (i32::from(at.y) - i32::from(self.top)) as usize
    }

    /// The cell of a placement, unless that is outside the board to a side or below.
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
                // A unit tells the column of the pivot by the corner of its cells.
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

    /// The columns in which the unit fits, moved sideways from `corner`, where it is in column 0.
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

    /// The placements with the cells of `lock` where some command is blocked.
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
            let locks =
                |&command: &Command| self.ahead(row, cell, command) == CommandTarget::Blocked;
            if is_wanted && Command::ALL.iter().any(locks) {
                self.targets[row * self.turns + turn] |= 1 << (usize::from(cell) % self.width);
            }
        }
    }

    fn find_live(&mut self) {
        for row in (0..self.rows).rev() {
            let at = row * self.turns;
            for turn in 0..self.turns {
                self.live[at + turn] = self.targets[at + turn];
                if row + 1 < self.rows {
                    let above = self.above_live(row, turn) & self.free[at + turn];
                    self.live[at + turn] |= above;
                }
            }
            while self.spread(row) {}
        }
    }

    /// The columns from which a descent leads to what is live in the next row.
    fn above_live(&self, row: usize, turn: usize) -> RowCells {
        let (at, below) = (row * self.turns + turn, (row + 1) * self.turns + turn);
        let here = Placement { x: self.pivots[at], y: self.top + row as i16, turn: turn as u8 };
        let back = |command| {
            let by = self.unit.step(here, command).x - self.pivots[below];
            shift(self.live[below], -by)
        };
        back(Command::SouthWest) | back(Command::SouthEast)
    }

    /// Spreads what is live in a row by one turn each way and to the sides as far as it goes;
    /// whether anything was new.
    fn spread(&mut self, row: usize) -> bool {
        let at = row * self.turns;
        let mut is_new = false;
        for turn in 0..self.turns {
            let mut live = self.live[at + turn];
            for other in [(turn + 1) % self.turns, (turn + self.turns - 1) % self.turns] {
                live |=
                    shift(self.live[at + other], self.pivots[at + other] - self.pivots[at + turn]);
            }
            live &= self.free[at + turn];
            loop {
                let wider = (live | live << 1 | live >> 1) & self.free[at + turn];
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

/// The lowest row that the pivot can be in.
fn lowest(unit: &Unit, height: usize, width: usize) -> i16 {
    let bottom = |turn: usize| {
        let at = unit.placement(turn * height * width);
        at.y + height as i16 - 1 - unit.extent(at).1
    };
    (0..usize::from(unit.turns())).map(bottom).max().unwrap_or(0)
}

/// Whether a command leads to the next row.
#[inline]
pub(super) fn is_descent(command: Command) -> bool {
    matches!(command, Command::SouthWest | Command::SouthEast)
}

/// The bits of a row moved to higher columns, or to lower ones if negative.
#[inline]
fn shift(row: RowCells, by: i16) -> RowCells {
    match by {
        0..=127 => row << by,
        -127..=-1 => row >> -by,
        _ => 0,
    }
}
