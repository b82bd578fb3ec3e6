//! The transposition table of the solver: a lower and an upper bound of the score of each
//! position.
//!
//! An entry is one 64-bit word: 48 bits of a bijective hash of the key and two bytes of bounds.
//! The index of the entry gives at least the other 16 bits of the hash, so positions are
//! identified exactly on every board. Bounds never expire, so the table can be kept from one
//! position to the next.
//!
//! There are two of them. Most nodes of a search are near the end of the game, where an access to
//! main memory takes longer than the search of a small subtree. These positions have a table of
//! their own that stays in the cache of a processor core, and replace only each other. The table of
//! the positions with more empty cells fills slowly, so that positions share their subtrees over
//! many searches. It first uses a small part of its memory and grows as it fills. Threads can share
//! it: an entry is one word, so that no thread reads half of one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ludion_core::memory;

/// The bounds of a score, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScoreBounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

/// A number above every score: the bound of an unknown score.
const BEYOND: i32 = 100;

impl ScoreBounds {
    /// The bounds of an unknown score.
    pub(super) const NONE: ScoreBounds = ScoreBounds { lower: -BEYOND, upper: BEYOND };
}

/// The most empty cells of a position in the near table.
const NEAR_CELLS: i32 = 18;
/// The most empty cells of a position that is in no table, because its search takes less time than
/// the table saves.
const UNSTORED_CELLS: i32 = 7;
/// The number of index bits of the near table, which has a megabyte.
const NEAR_BITS: u32 = 17;

/// The two transposition tables of a solver. All methods take the number of empty cells of the
/// position, which selects the table.
pub(super) struct SearchTables {
    far: BoundsTable,
    near: BoundsTable,
}

impl SearchTables {
    /// Allocates the tables, at most `megabytes` and one more.
    pub(super) fn new(megabytes: usize) -> Self {
        SearchTables { far: BoundsTable::new(megabytes), near: BoundsTable::of_fixed_size() }
    }

    /// Returns tables for another thread, which share the entries of early positions with these;
    /// `None` if there is no memory for them.
    pub(super) fn share(&mut self) -> Option<Self> {
        let has_room = memory::has_room(size_of::<u64>() << NEAR_BITS);
        has_room.then(|| SearchTables { far: self.far.share(), near: BoundsTable::of_fixed_size() })
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.far.clear();
        self.near.clear();
    }

    /// Returns whether positions with that many empty cells are stored.
    #[inline(always)]
    pub(super) const fn are_stored(left: i32) -> bool {
        left > UNSTORED_CELLS
    }

    /// Prefetches the entry of `key` into the processor's cache, where the near table is already.
    #[inline(always)]
    pub(super) fn prefetch(&self, left: i32, key: u64) {
        if left > NEAR_CELLS {
            self.far.prefetch(key);
        }
    }

    /// Returns the stored bounds of the position with `key`, or [`ScoreBounds::NONE`] if there are
    /// none.
    #[inline(always)]
    pub(super) fn get(&self, left: i32, key: u64) -> ScoreBounds {
        if left > NEAR_CELLS {
            self.far.get(key)
        } else if Self::are_stored(left) {
            self.near.get(key)
        } else {
            ScoreBounds::NONE
        }
    }

    /// Narrows the stored bounds of the position with `key` to their intersection with `found`.
    #[inline(always)]
    pub(super) fn put(&mut self, left: i32, key: u64, found: ScoreBounds) {
        if left > NEAR_CELLS {
            self.far.put(key, found);
        } else if Self::are_stored(left) {
            self.near.put(key, found);
        }
    }
}

/// The number of index bits of the smallest table, which has `1 << MIN_BITS` entries.
const MIN_BITS: u32 = 16;
/// A mask of the hash bits that an entry stores, called its tag: those that are not in the index of
/// the smallest table.
const TAG: u64 = u64::MAX >> MIN_BITS;

/// A growing transposition table of score bounds.
struct BoundsTable {
    entries: Arc<Box<[AtomicU64]>>,
    /// The number of index bits: `1 << bits` entries are in use, at first `1 << min_bits` and at
    /// most `1 << max_bits`.
    bits: u32,
    min_bits: u32,
    max_bits: u32,
    /// The number of new positions that can be stored before the table grows.
    room: u64,
}

impl BoundsTable {
    /// Allocates a table of at most `megabytes`, but at least half a megabyte; less if the system
    /// does not have that much memory, which [`memory`] notes.
    fn new(megabytes: usize) -> Self {
        let max_entries = (megabytes.max(1) << 20) / size_of::<u64>();
        let fits = |bits: &u32| memory::has_room(size_of::<u64>() << bits);
        let wanted_bits = max_entries.ilog2().max(MIN_BITS);
        let max_bits = (MIN_BITS..=wanted_bits).rev().find(fits).unwrap_or(MIN_BITS);
        if max_bits < wanted_bits {
            memory::note_shortage();
        }
        let (bits, min_bits) = (MIN_BITS, MIN_BITS);
        let entries = Arc::new(memory::zeroed_words(1 << max_bits));
        BoundsTable { entries, bits, min_bits, max_bits, room: room(bits) }
    }

    /// Allocates the near table.
    fn of_fixed_size() -> Self {
        let (bits, room) = (NEAR_BITS, room(NEAR_BITS));
        let entries = Arc::new(memory::zeroed_words(1 << bits));
        BoundsTable { entries, bits, min_bits: bits, max_bits: bits, room }
    }

