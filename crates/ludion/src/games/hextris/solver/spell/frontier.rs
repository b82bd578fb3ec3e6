//! The ways that lead to the cells of one row: for every cell and node of the automaton the
//! best. Of those that are new the most promising of every cell are followed: half by what
//! they would be worth if no phrase were new, half by what new phrases promise, so that a
//! phrase that cannot be finished here does not crowd out all else.

use super::super::super::commands::Command;
use super::super::super::phrases::PhraseNode;
use super::bonuses::POINT;
use super::visited::VisitedPlacements;

/// A way that promises so much less than another to its cell has is not followed. Measured:
/// it costs a thousandth of the power and saves a quarter of the time.
const WINDOW: i32 = 12 * POINT;
/// Less than any key.
const LEAST: i32 = i32::MIN / 2;
/// No entry in a table.
const NONE: u32 = u32::MAX;

/// A way to a cell of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontierPath {
    pub(super) trail: VisitedPlacements,
    /// The phrases spelled so far, a bit each.
    pub(super) used: u64,
    /// Points, more or less than the best when the unit came.
    pub(super) score: i32,
    /// The record of the command before the last; at first the number of the way.
    pub(super) record: u32,
    pub(super) node: PhraseNode,
    pub(super) cell: u16,
    /// The last character.
    pub(super) byte: u8,
    /// Whether it still has to be followed.
    pub(super) is_pending: bool,
}

/// A way that may be followed, with its keys: without and with the promise of new phrases.
#[derive(Clone, Copy, Debug)]
struct PathCandidate {
    plain: i32,
    key: i32,
    number: u32,
    cell: u16,
}

/// What is known of the ways to one cell.
#[derive(Clone, Copy, Debug)]
struct FrontierCell {
    /// Candidates that wait, then the place where the next one goes.
    waiting: u32,
    /// The best plain key.
    best: i32,
    /// Both keys of the worst that were followed, when not all were.
    plain: i32,
    key: i32,
    /// The most points with which phrases were begun, by command.
    begun: [i32; 6],
}

const UNSEEN: FrontierCell =
    FrontierCell { waiting: 0, best: LEAST, plain: LEAST, key: LEAST, begun: [i32::MIN; 6] };

/// The ways into one row.
#[derive(Debug)]
pub(super) struct RowFrontier {
    nodes: usize,
    entries: Vec<FrontierPath>,
    /// The entry of cell and node: index cell·nodes + node.
    table: Vec<u32>,
    pending: Vec<u32>,
    cells: Vec<FrontierCell>,
    /// Work space of [`RowFrontier::choose`].
    touched: Vec<u16>,
    candidates: Vec<PathCandidate>,
    by_cell: Vec<PathCandidate>,
}

