//! Keeps note of large tables that the system had too little memory for. A search with a smaller
//! table still gives a good move, but perhaps not the same move. So code that must give the same
//! results again, such as an executor, checks after each job whether a table was too small.
//!
//! Tables and threads leave a reserve: a small allocation that fails ends the program.
//!
//! The note belongs to the thread that allocates the table, which is the one that runs the search.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

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
