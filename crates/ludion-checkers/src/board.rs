//! The bitboard: the dark squares in 64 bits, padded so that one shift moves all squares of a
//! set one diagonal step.
//!
//! With `W` dark squares per row, two rows and one padding bit, which is never set, take
//! `2W + 1` bits. On the 8×8 board, with the first side at the bottom:
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

/// The bitboard operations of a board with `W` dark squares per row, from 3 to 5.
pub(super) struct PaddedBoard<const W: u32>;

/// A direction of movement: 0 to 3 are up left, up right, down left and down right; 4 to 7 are up,
/// left, right and down. A step up or down leads to the second row from there, and a step left or
/// right to the next dark square of the row.
pub(super) type Direction = usize;

/// The two diagonal directions upwards, as a set with one bit per [`Direction`].
pub(super) const UPWARDS: u8 = 0b0011;
/// The two diagonal directions downwards, as a set.
pub(super) const DOWNWARDS: u8 = 0b1100;
/// The four diagonal directions, as a set.
pub(super) const DIAGONAL: u8 = 0b1111;
/// The four diagonal and four orthogonal directions, as a set.
pub(super) const ALL_DIRECTIONS: u8 = 0xff;

/// Returns the direction opposite to `d`.
#[inline(always)]
pub(super) const fn opposite(d: Direction) -> Direction {
    if d < 4 { 3 - d } else { 11 - d }
}

impl<const W: u32> PaddedBoard<W> {
    /// The number of bits from a row to the second row below it.
    pub(super) const PAIR_BITS: u32 = 2 * W + 1;
    /// The set of all dark squares.
    pub(super) const ALL: u64 = {
        let (mut all, mut row) = (0, 0);
        while row < 2 * W {
            all |= Self::row(row);
            row += 1;
        }
        all
    };
    /// The leftmost dark squares of all rows, and the rightmost ones.
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

    /// Returns the dark squares of a row, counted from 0 at the top.
    #[inline]
    pub(super) const fn row(row: u32) -> u64 {
        ((1 << W) - 1) << (row / 2 * Self::PAIR_BITS + row % 2 * W)
    }

    /// Moves all squares of `set` one step in direction `d`. A diagonal step across an edge ends on
    /// a bit outside the board.
    #[inline(always)]
    pub(super) const fn step(set: u64, d: Direction) -> u64 {
        match d {
            0 => set >> (W + 1),
            1 => set >> W,
            2 => set << W,
            3 => set << (W + 1),
            4 => set >> Self::PAIR_BITS,
            5 => (set & !Self::EDGES[0]) >> 1,
            6 => (set & !Self::EDGES[1]) << 1,
            _ => set << Self::PAIR_BITS,
        }
    }

    /// Moves a set of one square by a diagonal step that stays on the board. Unlike
    /// [`PaddedBoard::step`] it does not branch on the direction.
    #[inline(always)]
    pub(super) const fn step_square(square: u64, d: Direction) -> u64 {
        square.rotate_left([64 - (W + 1), 64 - W, W, W + 1][d])
    }

    /// Returns those of `movers` that can jump in direction `d`: over one of `targets` to an
    /// empty square behind it.
    #[inline(always)]
    pub(super) const fn jumpers(movers: u64, targets: u64, empty: u64, d: Direction) -> u64 {
        let back = opposite(d);
        movers & Self::step(targets & Self::step(empty, back), back)
    }

    /// Slides from `at` in direction `d`: returns the empty squares passed, and the first square
    /// that is not empty.
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

/// Returns the bit number of the dark square at a row and column, counted from 0 at the top left,
/// on a board with `w` dark squares per row.
pub(super) const fn bit(w: u32, row: u32, col: u32) -> u8 {
    (row / 2 * (2 * w + 1) + row % 2 * w + col) as u8
}

/// Returns the row and column of the dark square with a bit number: the inverse of [`bit`].
pub(super) const fn row_and_column(w: u32, bit: u8) -> (u32, u32) {
    let (pair, rest) = (bit as u32 / (2 * w + 1), bit as u32 % (2 * w + 1));
    (2 * pair + rest / w, rest % w)
}
