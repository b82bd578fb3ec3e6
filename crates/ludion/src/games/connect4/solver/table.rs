//! What a search remembers: for each position a lower and an upper bound of its score.
//!
//! An entry is one word: 48 bits of a bijective hash of the key and two bytes of bounds.
//! The place of an entry tells the other bits of the hash, of which it has at least 16:
//! so a position is recognised exactly, on every board. Bounds stay true for ever,
//! which is why a table can be kept from one position to the next.
//!
//! The table uses a small part of its memory at first, one that fits a processor's
//! cache, and grows as it fills.

/// The bounds of a score, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScoreBounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

/// Beyond every score: a bound that says nothing.
const BEYOND: i32 = 100;

impl ScoreBounds {
    /// Nothing is known.
    pub(super) const NONE: ScoreBounds = ScoreBounds { lower: -BEYOND, upper: BEYOND };
}

/// Bits of the index of the smallest table.
const MIN_BITS: u32 = 16;
/// Bits of the hash that an entry holds: all that the index of the smallest table lacks.
const TAG: u64 = u64::MAX >> MIN_BITS;

/// A memory of bounds by position.
pub(super) struct BoundsTable {
    entries: Vec<u64>,
    /// The entries in use are `1 << bits`, at most `1 << most_bits`.
    bits: u32,
    most_bits: u32,
    /// New positions to come before the table grows.
    room: u64,
}

impl BoundsTable {
    /// A table of at most `megabytes`, at least half a megabyte; smaller where the system has
    /// not so much.
    pub(super) fn new(megabytes: usize) -> Self {
        let most = (megabytes.max(1) << 20) / size_of::<u64>();
        let fits = |bits: &u32| Vec::<u64>::new().try_reserve_exact(1 << bits).is_ok();
        let most_bits = most.ilog2().max(MIN_BITS);
        let most_bits = (MIN_BITS..=most_bits).rev().find(fits).unwrap_or(MIN_BITS);
        let bits = MIN_BITS;
        BoundsTable { entries: vec![0; 1 << most_bits], bits, most_bits, room: room(bits) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries[..1 << self.bits].fill(0);
        self.bits = MIN_BITS;
        self.room = room(self.bits);
    }

    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        // Odd, so multiplying is a bijection; the high bits depend on all of the key.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash >> (64 - self.bits)) as usize, hash & TAG)
    }

    /// Starts to load the entry of `key`, to be asked for soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let entry = &raw const self.entries[self.place(key).0];
            // SAFETY: a prefetch reads nothing and faults nowhere, and SSE, which brings
            // it, is part of every x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(entry.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of `key`.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> ScoreBounds {
        let (place, tag) = self.place(key);
        let entry = self.entries[place];
        if entry >> 16 == tag { unpack(entry) } else { ScoreBounds::NONE }
    }

    /// Adds what was found out of `key`; another position at its place is forgotten.
    #[inline(always)]
    pub(super) fn put(&mut self, key: u64, mut found: ScoreBounds) {
        let (place, tag) = self.place(key);
        let entry = self.entries[place];
        if entry >> 16 == tag {
            let known = unpack(entry);
            found.lower = found.lower.max(known.lower);
            found.upper = found.upper.min(known.upper);
        } else {
            self.room -= 1;
        }
        self.entries[place] = tag << 16 | pack(found);
        if self.room == 0 {
            self.grow();
        }
    }

    /// Takes four times the memory, if there is any left.
    #[cold]
    fn grow(&mut self) {
        let old = self.bits;
        self.bits = (old + 2).min(self.most_bits);
        self.room = room(self.bits);
        if self.bits == self.most_bits {
            self.room = u64::MAX;
        }
        if self.bits == old {
            return;
        }
        // Every entry moves up, or stays: from the last to the first none is overwritten
        // before it has moved.
        for from in (0..1usize << old).rev() {
            let entry = std::mem::take(&mut self.entries[from]);
            if entry != 0 {
                let hash = (from as u64) << (64 - old) | entry >> 16;
                self.entries[(hash >> (64 - self.bits)) as usize] = entry;
            }
        }
    }
}

/// How many new positions a table of `1 << bits` entries takes before it is crowded.
const fn room(bits: u32) -> u64 {
    1 << (bits - 1)
}

/// An empty entry unpacks to bounds that say nothing.
#[inline(always)]
fn unpack(entry: u64) -> ScoreBounds {
    let [lower, upper, ..] = entry.to_le_bytes();
    ScoreBounds { lower: i32::from(lower) - BEYOND, upper: BEYOND - i32::from(upper) }
}

#[inline(always)]
fn pack(bounds: ScoreBounds) -> u64 {
    ((bounds.lower + BEYOND) | (BEYOND - bounds.upper) << 8) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn a_growing_table_never_mistakes_one_position_for_another() {
        let mut table = BoundsTable::new(4);
        let mut rng = Rng::new(1);
        let keys: Vec<u64> = (0..400_000).map(|_| rng.bits() >> 15).collect();
        let of = |key: u64| ScoreBounds { lower: -((key % 40) as i32), upper: (key % 37) as i32 };
        for &key in &keys {
            table.put(key, of(key));
        }
        assert_eq!(table.bits, table.most_bits);
        let known = keys.iter().filter(|&&key| table.get(key) != ScoreBounds::NONE).count();
        assert!(known > keys.len() / 2, "{known}");
        for key in keys {
            assert!([of(key), ScoreBounds::NONE].contains(&table.get(key)));
            assert_eq!(table.get(key ^ 1 << 60), ScoreBounds::NONE);
        }
        table.clear();
        assert_eq!(table.get(0), ScoreBounds::NONE);
    }

    #[test]
    fn bounds_of_one_position_narrow() {
        let mut table = BoundsTable::new(1);
        table.put(5, ScoreBounds { lower: -3, ..ScoreBounds::NONE });
        table.put(5, ScoreBounds { upper: 7, ..ScoreBounds::NONE });
        table.put(5, ScoreBounds { lower: -4, upper: 9 });
        assert_eq!(table.get(5), ScoreBounds { lower: -3, upper: 7 });
    }
}
