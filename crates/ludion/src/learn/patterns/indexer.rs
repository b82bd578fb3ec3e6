//! The indices of all patterns at once. What a byte of a set of cells adds to every index is
//! looked up as one row of numbers, and the rows of all bytes are added: a few additions of
//! vectors, whatever the patterns are.
//!
//! ```text
//! index[t] = Σ over bytes b   row[b][mine_b][t] + 2·row[b][theirs_b][t]
//! ```

use super::shape::PatternShape;

/// Indices that are added up together.
const LANES: usize = 32;

/// What every byte adds to the indices.
#[derive(Clone, Debug)]
pub struct PatternIndexer {
    /// Bytes of a set.
    bytes: usize,
    /// Blocks of patterns.
    blocks: usize,
    /// Rows by block, byte and value.
    rows: Vec<[u16; LANES]>,
}

impl PatternIndexer {
    /// The kernel of the patterns of `shape`.
    #[must_use]
    pub fn new(shape: &PatternShape) -> Self {
        let cells = &shape.board.cells;
        let bytes = 1 + cells.iter().map(|place| usize::from(place.bit) / 8).max().unwrap_or(0);
        let blocks = shape.tuples.len().div_ceil(LANES);
        let mut rows = vec![[0; LANES]; blocks * bytes * 256];
        for (t, tuple) in shape.tuples.iter().enumerate() {
            for (i, &cell) in tuple.iter().enumerate() {
                let bit = usize::from(cells[usize::from(cell)].bit);
                let first = (t / LANES * bytes + bit / 8) * 256;
                for value in (0..256).filter(|value| value >> (bit % 8) & 1 == 1) {
                    rows[first + value][t % LANES] += 3_u16.pow(i as u32);
                }
            }
        }
        PatternIndexer { bytes, blocks, rows }
    }

    /// Tells `visit` the index of every pattern in turn, and a few zeros beyond the last.
    #[inline]
    pub fn indices(&self, men: [u64; 2], mut visit: impl FnMut(usize, &[u16; LANES])) {
        for block in 0..self.blocks {
            let mut mine = [0; LANES];
            let mut theirs = [0; LANES];
            let rows = &self.rows[block * self.bytes * 256..][..self.bytes * 256];
            for (byte, rows) in rows.chunks_exact(256).enumerate() {
                let row = |set: u64| &rows[(set >> (8 * byte) & 255) as usize];
                let (of_mine, of_theirs) = (row(men[0]), row(men[1]));
                for lane in 0..LANES {
                    mine[lane] += of_mine[lane];
                    theirs[lane] += of_theirs[lane];
                }
            }
            for lane in 0..LANES {
                mine[lane] += 2 * theirs[lane];
            }
            visit(block * LANES, &mine);
        }
    }
}

/// The index of one pattern, digit by digit: what the kernel must agree with.
#[cfg(test)]
pub(super) fn naive(shape: &PatternShape, men: [u64; 2], t: usize) -> u32 {
    let digit = |cell: u8| {
        let bit = shape.board.cells[usize::from(cell)].bit;
        (men[0] >> bit & 1) as u32 + 2 * (men[1] >> bit & 1) as u32
    };
    shape.tuples[t].iter().rev().fold(0, |index, &cell| 3 * index + digit(cell))
}
