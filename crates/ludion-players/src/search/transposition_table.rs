//! A transposition table of fixed size that threads share without locks.
//!
//! An entry is two words, the data and the hash xor the data (Hyatt & Mann, *A lock-less
//! transposition table*, 2002), so that an entry mixed from two concurrent writes does not match
//! any hash. The hash is a bijection of the 64 bits of [`Game::key`], so keys that identify a state
//! exactly never collide. A bucket of four entries fills one cache line; in a full bucket the entry
//! of the oldest search is replaced first, and of entries of the same search the shallowest.
//!
//! A table may start small and grow to its full size as it fills, because touching fresh memory
//! pages can cost more than a short search.
//!
//! [`Game::key`]: crate::game::Game::key

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::memory;
use crate::random::mix;

/// How the stored value of an entry relates to the exact value of its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The exact value is at least the stored value.
    Lower = 1,
    /// The exact value is at most the stored value.
    Upper = 2,
    /// The exact value is the stored value.
    Exact = 3,
}

impl Bound {
    /// Returns how `value`, the result of a search with the window `alpha` to `beta`, relates to
    /// the exact value.
    #[inline]
    #[must_use]
    pub fn from_window(value: i32, alpha: i32, beta: i32) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// The contents of a table entry for one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The value of the state for the side to move, or a bound on it; it must fit in 16 bits.
    pub value: i32,
    /// How `value` relates to the exact value of the state.
    pub bound: Bound,
    /// The depth of the search that gave the value, in plies, up to [`TableEntry::MAX_DEPTH`].
    pub depth: u32,
    /// The index of the best move in the search's list of moves; [`TableEntry::NO_MOVE`] if
    /// unknown.
    pub best: u16,
    /// Whether the search reached no depth limit, so that a deeper search finds the same value.
    pub complete: bool,
}

impl TableEntry {
    /// The greatest depth that an entry can store.
    pub const MAX_DEPTH: u32 = (1 << 13) - 1;
    /// The value of `best` that stands for no best move.
    pub const NO_MOVE: u16 = u16::MAX;

    /// Packs an entry into 64 bits: value, best move, age, depth, completeness and bound take 16,
    /// 16, 16, 13, 1 and 2 bits.
    #[inline]
    fn pack(self, age: u16) -> u64 {
        debug_assert!(i16::try_from(self.value).is_ok(), "a value of 16 bits");
        u64::from(self.value as u16) << 48
            | u64::from(self.best) << 32
            | u64::from(age) << 16
            | u64::from(self.depth.min(TableEntry::MAX_DEPTH)) << 3
            | u64::from(self.complete) << 2
            | self.bound as u64
    }

    #[inline]
    fn unpack(data: u64) -> Option<TableEntry> {
        let bound = match data & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TableEntry {
            value: i32::from((data >> 48) as i16),
            bound,
            depth: depth_of(data),
            best: (data >> 32) as u16,
            complete: data >> 2 & 1 == 1,
        })
    }
}

#[inline]
fn depth_of(data: u64) -> u32 {
    data as u32 >> 3 & TableEntry::MAX_DEPTH
}

#[inline]
fn age_of(data: u64) -> u16 {
    (data >> 16) as u16
}

struct TableSlot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Number of slots in a bucket, which fills a cache line.
const BUCKET_SLOTS: usize = 4;
/// Bytes in a cache line.
const CACHE_LINE: usize = BUCKET_SLOTS * size_of::<TableSlot>();
/// Number of buckets of the smallest table, so that the sample fits into it.
const MIN_BUCKETS: usize = FILL_SAMPLE / BUCKET_SLOTS;
/// Number of slots that are sampled to estimate how full a table is.
const FILL_SAMPLE: usize = 256;

/// Allocates `count` empty slots; `None` if there is not enough memory. The operating system
/// provides zeroed pages when they are first used, which is cheaper for a short search than writing
/// zeros. With cache-line alignment the allocator would write them, so the table skips the slots
/// before the first cache line instead.
fn zeroed_slots(count: usize) -> Option<Box<[TableSlot]>> {
    let layout = Layout::array::<TableSlot>(count).ok()?;
    // SAFETY: the layout is of positive size, the memory is owned by the box alone and freed
    // with the same layout, and all zeros are a slot of atomic zeros.
    unsafe {
        let memory = alloc_zeroed(layout).cast::<TableSlot>();
        (!memory.is_null())
            .then(|| Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, count)))
    }
}

