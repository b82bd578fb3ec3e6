//! Keeps note of large tables that the system had too little memory for. A search with a smaller
//! table still gives a good move, but perhaps not the same move. So code that must give the same
//! results again, such as an executor, checks after each job whether a table was too small.
//!
//! The note belongs to the thread that allocates the table, which is the one that runs the search.

use std::cell::Cell;

thread_local! {
    static IS_SHORT: Cell<bool> = const { Cell::new(false) };
}

/// What to say about a table that did not fit in memory.
pub const SHORTAGE: &str =
    "there is not enough memory for the tables; use fewer threads, or smaller tables";

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
