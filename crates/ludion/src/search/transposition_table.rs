//! A transposition table: what a search found out about states, in a fixed amount of memory
//! that any number of threads may share without locks.
//!
//! An entry is two words, the data and the hash xor the data (Hyatt & Mann, *A lock-less
//! transposition table*, 2002): words of two different writes do not fit together and read
//! as nothing. The hash is a bijection of the 64 bits of [`Game::key`], so where keys are
//! exact no two states are ever taken for each other. A bucket of four entries fills one line
//! of the cache; in a full one the entry of the oldest search goes first, then the shallowest.
//!
//! A table may begin small and grow to its size as it fills, so that a short search touches
//! little memory: fresh pages cost more than the search itself.
//!
//! [`Game::key`]: crate::game::Game::key

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::random::mix;

/// What the value of an entry says about the worth of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is at least the value.
    Lower = 1,
    /// It is at most the value.
    Upper = 2,
    /// It is the value.
    Exact = 3,
}

impl Bound {
    /// What a search with the window from `alpha` to `beta` knows when it returns `value`.
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

/// What is remembered of one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// Its worth to the side to move, or a bound; 16 bits are kept.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// How many plies were looked ahead; up to [`TableEntry::DEEPEST`].
    pub depth: u32,
    /// The place of the best move in the game's list, if it is below [`TableEntry::NO_MOVE`].
    pub best: u16,
    /// Whether no line was broken off at the depth limit: then looking farther finds the same.
    pub complete: bool,
}

impl TableEntry {
    /// The greatest depth that is told apart.
    pub const DEEPEST: u32 = (1 << 13) - 1;
    /// No best move is known.
    pub const NO_MOVE: u16 = u16::MAX;

    /// Value, best move, age, depth, completeness, bound: 16, 16, 16, 13, 1 and 2 bits.
    #[inline]
    fn pack(self, age: u16) -> u64 {
        debug_assert!(i16::try_from(self.value).is_ok(), "a value of 16 bits");
        u64::from(self.value as u16) << 48
            | u64::from(self.best) << 32
            | u64::from(age) << 16
            | u64::from(self.depth.min(TableEntry::DEEPEST)) << 3
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
    data as u32 >> 3 & TableEntry::DEEPEST
}

#[inline]
fn age_of(data: u64) -> u16 {
    (data >> 16) as u16
}

struct TableSlot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Slots that share a line of the cache.
const BUCKET_SLOTS: usize = 4;
/// Bytes of a line of the cache.
const CACHE_LINE: usize = BUCKET_SLOTS * size_of::<TableSlot>();
/// Slots looked at to see how full a table is.
const FILL_SAMPLE: usize = 256;

/// Empty slots from memory that the system hands out zeroed, page by page as it is used:
/// writing the zeros would cost more than a short search. Asking for the alignment of a
/// cache line here would make the allocator write them. `None` when there is not so much.
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

/// The memory of one search, or of several threads of it.
pub struct TranspositionTable {
    slots: Box<[TableSlot]>,
    /// Slots before the first that begins a line of the cache.
    skipped: usize,
    /// Buckets in use less one, and buckets there are less one: powers of two less one.
    mask: AtomicUsize,
    widest: usize,
    /// Counts searches; entries carry it.
    age: AtomicU16,
    /// The first search since the last [`TranspositionTable::forget`].
    born: AtomicU16,
}

impl TranspositionTable {
    /// A table of that many megabytes, rounded down to a power of two, at least one; smaller
    /// where the system has not so much.
    ///
    /// # Panics
    /// When there is no memory for the smallest table.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        let mut buckets = (1 << megabytes.max(1).ilog2() << 20) / CACHE_LINE;
        let slots = loop {
            match zeroed_slots((buckets + 1) * BUCKET_SLOTS) {
                Some(slots) => break slots,
                None => buckets /= 2,
            }
            assert!(buckets >= (1 << 18) / CACHE_LINE, "there is memory for the smallest table");
        };
        let skipped = slots.as_ptr().addr().wrapping_neg() % CACHE_LINE / size_of::<TableSlot>();
        let widest = buckets - 1;
        let (age, born) = (AtomicU16::new(1), AtomicU16::new(1));
        TranspositionTable { slots, skipped, mask: AtomicUsize::new(widest), widest, age, born }
    }

