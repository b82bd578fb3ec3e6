//! Search for the paths of one unit from its spawn to its lock. A path is a sequence of command
//! characters, those of the earlier units included. The search works row by row from the top,
//! within a row command by command, all paths at once. A path that reaches the same cell
//! (placement) and the same node of the phrase automaton as another, without more points, is
//! dropped.

use super::super::super::commands::Command;
use super::super::super::phrases::NEW_PHRASE_BONUS;
use super::frontier::VisitedPlacements;
use super::frontier::{FrontierPath, RowFrontier};
use super::phrase_tables::{KEYS_PER_POINT, PhraseEstimates};
use super::phrase_tables::{NextCharacter, SpellingTables};
use super::placement_bitmaps::{CommandDestination, PlacementBitmaps, is_descent};
use super::{SpellOptions, Speller};

/// One character of a path, with the index of the record of the character before it. The first
/// record of a unit (`is_first`) stands for the spawn, with no command of the unit; its index is
/// that of the path up to the previous unit.
#[derive(Clone, Copy, Debug)]
struct CommandRecord {
    before: u32,
    byte: u8,
    is_first: bool,
}

/// Number of command records that is always allowed; it suffices for one path of a unit through any
/// board.
const MIN_RECORDS: usize = 1 << 18;
/// Number of command records after which the search asks again whether to stop. A clock of processor time
/// takes as long as a few of them.
const RECORDS_PER_POLL: usize = 1 << 9;

/// Reasons why the search for the paths of a unit was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnitSearchError {
    /// The records of commands exceed the memory limit.
    TooMany,
    /// The caller stopped the search.
    Stopped,
}

/// Search for the paths of one unit; its tables are reused for the next unit.
#[derive(Debug)]
pub(super) struct UnitSearch<'a> {
    tables: &'a SpellingTables,
    estimates: &'a [PhraseEstimates; 2],
    here: RowFrontier,
    below: RowFrontier,
    /// Paths that have reached the lock, all stored in cell 0.
    locked: RowFrontier,
    records: Vec<CommandRecord>,
    max_records: usize,
    chosen: Vec<u32>,
}

impl<'a> UnitSearch<'a> {
    /// Creates a search for units with at most `cells` placements per row of the pivot, whose
    /// command records take at most `memory` bytes.
    pub(super) fn new(speller: &'a Speller<'_>, cells: usize, memory: usize) -> Self {
        let Speller { tables, estimates, .. } = speller;
        let frontier = |cells| RowFrontier::new(cells, tables.nodes());
        UnitSearch {
            tables,
            estimates,
            here: frontier(cells),
            below: frontier(cells),
            locked: frontier(1),
            records: Vec::new(),
            max_records: (memory / size_of::<CommandRecord>()).max(MIN_RECORDS),
            chosen: Vec::new(),
        }
    }

    /// Extends paths by the command characters of one unit, from the placement where this unit
    /// spawns to the command that locks it. `starts` are the paths that end with the lock of the
    /// unit before. Returns the paths on which this unit is locked.
    ///
    /// # Errors
    /// Returns an error if the search needs more memory than allowed or is stopped.
    pub(super) fn run(
        &mut self,
        bitmaps: &PlacementBitmaps<'_>,
        starts: &[FrontierPath],
        options: &SpellOptions,
        stop: &dyn Fn() -> bool,
    ) -> Result<&[FrontierPath], UnitSearchError> {
        for frontier in [&mut self.here, &mut self.below, &mut self.locked] {
            frontier.clear();
        }
        self.records.clear();
        let Some(spawn) = bitmaps.spawn() else { return Ok(&[]) };
        let visited = VisitedPlacements::entering(bitmaps.turn(spawn));
        for (number, start) in starts.iter().enumerate() {
            self.here.offer(FrontierPath { cell: spawn, visited, record: number as u32, ..*start });
        }
        let mut next_poll = RECORDS_PER_POLL;
        for row in 0..bitmaps.rows() {
            let mut is_first = row == 0;
            while self.follow(bitmaps, row, is_first, options) {
                is_first = false;
                if self.records.len() > self.max_records {
                    return Err(UnitSearchError::TooMany);
                }
                if self.records.len() >= next_poll {
                    if stop() {
                        return Err(UnitSearchError::Stopped);
                    }
                    next_poll = self.records.len() + RECORDS_PER_POLL;
                }
            }
            std::mem::swap(&mut self.here, &mut self.below);
            self.below.clear();
            if self.here.is_empty() {
                break;
            }
        }
        Ok(self.locked.paths())
    }

