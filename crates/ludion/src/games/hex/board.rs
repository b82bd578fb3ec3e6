//! Sets of cells of Hex as a word for each row, and the chains in them.

use super::Hex;
use crate::game::Side;
use crate::games::bits::bits;
use crate::scene::Symmetry;

/// The largest size of the board.
pub(super) const MAX_SIZE: usize = 13;

/// A set of cells: a word for each row, the bits of which are its columns.
pub(super) type Rows = [u16; MAX_SIZE];

/// Returns the number of cells of a set.
#[inline]
pub(super) fn count(set: &Rows) -> u32 {
    let mut sum = 0;
    for row in set {
        sum += row.count_ones();
    }
    sum
}

/// Returns the numbers `16·row + column` of the cells of a set, in ascending order.
#[inline]
pub(super) fn cells(set: Rows) -> impl Iterator<Item = u8> {
    (0u8..).zip(set).flat_map(|(y, row)| bits(row.into()).map(move |x| 16 * y + x))
}

/// Returns the bits of `run` that are in an unbroken row of bits with a bit of `seeds`.
#[inline]
fn spread(run: u16, seeds: u16) -> u16 {
    let mut filled = seeds | run & !run.wrapping_add(seeds);
    let mut pairs = run;
    for step in [1, 2, 4, 8] {
        filled |= pairs & filled >> step;
        pairs &= pairs >> step;
    }
    filled
}

impl Hex {
    /// Returns a row with all its cells.
    #[inline]
    pub(super) fn row(&self) -> u16 {
        (1 << self.size) - 1
    }

    /// Returns the cells along the edge at which a chain of `side` begins, or ends if `is_end`.
    #[inline]
    pub(super) fn edge(&self, side: Side, is_end: bool) -> Rows {
        let mut rows = [0; MAX_SIZE];
        match side {
            Side::First => rows[if is_end { self.size - 1 } else { 0 }] = self.row(),
            Side::Second => rows[..self.size].fill(if is_end { 1 << (self.size - 1) } else { 1 }),
        }
        rows
    }

    /// Returns the cells of `set` that are joined to cells of `seeds` by cells of `set`.
    #[inline]
    pub(super) fn flood(&self, set: &Rows, seeds: &Rows) -> Rows {
        let mut filled = [0; MAX_SIZE];
        for y in 0..self.size {
            filled[y] = set[y] & seeds[y];
        }
        loop {
            let mut has_grown = false;
            let mut above = 0u16;
            for y in 0..self.size {
                let joined = spread(set[y], set[y] & (filled[y] | above | above >> 1));
                filled[y] = joined;
                above = joined;
            }
            let mut below = 0u16;
            for y in (0..self.size).rev() {
                let joined = spread(set[y], set[y] & (filled[y] | below | below << 1));
                has_grown |= joined != filled[y];
                filled[y] = joined;
                below = joined;
            }
            if !has_grown {
                return filled;
            }
        }
    }

    /// Returns the cells beside cells of `set`, and those of `set` itself.
    #[inline]
    pub(super) fn around(&self, set: &Rows) -> Rows {
        let mut rows = [0; MAX_SIZE];
        for y in 0..self.size {
            let above = if y > 0 { set[y - 1] } else { 0 };
            let below = if y + 1 < self.size { set[y + 1] } else { 0 };
            let here = set[y] | set[y] << 1 | set[y] >> 1;
            rows[y] = self.row() & (here | above | above >> 1 | below | below << 1);
        }
        rows
    }

    /// Returns whether these stones of `side` join its two edges.
    #[inline]
    pub(super) fn has_chain(&self, stones: &Rows, side: Side) -> bool {
        // A chain has a stone in every row, or in every column.
        let may_join = match side {
            Side::First => !stones[..self.size].contains(&0),
            Side::Second => stones.iter().fold(0, |all, row| all | row) == self.row(),
        };
        if !may_join {
            return false;
        }
        let joined = self.flood(stones, &self.edge(side, false));
        let end = self.edge(side, true);
        (0..self.size).any(|y| joined[y] & end[y] != 0)
    }

    /// Returns the image of a set under a symmetry, or reflected about the diagonal.
    pub(super) fn image(&self, set: Rows, symmetry: Symmetry) -> Rows {
        cells(set).fold([0; MAX_SIZE], |mut image, cell| {
            let cell = (usize::from(cell % 16), usize::from(cell / 16));
            let (x, y) = symmetry.point(cell, self.size, self.size);
            image[y] |= 1 << x;
            image
        })
    }
}
