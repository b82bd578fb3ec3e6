//! Evaluation of a board, as the points that it is worth for the rest of the game, and of the state
//! after a lock.
//!
//! The value is a sum over rows, where the term of a row depends only on the row and the one above
//! it, so that a lock changes only the terms of the rows it touches, unless it clears rows. Values
//! are integers in units of 1/[`UNITS_PER_POINT`] point, so that sums do not depend on their order.

use serde::{Deserialize, Serialize};

use super::super::board::full_row;
use super::super::board::lock_points;
use super::beam::{BeamState, CompactPlacement};
use super::prepared::{PreparedProblem, PreparedUnit};
use super::row_word::{RowWord, fill_runs};
use super::weight_presets::WEIGHT_PRESETS;

/// Number of units of the integer evaluation that make one point of the score.
pub const UNITS_PER_POINT: i64 = 64;

/// Weights of the evaluation, in points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardWeights {
    /// Value of each row that a unit descends: the points for phrases that the commands on one row
    /// are expected to earn.
    pub descent: f32,
    /// Penalty for a full cell in the top row of the board; lower cells cost less.
    pub height: f32,
    /// Exponent of the height penalty: a full cell at a fraction f of the board's height costs
    /// `height`·f^`steepness`.
    pub steepness: f32,
    /// Part of the height penalty of its cells that a row is given back as it gets full, as a power
    /// `eagerness` of its fullness: 0 for none, 1 for all of it. Not changed by tuning.
    #[serde(skip_serializing_if = "is_zero")]
    pub relief: f32,
    /// Value of each placement that the largest unit can reach, averaged over its orientations.
    pub room: f32,
    /// Penalty for an empty cell that not even a unit of one cell could reach from the top.
    pub buried: f32,
    /// Penalty for an empty cell in a horizontal run of empty cells that cannot be entered from the
    /// row above.
    pub sealed: f32,
    /// Penalty for an empty cell whose two upper neighbours are both full.
    pub covered: f32,
    /// Penalty for an empty cell with one full and one empty upper neighbour.
    pub leaning: f32,
    /// Penalty for an empty cell whose left and right neighbours are both full.
    pub lone: f32,
    /// Penalty for each change between full and empty along a row; walls count as full.
    pub change: f32,
    /// Value that a row approaches as it gets full; emptier rows are worth less.
    pub fullness: f32,
    /// Exponent of the value of fullness: a row of which a fraction f is full is worth
    /// `fullness`·f^`eagerness`.
    pub eagerness: f32,
    /// Value of a cleared row in addition to its points; may be negative.
    pub clear: f32,
    /// Number of units before the end of the game over which the weight of the board's value falls
    /// from 1 to 0.
    pub horizon: f32,
}

/// Returns whether a weight is 0, which tuning does not change and reports leave out.
fn is_zero(weight: &f32) -> bool {
    *weight == 0.0
}

impl Default for BoardWeights {
    fn default() -> Self {
        WEIGHT_PRESETS[0]
    }
}

/// Evaluation weights converted to integers, with tables for boards of one size.
#[derive(Clone, Debug)]
pub(super) struct BoardEvaluation<B> {
    full: B,
    wall: B,
    /// Value of the row y with n full cells, at index y·(width + 1) + n.
    fullness: Vec<i32>,
    /// Number of entries of `fullness` for each row.
    counts: usize,
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

fn to_units(points: f32) -> i32 {
    // NaN becomes 0, and the clamp keeps large values in range.
    (points * UNITS_PER_POINT as f32).clamp(-1e6, 1e6).round() as i32
}

impl<B: RowWord> BoardEvaluation<B> {
    pub(super) fn new(weights: &BoardWeights, width: usize, height: usize) -> Self {
        let row = |y: usize| {
            let share = (height - y) as f32 / height as f32;
            let cell = weights.height * share.powf(weights.steepness);
            let value = move |count: usize| {
                let share = count as f32 / width as f32;
                let gain = weights.fullness + weights.relief * cell * width as f32;
                to_units(gain * share.powf(weights.eagerness)) - to_units(cell) * count as i32
            };
            (0..=width).map(value)
        };
        BoardEvaluation {
            full: B::of(full_row(width)),
            wall: B::ONE << (width as u32 - 1),
            fullness: (0..height).flat_map(row).collect(),
            counts: width + 1,
            sealed: to_units(weights.sealed),
            covered: to_units(weights.covered),
            leaning: to_units(weights.leaning),
            lone: to_units(weights.lone),
            change: to_units(weights.change),
            descent: to_units(weights.descent).into(),
            clear: to_units(weights.clear).into(),
            buried: to_units(weights.buried).into(),
            room: to_units(weights.room).into(),
            horizon: weights.horizon,
        }
    }

