//! One unit on its way from where it comes to where it locks: row after row from the top,
//! within a row command after command, all ways at once. A way that comes to the same cell
//! with the same node of the automaton as another, and no more points, is dropped.

use super::super::super::commands::Command;
use super::super::super::phrases::NEW_PHRASE;
use super::field::{Ahead, Field, is_descent};
use super::frontier::{Entry, Frontier};
use super::lexicon::{Lexicon, POINT, Successor};
use super::trail::Trail;

/// A command of a way: its character and the record of the command before, or, of the first,
/// the number of the way before the unit came.
#[derive(Clone, Copy, Debug)]
struct Record {
    before: u32,
    byte: u8,
    is_first: bool,
}

/// The tables of a pass, kept from unit to unit.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    lexicon: &'a Lexicon,
    here: Frontier,
    below: Frontier,
    /// Ways that have locked: all in cell 0.
    locked: Frontier,
    records: Vec<Record>,
    chosen: Vec<(u16, i32, u32)>,
    most_in_row: usize,
}

impl<'a> Pass<'a> {
    /// For rows of at most so many cells, `width` ways a cell and `most_in_row` ways a row.
    pub(super) fn new(
        lexicon: &'a Lexicon,
        cells: usize,
        width: usize,
        most_in_row: usize,
    ) -> Self {
        let frontier = |cells| Frontier::new(cells, lexicon.nodes(), width);
        Pass {
            lexicon,
            here: frontier(cells),
            below: frontier(cells),
            locked: frontier(1),
            records: Vec::new(),
            chosen: Vec::new(),
            most_in_row,
        }
    }

    /// Leads all ways `starts` from where the unit comes to its lock; those that came there,
    /// best first, can then be asked for. Empty when none came.
    pub(super) fn run(&mut self, field: &Field<'_>, starts: &[Entry]) -> &[Entry] {
        for frontier in [&mut self.here, &mut self.below, &mut self.locked] {
            frontier.clear();
        }
        self.records.clear();
        let Some(spawn) = field.spawn() else { return &[] };
        for (number, start) in starts.iter().enumerate() {
            let trail = Trail::entering(field.turn(spawn));
            self.here.offer(Entry { cell: spawn, trail, record: number as u32, ..*start });
        }
        for row in 0..field.rows() {
            let mut is_first = row == 0;
            while self.follow(field, row, is_first) {
                is_first = false;
            }
            std::mem::swap(&mut self.here, &mut self.below);
            self.below.clear();
            if self.here.is_empty() {
                break;
            }
        }
        self.locked.entries()
    }

    /// Follows the best new ways of a row by one command; whether there were any.
    fn follow(&mut self, field: &Field<'_>, row: usize, is_first: bool) -> bool {
        let lexicon = self.lexicon;
        let key = |entry: &Entry| POINT * entry.score + lexicon.promise(entry.node, entry.used);
        let mut chosen = std::mem::take(&mut self.chosen);
        self.here.choose(self.most_in_row, key, &mut chosen);
        let mut cell = None;
        let mut ahead = [Ahead::Lost; 6];
        for &(at, _, number) in &chosen {
            if cell != Some(at) {
                cell = Some(at);
                ahead = Command::ALL.map(|command| look(field, row, at, command));
            }
            let entry = self.here.entry(number);
            let record = self.records.len() as u32;
            self.records.push(Record { before: entry.record, byte: entry.byte, is_first });
            self.expand(field, &ahead, Entry { record, ..entry });
        }
        let any = !chosen.is_empty();
        self.chosen = chosen;
        any
    }

    #[inline]
    fn expand(&mut self, field: &Field<'_>, ahead: &[Ahead; 6], entry: Entry) {
        for command in Command::ALL {
            let (cell, trail) = match ahead[command.index()] {
                Ahead::Lost => continue,
                Ahead::Blocked => (0, Some(entry.trail)),
                Ahead::Cell(cell) if is_descent(command) => {
                    (cell, Some(Trail::entering(field.turn(cell))))
                }
                Ahead::Cell(cell) => (cell, entry.trail.after(command, field.turn(cell))),
            };
            let Some(trail) = trail else { continue };
            let frontier = match ahead[command.index()] {
                Ahead::Blocked => &mut self.locked,
                _ if is_descent(command) => &mut self.below,
                _ => &mut self.here,
            };
            for successor in self.lexicon.successors(entry.node, command) {
                frontier.offer(written(Entry { cell, trail, ..entry }, successor));
            }
        }
    }

    /// The characters of the way to a lock, from the last to the first, are added to
    /// `backwards`; the number of the way it started from.
    pub(super) fn trace(&self, locked: &Entry, backwards: &mut Vec<u8>) -> usize {
        backwards.clear();
        backwards.push(locked.byte);
        let mut at = locked.record;
        loop {
            let record = self.records[at as usize];
            if record.is_first {
                return record.before as usize;
            }
            backwards.push(record.byte);
            at = record.before;
        }
    }
}

/// Where a command leads; where the lock would not be as wanted a blocked one leads nowhere.
fn look(field: &Field<'_>, row: usize, cell: u16, command: Command) -> Ahead {
    match field.ahead(row, cell, command) {
        Ahead::Blocked if !field.is_target(row, cell) => Ahead::Lost,
        ahead => ahead,
    }
}

/// The way after one more character.
#[inline]
fn written(entry: Entry, successor: &Successor) -> Entry {
    let new = (successor.hits & !entry.used).count_ones() as i32;
    Entry {
        score: entry.score + successor.gain + new * NEW_PHRASE as i32,
        used: entry.used | successor.hits,
        node: successor.node,
        byte: successor.byte,
        ..entry
    }
}
