//! Partial paths to the cells of one row: the best one for every cell and node of the phrase
//! automaton. A cell is a placement of the unit with its pivot in that row: a turn and a column.
//!
//! Of the new paths to a cell the most promising are extended. They are ranked by an estimate,
//! called key; half of them are chosen by the plain key, which ignores the bonus of new phrases,
//! and half by the key with that bonus, so that a phrase that cannot be finished here does not
//! displace everything else. A path also records the placements visited in its row, so that it
//! repeats none.

use super::super::super::commands::Command;
use super::super::super::phrases::PhraseNode;
use super::phrase_tables::KEYS_PER_POINT;

/// A path is dropped if its key (the estimate by which paths are ranked) is more than this below
/// the best plain key of its cell. By measurement, this costs a thousandth of the points and saves
/// a quarter of the time.
const PRUNING_WINDOW: i32 = 12 * KEYS_PER_POINT;
/// A value below the key (the estimate by which paths are ranked) of any path.
const NO_KEY: i32 = i32::MIN / 2;
/// The index in [`RowFrontier::table`] of a cell and node that no path has reached.
const NO_PATH: u32 = u32::MAX;

/// A partial path of a unit: its state after the commands that lead from the spawn to a cell (a
/// placement) of the current row.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontierPath {
    pub(super) visited: VisitedPlacements,
    /// Set of the phrases spelled since the start of the game, one bit each.
    pub(super) used: u64,
    /// Points for phrases so far, minus those that the best path had when the unit appeared.
    pub(super) score: i32,
    /// Index of the `CommandRecord` of the command before the last; for a path that is still at the
    /// spawn, the index of the path up to the previous unit that it extends.
    pub(super) record: u32,
    pub(super) node: PhraseNode,
    pub(super) cell: u16,
    /// Last character of the path.
    pub(super) byte: u8,
    /// Whether the path is new, so that it still has to be extended.
    pub(super) is_pending: bool,
}

/// A new path that may be extended, with its plain key and its key with the bonus of new phrases.
#[derive(Clone, Copy, Debug)]
struct PathCandidate {
    plain: i32,
    key: i32,
    number: u32,
    cell: u16,
}

/// The limits and counters that [`RowFrontier`] keeps for the paths to one cell (a placement) of
/// the row.
#[derive(Clone, Copy, Debug)]
struct FrontierCell {
    /// Number of candidates of this cell; while candidates are grouped by cell, the index where the
    /// next one goes.
    waiting: u32,
    /// Highest plain key of all paths to the cell.
    best: i32,
    /// Lowest plain key among the paths that were chosen by their plain keys, if other paths were
    /// dropped then. A later path must exceed this or `key` to be considered.
    plain: i32,
    /// Lowest key with the bonus of new phrases among the paths that were chosen by that key, if
    /// other paths were dropped then. A later path must exceed this or `plain` to be considered.
    key: i32,
    /// For each command, the highest score of the paths that left the cell by that command and
    /// started a phrase with it.
    started: [i32; 6],
}

/// The initial value for a cell that no path has reached.
const EMPTY_CELL: FrontierCell =
    FrontierCell { waiting: 0, best: NO_KEY, plain: NO_KEY, key: NO_KEY, started: [i32::MIN; 6] };

/// The partial paths to the cells of one row.
#[derive(Debug)]
pub(super) struct RowFrontier {
    nodes: usize,
    paths: Vec<FrontierPath>,
    /// Index in `paths` of the path to each cell and node of the phrase automaton, at index
    /// cell·nodes + node; [`NO_PATH`] if there is none.
    table: Vec<u32>,
    pending: Vec<u32>,
    cells: Vec<FrontierCell>,
    /// Cells that have candidates; this and the next two fields are scratch memory of
    /// [`RowFrontier::choose`].
    touched: Vec<u16>,
    candidates: Vec<PathCandidate>,
    by_cell: Vec<PathCandidate>,
}