    /// The same, but only a quarter of a megabyte is used until [`TranspositionTable::grow`] is called.
    #[must_use]
    pub fn growing(megabytes: usize) -> Self {
        let table = TranspositionTable::new(megabytes);
        table.mask.store(((1 << 18) / CACHE_LINE - 1).min(table.widest), Relaxed);
        table
    }

    /// Uses twice the memory from now on, if what is used is about half full and there is
    /// more; the entries move to where they are looked for then.
    pub fn grow(&self) {
        let mask = self.mask.load(Relaxed);
        let sample = &self.slots[self.skipped..][..FILL_SAMPLE];
        let taken = sample.iter().filter(|slot| self.holds(slot.data.load(Relaxed))).count();
        if mask == self.widest || 2 * taken < FILL_SAMPLE {
            return;
        }
        let used = BUCKET_SLOTS * (mask + 1);
        let (old, new) = self.slots[self.skipped..][..2 * used].split_at(used);
        for (from, to) in old.iter().zip(new) {
            let (check, data) = (from.check.load(Relaxed), from.data.load(Relaxed));
            // The next bit of the hash says in which half an entry is looked for.
            if self.holds(data) && (check ^ data) as usize & (mask + 1) != 0 {
                to.check.store(check, Relaxed);
                to.data.store(data, Relaxed);
                from.data.store(0, Relaxed);
            }
        }
        self.mask.store(2 * mask + 1, Relaxed);
    }

    /// Whether the data is an entry that is not forgotten.
    #[inline]
    fn holds(&self, data: u64) -> bool {
        data != 0 && age_of(data) >= self.born.load(Relaxed)
    }

    /// A new search begins: what it stores goes before what older ones stored.
    pub fn next_search(&self) {
        let age = self.age.load(Relaxed);
        if age == u16::MAX {
            self.clear();
        } else {
            self.age.store(age + 1, Relaxed);
        }
    }

    /// Forgets everything, without touching the memory.
    pub fn forget(&self) {
        self.next_search();
        self.born.store(self.age.load(Relaxed), Relaxed);
    }

    fn clear(&self) {
        for slot in &self.slots {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.age.store(1, Relaxed);
        self.born.store(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[TableSlot] {
        let i = hash as usize & self.mask.load(Relaxed);
        &self.slots[self.skipped + i * BUCKET_SLOTS..][..BUCKET_SLOTS]
    }

    /// Asks for the memory where `key` would be, so that it is near when it is needed.
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

    /// What is remembered of the state of this key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let hash = mix(key);
        for slot in self.bucket(hash) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == hash && self.holds(data) {
                return TableEntry::unpack(data);
            }
        }
        None
    }

    /// Remembers the state of this key, in the place of what is least worth keeping.
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
            // Age before depth; an empty slot has age 0 and goes first.
            let worth = u64::from(age_of(data)) << 16 | u64::from(depth_of(data));
            if victim.is_none_or(|(_, least)| worth < least) {
                victim = Some((slot, worth));
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
            key: u64, value in -30_000i32..=30_000, depth in 0..=TableEntry::DEEPEST, best: u16,
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
    fn a_full_table_keeps_the_deep_and_the_new() {
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
        // A shallow entry takes the place of a deep one only where all four are deep.
        assert!(deep(&table) > before * 3 / 4 - slots as usize / 100);
        table.next_search();
        for key in 2 * slots..6 * slots {
            table.put(key, entry(3, 1));
        }
        assert!(deep(&table) < slots as usize / 10);
    }

    #[test]
    fn a_growing_table_loses_nothing_as_it_grows() {
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
        assert_eq!(mask(), table.widest);
        assert!(small < mask() && kept > 100_000, "{kept}");
    }

    #[test]
    fn what_is_forgotten_does_not_come_back() {
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
    fn threads_that_share_a_table_never_read_a_mixture() {
        let table = TranspositionTable::new(1);
        let of = |key: u64| TableEntry {
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
                        // Few keys, so that the threads meet in the same buckets.
                        let key = mix(i.wrapping_mul(thread + 1)) % 200_000;
                        if let Some(found) = table.get(key) {
                            assert_eq!(found, of(key));
                        }
                        table.put(key, of(key));
                    }
                });
            }
        });
    }
}
