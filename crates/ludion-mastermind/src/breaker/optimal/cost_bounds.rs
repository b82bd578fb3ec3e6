//! Costs of sets of codes, where the cost is the total number of guesses needed to find each code
//! of the set: a lower bound from the number of codes, and the results of the search so far, shared
//! by all threads.
//!
//! The lower bound assumes that the first guess finds one code, and that every guess splits the
//! other codes into as many classes as there are feedbacks. In the shared table, a set is
//! identified by the sum of the random 128-bit numbers of its codes.

use super::super::codes::CodeIndex;
use ludion_core::memory::TryGrow;
use ludion_core::random::Rng;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;

/// Cost of a set of codes that cannot all be found within the remaining guesses; a few such values
/// can be added without overflow.
pub(super) const IMPOSSIBLE: u32 = u32::MAX / 64;

/// Number of remaining guesses that stands for no limit.
pub(super) const UNLIMITED: usize = usize::MAX;

/// Lower bounds of the cost of n codes (the total number of guesses needed to find each of them),
/// for each n and each number of remaining guesses.
pub(super) struct CostLowerBound {
    /// Lower bound of the cost of n codes, at `[guesses][n]` for each number of remaining guesses. In
    /// the last row and beyond it, the number of guesses makes no difference.
    costs: Vec<Vec<u32>>,
}

impl CostLowerBound {
    /// Computes the bounds for up to `max` codes, each of which must be found within `guesses`
    /// guesses; `width` is the number of feedbacks that a wrong guess can get.
    pub(super) fn new(max: usize, width: usize, guesses: usize) -> Self {
        let (unlimited, depth) = least_costs(max, width, UNLIMITED);
        let limited = 0..depth.min(guesses.saturating_add(1));
        let mut costs: Vec<Vec<u32>> =
            limited.map(|guesses| least_costs(max, width, guesses).0).collect();
        costs.push(unlimited);
        CostLowerBound { costs }
    }

    /// Returns a lower bound of the total number of guesses needed to find each of n codes, if each
    /// must be found within this number of guesses.
    #[inline]
    pub(super) fn get(&self, n: usize, guesses: usize) -> u32 {
        self.costs[guesses.min(self.costs.len() - 1)][n]
    }
}

/// Returns the bounds for 0 to `max` codes that must be found within `guesses` guesses, and the number
/// of guesses from which on the limit makes no difference.
fn least_costs(max: usize, width: usize, guesses: usize) -> (Vec<u32>, usize) {
    let mut costs = vec![0; max + 1];
    let (mut depth, mut room) = (1, 1_usize);
    for n in 1..=max {
        if room == 0 {
            depth += 1;
            room = width.max(1).saturating_pow(depth - 1);
        }
        room -= 1;
        let possible = depth as usize <= guesses && costs[n - 1] < IMPOSSIBLE;
        costs[n] = if possible { costs[n - 1] + depth } else { IMPOSSIBLE };
    }
    (costs, depth as usize)
}

/// Returns the number of remaining guesses after one more guess; [`UNLIMITED`] stays unchanged.
#[inline]
pub(super) fn guesses_after_one(guesses: usize) -> usize {
    if guesses == UNLIMITED { UNLIMITED } else { guesses - 1 }
}

/// Exact cost of a set of codes, or a lower bound of it. The cost is the total number of guesses
/// needed to find each code of the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KnownCost {
    /// The cost is exactly this.
    Exactly(u32),
    /// The cost is at least this.
    AtLeast(u32),
}

impl KnownCost {
    /// Returns the exact cost or the lower bound.
    pub(super) fn bound(self) -> u32 {
        match self {
            KnownCost::Exactly(cost) | KnownCost::AtLeast(cost) => cost,
        }
    }
}

/// Number of parts of a [`CostTable`], each with its own lock.
const SHARDS: usize = 64;

/// Table of the known costs of sets of codes (total numbers of guesses), shared by all threads.
pub(super) struct CostTable {
    /// Random 128-bit number of each code; the table identifies a set by the sum of these numbers.
    keys: Vec<u128>,
    shards: Vec<Mutex<HashMap<u128, KnownCost, BuildHasherDefault<IdentityHasher>>>>,
}

/// Hasher that returns the low bits of a key, which is already random.
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

    /// Returns the random 128-bit number of each code, from which hashes of sets are computed.
    pub(super) fn keys(&self) -> &[u128] {
        &self.keys
    }

    /// Returns the key, in the table, of a set of codes together with a number of remaining
    /// guesses.
    pub(super) fn key(&self, codes: impl Iterator<Item = CodeIndex>, guesses: usize) -> u128 {
        let sum = codes.fold(0_u128, |sum, code| sum.wrapping_add(self.keys[code as usize]));
        sum ^ (guesses as u128) << 64
    }

    pub(super) fn get(&self, key: u128) -> Option<KnownCost> {
        self.shard(key).lock().expect("no thread panics with the lock").get(&key).copied()
    }

    /// Stores the cost or lower bound found for a key, unless the exact cost or a higher bound is
    /// stored already, or there is no memory for it.
    pub(super) fn keep(&self, key: u128, found: KnownCost) {
        let mut shard = self.shard(key).lock().expect("no thread panics with the lock");
        if !shard.try_grow(1) {
            return;
        }
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
