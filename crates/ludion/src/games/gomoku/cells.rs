//! Sets of cells of a board of at most 19 × 19, as 384 bits. A row has one more bit than the board
//! has columns, which is never set, so that a step over the edge of the board leaves the set.
//!
//! The operations are plain loops over the words: adapters of iterators are not inlined across the
//! parts in which a crate is compiled, and made the evaluator several times slower.

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
        let mut sum = 0;
        for word in &self.0 {
            sum += word.count_ones();
        }
        sum
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        let mut all = 0;
        for word in &self.0 {
            all |= word;
        }
        all == 0
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
        let (mut set, mut carried) = (self, 0);
        for word in &mut set.0 {
            let next = *word >> (64 - by);
            *word = *word << by | carried;
            carried = next;
        }
        set
    }

    /// Moves every bit down by `by`, from 1 to 63.
    #[inline]
    pub(super) fn down(self, by: usize) -> CellSet {
        let (mut set, mut carried) = (self, 0);
        for word in set.0.iter_mut().rev() {
            let next = *word << (64 - by);
            *word = *word >> by | carried;
            carried = next;
        }
        set
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;

    #[inline]
    fn bitand(mut self, other: CellSet) -> CellSet {
        for i in 0..WORDS {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl BitOr for CellSet {
    type Output = CellSet;

    #[inline]
    fn bitor(mut self, other: CellSet) -> CellSet {
        for i in 0..WORDS {
            self.0[i] |= other.0[i];
        }
        self
    }
}

impl Not for CellSet {
    type Output = CellSet;

    #[inline]
    fn not(mut self) -> CellSet {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}
