//! The dark squares of a board in 64 bits, padded so that every diagonal step of all squares
//! at once is one shift.
//!
//! With `W` squares a row, two rows and one bit that is never set take `2W + 1` bits; on the
//! board of 8 by 8, with the first side at the bottom:
//!
//! ```text
//!     0   1   2   3          up left   >> 5   up right   >> 4
//!   4   5   6   7     (8)    down left << 4   down right << 5
//!     9  10  11  12
//!  13  14  15  16    (17)
//!    18  19  20  21
//!  22  23  24  25    (26)
//!    27  28  29  30
//!  31  32  33  34    (35)
//! ```

/// The boards whose rows have `W` dark squares, from 3 to 5.
pub(super) struct PaddedBoard<const W: u32>;

/// A way to go: four diagonal ones, then four along rows and columns.
pub(super) type Direction = usize;

/// Sets of directions, as bits.
pub(super) const UPWARDS: u8 = 0b0011;
pub(super) const DOWNWARDS: u8 = 0b1100;
pub(super) const DIAGONAL: u8 = 0b1111;
pub(super) const EVERYWHERE: u8 = 0xff;

/// The way back.
#[inline(always)]
pub(super) const fn opposite(d: Direction) -> Direction {
    if d < 4 { 3 - d } else { 11 - d }
}

impl<const W: u32> PaddedBoard<W> {
    /// Bits from a row to the second below.
    pub(super) const PAIR: u32 = 2 * W + 1;
    /// All squares.
    pub(super) const ALL: u64 = {
        let (mut all, mut row) = (0, 0);
        while row < 2 * W {
            all |= Self::row(row);
            row += 1;
        }
        all
    };
    /// The leftmost and the rightmost square of every row.
    const EDGES: [u64; 2] = {
        let (mut edges, mut row) = ([0; 2], 0);
        while row < 2 * W {
            let first = Self::row(row) & Self::row(row).wrapping_neg();
            edges[0] |= first;
            edges[1] |= first << (W - 1);
            row += 1;
        }
        edges
    };

    /// The squares of a row, from the top.
    pub(super) const fn row(row: u32) -> u64 {
        ((1 << W) - 1) << (row / 2 * Self::PAIR + row % 2 * W)
    }

    /// All squares of `set` one step on; beyond the edges lie bits outside the board.
    #[inline(always)]
    pub(super) const fn step(set: u64, d: Direction) -> u64 {
        match d {
            0 => set >> (W + 1),
            1 => set >> W,
            2 => set << W,
            3 => set << (W + 1),
            4 => set >> Self::PAIR,
            5 => (set & !Self::EDGES[0]) >> 1,
            6 => (set & !Self::EDGES[1]) << 1,
            _ => set << Self::PAIR,
        }
    }

    /// A square one diagonal step on that is on the board: [`PaddedBoard::step`] without a branch where
    /// the direction is not known beforehand.
    #[inline(always)]
    pub(super) const fn walk(square: u64, d: Direction) -> u64 {
        square.rotate_left([64 - (W + 1), 64 - W, W, W + 1][d])
    }

    /// The pieces of `movers` that have one of `prey` beside them and a free square behind it.
    #[inline(always)]
    pub(super) const fn jumpers(movers: u64, prey: u64, empty: u64, d: Direction) -> u64 {
        let back = opposite(d);
        movers & Self::step(prey & Self::step(empty, back), back)
    }

    /// The squares that free squares in direction `d` join to `at`, and then the next one.
    #[inline]
    pub(super) const fn slide(at: u64, empty: u64, d: Direction) -> (u64, u64) {
        let (mut free, mut next) = (0, Self::step(at, d));
        while next & empty != 0 {
            free |= next;
            next = Self::step(next, d);
        }
        (free, next)
    }
}

/// The bit of the square in this row and column of a board with `w` squares a row.
pub(super) const fn bit(w: u32, row: u32, col: u32) -> u8 {
    (row / 2 * (2 * w + 1) + row % 2 * w + col) as u8
}

/// The row and column of a square: what [`bit`] is made of.
pub(super) const fn place(w: u32, bit: u8) -> (u32, u32) {
    let (pair, rest) = (bit as u32 / (2 * w + 1), bit as u32 % (2 * w + 1));
    (2 * pair + rest / w, rest % w)
}