    /// Returns a second owner of the same entries. From now on the table has its full size.
    fn share(&mut self) -> Self {
        while self.bits < self.max_bits {
            self.grow();
        }
        (self.min_bits, self.room) = (self.max_bits, u64::MAX);
        BoundsTable { entries: Arc::clone(&self.entries), ..*self }
    }

    /// Removes all entries and returns to the smallest size.
    fn clear(&mut self) {
        self.entries[..1 << self.bits].iter().for_each(|entry| entry.store(0, Relaxed));
        self.bits = self.min_bits;
        self.room = room(self.bits);
    }

    /// Returns the index of the entry for a key, and the tag that identifies the key there.
    #[inline(always)]
    fn index_and_tag(&self, key: u64) -> (usize, u64) {
        // The factor is odd, so the product is a bijection; its high bits depend on all bits of
        // the key.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash >> (64 - self.bits)) as usize, hash & TAG)
    }

    /// Prefetches the entry of `key` into the processor's cache.
    #[inline(always)]
    fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let entry = &raw const self.entries[self.index_and_tag(key).0];
            // SAFETY: a prefetch never faults, and its instruction set, SSE, is part of every
            // x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(entry.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Returns the stored bounds of the position with `key`, or [`ScoreBounds::NONE`] if there are
    /// none.
    #[inline(always)]
    fn get(&self, key: u64) -> ScoreBounds {
        let (index_and_tag, tag) = self.index_and_tag(key);
        let entry = self.entries[index_and_tag].load(Relaxed);
        if entry >> 16 == tag { unpack(entry) } else { ScoreBounds::NONE }
    }

    /// Narrows the stored bounds of the position with `key` to their intersection with `found`. If
    /// another position is stored at the same index, it is replaced.
    #[inline(always)]
    fn put(&mut self, key: u64, mut found: ScoreBounds) {
        let (index_and_tag, tag) = self.index_and_tag(key);
        let entry = self.entries[index_and_tag].load(Relaxed);
        if entry >> 16 == tag {
            let known = unpack(entry);
            found.lower = found.lower.max(known.lower);
            found.upper = found.upper.min(known.upper);
        } else {
            self.room -= 1;
        }
        self.entries[index_and_tag].store(tag << 16 | pack(found), Relaxed);
        if self.room == 0 {
            self.grow();
        }
    }

    /// Quadruples the number of entries in use, up to the maximum.
    #[cold]
    fn grow(&mut self) {
        let old = self.bits;
        self.bits = (old + 2).min(self.max_bits);
        self.room = room(self.bits);
        if self.bits == self.max_bits {
            self.room = u64::MAX;
        }
        if self.bits == old {
            return;
        }
        // Every entry moves to a higher index or stays, so in descending order none is
        // overwritten before it has moved.
        for from in (0..1usize << old).rev() {
            let entry = self.entries[from].load(Relaxed);
            if entry != 0 {
                self.entries[from].store(0, Relaxed);
                let hash = (from as u64) << (64 - old) | entry >> 16;
                self.entries[(hash >> (64 - self.bits)) as usize].store(entry, Relaxed);
            }
        }
    }
}

/// Returns the number of new positions after which a table of `1 << bits` entries grows.
const fn room(bits: u32) -> u64 {
    1 << (bits - 1)
}

/// Decodes the bounds of an entry; an empty entry has the bounds of an unknown score.
#[inline(always)]
fn unpack(entry: u64) -> ScoreBounds {
    let [lower, upper, ..] = entry.to_le_bytes();
    ScoreBounds { lower: i32::from(lower) - BEYOND, upper: BEYOND - i32::from(upper) }
}

/// Encodes bounds for an entry.
#[inline(always)]
fn pack(bounds: ScoreBounds) -> u64 {
    ((bounds.lower + BEYOND) | (BEYOND - bounds.upper) << 8) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::random::Rng;

    #[test]
    fn a_growing_table_never_mistakes_one_position_for_another() {
        let mut table = BoundsTable::new(4);
        let mut rng = Rng::new(1);
        let keys: Vec<u64> = (0..400_000).map(|_| rng.bits() >> 15).collect();
        let bounds_of =
            |key: u64| ScoreBounds { lower: -((key % 40) as i32), upper: (key % 37) as i32 };
        for &key in &keys {
            table.put(key, bounds_of(key));
        }
        assert_eq!(table.bits, table.max_bits);
        let known = keys.iter().filter(|&&key| table.get(key) != ScoreBounds::NONE).count();
        assert!(known > keys.len() / 2, "{known}");
        for key in keys {
            assert!([bounds_of(key), ScoreBounds::NONE].contains(&table.get(key)));
            assert_eq!(table.get(key ^ 1 << 60), ScoreBounds::NONE);
        }
        table.clear();
        assert_eq!(table.get(0), ScoreBounds::NONE);
    }

    #[test]
    fn bounds_of_a_position_only_narrow() {
        let mut table = BoundsTable::new(1);
        table.put(5, ScoreBounds { lower: -3, ..ScoreBounds::NONE });
        table.put(5, ScoreBounds { upper: 7, ..ScoreBounds::NONE });
        table.put(5, ScoreBounds { lower: -4, upper: 9 });
        assert_eq!(table.get(5), ScoreBounds { lower: -3, upper: 7 });
    }
}
