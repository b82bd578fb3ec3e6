//! Ways of a unit to the placements it can come to: breadth first, as the course's team did,
//! with whole phrases as single moves that are tried first. All ways together are a tree in
//! which every placement is once; through those inside a phrase others may go as well. No way
//! repeats a placement: a unit never rises, so a phrase is held against what its way has had in
//! the row it begins in.

use super::super::board::RowCells;
use super::super::commands::{Command, CommandKey};
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};

/// A phrase as the commands that spell it.
#[derive(Clone, Debug)]
pub(super) struct PhraseCommands {
    bytes: Vec<u8>,
    commands: Vec<Command>,
    bit: u64,
}

/// The set of the phrases in a text.
pub(super) fn set_of(phrases: &Phrases, text: &str) -> u64 {
    let counts = phrases.count(text);
    let found = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    found.fold(0, |set, (number, _)| set | bit(number))
}

/// The bit of a phrase in sets of phrases; those beyond the 64th share them.
fn bit(number: usize) -> u64 {
    1 << (number % 64)
}

/// The phrases that can be spelled by commands alone, the longest first: they earn the most.
pub(super) fn spells(phrases: &Phrases) -> Vec<PhraseCommands> {
    let spell = |(number, phrase): (usize, &String)| {
        let command = |byte| match CommandKey::of(byte) {
            CommandKey::Command(command) => Some(command),
            CommandKey::Ignored | CommandKey::Unknown => None,
        };
        let commands = phrase.bytes().map(command).collect::<Option<Vec<_>>>()?;
        Some(PhraseCommands { bytes: phrase.clone().into_bytes(), commands, bit: bit(number) })
    };
    let mut spells: Vec<PhraseCommands> =
        phrases.list().iter().enumerate().filter_map(spell).collect();
    spells.sort_by_key(|spell| std::cmp::Reverse(spell.bytes.len()));
    spells
}

/// Stands in slots that were never come to.
const NOWHERE: Placement = Placement { x: 0, y: 0, turn: 0 };

/// How a placement was first come to.
#[derive(Clone, Copy, Debug, Default)]
struct ReachedBy {
    /// The number of the tree it belongs to; another says that it was not come to.
    tree: u32,
    /// The slot it was come to from, by a character or by a phrase of this number, from 1.
    before: u32,
    byte: u8,
    spell: u16,
    /// Whether the way has been inside a phrase in this row, where the tree does not tell.
    is_hidden: bool,
    /// Phrases on the way, and the set of them.
    count: u16,
    set: u64,
}

/// The ways of one unit; its tables serve for one unit after the other.
#[derive(Clone, Debug)]
pub(super) struct UnitPaths {
    tree: u32,
    steps: Vec<ReachedBy>,
    /// The placements in the order in which they were come to.
    reached: Vec<Placement>,
    /// Where each slot is.
    places: Vec<Placement>,
    /// By phrase, and by the parity of the row it begins in: how far it leads.
    leaps: Vec<[Placement; 2]>,
    /// The placements that the way to one placement has had in its row.
    trail: Vec<Placement>,
    trail_of: Option<Placement>,
}