    /// Returns the value of the row with index `y` and cells `row`; `above` is the row above it.
    #[inline]
    pub(super) fn row(&self, y: usize, above: B, row: B) -> i32 {
        if row.is_empty() && above.is_empty() {
            return 0;
        }
        let count = row.count();
        let empty = row ^ self.full;
        let (left, right) = self.upper_neighbours(y, above);
        let roofed = empty & left & right;
        let open = fill_runs(empty & !roofed, empty);
        let (west, east) = (row << 1 | B::ONE, row >> 1 | self.wall);
        let leaning = empty & (left ^ right);
        let changes = (west ^ row) & self.full;
        self.fullness[y * self.counts + count as usize]
            - self.sealed * (empty & !open).count() as i32
            - self.covered * roofed.count() as i32
            - self.leaning * leaning.count() as i32
            - self.lone * (empty & west & east).count() as i32
            - self.change * changes.count() as i32
    }

    /// Returns, for each cell of row `y`, whether its upper left and upper right neighbours are
    /// full; walls count as full.
    ///
    /// In an even row these neighbours have columns x − 1 and x, in an odd row x and x + 1.
    #[inline]
    fn upper_neighbours(&self, y: usize, above: B) -> (B, B) {
        if y.is_multiple_of(2) {
            (above << 1 | B::ONE, above)
        } else {
            (above, above >> 1 | self.wall)
        }
    }

    /// Returns the cost of the empty cells that a unit of one cell could not reach from the top. It
    /// depends on the whole board, so it is computed only for promising states.
    pub(super) fn buried_cost(&self, rows: &[B]) -> i64 {
        let (mut closed, mut buried) = (B::default(), 0);
        for (y, &row) in rows.iter().enumerate() {
            let empty = row ^ self.full;
            let (left, right) = self.upper_neighbours(y, closed);
            let open = fill_runs(empty & !(left & right), empty);
            closed = open ^ self.full;
            buried += (empty & closed).count();
        }
        i64::from(buried) * self.buried
    }

    /// Returns the factor of the board's value, in units of 1/256, when `units` units are still to
    /// come.
    pub(super) fn board_weight(&self, units: usize) -> i64 {
        let share = units as f32 / self.horizon.max(1.0);
        (share.min(1.0) * 256.0) as i64
    }
}

/// Evaluates the states that follow from the possible locks of one unit on one board.
pub(super) struct LockEvaluator<'a, B> {
    pub(super) prepared: &'a PreparedProblem<B>,
    pub(super) evaluation: &'a BoardEvaluation<B>,
    pub(super) unit: &'a PreparedUnit<B>,
    pub(super) board_weight: i64,
    pub(super) rows: &'a [B],
    pub(super) row_values: &'a [i32],
    pub(super) state: &'a BeamState,
    pub(super) scratch: &'a mut Vec<B>,
}