impl RowFrontier {
    /// Creates an empty frontier for a row of `cells` cells and a phrase automaton of `nodes`
    /// nodes.
    pub(super) fn new(cells: usize, nodes: usize) -> Self {
        RowFrontier {
            nodes,
            paths: Vec::new(),
            table: vec![NO_PATH; cells * nodes],
            pending: Vec::new(),
            cells: vec![EMPTY_CELL; cells],
            touched: Vec::new(),
            candidates: Vec::new(),
            by_cell: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns all paths, in the order in which their cells and nodes were first reached.
    pub(super) fn paths(&self) -> &[FrontierPath] {
        &self.paths
    }

    /// Returns the path with this index.
    #[inline]
    pub(super) fn path(&self, number: u32) -> FrontierPath {
        self.paths[number as usize]
    }

    /// Removes all paths.
    pub(super) fn clear(&mut self) {
        for path in self.paths.drain(..) {
            self.table[usize::from(path.cell) * self.nodes + usize::from(path.node)] = NO_PATH;
            self.cells[usize::from(path.cell)] = EMPTY_CELL;
        }
        self.pending.clear();
    }

    /// Adds a new path, unless a path with the same cell and node has at least its score.
    #[inline]
    pub(super) fn offer(&mut self, mut path: FrontierPath) {
        path.is_pending = true;
        let slot = usize::from(path.cell) * self.nodes + usize::from(path.node);
        let known = self.table[slot];
        if known == NO_PATH {
            self.table[slot] = self.paths.len() as u32;
            self.pending.push(self.paths.len() as u32);
            self.paths.push(path);
            return;
        }
        let held = &mut self.paths[known as usize];
        if path.score > held.score {
            if !held.is_pending {
                self.pending.push(known);
            }
            *held = path;
        }
    }

    /// Returns whether this score is the highest so far of paths that leave `cell` by `command`.
    /// Only then can new phrases start with the command: otherwise a better path starts the same
    /// ones.
    #[inline]
    pub(super) fn begins_best(&mut self, cell: u16, command: Command, score: i32) -> bool {
        let started = &mut self.cells[usize::from(cell)].started[command.index()];
        let is_better = score > *started;
        *started = score.max(*started);
        is_better
    }

    /// Fills `chosen` with the indices of the new paths to extend, grouped by cell: the `width`
    /// best of each cell, but at most the `row` best of all. `keys` returns the two estimates by
    /// which paths are ranked: the plain key, and the key with the bonus of new phrases.
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
                if self.by_cell[i].key + PRUNING_WINDOW >= cell.best {
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

    /// Makes the new paths candidates, except those whose keys do not exceed the limits of their
    /// cells, so that equal or better paths were dropped before.
    fn collect(&mut self, keys: impl Fn(&FrontierPath) -> (i32, i32)) {
        self.candidates.clear();
        self.touched.clear();
        for number in self.pending.drain(..) {
            let path = &mut self.paths[number as usize];
            path.is_pending = false;
            let (plain, key) = keys(path);
            let cell = &mut self.cells[usize::from(path.cell)];
            cell.best = cell.best.max(plain);
            if (plain > cell.plain || key > cell.key) && key + PRUNING_WINDOW >= cell.best {
                if cell.waiting == 0 {
                    self.touched.push(path.cell);
                }
                cell.waiting += 1;
                self.candidates.push(PathCandidate { plain, key, number, cell: path.cell });
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

    /// Keeps only the `row` best of the candidates chosen in all cells.
    fn thin(&mut self, row: usize) {
        let rank = |candidate: &PathCandidate| (-candidate.key, candidate.number);
        self.candidates.clear();
        self.candidates.extend_from_slice(&self.by_cell);
        let worst = rank(self.candidates.select_nth_unstable_by_key(row - 1, rank).1);
        self.by_cell.retain(|candidate| rank(candidate) <= worst);
    }
}

/// Moves the `width` best candidates of a cell to the front, half of them chosen by the plain key
/// and half by the key with the bonus of new phrases; stores the lowest key of each half in `cell`
/// if candidates are left over; returns the number of chosen candidates.
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

/// Number of bits for each column in [`VisitedPlacements`], one for each turn.
const BITS_PER_COLUMN: u32 = 6;
/// Index in [`VisitedPlacements`] of the first bit of the pivot's column; five columns are recorded
/// west of it and four east of it.
const PIVOT_COLUMN: u32 = 5 * BITS_PER_COLUMN;
/// The bits of the westernmost column in [`VisitedPlacements`].
const WEST_COLUMN: u64 = 0b11_1111;
/// The bits of the easternmost column in [`VisitedPlacements`].
const EAST_COLUMN: u64 = WEST_COLUMN << (9 * BITS_PER_COLUMN);
/// The bits of all ten columns in [`VisitedPlacements`].
const ALL_COLUMNS: u64 = EAST_COLUMN | (EAST_COLUMN - 1);

/// The placements that a unit has visited in its current row, relative to its pivot.
///
/// A unit that leaves a row never returns to it, so this suffices to avoid repetitions. The record
/// is one word: ten columns of six bits, one for each turn. When a visited placement leaves these
/// columns on one side, all placements of the outermost column on that side count as visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VisitedPlacements(u64);

impl VisitedPlacements {
    /// Returns the record of a unit that has just entered a row with this turn.
    #[inline]
    pub(super) fn entering(turn: u32) -> Self {
        VisitedPlacements(1 << (PIVOT_COLUMN + turn))
    }

    /// Returns the record after a command that stays in the row and ends with this turn; `None` if
    /// the unit has, or may have, visited the new placement before.
    #[inline]
    pub(super) fn after(self, command: Command, turn: u32) -> Option<Self> {
        let seen = match command {
            Command::West => {
                self.0 << BITS_PER_COLUMN & ALL_COLUMNS
                    | blocked_column(self.0 & EAST_COLUMN, EAST_COLUMN)
            }
            Command::East => {
                self.0 >> BITS_PER_COLUMN | blocked_column(self.0 & WEST_COLUMN, WEST_COLUMN)
            }
            _ => self.0,
        };
        let here = 1 << (PIVOT_COLUMN + turn);
        (seen & here == 0).then_some(VisitedPlacements(seen | here))
    }
}

/// Returns the bits of `column` if a visited placement, a bit of `leaving`, leaves the record; else
/// 0.
#[inline]
fn blocked_column(leaving: u64, column: u64) -> u64 {
    if leaving == 0 { 0 } else { column }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use ludion_core::random::Rng;

    #[test]
    fn no_placement_is_repeated_and_short_paths_are_not_blocked() {
        let mut rng = Rng::new(6);
        for _ in 0..2_000 {
            let turns = [1, 2, 3, 6][rng.below(4)];
            let (mut x, mut turn) = (0, rng.below(turns));
            let (mut visited, mut been) =
                (VisitedPlacements::entering(turn as u32), HashSet::from([(x, turn)]));
            let mut least = 0;
            let mut greatest = 0;
            for _ in 0..60 {
                let (command, there) = match rng.below(4) {
                    0 => (Command::West, (x - 1, turn)),
                    1 => (Command::East, (x + 1, turn)),
                    2 => (Command::Clockwise, (x, (turn + 1) % turns)),
                    _ => (Command::CounterClockwise, (x, (turn + turns - 1) % turns)),
                };
                let after = visited.after(command, there.1 as u32);
                assert!(after.is_none() || !been.contains(&there));
                (least, greatest) = (there.0.min(least), there.0.max(greatest));
                // No new placement is refused within four columns.
                assert!(greatest - least > 4 || after.is_some() || been.contains(&there));
                let Some(next) = after else { continue };
                (visited, x, turn) = (next, there.0, there.1);
                been.insert(there);
            }
        }
    }
}
