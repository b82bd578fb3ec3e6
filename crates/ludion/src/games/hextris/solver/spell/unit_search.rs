//! One unit on its way from where it comes to where it locks: row after row from the top,
//! within a row command after command, all ways at once. A way that comes to the same cell
//! with the same node of the automaton as another, and no more points, is dropped.

use super::super::super::commands::Command;
use super::super::super::phrases::NEW_PHRASE;
use super::bonuses::{POINT, PhraseBonuses};
use super::field::{CommandTarget, PlacementField, is_descent};
use super::frontier::{FrontierPath, RowFrontier};
use super::tables::{NextCharacter, SpellingTables};
use super::visited::VisitedPlacements;
use super::{SpellOptions, Speller};

/// A command of a way: its character and the record of the command before, or, of the first,
/// the number of the way before the unit came.
#[derive(Clone, Copy, Debug)]
struct CommandRecord {
    before: u32,
    byte: u8,
    is_first: bool,
}

/// Enough for one way of a unit through any board.
const MIN_RECORDS: usize = 1 << 18;

/// Why a unit was not led to its lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnitSearchFailure {
    /// More records would have been needed than there is memory for.
    TooMany,
    /// Somebody wants it to stop.
    Stopped,
}

/// The tables of a pass, kept from unit to unit.
#[derive(Debug)]
pub(super) struct UnitSearch<'a> {
    lexicon: &'a SpellingTables,
    promises: &'a [PhraseBonuses; 2],
    here: RowFrontier,
    below: RowFrontier,
    /// Ways that have locked: all in cell 0.
    locked: RowFrontier,
    records: Vec<CommandRecord>,
    most_records: usize,
    chosen: Vec<u32>,
}

impl<'a> UnitSearch<'a> {
    /// For rows of at most so many cells.
    pub(super) fn new(speller: &'a Speller<'_>, cells: usize, memory: usize) -> Self {
        let Speller { lexicon, promises, .. } = speller;
        let frontier = |cells| RowFrontier::new(cells, lexicon.nodes());
        UnitSearch {
            lexicon,
            promises,
            here: frontier(cells),
            below: frontier(cells),
            locked: frontier(1),
            records: Vec::new(),
            most_records: (memory / size_of::<CommandRecord>()).max(MIN_RECORDS),
            chosen: Vec::new(),
        }
    }

    /// Leads all ways `starts` from where the unit comes to its lock. Returns those that came
    /// there, maybe none.
    ///
    /// # Errors
    /// When it takes more memory than allowed, or is to stop.
    pub(super) fn run(
        &mut self,
        field: &PlacementField<'_>,
        starts: &[FrontierPath],
        options: &SpellOptions,
        stop: &dyn Fn() -> bool,
    ) -> Result<&[FrontierPath], UnitSearchFailure> {
        for frontier in [&mut self.here, &mut self.below, &mut self.locked] {
            frontier.clear();
        }
        self.records.clear();
        let Some(spawn) = field.spawn() else { return Ok(&[]) };
        let trail = VisitedPlacements::entering(field.turn(spawn));
        for (number, start) in starts.iter().enumerate() {
            self.here.offer(FrontierPath { cell: spawn, trail, record: number as u32, ..*start });
        }
        for row in 0..field.rows() {
            let mut is_first = row == 0;
            while self.follow(field, row, is_first, options) {
                is_first = false;
                if self.records.len() > self.most_records {
                    return Err(UnitSearchFailure::TooMany);
                }
                if stop() {
                    return Err(UnitSearchFailure::Stopped);
                }
            }
            std::mem::swap(&mut self.here, &mut self.below);
            self.below.clear();
            if self.here.is_empty() {
                break;
            }
        }
        Ok(self.locked.entries())
    }

    /// Follows the best new ways of a row by one command; whether there were any.
    fn follow(
        &mut self,
        field: &PlacementField<'_>,
        row: usize,
        is_first: bool,
        options: &SpellOptions,
    ) -> bool {
        let promises = &self.promises[usize::from(field.can_turn())];
        let keys = |entry: &FrontierPath| {
            let (plain, new) = promises.of(entry.node, entry.used);
            (POINT * entry.score + plain, POINT * entry.score + new)
        };
        let mut chosen = std::mem::take(&mut self.chosen);
        self.here.choose(options.width.max(1), options.row.max(1), keys, &mut chosen);
        let mut cell = None;
        let mut ahead = [CommandTarget::Lost; 6];
        for &number in &chosen {
            let entry = self.here.entry(number);
            if cell != Some(entry.cell) {
                cell = Some(entry.cell);
                ahead = Command::ALL.map(|command| look(field, row, entry.cell, command));
            }
            let record = self.records.len() as u32;
            self.records.push(CommandRecord { before: entry.record, byte: entry.byte, is_first });
            self.expand(field, &ahead, FrontierPath { record, ..entry });
        }
        let any = !chosen.is_empty();
        self.chosen = chosen;
        any
    }

    #[inline]
    fn expand(
        &mut self,
        field: &PlacementField<'_>,
        ahead: &[CommandTarget; 6],
        entry: FrontierPath,
    ) {
        for command in Command::ALL {
            let ahead = ahead[command.index()];
            let (cell, trail) = match ahead {
                CommandTarget::Lost => continue,
                CommandTarget::Blocked => (0, Some(entry.trail)),
                CommandTarget::Cell(cell) if is_descent(command) => {
                    (cell, Some(VisitedPlacements::entering(field.turn(cell))))
                }
                CommandTarget::Cell(cell) => (cell, entry.trail.after(command, field.turn(cell))),
            };
            let Some(trail) = trail else { continue };
            let begins = self.here.begins(entry.cell, command, entry.score);
            let frontier = match ahead {
                CommandTarget::Blocked => &mut self.locked,
                _ if is_descent(command) => &mut self.below,
                _ => &mut self.here,
            };
            let moved = FrontierPath { cell, trail, ..entry };
            for successor in self.lexicon.continuing(entry.node, command) {
                frontier.offer(written(&moved, successor));
            }
            if begins {
                for successor in self.lexicon.beginning(command) {
                    frontier.offer(written(&moved, successor));
                }
            }
        }
    }

    /// Fills `backwards` with the characters of the way to a lock, from the last to the first;
    /// the number of the way it started from.
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

/// Where a command leads; where the lock would not be as wanted a blocked one leads nowhere.
fn look(field: &PlacementField<'_>, row: usize, cell: u16, command: Command) -> CommandTarget {
    match field.ahead(row, cell, command) {
        CommandTarget::Blocked if !field.is_target(row, cell) => CommandTarget::Lost,
        ahead => ahead,
    }
}

/// The way after one more character.
#[inline]
fn written(entry: &FrontierPath, successor: &NextCharacter) -> FrontierPath {
    let new = (successor.hits & !entry.used).count_ones() as i32;
    FrontierPath {
        score: entry.score + successor.gain + new * NEW_PHRASE as i32,
        used: entry.used | successor.hits,
        node: successor.node,
        byte: successor.byte,
        ..*entry
    }
}
