//! One block of memory for all nodes of a tree, named by 32-bit indices.
//!
//! Space is handed out upwards and given back all at once, so taking it costs an addition
//! and neighbours in a family stay neighbours in memory. Several threads may take space
//! from one arena: each has a [`PoolCursor`] that fetches a chunk at a time. What the nodes
//! are, and which of them are still wanted, is the business of [`super::tree`].

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes that memory is fetched in.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;
/// Nodes a cursor fetches at a time.
const CHUNK_NODES: u32 = 1024;

/// Memory for nodes of one type, none of which needs dropping.
pub(crate) struct NodePool<T> {
    base: NonNull<T>,
    capacity: u32,
    used: AtomicU32,
}

// SAFETY: an arena owns its memory like a `Vec<T>` does; it hands out shared references
// alone, which asks `T: Sync`, and may be dropped on another thread, which asks `T: Send`.
unsafe impl<T: Send> Send for NodePool<T> {}
// SAFETY: as above; `used` is atomic, and slots are written only by whoever took them.
unsafe impl<T: Send + Sync> Sync for NodePool<T> {}

/// The part of an arena that one thread fills at the moment.
#[derive(Default)]
pub(crate) struct PoolCursor {
    next: u32,
    end: u32,
}

impl PoolCursor {
    /// The next slot to be taken.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }
}

impl<T> NodePool<T> {
    /// Memory for `nodes` nodes, or fewer where the system has not that much.
    pub(crate) fn new(nodes: usize) -> Self {
        const { assert!(!std::mem::needs_drop::<T>() && size_of::<T>() > 0) };
        let mut capacity = nodes.clamp(1, u32::MAX as usize - 1);
        loop {
            let layout = Layout::array::<T>(capacity).expect("an arena fits the address space");
            // SAFETY: the layout has a size, since neither `T` nor the capacity is empty.
            if let Some(base) = NonNull::new(unsafe { alloc(layout) }) {
                let (base, capacity) = (base.cast(), capacity as u32);
                return NodePool { base, capacity, used: AtomicU32::new(0) };
            }
            assert!(capacity > 1, "there is memory for one node");
            capacity /= 2;
        }
    }

    /// How many nodes fit.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// How many nodes were taken, what cursors still hold included.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// Forgets all nodes and hands out the whole space; nobody holds a node, since this
    /// takes the arena alone.
    pub(crate) fn clear(&mut self) -> PoolCursor {
        *self.used.get_mut() = self.capacity;
        PoolCursor { next: 0, end: self.capacity }
    }

    /// Takes back what is left of the whole space.
    pub(crate) fn give_back(&mut self, rest: PoolCursor) {
        debug_assert!(rest.end == self.capacity, "the cursor that clear gave");
        *self.used.get_mut() = rest.next;
    }

    /// Takes `count` neighbouring slots, unless the arena is full. They hold nothing yet.
    #[inline]
    pub(crate) fn take(&self, cursor: &mut PoolCursor, count: u32) -> Option<u32> {
        if cursor.end - cursor.next < count {
            *cursor = self.fetch(count)?;
        }
        let first = cursor.next;
        cursor.next += count;
        Some(first)
    }

    #[cold]
    fn fetch(&self, count: u32) -> Option<PoolCursor> {
        let chunk = |used: u32| {
            let left = self.capacity - used;
            (left >= count).then(|| left.min(CHUNK_NODES.max(count)))
        };
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            chunk(used).map(|size| used + size)
        });
        taken.ok().and_then(|next| chunk(next).map(|size| PoolCursor { next, end: next + size }))
    }

    /// Fills the slot `i`.
    ///
    /// # Safety
    /// The caller took the slot since the last [`NodePool::clear`], and nobody else knows it.
    #[inline]
    pub(crate) unsafe fn fill(&self, i: u32, value: T) {
        debug_assert!(i < self.capacity);
        // SAFETY: a slot that was taken lies within the memory, and no reference to it exists.
        unsafe { self.base.as_ptr().add(i as usize).write(value) }
    }

    /// The node at `i`.
    ///
    /// # Safety
    /// The slot was filled since the last [`NodePool::clear`], before the caller learnt of it.
    #[inline]
    pub(crate) unsafe fn get(&self, i: u32) -> &T {
        debug_assert!(i < self.capacity);
        // SAFETY: a filled slot lies within the memory and is not written as a whole again.
        unsafe { &*self.base.as_ptr().add(i as usize) }
    }

    /// The `count` nodes from `i` on.
    ///
    /// # Safety
    /// As for [`NodePool::get`], for every slot.
    #[inline]
    pub(crate) unsafe fn slice(&self, i: u32, count: u32) -> &[T] {
        debug_assert!(i + count <= self.capacity);
        // SAFETY: filled slots lie within the memory and are not written as a whole again.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr().add(i as usize), count as usize) }
    }

    /// Asks the processor to have `count` nodes from `i` on at hand soon.
    #[inline]
    pub(crate) fn prefetch(&self, i: u32, count: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let from = self.base.as_ptr().wrapping_add(i as usize).cast::<i8>();
            let bytes = count as usize * size_of::<T>();
            let mut at = 0;
            while at < bytes + CACHE_LINE {
                // The last line is asked for by its last byte, wherever the first began.
                let ahead = from.wrapping_add(at.min(bytes - 1));
                // SAFETY: fetching ahead reads nothing and never faults, whatever the address.
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
    fn threads_get_slots_of_their_own_until_the_arena_is_full() {
        let arena = NodePool::<u64>::new(100_000);
        let fill = |thread: u64| {
            let mut cursor = PoolCursor::default();
            let mut mine = Vec::new();
            while let Some(first) = arena.take(&mut cursor, 7) {
                for i in first..first + 7 {
                    // SAFETY: the slots were just taken.
                    unsafe { arena.fill(i, thread) };
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
                assert_eq!(*unsafe { arena.get(i) }, thread);
                taken += 1;
            }
        }
        assert!(taken > 99_000 && arena.used() <= arena.capacity(), "{taken}");
    }
}
