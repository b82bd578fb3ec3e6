//! What a board is worth to the rest of the game, as a sum over its rows: of each row and the
//! one above it alone, so that after a lock only the rows it touched are judged again. In whole
//! numbers, [`SCALE`] to the point: sums then do not depend on their order.

use serde::{Deserialize, Serialize};

use super::super::board::full_row;
use super::row_word::{RowWord, fill_runs};
use super::styles::STYLES;

/// How many of the evaluation's units a point is.
pub const SCALE: i64 = 64;

/// What the parts of a game count, in points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardWeights {
    /// A row that a unit comes down: what spelling will make of it.
    pub descent: f32,
    /// A full cell in the highest row costs this, lower ones less.
    pub height: f32,
    /// How much less: the share of the height to this power.
    pub steepness: f32,
    /// A place of the board that the largest unit can come to gains this.
    pub room: f32,
    /// An empty cell to which no way is left, not even for a single cell, costs this.
    pub buried: f32,
    /// An empty cell in a run that cannot be entered from the row above costs this.
    pub sealed: f32,
    /// An empty cell both of whose upper neighbours are full costs this.
    pub covered: f32,
    /// An empty cell one of whose upper neighbours is full costs this.
    pub leaning: f32,
    /// An empty cell between two full ones costs this.
    pub lone: f32,
    /// A change between full and empty along a row costs this, the walls being full.
    pub change: f32,
    /// A row that is all but full gains this, one that is less full less.
    pub fullness: f32,
    /// How much less: the full share of the row to this power.
    pub eagerness: f32,
    /// A row cleared gains this beyond its points (for it makes room), or costs it.
    pub clear: f32,
    /// The board counts less and less over the last units, of which these are so many.
    pub horizon: f32,
}

impl Default for BoardWeights {
    fn default() -> Self {
        STYLES[0]
    }
}

/// The weights prepared for boards of one size.
#[derive(Clone, Debug)]
pub(super) struct BoardEvaluation<B> {
    full: B,
    wall: B,
    /// The cost of a full cell in each row.
    cell: Vec<i32>,
    /// The gain of a row by its full cells.
    fullness: Vec<i32>,
    sealed: i32,
    covered: i32,
    leaning: i32,
    lone: i32,
    change: i32,
    pub(super) descent: i64,
    pub(super) clear: i64,
    buried: i64,
    pub(super) room: i64,
    horizon: f32,
}

fn scaled(points: f32) -> i32 {
    // Rounded to nothing where it is no number; a cast keeps what is too large in range.
    (points * SCALE as f32).clamp(-1e6, 1e6).round() as i32
}

impl<B: RowWord> BoardEvaluation<B> {
    pub(super) fn new(weights: &BoardWeights, width: usize, height: usize) -> Self {
        let cell = |y: usize| {
            let share = (height - y) as f32 / height as f32;
            scaled(weights.height * share.powf(weights.steepness))
        };
        let gain = |count: usize| {
            let share = count as f32 / width as f32;
            scaled(weights.fullness * share.powf(weights.eagerness))
        };
        BoardEvaluation {
            full: B::of(full_row(width)),
            wall: B::ONE << (width as u32 - 1),
            cell: (0..height).map(cell).collect(),
            fullness: (0..=width).map(gain).collect(),
            sealed: scaled(weights.sealed),
            covered: scaled(weights.covered),
            leaning: scaled(weights.leaning),
            lone: scaled(weights.lone),
            change: scaled(weights.change),
            descent: scaled(weights.descent).into(),
            clear: scaled(weights.clear).into(),
            buried: scaled(weights.buried).into(),
            room: scaled(weights.room).into(),
            horizon: weights.horizon,
        }
    }

    /// What `row` is worth in line `y` under `above`, the walls and the sky being what they are.
    #[inline]
    pub(super) fn row(&self, y: usize, above: B, row: B) -> i32 {
        if row.is_empty() && above.is_empty() {
            return 0;
        }
        let count = row.count();
        let empty = row ^ self.full;
        let (left, right) = self.over(y, above);
        let roofed = empty & left & right;
        let open = fill_runs(empty & !roofed, empty);
        let (west, east) = (row << 1 | B::ONE, row >> 1 | self.wall);
        let leaning = empty & (left ^ right);
        let changes = (west ^ row) & self.full;
        self.fullness[count as usize]
            - self.cell[y] * count as i32
            - self.sealed * (empty & !open).count() as i32
            - self.covered * roofed.count() as i32
            - self.leaning * leaning.count() as i32
            - self.lone * (empty & west & east).count() as i32
            - self.change * changes.count() as i32
    }

    /// The upper neighbours, to the left and to the right, of the cells of row `y`: in an even
    /// row those to the left and straight above, in an odd row straight above and to the right.
    /// The walls are full.
    #[inline]
    fn over(&self, y: usize, above: B) -> (B, B) {
        if y.is_multiple_of(2) {
            (above << 1 | B::ONE, above)
        } else {
            (above, above >> 1 | self.wall)
        }
    }

    /// What the cells cost to which no single cell could come from the sky. Where a way is left
    /// depends on the whole board, so this is asked only of states that seem good without it.
    pub(super) fn burial(&self, rows: &[B]) -> i64 {
        let (mut closed, mut buried) = (B::default(), 0);
        for (y, &row) in rows.iter().enumerate() {
            let empty = row ^ self.full;
            let (left, right) = self.over(y, closed);
            let open = fill_runs(empty & !(left & right), empty);
            closed = open ^ self.full;
            buried += (empty & closed).count();
        }
        i64::from(buried) * self.buried
    }

    /// How much the board counts, of 256, when so many units are still to come.
    pub(super) fn outlook(&self, units: usize) -> i64 {
        let share = units as f32 / self.horizon.max(1.0);
        (share.min(1.0) * 256.0) as i64
    }
}