/// A transposition table, shared by the threads of a search.
pub struct TranspositionTable {
    slots: Box<[TableSlot]>,
    /// Number of slots at the beginning that are unused, so that buckets are aligned to cache
    /// lines.
    skipped: usize,
    /// Number of buckets in use minus one; their number is a power of two, so this is a bit mask.
    mask: AtomicUsize,
    /// Number of allocated buckets minus one.
    max_mask: usize,
    /// The number of the current search, stored in each entry that it writes.
    age: AtomicU16,
    /// The number of the first search since the last [`TranspositionTable::forget`]; entries of
    /// earlier searches are invalid.
    oldest_age: AtomicU16,
}

impl TranspositionTable {
    /// Creates a table of `megabytes`, rounded down to a power of two, and at least one megabyte;
    /// smaller if the system does not have enough memory, which [`memory`] notes.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        let mut buckets = (1 << megabytes.max(1).ilog2() << 20) / CACHE_LINE;
        let slots = loop {
            let is_smallest = buckets <= MIN_BUCKETS;
            let slots = zeroed_slots((buckets + 1) * BUCKET_SLOTS);
            match slots.filter(|_| is_smallest || memory::has_room(0)) {
                Some(slots) => break slots,
                None => memory::note_shortage(),
            }
            if is_smallest {
                handle_alloc_error(Layout::new::<[TableSlot; (MIN_BUCKETS + 1) * BUCKET_SLOTS]>());
            }
            buckets /= 2;
        };
        let skipped = slots.as_ptr().addr().wrapping_neg() % CACHE_LINE / size_of::<TableSlot>();
        let max_mask = buckets - 1;
        let (age, oldest_age) = (AtomicU16::new(1), AtomicU16::new(1));
        TranspositionTable {
            slots,
            skipped,
            mask: AtomicUsize::new(max_mask),
            max_mask,
            age,
            oldest_age,
        }
    }

    /// Creates a table of at most `megabytes` that uses only a quarter of a megabyte at first;
    /// [`TranspositionTable::grow`] doubles it.
    #[must_use]
    pub fn growing(megabytes: usize) -> Self {
        let table = TranspositionTable::new(megabytes);
        table.mask.store(((1 << 18) / CACHE_LINE - 1).min(table.max_mask), Relaxed);
        table
    }

    /// Doubles the part of the memory in use if about half of it is filled and more is allocated.
    /// Moves the entries to their new buckets.
    pub fn grow(&self) {
        let mask = self.mask.load(Relaxed);
        let sample = &self.slots[self.skipped..][..FILL_SAMPLE];
        let filled = sample.iter().filter(|slot| self.is_valid(slot.data.load(Relaxed))).count();
        if mask == self.max_mask || 2 * filled < FILL_SAMPLE {
            return;
        }
        let used = BUCKET_SLOTS * (mask + 1);
        let (old, new) = self.slots[self.skipped..][..2 * used].split_at(used);
        for (from, to) in old.iter().zip(new) {
            let (check, data) = (from.check.load(Relaxed), from.data.load(Relaxed));
            // The next bit of the hash decides whether the entry stays or moves to the new half.
            if self.is_valid(data) && (check ^ data) as usize & (mask + 1) != 0 {
                to.check.store(check, Relaxed);
                to.data.store(data, Relaxed);
                from.data.store(0, Relaxed);
            }
        }
        self.mask.store(2 * mask + 1, Relaxed);
    }

    /// Returns whether `data`, a word of a slot, is an entry that was not invalidated by
    /// [`TranspositionTable::forget`].
    #[inline]
    fn is_valid(&self, data: u64) -> bool {
        data != 0 && age_of(data) >= self.oldest_age.load(Relaxed)
    }

    /// Starts a new search. Its entries replace those of older searches first.
    pub fn next_search(&self) {
        let age = self.age.load(Relaxed);
        if age == u16::MAX {
            self.clear();
        } else {
            self.age.store(age + 1, Relaxed);
        }
    }

    /// Invalidates all entries without writing to them.
    pub fn forget(&self) {
        self.next_search();
        self.oldest_age.store(self.age.load(Relaxed), Relaxed);
    }

    fn clear(&self) {
        for slot in &self.slots {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.age.store(1, Relaxed);
        self.oldest_age.store(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[TableSlot] {
        let i = hash as usize & self.mask.load(Relaxed);
        &self.slots[self.skipped + i * BUCKET_SLOTS..][..BUCKET_SLOTS]
    }

    /// Prefetches the bucket of `key` into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let bucket = self.bucket(mix(key)).as_ptr();
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint that reads nothing, SSE is part of x86-64, and
            // the pointer comes from a reference.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }

    /// Returns the entry of the state with this key, if there is one.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let hash = mix(key);
        for slot in self.bucket(hash) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == hash && self.is_valid(data) {
                return TableEntry::unpack(data);
            }
        }
        None
    }

    /// Stores an entry for the state with this key. It replaces the entry of the same state, or
    /// else the entry of the bucket with the lowest age, then the lowest depth.
    #[inline]
    pub fn put(&self, key: u64, mut entry: TableEntry) {
        let hash = mix(key);
        let age = self.age.load(Relaxed);
        let mut victim: Option<(&TableSlot, u64)> = None;
        for slot in self.bucket(hash) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == hash {
                if let Some(old) =
                    TableEntry::unpack(data).filter(|_| entry.best == TableEntry::NO_MOVE)
                {
                    entry.best = old.best;
                }
                victim = Some((slot, 0));
                break;
            }
            // Age counts before depth. An empty slot has age 0 and is replaced first.
            let priority = u64::from(age_of(data)) << 16 | u64::from(depth_of(data));
            if victim.is_none_or(|(_, lowest)| priority < lowest) {
                victim = Some((slot, priority));
            }
        }
        let (slot, _) = victim.expect("a bucket has slots");
        let data = entry.pack(age);
        slot.check.store(hash ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(value: i32, depth: u32) -> TableEntry {
        TableEntry { value, bound: Bound::Exact, depth, best: 3, complete: false }
    }

    proptest! {
        #[test]
        fn an_entry_comes_back_as_it_was_stored(
            key: u64, value in -30_000i32..=30_000, depth in 0..=TableEntry::MAX_DEPTH, best: u16,
            complete: bool, bound in 0usize..3,
        ) {
            let table = TranspositionTable::new(1);
            let bound = [Bound::Lower, Bound::Upper, Bound::Exact][bound];
            let stored = TableEntry { value, bound, depth, best, complete };
            table.put(key, stored);
            prop_assert_eq!(table.get(key), Some(stored));
            prop_assert_eq!(table.get(key ^ 1), None);
        }
    }

    #[test]
    fn a_full_table_keeps_deep_and_new_entries() {
        let table = TranspositionTable::new(1);
        let slots = (1u64 << 20) / 16;
        for key in 0..slots {
            table.put(key, entry(1, 20));
        }
        let deep =
            |table: &TranspositionTable| (0..slots).filter(|&key| table.get(key).is_some()).count();
        let before = deep(&table);
        for key in slots..2 * slots {
            table.put(key, entry(2, 1));
        }
        // A shallow entry replaces a deep one only if all four entries of the bucket are deep.
        assert!(deep(&table) > before * 3 / 4 - slots as usize / 100);
        table.next_search();
        for key in 2 * slots..6 * slots {
            table.put(key, entry(3, 1));
        }
        assert!(deep(&table) < slots as usize / 10);
    }

    #[test]
    fn a_table_loses_no_entry_when_it_grows() {
        let table = TranspositionTable::growing(8);
        let mask = || table.mask.load(Relaxed);
        let (small, mut kept) = (mask(), 0);
        for key in 0..300_000 {
            table.put(key, entry(1, 9));
            if key % 1000 == 0 {
                let before = (0..key).filter(|&key| table.get(key).is_some()).count();
                let width = mask();
                table.grow();
                if mask() > width {
                    let after = (0..key).filter(|&key| table.get(key).is_some()).count();
                    assert_eq!(before, after);
                    kept = before;
                }
            }
        }
        assert_eq!(mask(), table.max_mask);
        assert!(small < mask() && kept > 100_000, "{kept}");
    }

    #[test]
    fn invalidated_entries_are_never_returned() {
        let table = TranspositionTable::new(1);
        for round in 0..70_000u32 {
            let key = u64::from(round % 5);
            assert_eq!(table.get(key), None);
            table.put(key, entry(1, round % 100));
            assert!(table.get(key).is_some());
            table.forget();
        }
    }

    #[test]
    fn concurrent_threads_never_read_a_torn_entry() {
        let table = TranspositionTable::new(1);
        let entry_for = |key: u64| TableEntry {
            value: (key % 1000) as i32,
            bound: Bound::Exact,
            depth: (key % 77) as u32,
            best: (key % 313) as u16,
            complete: key.is_multiple_of(2),
        };
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..400_000u64 {
                        // There are few different keys, so that the threads write to the same
                        // buckets.
                        let key = mix(i.wrapping_mul(thread + 1)) % 200_000;
                        if let Some(found) = table.get(key) {
                            assert_eq!(found, entry_for(key));
                        }
                        table.put(key, entry_for(key));
                    }
                });
            }
        });
    }
}
