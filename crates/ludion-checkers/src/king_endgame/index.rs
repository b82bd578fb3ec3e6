//! Numbers the positions of an endgame table with kings.
//!
//! The board is seen by the side to move, which moves up. Positions with the same numbers of men and
//! kings of both sides form a class. Within a class the number of a position is made of the ranks of
//! its four sets of squares in the combinatorial number system, as if they could overlap.

use super::super::{Checkers, CheckersState};
use ludion_core::bits::bits;
use ludion_core::game::Side;

/// The most pieces of a position, both sides together.
pub(super) const MAX_PIECES: usize = 5;
/// The most squares of a board.
const MAX_SQUARES: usize = 50;

/// The binomial coefficients C(n, k): the number of sets of k pieces on n squares.
const SET_COUNTS: [[u32; MAX_PIECES + 1]; MAX_SQUARES + 1] = {
    let mut counts = [[0; MAX_PIECES + 1]; MAX_SQUARES + 1];
    let mut n = 0;
    while n <= MAX_SQUARES {
        counts[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MAX_PIECES {
            counts[n][k] = counts[n - 1][k - 1] + counts[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    counts
};

/// The number of men and of kings of the side to move, then of its opponent.
pub(super) type PieceCounts = [usize; 4];

/// The sets of men and of kings of the side to move, then of its opponent, seen by the side to move.
pub(super) type PieceSets = [u64; 4];

/// A class: all positions with the same numbers of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PositionClass {
    pub(super) counts: PieceCounts,
    /// The number of the first position of the class.
    pub(super) start: u64,
    /// The number of positions, impossible ones included.
    pub(super) size: u64,
}

/// The numbering of all positions of a board with few pieces.
#[derive(Clone, Debug)]
pub(super) struct KingIndex {
    squares: usize,
    /// The number of the square of each bit, and the bit of each square.
    square_of: [u8; 64],
    bit_of: Vec<u8>,
    /// The classes, those with fewer pieces and then with fewer men first; a class is followed by
    /// that with the sides swapped.
    pub(super) classes: Vec<PositionClass>,
    /// The index in `classes` of each class, by the digits of its counts.
    class_at: Vec<u8>,
    /// The number of all positions.
    pub(super) size: u64,
}

impl KingIndex {
    /// Numbers the positions of `g` with at most `pieces` pieces.
    pub(super) fn new(g: &Checkers, pieces: usize) -> Self {
        let bit_of: Vec<u8> = g.squares().collect();
        let mut square_of = [0; 64];
        for (square, &bit) in (0..).zip(&bit_of) {
            square_of[usize::from(bit)] = square;
        }
        let squares = bit_of.len();
        let mut index = KingIndex {
            squares,
            square_of,
            bit_of,
            classes: Vec::new(),
            class_at: vec![u8::MAX; 6 * 6 * 6 * 6],
            size: 0,
        };
        for counts in class_order(pieces) {
            let size = counts.iter().map(|&k| u64::from(SET_COUNTS[squares][k])).product();
            index.class_at[digits(counts)] = index.classes.len() as u8;
            index.classes.push(PositionClass { counts, start: index.size, size });
            index.size += size;
        }
        index
    }

    /// Returns the class with these numbers of pieces; `None` if the table does not have it.
    #[inline]
    fn class(&self, counts: PieceCounts) -> Option<&PositionClass> {
        if counts.iter().any(|&count| count > MAX_PIECES) {
            return None;
        }
        self.classes.get(usize::from(self.class_at[digits(counts)]))
    }

    /// Returns the number of the position with these sets; `None` if it has too many pieces or a side
    /// without any.
    #[inline]
    pub(super) fn number(&self, sets: PieceSets) -> Option<u64> {
        let class = self.class(sets.map(|set| set.count_ones() as usize))?;
        let within = sets.iter().zip(class.counts).fold(0, |number, (&set, count)| {
            number * u64::from(SET_COUNTS[self.squares][count]) + u64::from(self.rank(set))
        });
        Some(class.start + within)
    }

    /// Returns the sets of the position with the number `within` in its class; `None` if two of them
    /// overlap.
    pub(super) fn sets(&self, class: &PositionClass, mut within: u64) -> Option<PieceSets> {
        let mut sets = [0; 4];
        for (set, &count) in sets.iter_mut().zip(&class.counts).rev() {
            let size = u64::from(SET_COUNTS[self.squares][count]);
            *set = self.unrank(count, (within % size) as u32);
            within /= size;
        }
        let all = sets.iter().fold(0, |all: u64, set| all | set);
        let count: usize = class.counts.iter().sum();
        (all.count_ones() as usize == count).then_some(sets)
    }

    #[inline]
    fn rank(&self, set: u64) -> u32 {
        bits(set)
            .zip(1..)
            .map(|(bit, i)| SET_COUNTS[usize::from(self.square_of[usize::from(bit)])][i])
            .sum()
    }

    fn unrank(&self, count: usize, mut rank: u32) -> u64 {
        let mut set = 0;
        for i in (1..=count).rev() {
            let square = (0..self.squares).rev().find(|&square| SET_COUNTS[square][i] <= rank);
            let square = square.expect("a set of no squares has rank 0");
            rank -= SET_COUNTS[square][i];
            set |= 1 << self.bit_of[square];
        }
        set
    }
}

/// Returns the index of a class in `class_at`.
#[inline]
fn digits(counts: PieceCounts) -> usize {
    counts.iter().fold(0, |number, &count| 6 * number + count)
}

/// Returns the counts of all classes with at most `pieces` pieces, in an order in which a capture or
/// a promotion leads to an earlier class, and with each class next to that with swapped sides.
fn class_order(pieces: usize) -> Vec<PieceCounts> {
    let mut order = Vec::new();
    for all in 2..=pieces {
        for men in 0..=all {
            for own_men in 0..=men {
                for own_kings in 0..=all - men {
                    let [a, b, c, d] = [own_men, own_kings, men - own_men, all - men - own_kings];
                    if a + b == 0 || c + d == 0 || (a, b) < (c, d) {
                        continue;
                    }
                    order.push([a, b, c, d]);
                    if (a, b) != (c, d) {
                        order.push([c, d, a, b]);
                    }
                }
            }
        }
    }
    order
}

/// Returns the sets of men and kings of `s`, seen by the side to move.
#[inline]
pub(super) fn sets_of(g: &Checkers, s: &CheckersState) -> PieceSets {
    let (mine, theirs, kings) = match s.turn {
        Side::First => (s.mine(), s.theirs(), s.kings),
        Side::Second => (g.rotated(s.mine()), g.rotated(s.theirs()), g.rotated(s.kings)),
    };
    [mine & !kings, mine & kings, theirs & !kings, theirs & kings]
}

/// Returns the state with these sets, in which the first side is to move.
pub(super) fn state_of([men, kings, their_men, their_kings]: PieceSets) -> CheckersState {
    CheckersState {
        pieces: [men | kings, their_men | their_kings],
        kings: kings | their_kings,
        turn: Side::First,
        quiet: 0,
    }
}
