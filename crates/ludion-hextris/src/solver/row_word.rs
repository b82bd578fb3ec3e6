//! The machine word that holds a row of cells. The solver uses the narrowest that suffices for the
//! width of the board, because its speed depends on the size of boards in bytes.

use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use super::super::board::RowCells;

/// An unsigned integer that holds a row of cells, the leftmost in the lowest bit.
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
    /// Number of bits, the maximum number of cells of a row.
    const BITS: u32;
    /// The row in which only the leftmost cell is full.
    const ONE: Self;
    /// Converts a row of the board, which must have at most [`RowWord::BITS`] columns.
    fn of(row: RowCells) -> Self;
    /// Converts to the row type of the board, [`RowCells`].
    fn row(self) -> RowCells;
    /// Returns the number of full cells.
    fn count(self) -> u32;
    /// Returns the index of the leftmost full cell; [`RowWord::BITS`] if there is none.
    fn first(self) -> u32;
    /// Returns the wrapping sum as integers; carries move through runs of full cells, which a flood
    /// fill uses.
    fn plus(self, other: Self) -> Self;
    /// Returns a hash of the row and of `place`, its index; a board's hash is the sum over its
    /// rows.
    fn mix(self, place: u64) -> u64;
    /// Returns whether no cell is full.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// An odd constant near 2⁶⁴ divided by the golden ratio, whose multiples are evenly spread.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix64(word: u64, place: u64) -> u64 {
    let mut z = word.wrapping_add(place.wrapping_mul(GOLDEN_RATIO)).wrapping_add(GOLDEN_RATIO);
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

/// A shift of the cells of a row by a number of columns, to the right if positive; cells that leave
/// the word are lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ColumnShift {
    right: u32,
    left: u32,
}

impl ColumnShift {
    /// Returns the shift by 0 columns.
    pub(super) const fn none() -> Self {
        ColumnShift { right: 0, left: 0 }
    }

    /// Returns the shift by `columns`; `None` if all cells would leave the word.
    pub(super) fn new<B: RowWord>(columns: i32) -> Option<Self> {
        let bits = B::BITS as i32;
        (-bits < columns && columns < bits)
            .then_some(ColumnShift { right: columns.max(0) as u32, left: (-columns).max(0) as u32 })
    }

    /// Returns the shifted row.
    #[inline]
    pub(super) fn apply<B: RowWord>(self, row: B) -> B {
        row << self.right >> self.left
    }

    /// Returns the row shifted by as many columns in the opposite direction.
    #[inline]
    pub(super) fn undo<B: RowWord>(self, row: B) -> B {
        row << self.left >> self.right
    }
}

/// Returns the cells of all horizontal runs of `free` cells that contain one of `seeds`, which must
/// be free.
#[inline]
pub(super) fn fill_runs<B: RowWord>(seeds: B, free: B) -> B {
    // Adding a seed to its run flips all bits from the seed to the upper end of the run.
    let mut filled = (free.plus(seeds) ^ free | seeds) & free;
    // Towards the lower bits there is no carry; there the filled distance doubles with every step.
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
    use ludion_core::random::Rng;

    fn fill_cell_by_cell(seeds: u32, free: u32) -> u32 {
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
    fn filled_runs_equal_spreading_cell_by_cell() {
        let mut rng = Rng::new(3);
        for _ in 0..10_000 {
            let free = (rng.bits() | rng.bits()) as u32;
            let seeds = free & (rng.bits() & rng.bits() & rng.bits()) as u32;
            assert_eq!(
                fill_runs(seeds, free),
                fill_cell_by_cell(seeds, free),
                "{seeds:b} {free:b}"
            );
        }
        assert_eq!(fill_runs(1 << 127, u128::MAX), u128::MAX);
    }
}