impl RowFrontier {
    /// Of a row of so many cells, for an automaton of so many nodes.
    pub(super) fn new(cells: usize, nodes: usize) -> Self {
        RowFrontier {
            nodes,
            entries: Vec::new(),
            table: vec![NONE; cells * nodes],
            pending: Vec::new(),
            cells: vec![UNSEEN; cells],
            touched: Vec::new(),
            candidates: Vec::new(),
            by_cell: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All ways, in the order in which their cells and nodes were first seen.
    pub(super) fn entries(&self) -> &[FrontierPath] {
        &self.entries
    }

    /// The way of that number.
    #[inline]
    pub(super) fn entry(&self, number: u32) -> FrontierPath {
        self.entries[number as usize]
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            self.table[usize::from(entry.cell) * self.nodes + usize::from(entry.node)] = NONE;
            self.cells[usize::from(entry.cell)] = UNSEEN;
        }
        self.pending.clear();
    }

    /// Takes a way if it is better than the one with the same cell and node.
    #[inline]
    pub(super) fn offer(&mut self, mut entry: FrontierPath) {
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

    /// Whether a way with this score is the best so far that goes on from `cell` by `command`:
    /// only then are the phrases it begins news to where it leads.
    #[inline]
    pub(super) fn begins(&mut self, cell: u16, command: Command, score: i32) -> bool {
        let begun = &mut self.cells[usize::from(cell)].begun[command.index()];
        let is_better = score > *begun;
        *begun = score.max(*begun);
        is_better
    }

    /// Moves to `chosen` the ways that came since the last time and are among the `width` best
    /// of their cell, cell by cell; of more than `row` the best. `keys` gives the plain key of
    /// a way and the one with new phrases.
    pub(super) fn choose(
        &mut self,
        width: usize,
        row: usize,
        keys: impl Fn(&FrontierPath) -> (i32, i32),
        chosen: &mut Vec<u32>,
    ) {
        chosen.clear();
        self.collect(keys);
        self.group();
        let mut start = 0;
        let mut kept = 0;
        for &at in &self.touched {
            let cell = &mut self.cells[usize::from(at)];
            let end = std::mem::take(&mut cell.waiting) as usize;
            let count = select(&mut self.by_cell[start..end], cell, width);
            for i in start..start + count {
                if self.by_cell[i].key + WINDOW >= cell.best {
                    self.by_cell[kept] = self.by_cell[i];
                    kept += 1;
                }
            }
            start = end;
        }
        self.by_cell.truncate(kept);
        if kept > row {
            self.thin(row);
        }
        chosen.extend(self.by_cell.iter().map(|candidate| candidate.number));
    }

    /// Makes candidates of what is pending and not worse than what was turned down before.
    fn collect(&mut self, keys: impl Fn(&FrontierPath) -> (i32, i32)) {
        self.candidates.clear();
        self.touched.clear();
        for number in self.pending.drain(..) {
            let entry = &mut self.entries[number as usize];
            entry.is_pending = false;
            let (plain, key) = keys(entry);
            let cell = &mut self.cells[usize::from(entry.cell)];
            cell.best = cell.best.max(plain);
            if (plain > cell.plain || key > cell.key) && key + WINDOW >= cell.best {
                if cell.waiting == 0 {
                    self.touched.push(entry.cell);
                }
                cell.waiting += 1;
                self.candidates.push(PathCandidate { plain, key, number, cell: entry.cell });
            }
        }
    }

    /// Groups the candidates by cell, the cells in the order of `touched`.
    fn group(&mut self) {
        self.by_cell.clear();
        self.by_cell.extend_from_slice(&self.candidates);
        let mut place = 0;
        for &cell in &self.touched {
            place += std::mem::replace(&mut self.cells[usize::from(cell)].waiting, place);
        }
        for candidate in &self.candidates {
            let place = &mut self.cells[usize::from(candidate.cell)].waiting;
            self.by_cell[*place as usize] = *candidate;
            *place += 1;
        }
    }

    /// Leaves the best of a row that has too many.
    fn thin(&mut self, row: usize) {
        let rank = |candidate: &PathCandidate| (-candidate.key, candidate.number);
        self.candidates.clear();
        self.candidates.extend_from_slice(&self.by_cell);
        let worst = rank(self.candidates.select_nth_unstable_by_key(row - 1, rank).1);
        self.by_cell.retain(|candidate| rank(candidate) <= worst);
    }
}

/// Moves the `width` best candidates of a cell to the front, half of them by either key, and
/// remembers what was not good enough. Returns how many they are.
fn select(some: &mut [PathCandidate], cell: &mut FrontierCell, width: usize) -> usize {
    if some.len() <= width {
        return some.len();
    }
    let plain = width.div_ceil(2);
    some.select_nth_unstable_by_key(plain - 1, |candidate| (-candidate.plain, candidate.number));
    cell.plain = some[plain - 1].plain;
    cell.key = i32::MAX;
    if width > plain {
        let (rest, last) = (&mut some[plain..], width - plain - 1);
        rest.select_nth_unstable_by_key(last, |candidate| (-candidate.key, candidate.number));
        cell.key = rest[last].key;
    }
    width
}
