//! What has been found out about sets of codes, shared by all threads: the cost, or a number
//! that it is not below. A set is known by 128 bits drawn for each of its codes, added up.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;

use crate::random::Rng;

use super::super::codes::CodeIndex;

/// What is known of the cost of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KnownCost {
    Exactly(u32),
    AtLeast(u32),
}

impl KnownCost {
    /// What the cost is not below.
    pub(super) fn bound(self) -> u32 {
        match self {
            KnownCost::Exactly(cost) | KnownCost::AtLeast(cost) => cost,
        }
    }
}

const SHARDS: usize = 64;

pub(super) struct CostTable {
    /// The bits of each code.
    keys: Vec<u128>,
    shards: Vec<Mutex<HashMap<u128, KnownCost, BuildHasherDefault<IdentityHasher>>>>,
}

/// Keys are random already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

impl CostTable {
    pub(super) fn new(codes: usize) -> Self {
        let mut rng = Rng::new(0x6d61_7374_6572);
        let mut key = || u128::from(rng.bits()) << 64 | u128::from(rng.bits());
        CostTable {
            keys: (0..codes).map(|_| key()).collect(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// The bits of each code.
    pub(super) fn keys(&self) -> &[u128] {
        &self.keys
    }

    /// The key of a set with so many guesses left.
    pub(super) fn key(&self, codes: impl Iterator<Item = CodeIndex>, guesses: usize) -> u128 {
        let sum = codes.fold(0_u128, |sum, code| sum.wrapping_add(self.keys[code as usize]));
        sum ^ (guesses as u128) << 64
    }

    pub(super) fn get(&self, key: u128) -> Option<KnownCost> {
        self.shard(key).lock().expect("nobody panics with it").get(&key).copied()
    }

    /// Keeps what was found out, unless more is known.
    pub(super) fn keep(&self, key: u128, found: KnownCost) {
        let mut shard = self.shard(key).lock().expect("nobody panics with it");
        let known = shard.entry(key).or_insert(found);
        *known = match (*known, found) {
            (KnownCost::AtLeast(a), KnownCost::AtLeast(b)) => KnownCost::AtLeast(a.max(b)),
            (KnownCost::Exactly(cost), _) | (_, KnownCost::Exactly(cost)) => {
                KnownCost::Exactly(cost)
            }
        };
    }

    fn shard(
        &self,
        key: u128,
    ) -> &Mutex<HashMap<u128, KnownCost, BuildHasherDefault<IdentityHasher>>> {
        &self.shards[(key >> 100) as usize % SHARDS]
    }
}
