//! The hash table of the endgame solver: bounds of the scores of positions.

use super::kernel::Discs;
use crate::memory::note_shortage;
use crate::random::mix;

/// Bounds of the score of a position, and its best move.
#[derive(Clone, Copy, Default)]
pub(super) struct EndgameEntry {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) lower: i8,
    pub(super) upper: i8,
    pub(super) best: u8,
    /// The number of empty cells; 0 if the slot is free.
    pub(super) empties: u8,
}

/// A hash table of scores. Each position has two slots: one keeps the position with more empty
/// cells, the other the last one.
pub(super) struct EndgameHashTable {
    slots: Vec<EndgameEntry>,
}

impl EndgameHashTable {
    pub(super) fn new(megabytes: usize) -> Self {
        let most = (megabytes.max(1) << 20) / size_of::<EndgameEntry>();
        let mut count = 1 << most.ilog2();
        let mut slots = Vec::new();
        while count > 2 && slots.try_reserve_exact(count).is_err() {
            note_shortage();
            count /= 2;
        }
        slots.resize(count, EndgameEntry::default());
        EndgameHashTable { slots }
    }

    /// Forgets all scores.
    pub(super) fn clear(&mut self) {
        self.slots.fill(EndgameEntry::default());
    }

    /// Returns the number of the first of the two slots of a position.
    #[inline]
    fn slot(&self, discs: Discs) -> usize {
        let hash = mix(discs.own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ discs.other);
        hash as usize & (self.slots.len() - 2)
    }

    #[inline]
    pub(super) fn get(&self, discs: Discs) -> Option<&EndgameEntry> {
        let slot = self.slot(discs);
        self.slots[slot..slot + 2]
            .iter()
            .find(|entry| entry.own == discs.own && entry.other == discs.other && entry.empties > 0)
    }

    #[inline]
    pub(super) fn put(&mut self, entry: EndgameEntry) {
        let slot = self.slot(Discs { own: entry.own, other: entry.other, board: 0 });
        let [deep, last] = &mut self.slots[slot..slot + 2] else { return };
        let is_same = |known: &EndgameEntry| known.own == entry.own && known.other == entry.other;
        if is_same(deep) || (!is_same(last) && entry.empties >= deep.empties) {
            *deep = entry;
        } else {
            *last = entry;
        }
    }
}
