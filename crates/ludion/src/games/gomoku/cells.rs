//! Sets of cells of a board of at most 19 × 19, as 384 bits. A row has one more bit than the board
//! has columns, which is never set, so that a step over the edge of the board leaves the set.

use std::ops::{BitAnd, BitOr, Not};

const WORDS: usize = 6;

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct CellSet([u64; WORDS]);

impl CellSet {
    pub(super) const EMPTY: CellSet = CellSet([0; WORDS]);

    #[inline]
    pub(super) fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Returns the first 64 bits.
    #[inline]
    pub(super) fn first_word(&self) -> u64 {
        self.0[0]
    }

    /// Iterates over the bits that are set, in ascending order.
    #[inline]
    pub(super) fn bits(self) -> impl Iterator<Item = usize> {
        (0..WORDS).flat_map(move |i| {
            let mut word = self.0[i];
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| 64 * i + word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                bit
            })
        })
    }

    /// Moves every bit up by `by`, from 1 to 63.
    #[inline]
    pub(super) fn up(self, by: usize) -> CellSet {
        CellSet(std::array::from_fn(|i| {
            let carried = if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
            self.0[i] << by | carried
        }))
    }

    /// Moves every bit down by `by`, from 1 to 63.
    #[inline]
    pub(super) fn down(self, by: usize) -> CellSet {
        CellSet(std::array::from_fn(|i| {
            let carried = if i + 1 < WORDS { self.0[i + 1] << (64 - by) } else { 0 };
            self.0[i] >> by | carried
        }))
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;

    #[inline]
    fn bitand(mut self, other: CellSet) -> CellSet {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }
}

impl BitOr for CellSet {
    type Output = CellSet;

    #[inline]
    fn bitor(mut self, other: CellSet) -> CellSet {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        self
    }
}

impl Not for CellSet {
    type Output = CellSet;

    #[inline]
    fn not(mut self) -> CellSet {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}
