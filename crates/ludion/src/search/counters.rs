//! A table of counters by position: for every move of a position how the games that began
//! with it ended. The tallies of one position lie side by side in one vector.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::outcome::DuelTally;
use crate::random::mix;

/// Bytes of one entry of the map, with the room it keeps free.
const ENTRY_BYTES: usize = 48;

/// Tallies by position and move.
pub struct MoveCounters {
    nodes: HashMap<u64, CounterNode, BuildHasherDefault<KeyHasher>>,
    tallies: Vec<DuelTally>,
    limit: usize,
}

#[derive(Clone, Copy)]
struct CounterNode {
    first: u32,
    count: u32,
}

/// Spreads the bits of a key, which may be as regular as a bitboard; nobody chooses keys to
/// collide, so nothing stronger is needed.
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

impl MoveCounters {
    /// An empty table that stops growing at about `limit` bytes, and has room for one
    /// position at least.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        MoveCounters { nodes: HashMap::default(), tallies: Vec::new(), limit }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.tallies.clear();
    }

    /// Positions in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no position is in the table.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether no further position finds room.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let bytes = self.tallies.len() * size_of::<DuelTally>() + self.nodes.len() * ENTRY_BYTES;
        !self.is_empty() && (bytes >= self.limit || u32::try_from(self.tallies.len()).is_err())
    }

    /// Where the `count` tallies of the position with this key are; new ones are empty.
    /// `None` when there is no room for a new position, or when another position with
    /// another number of moves has the same key.
    pub fn open(&mut self, key: u64, count: usize) -> Option<Range<usize>> {
        if let Some(range) = self.find(key) {
            return Some(range).filter(|range| range.len() == count);
        }
        if self.is_full() {
            return None;
        }
        let first = self.tallies.len();
        self.tallies.resize(first + count, DuelTally::default());
        self.nodes.insert(key, CounterNode { first: first as u32, count: count as u32 });
        Some(first..first + count)
    }

    /// Where the tallies of a position already in the table are.
    #[must_use]
    pub fn find(&self, key: u64) -> Option<Range<usize>> {
        let node = self.nodes.get(&key)?;
        Some(node.first as usize..(node.first + node.count) as usize)
    }

    /// The tallies of a range that [`MoveCounters::open`] or [`MoveCounters::find`] gave.
    #[must_use]
    pub fn at(&self, range: Range<usize>) -> &[DuelTally] {
        &self.tallies[range]
    }

    /// Adds games to one tally of such a range.
    pub fn add(&mut self, i: usize, games: DuelTally) {
        self.tallies[i] += games;
    }
}
