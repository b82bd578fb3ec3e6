//! A memory pool for the nodes of a tree, addressed by 32-bit indices.
//!
//! Slots are taken in ascending order and freed all at once, so allocation is one addition and
//! siblings are neighbours in memory. Several threads may allocate from one pool: each has a
//! [`PoolCursor`] that reserves a chunk of slots at a time. [`super::tree`] decides which slots are
//! valid nodes.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::memory;

/// Bytes in a cache line.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;
/// Number of nodes up to which a pool leaves no reserve of memory.
const SMALL_POOL: usize = 4096;
/// Number of slots that a cursor reserves at a time.
const CHUNK_NODES: u32 = 1024;

/// Memory for a fixed number of nodes, whose type needs no `Drop`.
pub(crate) struct NodePool<T> {
    base: NonNull<T>,
    capacity: u32,
    used: AtomicU32,
}

// SAFETY: a pool owns its memory as a `Vec<T>` does. It hands out only shared references, which
// requires `T: Sync`, and may be dropped on another thread, which requires `T: Send`.
unsafe impl<T: Send> Send for NodePool<T> {}
// SAFETY: as above; `used` is atomic, and a slot is written only by the thread that took it.
unsafe impl<T: Send + Sync> Sync for NodePool<T> {}

/// The range of slots that one thread has reserved and not yet used.
#[derive(Default)]
pub(crate) struct PoolCursor {
    next: u32,
    end: u32,
}

impl PoolCursor {
    /// Returns the index of the slot that is taken next.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }
}

impl<T> NodePool<T> {
    /// Allocates memory for `nodes` nodes; for fewer if the system does not have enough memory, which
    /// [`memory`] notes.
    pub(crate) fn new(nodes: usize) -> Self {
        const { assert!(!std::mem::needs_drop::<T>() && size_of::<T>() > 0) };
        let mut capacity = nodes.clamp(1, u32::MAX as usize - 1);
        loop {
            let layout = Layout::array::<T>(capacity).expect("a pool fits the address space");
            // SAFETY: the layout has a size, since neither `T` nor the capacity is empty.
            let base = NonNull::new(unsafe { alloc(layout) });
            let is_small = capacity <= SMALL_POOL;
            match base {
                Some(base) if is_small || memory::has_room(0) => {
                    let (base, capacity) = (base.cast(), capacity as u32);
                    return NodePool { base, capacity, used: AtomicU32::new(0) };
                }
                // SAFETY: the memory was just allocated with this layout.
                Some(base) => unsafe { dealloc(base.as_ptr(), layout) },
                None if capacity == 1 => handle_alloc_error(layout),
                None => {}
            }
            memory::note_shortage();
            capacity /= 2;
        }
    }

    /// Returns the number of nodes that fit in the pool.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Returns the number of slots that are taken or reserved by cursors.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// Frees all nodes and reserves the whole pool for the returned cursor. No references to nodes
    /// can exist, because this borrows the pool mutably.
    pub(crate) fn clear(&mut self) -> PoolCursor {
        *self.used.get_mut() = self.capacity;
        PoolCursor { next: 0, end: self.capacity }
    }

    /// Gives the unused slots of `rest`, the cursor that [`NodePool::clear`] returned, back to the
    /// pool.
    pub(crate) fn free_rest(&mut self, rest: PoolCursor) {
        debug_assert!(rest.end == self.capacity, "the cursor that clear returned");
        *self.used.get_mut() = rest.next;
    }

    /// Takes `count` consecutive uninitialised slots and returns the index of the first; `None` if
    /// the pool is full.
    #[inline]
    pub(crate) fn take(&self, cursor: &mut PoolCursor, count: u32) -> Option<u32> {
        if cursor.end - cursor.next < count {
            *cursor = self.reserve_chunk(count)?;
        }
        let first = cursor.next;
        cursor.next += count;
        Some(first)
    }

    #[cold]
    fn reserve_chunk(&self, count: u32) -> Option<PoolCursor> {
        let chunk = |used: u32| {
            let left = self.capacity - used;
            (left >= count).then(|| left.min(CHUNK_NODES.max(count)))
        };
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            chunk(used).map(|size| used + size)
        });
        taken.ok().and_then(|next| chunk(next).map(|size| PoolCursor { next, end: next + size }))
    }

    /// Writes a node to the slot with index `i`.
    ///
    /// # Safety
    /// The caller took the slot since the last [`NodePool::clear`], and no other thread has its
    /// index.
    #[inline]
    pub(crate) unsafe fn fill(&self, i: u32, value: T) {
        debug_assert!(i < self.capacity);
        // SAFETY: a slot that was taken lies within the memory, and no reference to it exists.
        unsafe { self.base.as_ptr().add(i as usize).write(value) }
    }

    /// Returns the node in the slot with index `i`.
    ///
    /// # Safety
    /// The slot was initialised since the last [`NodePool::clear`], before the caller got its
    /// index.
    #[inline]
    pub(crate) unsafe fn get(&self, i: u32) -> &T {
        debug_assert!(i < self.capacity);
        // SAFETY: a filled slot lies within the memory and is not written as a whole again.
        unsafe { &*self.base.as_ptr().add(i as usize) }
    }

    /// Returns the nodes in `count` slots, beginning with index `i`.
    ///
    /// # Safety
    /// As for [`NodePool::get`], for every slot.
    #[inline]
    pub(crate) unsafe fn slice(&self, i: u32, count: u32) -> &[T] {
        debug_assert!(i + count <= self.capacity);
        // SAFETY: filled slots lie within the memory and are not written as a whole again.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr().add(i as usize), count as usize) }
    }

    /// Prefetches the nodes in `count` slots, beginning with index `i`, into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, i: u32, count: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let from = self.base.as_ptr().wrapping_add(i as usize).cast::<i8>();
            let bytes = count as usize * size_of::<T>();
            let mut at = 0;
            while at < bytes + CACHE_LINE {
                // The last prefetch is of the last byte, because the first node may begin in the
                // middle of a cache line.
                let ahead = from.wrapping_add(at.min(bytes - 1));
                // SAFETY: a prefetch reads nothing and never faults, for any address.
                unsafe { _mm_prefetch(ahead, _MM_HINT_T0) };
                at += CACHE_LINE;
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (i, count);
    }
}

impl<T> Drop for NodePool<T> {
    fn drop(&mut self) {
        let layout = Layout::array::<T>(self.capacity()).expect("the layout it was made with");
        // SAFETY: `base` came from `alloc` with this layout; the nodes need no drop.
        unsafe { dealloc(self.base.as_ptr().cast(), layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_get_distinct_slots_until_the_pool_is_full() {
        let pool = NodePool::<u64>::new(100_000);
        let fill = |thread: u64| {
            let mut cursor = PoolCursor::default();
            let mut mine = Vec::new();
            while let Some(first) = pool.take(&mut cursor, 7) {
                for i in first..first + 7 {
                    // SAFETY: the slots were just taken.
                    unsafe { pool.fill(i, thread) };
                }
                mine.push(first);
            }
            (thread, mine)
        };
        let parts: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|t| scope.spawn(move || fill(t))).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let mut taken = 0;
        for (thread, firsts) in parts {
            for i in firsts.into_iter().flat_map(|first| first..first + 7) {
                // SAFETY: the threads that filled the slots were joined.
                assert_eq!(*unsafe { pool.get(i) }, thread);
                taken += 1;
            }
        }
        assert!(taken > 99_000 && pool.used() <= pool.capacity(), "{taken}");
    }
}
