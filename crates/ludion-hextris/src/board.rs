//! The board, stored as one 128-bit word per row: bit x of row y is the cell (x, y). So a row has
//! up to 128 cells, and one AND per row tests whether a unit fits.

use std::ops::{Deref, DerefMut};

/// The cells of one row: bit x is 1 if the cell in column x is full, with column 0 at the left.
pub type RowCells = u128;

/// Returns a row of `width` full cells.
#[inline]
#[must_use]
pub const fn full_row(width: usize) -> RowCells {
    if width >= RowCells::BITS as usize { RowCells::MAX } else { (1 << width) - 1 }
}

/// The full and empty cells of a board, which dereferences to a slice of its rows, the top row
/// first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HexBoard {
    rows: Vec<RowCells>,
}

impl HexBoard {
    /// Creates a board of `height` empty rows; the number of columns is not stored.
    #[must_use]
    pub fn empty(height: usize) -> Self {
        HexBoard { rows: vec![0; height] }
    }

    /// Returns whether the cell in column `x` of row `y` is full.
    #[must_use]
    pub fn is_full(&self, x: usize, y: usize) -> bool {
        self.rows[y] >> x & 1 == 1
    }

    /// Fills the cell in column `x` of row `y`.
    pub fn put(&mut self, x: usize, y: usize) {
        self.rows[y] |= 1 << x;
    }

    /// Returns the number of full cells of the whole board.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }
}

impl Deref for HexBoard {
    type Target = [RowCells];

    #[inline]
    fn deref(&self) -> &[RowCells] {
        &self.rows
    }
}

impl DerefMut for HexBoard {
    #[inline]
    fn deref_mut(&mut self) -> &mut [RowCells] {
        &mut self.rows
    }
}

/// Removes the full rows and returns their number; the rows above them move down without changing
/// columns.
#[inline]
pub fn clear_lines(rows: &mut [RowCells], width: usize) -> u32 {
    let full = full_row(width);
    if !rows.iter().fold(false, |any, &row| any | (row == full)) {
        return 0;
    }
    let mut kept = rows.len();
    for y in (0..rows.len()).rev() {
        if rows[y] != full {
            kept -= 1;
            rows[kept] = rows[y];
        }
    }
    rows[..kept].fill(0);
    kept as u32
}

/// Returns the points for locking a unit of `size` cells that clears `lines` rows. They include a
/// bonus if `lines_before`, the number of rows that the previous unit cleared, is more than one.
#[inline]
#[must_use]
pub fn lock_points(size: usize, lines: u32, lines_before: u32) -> u64 {
    let (lines, before) = (u64::from(lines), u64::from(lines_before));
    let points = size as u64 + 100 * (1 + lines) * lines / 2;
    points + before.saturating_sub(1) * points / 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_rows_vanish_and_the_rest_moves_down() {
        let mut rows = [0b001, 0b111, 0b010, 0b111, 0b100];
        assert_eq!(clear_lines(&mut rows, 3), 2);
        assert_eq!(rows, [0, 0, 0b001, 0b010, 0b100]);
        let mut widest = [RowCells::MAX, 1];
        assert_eq!(clear_lines(&mut widest, 128), 1);
        assert_eq!(widest, [0, 1]);
    }

    #[test]
    fn a_lock_after_several_cleared_lines_earns_a_bonus() {
        assert_eq!(lock_points(3, 0, 0), 3);
        assert_eq!(lock_points(4, 2, 1), 304);
        assert_eq!(lock_points(4, 1, 3), 104 + 20);
        assert_eq!(lock_points(3, 0, 4), 3);
    }
}
