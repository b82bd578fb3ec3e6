//! A cell that the interpreter lock protects, for what every move of a game uses.

use std::cell::UnsafeCell;

use pyo3::prelude::*;

/// A value that threads with the interpreter lock take and put back. A lock of its own would take
/// about as long as the move that uses the value.
pub(crate) struct GilCell<T>(UnsafeCell<Option<T>>);

// SAFETY: only `take` and `put` use the content. They have proof that their thread has the interpreter
// lock, which one thread has at a time: the module is built for the stable ABI of interpreters with
// that lock, and others refuse to load it. Both only move values, so that nothing releases the lock
// meanwhile.
unsafe impl<T: Send> Sync for GilCell<T> {}

impl<T> GilCell<T> {
    pub(crate) const fn new() -> Self {
        GilCell(UnsafeCell::new(None))
    }

    /// Takes the value; `None` if another thread has taken it.
    #[inline]
    pub(crate) fn take(&self, _py: Python<'_>) -> Option<T> {
        // SAFETY: see `Sync`.
        unsafe { std::ptr::replace(self.0.get(), None) }
    }

    /// Puts a value into the cell. The earlier value is dropped afterwards.
    #[inline]
    pub(crate) fn put(&self, _py: Python<'_>, value: T) {
        // SAFETY: see `Sync`.
        let earlier = unsafe { std::ptr::replace(self.0.get(), Some(value)) };
        drop(earlier);
    }
}