impl<B: RowWord> LockEvaluator<'_, B> {
    /// Returns the value and the hash of the state after a lock at this turn, pivot row and
    /// leftmost column.
    #[inline]
    pub(super) fn value(&mut self, turn: usize, row: i32, corner: u32) -> (i64, u64) {
        let shape = self.unit.shape(turn, row);
        let top = (row + shape.top) as usize;
        let (mut row_value, mut hash) = (self.state.row_value, self.state.hash);
        let mut above = if top == 0 { B::default() } else { self.rows[top - 1] };
        let mut full = false;
        for (i, &mask) in shape.rows.iter().enumerate() {
            let (y, before) = (top + i, self.rows[top + i]);
            let after = before | mask << corner;
            full |= after == self.prepared.full;
            row_value += i64::from(self.evaluation.row(y, above, after) - self.row_values[y]);
            hash = hash.wrapping_add(after.mix(y as u64)).wrapping_sub(before.mix(y as u64));
            above = after;
        }
        let under = top + shape.rows.len();
        if under < self.rows.len() {
            row_value += i64::from(
                self.evaluation.row(under, above, self.rows[under]) - self.row_values[under],
            );
        }
        let mut lines = 0;
        if full {
            (lines, row_value, hash) = self.cleared(turn, row, corner);
        }
        let state = self.state;
        let points = state.points + lock_points(self.unit.size, lines, state.lines_before);
        let descended = state.rows_descended + (row - self.unit.first) as u64;
        let clear = (state.cleared + u64::from(lines)) as i64 * self.evaluation.clear;
        let board = (row_value + state.global_value + clear) * self.board_weight / 256;
        let value =
            points as i64 * UNITS_PER_POINT + descended as i64 * self.evaluation.descent + board;
        (value, state_hash(hash, lines))
    }

    /// Returns the number of cleared rows, the sum of the row values and the hash of the board
    /// after a lock that clears rows.
    #[cold]
    fn cleared(&mut self, turn: usize, row: i32, corner: u32) -> (u32, i64, u64) {
        self.scratch.clear();
        self.scratch.extend_from_slice(self.rows);
        let lock = CompactPlacement { row: row as i16, corner: corner as u8, turn: turn as u8 };
        let lines = lock_unit(self.scratch, self.unit, lock, self.prepared.full);
        let (mut row_value, mut hash, mut above) = (0, 0u64, B::default());
        for (y, &row) in self.scratch.iter().enumerate() {
            row_value += i64::from(self.evaluation.row(y, above, row));
            hash = hash.wrapping_add(row.mix(y as u64));
            above = row;
        }
        (lines, row_value, hash)
    }
}

/// Returns the hash of a state: the hash of its board, changed by the bonus for the next lock if
/// the last one cleared several rows.
#[inline]
pub(super) fn state_hash(board: u64, lines: u32) -> u64 {
    let bonus = u64::from(lines.saturating_sub(1));
    board.wrapping_add(bonus.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Locks a unit on a board, clears full rows, and returns the number of cleared rows.
pub(super) fn lock_unit<B: RowWord>(
    rows: &mut [B],
    unit: &PreparedUnit<B>,
    lock: CompactPlacement,
    full: B,
) -> u32 {
    let row = i32::from(lock.row);
    let shape = unit.shape(lock.turn.into(), row);
    for (row, &mask) in rows[(row + shape.top) as usize..].iter_mut().zip(&shape.rows) {
        *row |= mask << u32::from(lock.corner);
    }
    clear_rows(rows, full)
}

/// Clears full rows and returns their number.
fn clear_rows<B: RowWord>(rows: &mut [B], full: B) -> u32 {
    let mut kept = rows.len();
    for y in (0..rows.len()).rev() {
        if rows[y] != full {
            kept -= 1;
            rows[kept] = rows[y];
        }
    }
    rows[..kept].fill(B::default());
    kept as u32
}

#[cfg(test)]
mod tests {
    use super::super::weight_presets::SOLVER_PRESETS;
    use super::*;

    #[test]
    fn relief_makes_a_full_row_near_the_top_cost_no_more_than_a_low_one() {
        let (width, height) = (20, 30);
        // What the last cell of a row that lacks one earns, besides its neighbourhood.
        let last_cell = |weights: &BoardWeights, y: usize| {
            let evaluation = BoardEvaluation::<u32>::new(weights, width, height);
            let of = |count: usize| evaluation.fullness[y * evaluation.counts + count];
            of(width) - of(width - 1)
        };
        let presets = SOLVER_PRESETS.iter().filter(|weights| weights.relief > 0.0);
        let mut count = 0;
        for weights in presets {
            let without = BoardWeights { relief: 0.0, ..*weights };
            let [high, low] = [2, height - 2].map(|y| last_cell(weights, y));
            let [plain_high, plain_low] = [2, height - 2].map(|y| last_cell(&without, y));
            assert!(high > low && plain_high < plain_low, "{high} {low} {plain_high} {plain_low}");
            count += 1;
        }
        assert_eq!(count, 2, "LOW_STACK and OVERHANGS have relief");
    }
}
