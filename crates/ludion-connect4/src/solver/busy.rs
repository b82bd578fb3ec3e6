//! The nodes that the threads of one search are searching at the moment, so that another thread
//! begins with other moves. The set may forget nodes and is only a hint.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of slots; the threads of a search have a few dozen nodes at the same time.
const SLOTS: usize = 1 << 12;

/// A set of position keys. A key that falls into the slot of another replaces it.
pub(super) struct BusyNodes {
    slots: Vec<AtomicU64>,
}

impl BusyNodes {
    /// Returns an empty set.
    pub(super) fn new() -> Self {
        BusyNodes { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.slots[(hash >> 32) as usize % SLOTS]
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    pub(super) fn insert(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    pub(super) fn remove(&self, key: u64) {
        if self.contains(key) {
            self.slot(key).store(0, Relaxed);
        }
    }
}
