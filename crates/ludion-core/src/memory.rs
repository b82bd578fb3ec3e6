//! Keeps note of large tables that the system had too little memory for. A search with a smaller
//! table still gives a good move, but perhaps not the same move. So code that must give the same
//! results again, such as an executor, checks after each job whether a table was too small.
//!
//! Tables and threads leave a reserve: a small allocation that fails ends the program.
//!
//! The note belongs to the thread that allocates the table, which is the one that runs the search.

use std::cell::Cell;

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