    /// Extends the best new paths of a row by one command each; returns whether there were any.
    /// `is_first` is true if the unit is still at its spawn.
    fn follow(
        &mut self,
        bitmaps: &PlacementBitmaps<'_>,
        row: usize,
        is_first: bool,
        options: &SpellOptions,
    ) -> bool {
        let estimates = &self.estimates[usize::from(bitmaps.can_turn())];
        let keys = |path: &FrontierPath| {
            let (plain, new) = estimates.of(path.node, path.used);
            (KEYS_PER_POINT * path.score + plain, KEYS_PER_POINT * path.score + new)
        };
        let mut chosen = std::mem::take(&mut self.chosen);
        self.here.choose(options.width.max(1), options.row.max(1), keys, &mut chosen);
        let mut cell = None;
        let mut destination = [CommandDestination::DeadEnd; 6];
        for &number in &chosen {
            let path = self.here.path(number);
            if cell != Some(path.cell) {
                cell = Some(path.cell);
                destination = Command::ALL
                    .map(|command| wanted_destination(bitmaps, row, path.cell, command));
            }
            let record = self.records.len() as u32;
            self.records.push(CommandRecord { before: path.record, byte: path.byte, is_first });
            self.expand(bitmaps, &destination, FrontierPath { record, ..path });
        }
        let any = !chosen.is_empty();
        self.chosen = chosen;
        any
    }

    /// Extends a path by every command that can still lead to the wanted lock.
    #[inline]
    fn expand(
        &mut self,
        bitmaps: &PlacementBitmaps<'_>,
        destination: &[CommandDestination; 6],
        path: FrontierPath,
    ) {
        for command in Command::ALL {
            let destination = destination[command.index()];
            let (cell, visited) = match destination {
                CommandDestination::DeadEnd => continue,
                CommandDestination::Blocked => (0, Some(path.visited)),
                CommandDestination::Cell(cell) if is_descent(command) => {
                    (cell, Some(VisitedPlacements::entering(bitmaps.turn(cell))))
                }
                CommandDestination::Cell(cell) => {
                    (cell, path.visited.after(command, bitmaps.turn(cell)))
                }
            };
            let Some(visited) = visited else { continue };
            let begins_best = self.here.begins_best(path.cell, command, path.score);
            let frontier = match destination {
                CommandDestination::Blocked => &mut self.locked,
                _ if is_descent(command) => &mut self.below,
                _ => &mut self.here,
            };
            let moved = FrontierPath { cell, visited, ..path };
            for successor in self.tables.continuing(path.node, command) {
                frontier.offer(with_character(&moved, successor));
            }
            if begins_best {
                for successor in self.tables.beginning(command) {
                    frontier.offer(with_character(&moved, successor));
                }
            }
        }
    }

    /// Fills `backwards` with the unit's characters of a path that reached the lock, from the last
    /// to the first, and returns the index in `starts` of the path that it extends.
    pub(super) fn trace(&self, locked: &FrontierPath, backwards: &mut Vec<u8>) -> usize {
        backwards.clear();
        backwards.push(locked.byte);
        let mut record = self.records[locked.record as usize];
        while !record.is_first {
            backwards.push(record.byte);
            record = self.records[record.before as usize];
        }
        record.before as usize
    }
}

/// Returns the effect of a command; a blocked command that would lock at an unwanted placement is a
/// dead end.
fn wanted_destination(
    bitmaps: &PlacementBitmaps<'_>,
    row: usize,
    cell: u16,
    command: Command,
) -> CommandDestination {
    match bitmaps.destination(row, cell, command) {
        CommandDestination::Blocked if !bitmaps.is_target(row, cell) => CommandDestination::DeadEnd,
        destination => destination,
    }
}

/// Returns the path after one more character.
#[inline]
fn with_character(path: &FrontierPath, successor: &NextCharacter) -> FrontierPath {
    let new = (successor.hits & !path.used).count_ones() as i32;
    FrontierPath {
        score: path.score + successor.gain + new * NEW_PHRASE_BONUS as i32,
        used: path.used | successor.hits,
        node: successor.node,
        byte: successor.byte,
        ..*path
    }
}
