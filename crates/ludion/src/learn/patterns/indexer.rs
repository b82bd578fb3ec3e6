//! Computes the contents of all patterns at once, as indices in base 3. For each byte of a
//! bitboard a table row gives what the byte adds to the index of every pattern, and the rows of
//! all bytes are added: a few vector additions, independent of the shapes of the patterns.
//!
//! ```text
//! index[t] = Σ over bytes b   row[b][mine_b][t] + 2·row[b][theirs_b][t]
//! ```

use super::layout::PatternLayout;

/// The number of indices per vector block.
const LANES: usize = 32;

/// A table of what each byte of a bitboard adds to the index of every pattern.
#[derive(Clone, Debug)]
pub struct PatternIndexer {
    /// The number of bytes of a bitboard.
    bytes: usize,
    /// The number of blocks of patterns.
    blocks: usize,
    /// The rows, by block, byte and value of the byte.
    rows: Vec<[u16; LANES]>,
}

impl PatternIndexer {
    /// Builds the table for the patterns of `layout`.
    #[must_use]
    pub fn new(layout: &PatternLayout) -> Self {
        let cells = &layout.board.cells;
        let bytes = 1 + cells.iter().map(|place| usize::from(place.bit) / 8).max().unwrap_or(0);
        let blocks = layout.patterns.len().div_ceil(LANES);
        let mut rows = vec![[0; LANES]; blocks * bytes * 256];
        for (t, pattern) in layout.patterns.iter().enumerate() {
            for (i, &cell) in pattern.iter().enumerate() {
                let bit = usize::from(cells[usize::from(cell)].bit);
                let first = (t / LANES * bytes + bit / 8) * 256;
                for value in (0..256).filter(|value| value >> (bit % 8) & 1 == 1) {
                    rows[first + value][t % LANES] += 3_u16.pow(i as u32);
                }
            }
        }
        PatternIndexer { bytes, blocks, rows }
    }

    /// Calls `visit` with the number of the first pattern and the indices of each block of
    /// patterns; the last block is padded with zeros.
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

/// Computes the index of one pattern digit by digit, for tests.
#[cfg(test)]
pub(super) fn naive(layout: &PatternLayout, men: [u64; 2], t: usize) -> u32 {
    let digit = |cell: u8| {
        let bit = layout.board.cells[usize::from(cell)].bit;
        (men[0] >> bit & 1) as u32 + 2 * (men[1] >> bit & 1) as u32
    };
    layout.patterns[t].iter().rev().fold(0, |index, &cell| 3 * index + digit(cell))
}
