//! The word that a row of cells is kept in: the narrowest that holds the width of the board,
//! for the solver goes over boards again and again and is bound by how many bytes they have.

use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use super::super::board::RowCells;

/// A row of cells, the leftmost in the lowest bit.
pub trait RowWord:
    Copy
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// How many cells it holds.
    const BITS: u32;
    /// The leftmost cell alone.
    const ONE: Self;
    /// The lower bits of a row, which must be all it has.
    fn of(row: RowCells) -> Self;
    /// As a row of the board.
    fn row(self) -> RowCells;
    /// How many cells are full.
    fn count(self) -> u32;
    /// The place of the leftmost full cell; [`RowWord::BITS`] if there is none.
    fn first(self) -> u32;
    /// The sum, what does not fit left away: how a carry runs through a row.
    fn plus(self, other: Self) -> Self;
    /// A number that differs for different words at different places, to tell boards apart.
    fn mix(self, place: u64) -> u64;
    /// Whether no cell is full.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// An odd constant near 2⁶⁴ divided by the golden ratio: multiples of it spread evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix64(word: u64, place: u64) -> u64 {
    let mut z = word.wrapping_add(place.wrapping_mul(GOLDEN)).wrapping_add(GOLDEN);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

macro_rules! word {
    ($kind:ty, $mix:expr) => {
        impl RowWord for $kind {
            const BITS: u32 = <$kind>::BITS;
            const ONE: Self = 1;
            #[inline]
            fn of(row: RowCells) -> Self {
                row as $kind
            }
            #[inline]
            fn row(self) -> RowCells {
                RowCells::from(self)
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn mix(self, place: u64) -> u64 {
                $mix(self, place)
            }
        }
    };
}

word!(u32, |word: u32, place| mix64(word.into(), place));
word!(u64, mix64);
word!(u128, |word: u128, place| mix64(word as u64, place)
    .wrapping_add(mix64((word >> 64) as u64, place ^ 1 << 32)));

/// Moves the cells of a row by so many columns, to the right if positive; those that leave the
/// word are lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ColumnShift {
    right: u32,
    left: u32,
}

impl ColumnShift {
    /// No shift.
    pub(super) const fn none() -> Self {
        ColumnShift { right: 0, left: 0 }
    }

    /// The shift by `columns`; none when no cell of a word would stay in it.
    pub(super) fn new<B: RowWord>(columns: i32) -> Option<Self> {
        let most = B::BITS as i32;
        (-most < columns && columns < most)
            .then_some(ColumnShift { right: columns.max(0) as u32, left: (-columns).max(0) as u32 })
    }

    #[inline]
    pub(super) fn of<B: RowWord>(self, row: B) -> B {
        row << self.right >> self.left
    }

    /// The shift back.
    #[inline]
    pub(super) fn back<B: RowWord>(self, row: B) -> B {
        row << self.left >> self.right
    }
}

/// All of the runs of `free` cells that have one of `seeds` in them. `seeds` must be free.
#[inline]
pub(super) fn fill_runs<B: RowWord>(seeds: B, free: B) -> B {
    // Added to its run, the first seed turns all from there to the end of the run over.
    let mut filled = (free.plus(seeds) ^ free | seeds) & free;
    // Backwards no carry runs: what is open doubles its reach with every step.
    let mut open = free;
    let mut step = 1;
    while step < B::BITS {
        let more = filled | filled >> step & open;
        if more == filled && step == 1 {
            break;
        }
        filled = more;
        open &= open >> step;
        step *= 2;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    fn slowly(seeds: u32, free: u32) -> u32 {
        let mut filled = seeds;
        loop {
            let more = filled | (filled << 1 | filled >> 1) & free;
            if more == filled {
                return filled;
            }
            filled = more;
        }
    }

    #[test]
    fn runs_fill_as_when_they_spread_cell_by_cell() {
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let free = (rng.bits() | rng.bits()) as u32;
            let seeds = free & (rng.bits() & rng.bits() & rng.bits()) as u32;
            assert_eq!(fill_runs(seeds, free), slowly(seeds, free), "{seeds:b} {free:b}");
        }
        assert_eq!(fill_runs(1 << 127, u128::MAX), u128::MAX);
    }
}
