//! Keeps note of large tables that the system had too little memory for. A search with a smaller
//! table still gives a good move, but perhaps not the same move. So code that must give the same
//! results again, such as an executor, checks after each job whether a table was too small.
//!
//! Tables and threads leave a reserve: a small allocation that fails ends the program.
//!
//! The note belongs to the thread that allocates the table, which is the one that runs the search.

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::AtomicU64;

thread_local! {
    static IS_SHORT: Cell<bool> = const { Cell::new(false) };
}

/// What to say about a table that did not fit in memory.
pub const SHORTAGE: &str =
    "there is not enough memory for the tables; use fewer threads, or smaller tables";

/// Bytes that remain free beside a large table or a new thread, for all other allocations. It is more
/// than the 32 MB up to which the C library may keep freed memory for itself, so that a test for it
/// returns the memory to the system.
pub const RESERVE: usize = 40 << 20;

/// Returns whether the system has that many bytes and the reserve. They are not kept.
#[must_use]
pub fn has_room(bytes: usize) -> bool {
    let mut reserve = Vec::<u8>::new();
    let is_there = reserve.try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok();
    // Otherwise the compiler may leave out the allocation.
    std::hint::black_box(&reserve);
    is_there
}

/// Asks the system to use huge pages for a large table, so that a lookup at a random place seldom
/// misses the processor's cache of addresses. It is best called before the table is written. Does
/// nothing where the system has no such call or refuses it.
pub fn advise_huge_pages<T>(table: &[T]) {
    #[cfg(target_os = "linux")]
    {
        const HUGE_PAGE: usize = 2 << 20;
        let range = table.as_ptr_range();
        let start = range.start.addr().next_multiple_of(HUGE_PAGE);
        let bytes = range.end.addr().saturating_sub(start) & !(HUGE_PAGE - 1);
        if bytes > 0 {
            let address = range.start.with_addr(start).cast_mut().cast();
            // SAFETY: the pages are inside `table`, and this advice changes neither their contents
            // nor their addresses; a system that cannot follow it returns an error.
            unsafe { libc::madvise(address, bytes, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = table;
}

/// Allocates a table of zeros that threads can share, on huge pages where the system has them. Memory
/// that is not written yet takes no room.
#[must_use]
pub fn zeroed_words(len: usize) -> Box<[AtomicU64]> {
    if len == 0 {
        return Box::default();
    }
    let layout = Layout::array::<AtomicU64>(len).expect("a table is smaller than the memory");
    // SAFETY: the layout is not empty, it is that of `len` words, and zero is a valid word.
    let words = unsafe {
        let words = alloc_zeroed(layout).cast::<AtomicU64>();
        if words.is_null() {
            handle_alloc_error(layout);
        }
        Box::from_raw(std::ptr::slice_from_raw_parts_mut(words, len))
    };
    advise_huge_pages(&words);
    words
}

/// Notes that a table of this thread is smaller than asked for.
pub fn note_shortage() {
    IS_SHORT.set(true);
}

/// Returns whether a table of this thread was smaller than asked for since the last
/// [`forget_shortage`].
#[must_use]
pub fn is_short() -> bool {
    IS_SHORT.get()
}

/// Removes the note of this thread.
pub fn forget_shortage() {
    IS_SHORT.set(false);
}

/// A collection that can be asked for room. Its growth is a large allocation now and then, and one
/// that fails ends the program.
pub trait TryGrow {
    /// Makes room for `more` entries, and returns whether there is room for them and the reserve.
    #[must_use]
    fn try_grow(&mut self, more: usize) -> bool;
}

/// Number of entries from which the reserve is checked when a collection grows.
const LARGE: usize = 4096;

/// Implements [`TryGrow`] for a collection of the standard library.
macro_rules! try_grow {
    ($($generics:tt),* => $collection:ty $(where $($bound:tt)*)?) => {
        impl<$($generics),*> TryGrow for $collection $(where $($bound)*)? {
            fn try_grow(&mut self, more: usize) -> bool {
                let is_there = |needed: usize| needed <= self.capacity();
                self.len().checked_add(more).is_some_and(is_there)
                    || self.try_reserve(more).is_ok()
                        && (self.capacity() < LARGE || has_room(0))
            }
        }
    };
}

try_grow!(T => Vec<T>);
try_grow!(K, S => HashSet<K, S> where K: Hash + Eq, S: BuildHasher);
try_grow!(K, V, S => HashMap<K, V, S> where K: Hash + Eq, S: BuildHasher);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_words_is_zero_and_can_be_written_on_any_pages() {
        use std::sync::atomic::Ordering::Relaxed;
        for len in [0, 1, 1000, 1 << 20] {
            let words = zeroed_words(len);
            assert_eq!(words.len(), len);
            assert!(words.iter().all(|word| word.load(Relaxed) == 0));
            words.iter().zip(1..).for_each(|(word, i)| word.store(i, Relaxed));
            advise_huge_pages(&words);
            assert!(words.iter().map(|word| word.load(Relaxed)).eq(1..=len as u64));
        }
    }

    #[test]
    fn a_collection_grows_while_there_is_room_and_says_when_there_is_none() {
        let mut map = HashMap::new();
        for i in 0..10_000 {
            assert!(map.try_grow(1));
            let before = map.capacity();
            map.insert(i, i);
            assert_eq!(map.capacity(), before, "an insertion does not allocate");
        }
        assert!(!map.try_grow(usize::MAX / 64) && !HashSet::<u64>::new().try_grow(usize::MAX));
        let mut list = vec![0_u8; 10];
        assert!(!list.try_grow(usize::MAX) && !list.try_grow(isize::MAX as usize));
        assert!(list.try_grow(5) && list.capacity() >= 15);
    }
}
