//! Computes the contents of all patterns at once, as indices in base 3. A table has, for each byte
//! of a bitboard and each value of that byte, its contribution to the index of every pattern. The
//! contributions of all bytes are added: a few vector additions, independent of the shapes of the
//! patterns. For pattern t,
//!
//! ```text
//! index[t] = Σ over bytes b   row[b][mine_b][t] + 2·row[b][theirs_b][t]
//! ```

use super::layout::PatternLayout;

/// Number of pattern indices that are computed together.
const LANES: usize = 32;

/// A table of the contribution of each byte of a bitboard to the index of every pattern's content.
#[derive(Clone, Debug)]
pub struct PatternIndexer {
    /// Number of bytes of a bitboard that have cells of the board.
    bytes: usize,
    /// Number of blocks of [`LANES`] patterns.
    blocks: usize,
    /// The contributions to the indices of a block of patterns, by block, byte of the bitboard and
    /// value of that byte.
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

    /// Computes the index of every pattern for the bitboards `men` of own and opponent's men. Calls
    /// `visit` for each block of patterns with the number of its first pattern and its indices; the
    /// last block is padded with zeros.
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

/// Computes the index of the pattern `t` digit by digit, for tests.
#[cfg(test)]
pub(super) fn naive(layout: &PatternLayout, men: [u64; 2], t: usize) -> u32 {
    let digit = |cell: u8| {
        let bit = layout.board.cells[usize::from(cell)].bit;
        (men[0] >> bit & 1) as u32 + 2 * (men[1] >> bit & 1) as u32
    };
    layout.patterns[t].iter().rev().fold(0, |index, &cell| 3 * index + digit(cell))
}
