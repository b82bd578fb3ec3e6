//! A hash table of outcome counters: for each position and each of its moves, the outcomes of the
//! games that continued with this move. The counters of one position are contiguous in one vector.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::memory::{self, TryGrow};
use crate::outcome::DuelTally;
use crate::random::mix;

/// Estimated bytes of memory per position in the hash map, including spare capacity.
const ENTRY_BYTES: usize = 48;

/// Outcome counters (tallies) by position and move.
pub struct MoveTallies {
    nodes: HashMap<u64, TallyRange, BuildHasherDefault<KeyHasher>>,
    tallies: Vec<DuelTally>,
    limit: usize,
}

/// The range of one position's tallies in the vector of all tallies.
#[derive(Clone, Copy)]
struct TallyRange {
    first: u32,
    count: u32,
}

/// A hasher for the 64-bit keys of positions, which may be as regular as bitboards. Keys are not
/// chosen by an attacker, so no stronger hash is needed.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u64(&mut self, key: u64) {
        self.0 = mix(self.0 ^ key);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

impl MoveTallies {
    /// Creates an empty table that stops growing at about `limit` bytes; at least one position
    /// fits.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        MoveTallies { nodes: HashMap::default(), tallies: Vec::new(), limit }
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.tallies.clear();
    }

    /// Returns the number of positions in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the table has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns whether the table has no room for another position.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let bytes = self.tallies.len() * size_of::<DuelTally>() + self.nodes.len() * ENTRY_BYTES;
        !self.is_empty() && (bytes >= self.limit || u32::try_from(self.tallies.len()).is_err())
    }

    /// Returns the range of the `count` tallies of the position with this key; a new position gets
    /// empty tallies. Returns `None` if there is no room for a new position, or if another position
    /// with a different number of moves has the same key.
    pub fn find_or_insert(&mut self, key: u64, count: usize) -> Option<Range<usize>> {
        if let Some(range) = self.find(key) {
            return Some(range).filter(|range| range.len() == count);
        }
        if self.is_full() {
            return None;
        }
        if !self.nodes.try_grow(1) || !self.tallies.try_grow(count) {
            memory::note_shortage();
            return None;
        }
        let first = self.tallies.len();
        self.tallies.resize(first + count, DuelTally::default());
        self.nodes.insert(key, TallyRange { first: first as u32, count: count as u32 });
        Some(first..first + count)
    }

    /// Returns the range of the tallies of the position with this key, if it is in the table.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<Range<usize>> {
        let node = self.nodes.get(&key)?;
        Some(node.first as usize..(node.first + node.count) as usize)
    }

    /// Returns the tallies in a range that [`MoveTallies::find_or_insert`] or
    /// [`MoveTallies::find`] returned.
    #[must_use]
    pub fn at(&self, range: Range<usize>) -> &[DuelTally] {
        &self.tallies[range]
    }

    /// Adds the outcomes `games` to the tally at index `i`.
    pub fn add(&mut self, i: usize, games: DuelTally) {
        self.tallies[i] += games;
    }
}
