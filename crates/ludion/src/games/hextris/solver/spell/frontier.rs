//! The ways that lead to the cells of one row: for every cell and node of the automaton the
//! best, of every cell the few that promise most.

use super::super::super::phrases::Node;
use super::trail::Trail;

/// A way to a cell of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) trail: Trail,
    /// The phrases spelled so far, a bit each.
    pub(super) used: u64,
    /// Points, more or less than the best when the unit came.
    pub(super) score: i32,
    /// The record of the command before the last.
    pub(super) record: u32,
    pub(super) node: Node,
    pub(super) cell: u16,
    /// The last character.
    pub(super) byte: u8,
    /// Whether it still has to be followed.
    pub(super) is_pending: bool,
}

impl Entry {
    pub(super) fn new(cell: u16, node: Node, score: i32, used: u64, trail: Trail) -> Self {
        Entry { trail, used, score, record: 0, node, cell, byte: 0, is_pending: false }
    }
}

/// No entry in a table.
const NONE: u32 = u32::MAX;

/// The ways into one row.
#[derive(Debug)]
pub(super) struct Frontier {
    nodes: usize,
    entries: Vec<Entry>,
    /// The entry of cell and node: index cell·nodes + node.
    table: Vec<u32>,
    pending: Vec<u32>,
    /// The keys of those followed so far, the best of each cell, in falling order.
    keys: Vec<i32>,
    followed: Vec<u16>,
    width: usize,
}

impl Frontier {
    /// Of a row of so many cells, an automaton of so many nodes, `width` ways a cell.
    pub(super) fn new(cells: usize, nodes: usize, width: usize) -> Self {
        Frontier {
            nodes,
            entries: Vec::new(),
            table: vec![NONE; cells * nodes],
            pending: Vec::new(),
            keys: vec![0; cells * width],
            followed: vec![0; cells],
            width,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            self.table[usize::from(entry.cell) * self.nodes + usize::from(entry.node)] = NONE;
            self.followed[usize::from(entry.cell)] = 0;
        }
        self.pending.clear();
    }

    /// Takes a way if it is better than the one with the same cell and node.
    #[inline]
    pub(super) fn offer(&mut self, mut entry: Entry) {
        entry.is_pending = true;
        let slot = usize::from(entry.cell) * self.nodes + usize::from(entry.node);
        let known = self.table[slot];
        if known == NONE {
            self.table[slot] = self.entries.len() as u32;
            self.pending.push(self.entries.len() as u32);
            self.entries.push(entry);
            return;
        }
        let held = &mut self.entries[known as usize];
        if entry.score > held.score {
            if !held.is_pending {
                self.pending.push(known);
            }
            *held = entry;
        }
    }

    /// Moves to `chosen` the ways that came since the last time and are among the best of
    /// their cell, by `key`, cell by cell; of more than `most` the best.
    pub(super) fn choose(
        &mut self,
        most: usize,
        key: impl Fn(&Entry) -> i32,
        chosen: &mut Vec<(u16, i32, u32)>,
    ) {
        chosen.clear();
        for i in self.pending.drain(..) {
            let entry = &mut self.entries[i as usize];
            entry.is_pending = false;
            let cell = usize::from(entry.cell);
            let key = key(entry);
            let full = usize::from(self.followed[cell]) == self.width;
            if !full || key > self.keys[(cell + 1) * self.width - 1] {
                chosen.push((entry.cell, -key, i));
            }
        }
        chosen.sort_unstable();
        chosen.retain(|&(cell, key, _)| self.admit(cell.into(), -key));
        if chosen.len() > most {
            chosen.select_nth_unstable_by_key(most, |&(_, key, i)| (key, i));
            chosen.truncate(most);
            chosen.sort_unstable();
        }
    }

    /// Whether `key` is among the best of the cell, and then it is counted.
    fn admit(&mut self, cell: usize, key: i32) -> bool {
        let keys = &mut self.keys[cell * self.width..][..self.width];
        let count = &mut self.followed[cell];
        let mut at = usize::from(*count);
        if at == self.width {
            if key <= keys[at - 1] {
                return false;
            }
            at -= 1;
        } else {
            *count += 1;
        }
        while at > 0 && keys[at - 1] < key {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
        true
    }

    /// The entry of that number.
    #[inline]
    pub(super) fn entry(&self, number: u32) -> Entry {
        self.entries[number as usize]
    }
}
