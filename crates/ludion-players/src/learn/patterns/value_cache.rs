//! A cache of the values of states, which spares a search about half of the evaluations: iterative
//! deepening comes to most states again.
//!
//! A slot is one word, a tag and a value, so that threads can share the cache: none reads half of an
//! entry. The product of a key and an odd number gives the slot by its upper bits and the tag by the
//! others, so that no two keys have both in common.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The binary logarithm of the number of slots. The cache takes a megabyte, which stays close to the
/// processor; with four times as many slots a search is slower.
const SLOT_BITS: u32 = 17;
/// The number of bits of a value.
const VALUE_BITS: u32 = 16;
/// Added to a value, so that it is positive and no entry is 0, which is an empty slot.
const OFFSET: i32 = 1 << (VALUE_BITS - 1);
/// An odd number, the golden ratio times 2⁶⁴.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Values of states by their keys. New values replace old ones.
#[derive(Debug)]
pub(super) struct ValueCache {
    slots: Vec<AtomicU64>,
}

impl ValueCache {
    /// Returns an empty cache.
    pub(super) fn new() -> Self {
        ValueCache { slots: (0..1_usize << SLOT_BITS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns the value stored for `key`, or stores the result of `compute`, which lies between −2¹⁵
    /// and 2¹⁵.
    #[inline]
    pub(super) fn get_or_insert(&self, key: u64, compute: impl FnOnce() -> i32) -> i32 {
        let product = key.wrapping_mul(MULTIPLIER);
        let slot = &self.slots[(product >> (64 - SLOT_BITS)) as usize];
        let tag = product << SLOT_BITS >> VALUE_BITS;
        let entry = slot.load(Relaxed);
        if entry >> VALUE_BITS == tag && entry != 0 {
            return (entry & ((1 << VALUE_BITS) - 1)) as i32 - OFFSET;
        }
        let value = compute();
        slot.store(tag << VALUE_BITS | (value + OFFSET) as u64, Relaxed);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::{SLOT_BITS, ValueCache};

    #[test]
    fn a_key_has_the_value_that_was_stored_for_it_or_a_new_one() {
        let cache = ValueCache::new();
        assert_eq!(cache.get_or_insert(0, || -9999), -9999);
        assert_eq!(cache.get_or_insert(0, || unreachable!("0 is stored")), -9999);
        // More keys than slots, and neighbours in every bit.
        let keys = (0..1 << (SLOT_BITS + 1)).chain((0..64).map(|bit| 1 << bit));
        for key in keys {
            let value = (key % 19_999) as i32 - 9_999;
            assert_eq!(cache.get_or_insert(key, || value), value, "{key}");
            assert_eq!(cache.get_or_insert(key, || unreachable!("{key}")), value);
        }
    }
}