impl UnitPaths {
    pub(super) fn new(problem: &Problem) -> Self {
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0);
        let (steps, places) = (vec![ReachedBy::default(); slots], vec![NOWHERE; slots]);
        let (reached, leaps, trail) = Default::default();
        UnitPaths { tree: 0, steps, reached, places, leaps, trail, trail_of: None }
    }

    /// Finds ways from where `unit` comes, if it fits there, until `enough` says of a placement
    /// that no more are needed.
    pub(super) fn grow(
        &mut self,
        unit: &Unit,
        rows: &[RowCells],
        spells: &[PhraseCommands],
        enough: impl Fn(Placement) -> bool,
    ) {
        self.tree += 1;
        self.reached.clear();
        self.trail_of = None;
        let leap = |spell: &PhraseCommands, y| {
            let start = Placement { x: 0, y, turn: 0 };
            let end = spell.commands.iter().fold(start, |at, &command| unit.step(at, command));
            Placement { y: end.y - y, ..end }
        };
        self.leaps.clear();
        self.leaps.extend(spells.iter().map(|spell| [leap(spell, 0), leap(spell, 1)]));
        let spawn = unit.spawn();
        if !unit.fits(rows, spawn) {
            return;
        }
        self.enter(unit, spawn, ReachedBy { tree: self.tree, ..ReachedBy::default() });
        let mut next = 0;
        while next < self.reached.len() {
            let at = self.reached[next];
            next += 1;
            if enough(at) {
                return;
            }
            for number in 0..spells.len() {
                self.spell(unit, rows, at, spells, number);
            }
            for command in Command::ALL {
                self.go(unit, rows, at, command, spells);
            }
        }
    }

    /// A placement is come to.
    fn enter(&mut self, unit: &Unit, at: Placement, step: ReachedBy) {
        let slot = unit.slot(at);
        self.steps[slot] = step;
        self.places[slot] = at;
        self.reached.push(at);
    }

    fn is_new(&self, unit: &Unit, at: Placement) -> bool {
        self.steps[unit.slot(at)].tree != self.tree
    }

    /// Goes on by one command, if that leads to a new placement.
    fn go(
        &mut self,
        unit: &Unit,
        rows: &[RowCells],
        at: Placement,
        command: Command,
        spells: &[PhraseCommands],
    ) {
        let to = unit.step(at, command);
        if !unit.fits(rows, to) || !self.is_new(unit, to) {
            return;
        }
        let before = unit.slot(at);
        let is_hidden = self.steps[before].is_hidden && to.y == at.y;
        if is_hidden {
            self.follow(unit, at, spells);
            if self.trail.contains(&to) {
                return;
            }
        }
        let byte = command.characters().as_bytes()[0];
        let from = self.steps[before];
        let step = ReachedBy { before: before as u32, byte, spell: 0, is_hidden, ..from };
        self.enter(unit, to, step);
    }

    /// Gathers the placements that the way to `at` has had in the row of `at`.
    fn follow(&mut self, unit: &Unit, at: Placement, spells: &[PhraseCommands]) {
        if self.trail_of == Some(at) {
            return;
        }
        self.trail_of = Some(at);
        self.trail.clear();
        let mut here = at;
        loop {
            self.trail.push(here);
            let step = self.steps[unit.slot(here)];
            if here == unit.spawn() {
                return;
            }
            let before = self.places[step.before as usize];
            if let Some(spell) = (step.spell as usize).checked_sub(1) {
                let mut inside = before;
                for &command in &spells[spell].commands {
                    inside = unit.step(inside, command);
                    if inside.y == at.y && inside != here {
                        self.trail.push(inside);
                    }
                }
            }
            if before.y != at.y {
                return;
            }
            here = before;
        }
    }

    /// Spells a phrase from `at`, if its end is new and no placement is repeated.
    fn spell(
        &mut self,
        unit: &Unit,
        rows: &[RowCells],
        at: Placement,
        spells: &[PhraseCommands],
        number: usize,
    ) {
        let leap = self.leaps[number][(at.y & 1) as usize];
        let turn = (at.turn + leap.turn) % unit.turns();
        let end = Placement { x: at.x + leap.x, y: at.y + leap.y, turn };
        if !unit.fits(rows, end) || !self.is_new(unit, end) {
            return;
        }
        self.follow(unit, at, spells);
        let (spell, known) = (&spells[number], self.trail.len());
        let mut here = at;
        let is_valid = spell.commands.iter().all(|&command| {
            here = unit.step(here, command);
            let fresh = unit.fits(rows, here) && !self.trail.contains(&here);
            self.trail.push(here);
            fresh
        });
        self.trail.truncate(known);
        if is_valid {
            let before = unit.slot(at);
            let mut step = ReachedBy { before: before as u32, ..self.steps[before] };
            step.spell = number as u16 + 1;
            step.is_hidden = true;
            step.count += 1;
            step.set |= spell.bit;
            self.enter(unit, end, step);
        }
    }

    /// The placements come to, in that order.
    pub(super) fn reached(&self) -> &[Placement] {
        &self.reached
    }

    /// How many phrases are on the way to a placement come to, and the set of them.
    pub(super) fn phrases(&self, unit: &Unit, at: Placement) -> (u16, u64) {
        let step = self.steps[unit.slot(at)];
        (step.count, step.set)
    }

    /// Writes the way to a placement come to with these phrases.
    pub(super) fn write(
        &self,
        unit: &Unit,
        at: Placement,
        spells: &[PhraseCommands],
        text: &mut String,
    ) {
        let (mut slot, spawn) = (unit.slot(at), unit.slot(unit.spawn()));
        let mut backwards = Vec::new();
        while slot != spawn {
            let step = &self.steps[slot];
            match (step.spell as usize).checked_sub(1) {
                None => backwards.push(step.byte),
                Some(spell) => backwards.extend(spells[spell].bytes.iter().rev()),
            }
            slot = step.before as usize;
        }
        text.extend(backwards.iter().rev().map(|&byte| char::from(byte)));
    }
}

/// A character that locks `unit` at `at`, if there is one.
pub(super) fn lock_byte(unit: &Unit, rows: &[RowCells], at: Placement) -> Option<u8> {
    let blocked = |command: &&Command| !unit.fits(rows, unit.step(at, **command));
    Command::ALL.iter().find(blocked).map(|command| command.characters().as_bytes()[0])
}

/// Commands that lock `units` of `problem` at `placements`, one after the other from the board
/// at the start, those of the first `written` left away: on the shortest way, without a thought
/// of phrases. They end early when `stop` says so.
pub(super) fn write_plainly(
    problem: &Problem,
    units: &[usize],
    placements: &[Placement],
    written: usize,
    stop: impl Fn() -> bool,
) -> String {
    let (mut walk, mut text) = (UnitPaths::new(problem), String::new());
    let mut rows = problem.board().clone();
    for (number, (&unit, &at)) in units.iter().zip(placements).enumerate() {
        let unit = &problem.units()[unit];
        if number >= written {
            let Some(lock) = lock_byte(unit, &rows, at) else { break };
            walk.grow(unit, &rows, &[], |reached| reached == at);
            if stop() || !walk.reached().contains(&at) {
                break;
            }
            walk.write(unit, at, &[], &mut text);
            text.push(char::from(lock));
        }
        unit.lock(&mut rows, at);
    }
    text
}
