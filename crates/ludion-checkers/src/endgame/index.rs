//! Computes the index of a position in an endgame table.
//!
//! The men of each side are seen from that side, so both move up: those of the other side are
//! rotated by 180°. The men of a side are a set of `k` of the 32 squares, numbered from the top,
//! and the rank of the set is its number in the combinatorial number system, `Σ C(square, i)`
//! over its squares in ascending order with `i` from 1 (Lehmer, 1964). A step lowers the rank.
//!
//! Positions with the same numbers of men of the side to move and of the other form a class,
//! stored as a matrix of bits. Its rows are the sets of the side with fewer men and its columns
//! those of the other side, so a step leads to the same row or column of the class with the
//! sides swapped. Pairs of overlapping sets waste a quarter of the bits, but keep the index a
//! sum of two ranks.

use ludion_core::bits::bits;

/// The most men of a position, both sides together.
pub(super) const MAX_MEN: usize = 7;
/// The number of dark squares of the board.
const SQUARES: usize = 32;
/// The number of bits of two rows of the padded bitboard, of which eight are squares.
const PAIR_BITS: usize = 9;
/// The bit at which the number of men begins in the entries of [`RANK_PARTS`]; the bits below are
/// part of a rank.
const COUNT_SHIFT: u32 = 24;

/// The binomial coefficients C(n, k): the number of sets of k men on n squares.
const SET_COUNTS: [[u32; MAX_MEN + 1]; SQUARES + 1] = {
    let mut set_count = [[0; MAX_MEN + 1]; SQUARES + 1];
    let mut n = 0;
    while n <= SQUARES {
        set_count[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MAX_MEN {
            set_count[n][k] = set_count[n - 1][k - 1] + set_count[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    set_count
};

/// The part of a rank that each pair of rows adds, by pair, number of men in the rows above, and
/// set of occupied squares of the pair. The lower bits of an entry are the amount added to the
/// rank, and the bits from [`COUNT_SHIFT`] on are the number of occupied squares.
static RANK_PARTS: [[[u32; 256]; MAX_MEN + 1]; SQUARES / 8] = {
    let mut ranks = [[[0; 256]; MAX_MEN + 1]; SQUARES / 8];
    let mut i = 0;
    while i < 256 * (MAX_MEN + 1) * (SQUARES / 8) {
        let (pair, above, taken) = (i / 256 / (MAX_MEN + 1), i / 256 % (MAX_MEN + 1), i % 256);
        let (mut sum, mut men, mut square) = (0, above, 0);
        while square < 8 && men <= MAX_MEN {
            if taken >> square & 1 == 1 {
                men += 1;
                sum += if men <= MAX_MEN { SET_COUNTS[8 * pair + square][men] } else { 0 };
            }
            square += 1;
        }
        ranks[pair][above][taken] = sum | ((men - above) as u32) << COUNT_SHIFT;
        i += 1;
    }
    ranks
};

/// Returns the number of ways to place `men` men on the 32 squares.
pub(super) const fn set_count(men: usize) -> u32 {
    SET_COUNTS[SQUARES][men]
}

/// Returns the number of men in a set of squares, and the rank of the set among those with that
/// number.
#[inline(always)]
pub(super) fn rank(set: u64) -> (usize, u32) {
    let mut sum = 0;
    for (pair, ranks) in RANK_PARTS.iter().enumerate() {
        let squares = (set >> (PAIR_BITS * pair)) as u8;
        sum += ranks[(sum >> COUNT_SHIFT) as usize & MAX_MEN][usize::from(squares)];
    }
    ((sum >> COUNT_SHIFT) as usize, sum & ((1 << COUNT_SHIFT) - 1))
}

/// Returns the set of `men` squares that has the given rank: the inverse of [`rank()`].
pub(super) fn unrank(men: usize, mut rank: u32) -> u64 {
    let mut set = 0;
    for i in (1..=men).rev() {
        let square = (0..SQUARES).rev().find(|&square| SET_COUNTS[square][i] <= rank);
        let square = square.expect("C(0, i) is 0");
        rank -= SET_COUNTS[square][i];
        set |= 1 << (square / 8 * PAIR_BITS + square % 8);
    }
    set
}

/// Returns the sum of the distances of all men of a set from the top row. A step lowers it by
/// one.
pub(super) fn rows_to_go(set: u64) -> usize {
    bits(set).map(|bit| super::super::board::row_and_column(4, bit).0 as usize).sum()
}

/// The layout of a table of all positions up to a number of men: where each class begins. A class
/// is all positions with the same numbers of men of the side to move and of its opponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndgameIndex {
    /// The number of the first bit of each class, by the number of men of the side to move and of
    /// its opponent.
    starts: [[u64; MAX_MEN]; MAX_MEN],
    /// The number of bits of the table, a multiple of 64.
    pub(super) bits: u64,
}

impl EndgameIndex {
    /// Returns the layout of a table of all positions with at most `pieces` men.
    pub(super) fn new(pieces: usize) -> Self {
        let mut index = EndgameIndex { starts: [[0; MAX_MEN]; MAX_MEN], bits: 0 };
        for all in 2..=pieces {
            for mine in 1..all {
                let [few, many] = [mine.min(all - mine), mine.max(all - mine)];
                index.starts[mine][all - mine] = index.bits;
                index.bits += u64::from(set_count(few)) * row_bits(many);
            }
        }
        index
    }

    /// Returns the bit number of a position from the number of men and the rank of the side to
    /// move, and those of its opponent. Both sides must have men, together at most as many as the
    /// table covers.
    #[inline(always)]
    pub(super) fn bit(&self, (mine, m): (usize, u32), (theirs, t): (usize, u32)) -> u64 {
        let (r, c, many) = if mine <= theirs { (m, t, theirs) } else { (t, m, mine) };
        self.starts[mine][theirs] + u64::from(r) * row_bits(many) + u64::from(c)
    }
}

/// Returns the length in bits of one row of the matrix of a class (see the module documentation): one
/// bit for each way to place the `many` men of the side with more men, rounded up to a multiple of
/// 64, so that threads can fill different rows without sharing words.
#[inline(always)]
fn row_bits(many: usize) -> u64 {
    u64::from(set_count(many)).next_multiple_of(64)
}
