//! What a lock makes of a board: the rows after it, and what the state is then worth, found from
//! the rows it touches alone unless some of them are full.

use super::super::board::lock_points;
use super::beam::{BeamState, LockChoice};
use super::evaluation::{BoardEvaluation, SCALE};
use super::mover::UnitMover;
use super::prepared::PreparedProblem;
use super::row_word::RowWord;

/// Judges the locks of one unit on one board.
pub(super) struct LockEvaluator<'a, B> {
    pub(super) ground: &'a PreparedProblem<B>,
    pub(super) evaluation: &'a BoardEvaluation<B>,
    pub(super) mover: &'a UnitMover<B>,
    pub(super) outlook: i64,
    pub(super) rows: &'a [B],
    pub(super) worths: &'a [i32],
    pub(super) state: &'a BeamState,
    pub(super) scratch: &'a mut Vec<B>,
}

impl<B: RowWord> LockEvaluator<'_, B> {
    /// What the state after a lock is worth, and its hash.
    #[inline]
    pub(super) fn value(&mut self, turn: usize, row: i32, corner: u32) -> (i64, u64) {
        let shape = self.mover.shape(turn, row);
        let top = (row + shape.top) as usize;
        let (mut worth, mut hash) = (self.state.worth, self.state.hash);
        let mut above = if top == 0 { B::default() } else { self.rows[top - 1] };
        let mut full = false;
        for (i, &mask) in shape.rows.iter().enumerate() {
            let (y, before) = (top + i, self.rows[top + i]);
            let after = before | mask << corner;
            full |= after == self.ground.full;
            worth += i64::from(self.evaluation.row(y, above, after) - self.worths[y]);
            hash = hash.wrapping_add(after.mix(y as u64)).wrapping_sub(before.mix(y as u64));
            above = after;
        }
        let under = top + shape.rows.len();
        if under < self.rows.len() {
            worth +=
                i64::from(self.evaluation.row(under, above, self.rows[under]) - self.worths[under]);
        }
        let mut lines = 0;
        if full {
            (lines, worth, hash) = self.cleared(turn, row, corner);
        }
        let state = self.state;
        let points = state.points + lock_points(self.mover.size, lines, state.lines_before);
        let descents = state.descents + (row - self.mover.first) as u64;
        let clear = (state.cleared + u64::from(lines)) as i64 * self.evaluation.clear;
        let board = (worth + state.outline + clear) * self.outlook / 256;
        let value = points as i64 * SCALE + descents as i64 * self.evaluation.descent + board;
        (value, bonus_hash(hash, lines))
    }

    /// Lines, worth and hash after a lock that clears lines.
    #[cold]
    fn cleared(&mut self, turn: usize, row: i32, corner: u32) -> (u32, i64, u64) {
        self.scratch.clear();
        self.scratch.extend_from_slice(self.rows);
        let lock = LockChoice { row: row as i16, corner: corner as u8, turn: turn as u8 };
        let lines = place(self.scratch, self.mover, lock, self.ground.full);
        let (mut worth, mut hash, mut above) = (0, 0u64, B::default());
        for (y, &row) in self.scratch.iter().enumerate() {
            worth += i64::from(self.evaluation.row(y, above, row));
            hash = hash.wrapping_add(row.mix(y as u64));
            above = row;
        }
        (lines, worth, hash)
    }
}

/// The hash of a board on which the last lock cleared so many lines: after several at once the
/// next lock earns more, so that it is another state.
#[inline]
pub(super) fn bonus_hash(board: u64, lines: u32) -> u64 {
    let bonus = u64::from(lines.saturating_sub(1));
    board.wrapping_add(bonus.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Locks a unit on a board, takes full rows away and says how many they were.
pub(super) fn place<B: RowWord>(
    rows: &mut [B],
    mover: &UnitMover<B>,
    lock: LockChoice,
    full: B,
) -> u32 {
    let row = i32::from(lock.row);
    let shape = mover.shape(lock.turn.into(), row);
    for (row, &mask) in rows[(row + shape.top) as usize..].iter_mut().zip(&shape.rows) {
        *row |= mask << u32::from(lock.corner);
    }
    clear(rows, full)
}

/// Takes full rows away and says how many they were.
fn clear<B: RowWord>(rows: &mut [B], full: B) -> u32 {
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
