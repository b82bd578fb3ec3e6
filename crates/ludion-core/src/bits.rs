//! Bitboards for boards of at most 64 cells, row by row: bit `y·cols + x`.
//!
//! A step shifts all cells of a set at once. A cell that leaves the board is dropped or, if
//! the board is a cylinder or a torus, appears at the opposite edge.

use crate::random::mix;
use crate::scene::Symmetry;

/// The size of a board of at most 64 cells, and which of its edges are joined.
#[derive(Clone, Copy, Debug)]
pub struct BitGrid {
    pub cols: usize,
    pub rows: usize,
    wrap_columns: bool,
    wrap_rows: bool,
    first_column: u64,
}

impl BitGrid {
    /// Returns a board of which no edges are joined.
    pub const fn flat(cols: usize, rows: usize) -> Self {
        BitGrid::wrapped(cols, rows, false, false)
    }

    /// Returns a board whose left and right edges are joined if `wrap_columns`, and its top
    /// and bottom edges if `wrap_rows`.
    pub const fn wrapped(cols: usize, rows: usize, wrap_columns: bool, wrap_rows: bool) -> Self {
        assert!(cols * rows <= 64, "the board fits 64 bits");
        let mut first_column = 0;
        let mut y = 0;
        while y < rows {
            first_column |= 1 << (y * cols);
            y += 1;
        }
        BitGrid { cols, rows, wrap_columns, wrap_rows, first_column }
    }

    /// Returns the number of cells.
    #[inline]
    pub const fn cells(&self) -> usize {
        self.cols * self.rows
    }

    /// Returns the set of all cells of the board.
    #[inline]
    pub const fn all(&self) -> u64 {
        u64::MAX >> (64 - self.cells())
    }

    /// Returns the cells of row `y`, counted from the top.
    #[inline]
    pub const fn row(&self, y: usize) -> u64 {
        (u64::MAX >> (64 - self.cols)) << (y * self.cols)
    }

    /// Shifts all cells of `set` one column to the left.
    #[inline]
    pub fn left(&self, set: u64) -> u64 {
        let edge = set & self.first_column;
        let wrapped = if self.wrap_columns { edge << (self.cols - 1) } else { 0 };
        (set ^ edge) >> 1 | wrapped
    }

    /// Shifts all cells of `set` one column to the right.
    #[inline]
    pub fn right(&self, set: u64) -> u64 {
        let edge = set & self.first_column << (self.cols - 1);
        let wrapped = if self.wrap_columns { edge >> (self.cols - 1) } else { 0 };
        (set ^ edge) << 1 | wrapped
    }

    /// Shifts all cells of `set` one row up.
    #[inline]
    pub fn up(&self, set: u64) -> u64 {
        let edge = set & self.row(0);
        let wrapped = if self.wrap_rows { edge << (self.cells() - self.cols) } else { 0 };
        set >> self.cols | wrapped
    }

    /// Shifts all cells of `set` one row down.
    #[inline]
    pub fn down(&self, set: u64) -> u64 {
        let edge = set & self.row(self.rows - 1);
        let wrapped = if self.wrap_rows { edge >> (self.cells() - self.cols) } else { 0 };
        (set ^ edge) << self.cols | wrapped
    }

    /// Returns whether `set` contains `length` consecutive cells of a row, column or diagonal.
    #[inline]
    pub fn has_line(&self, set: u64, length: usize) -> bool {
        let aligned =
            |step: &dyn Fn(u64) -> u64| (1..length).fold(set, |ends, _| set & step(ends)) != 0;
        aligned(&|s| self.right(s))
            || aligned(&|s| self.down(s))
            || aligned(&|s| self.down(self.right(s)))
            || aligned(&|s| self.down(self.left(s)))
    }

    /// Returns the image of a set of cells under a symmetry of the board.
    pub fn image(&self, set: u64, symmetry: Symmetry) -> u64 {
        bits(set).fold(0, |image, i| {
            let i = usize::from(i);
            let (x, y) = symmetry.point((i % self.cols, i / self.cols), self.cols, self.rows);
            image | 1 << (y * self.cols + x)
        })
    }

    /// Combines two sets of cells and the number `extra`, below 2^`extra_bits`, into a 64-bit key.
    /// The key is unique if they fit into 64 bits together, and a hash otherwise.
    #[inline]
    pub fn key(&self, sets: [u64; 2], extra: u64, extra_bits: usize) -> u64 {
        if 2 * self.cells() + extra_bits <= 64 {
            (sets[0] << self.cells() | sets[1]) << extra_bits | extra
        } else {
            mix(mix(sets[0]) ^ sets[1]).wrapping_add(extra)
        }
    }
}

/// Iterates over the numbers of the bits that are set in `set`, in ascending order.
#[inline]
pub fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        bit
    })
}

/// Applies `f` to every set. Unlike `array::map` it is inlined wherever it is called, also by
/// functions that are compiled for other instruction sets.
#[inline(always)]
pub fn map_sets<const N: usize>(mut sets: [u64; N], f: impl Fn(u64) -> u64) -> [u64; N] {
    let mut i = 0;
    while i < N {
        sets[i] = f(sets[i]);
        i += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_move_each_cell_or_drop_or_wrap_it() {
        type Step = fn(&BitGrid, u64) -> u64;
        let steps: [(Step, isize, isize); 4] = [
            (BitGrid::left, -1, 0),
            (BitGrid::right, 1, 0),
            (BitGrid::up, 0, -1),
            (BitGrid::down, 0, 1),
        ];
        for (cols, rows) in [(3, 3), (8, 8), (5, 3), (1, 7), (21, 3)] {
            for (wrap_x, wrap_y) in [(false, false), (true, false), (true, true)] {
                let grid = BitGrid::wrapped(cols, rows, wrap_x, wrap_y);
                for cell in 0..grid.cells() {
                    for (step, dx, dy) in steps {
                        let x = (cell % cols) as isize + dx;
                        let y = (cell / cols) as isize + dy;
                        let (c, r) = (cols as isize, rows as isize);
                        let inside =
                            (wrap_x || (0..c).contains(&x)) && (wrap_y || (0..r).contains(&y));
                        let target = y.rem_euclid(r) * c + x.rem_euclid(c);
                        let expected = if inside { 1 << target } else { 0 };
                        assert_eq!(step(&grid, 1 << cell), expected, "{grid:?} {cell} {dx} {dy}");
                    }
                }
            }
        }
    }
}
