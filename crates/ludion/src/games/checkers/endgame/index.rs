//! Positions as numbers.
//!
//! Both sides are seen as moving up: the men of the side to move as they stand where it is the
//! first side, those of the other on the board turned by half. A side is then a set of `k` of
//! 32 squares, numbered from the top, and its rank is that of the combinatorial number system,
//! `Σ C(square, i)` over its squares in ascending order, `i` from 1 (Lehmer, 1964). A man that
//! steps lowers the rank of its set.
//!
//! A class holds the positions in which so many men move against so many others, as a table:
//! rows are the sets of the side with fewer men, columns those of the other, so that a step of
//! either leads to the same row or to the same column of the class with the sides swapped.
//! Sets that overlap leave holes: a quarter of the bits, the price of two sums.

use crate::games::bits::bits;

/// Men at most.
pub(super) const MOST: usize = 7;
/// Squares of the board.
const SQUARES: usize = 32;
/// Bits of the padded board from one pair of rows to the next, of which eight are squares.
const PAIR: usize = 9;
/// Where sums of ranks end and counts of men begin.
const COUNT: u32 = 24;

/// By squares and men, how many sets there are.
const SETS: [[u32; MOST + 1]; SQUARES + 1] = {
    let mut sets = [[0; MOST + 1]; SQUARES + 1];
    let mut n = 0;
    while n <= SQUARES {
        sets[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST {
            sets[n][k] = sets[n - 1][k - 1] + sets[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    sets
};

/// By pair of rows, men above it, and squares of the pair that are taken: what these add to the
/// rank, and how many they are.
static RANKS: [[[u32; 256]; MOST + 1]; SQUARES / 8] = {
    let mut ranks = [[[0; 256]; MOST + 1]; SQUARES / 8];
    let mut i = 0;
    while i < 256 * (MOST + 1) * (SQUARES / 8) {
        let (pair, above, taken) = (i / 256 / (MOST + 1), i / 256 % (MOST + 1), i % 256);
        let (mut sum, mut men, mut square) = (0, above, 0);
        while square < 8 && men <= MOST {
            if taken >> square & 1 == 1 {
                men += 1;
                sum += if men <= MOST { SETS[8 * pair + square][men] } else { 0 };
            }
            square += 1;
        }
        ranks[pair][above][taken] = sum | ((men - above) as u32) << COUNT;
        i += 1;
    }
    ranks
};

/// The sets of `men` squares.
pub(super) const fn sets(men: usize) -> u32 {
    SETS[SQUARES][men]
}

/// How many men a set has, and its rank among the sets of so many.
#[inline(always)]
pub(super) fn rank(set: u64) -> (usize, u32) {
    let mut sum = 0;
    for (pair, ranks) in RANKS.iter().enumerate() {
        let squares = (set >> (PAIR * pair)) as u8;
        sum += ranks[(sum >> COUNT) as usize & MOST][usize::from(squares)];
    }
    ((sum >> COUNT) as usize, sum & ((1 << COUNT) - 1))
}

/// The set of so many men that has this rank.
pub(super) fn unrank(men: usize, mut rank: u32) -> u64 {
    let mut set = 0;
    for i in (1..=men).rev() {
        let square = (0..SQUARES).rev().find(|&square| SETS[square][i] <= rank);
        let square = square.expect("C(0, i) is 0");
        rank -= SETS[square][i];
        set |= 1 << (square / 8 * PAIR + square % 8);
    }
    set
}

/// How many rows the men of a set are from the top, together; a step makes it one less.
pub(super) fn height(set: u64) -> usize {
    bits(set).map(|bit| super::super::board::place(4, bit).0 as usize).sum()
}

/// Where the classes are in the table of all positions up to a number of men.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndgameIndex {
    /// By men to move and others, the first bit.
    starts: [[u64; MOST]; MOST],
    /// Bits in all, a multiple of 64.
    pub(super) bits: u64,
}

impl EndgameIndex {
    /// Of positions with at most so many men.
    pub(super) fn new(pieces: usize) -> Self {
        let mut layout = EndgameIndex { starts: [[0; MOST]; MOST], bits: 0 };
        for all in 2..=pieces {
            for mine in 1..all {
                let [few, many] = [mine.min(all - mine), mine.max(all - mine)];
                layout.starts[mine][all - mine] = layout.bits;
                layout.bits += u64::from(sets(few)) * row(many);
            }
        }
        layout
    }

    /// The bit of a position: the men and the rank of the side to move, and of the other. Both
    /// have men, together at most as many as the table is for.
    #[inline(always)]
    pub(super) fn bit(&self, (mine, m): (usize, u32), (theirs, t): (usize, u32)) -> u64 {
        let (r, c, many) = if mine <= theirs { (m, t, theirs) } else { (t, m, mine) };
        self.starts[mine][theirs] + u64::from(r) * row(many) + u64::from(c)
    }
}

/// Bits of a row: whole words, so that threads can fill rows of their own.
#[inline(always)]
fn row(many: usize) -> u64 {
    u64::from(sets(many)).next_multiple_of(64)
}
