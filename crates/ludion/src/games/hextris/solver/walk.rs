//! Ways of a unit to the placements it can come to: breadth first, as the course's team did,
//! with whole phrases as single moves that are tried first. All ways together are a tree in
//! which every placement is once, those inside a phrase too, so that no way repeats one.

use super::super::board::Row;
use super::super::commands::{Command, Key};
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};

/// A phrase as the commands that spell it.
#[derive(Clone, Debug)]
pub(super) struct Spell {
    bytes: Vec<u8>,
    commands: Vec<Command>,
    /// A bit for the phrase in the sets of phrases; those beyond the 64th share them.
    bit: u64,
}

/// The phrases that can be spelled by commands alone, the longest first: they earn the most.
pub(super) fn spells(phrases: &Phrases) -> Vec<Spell> {
    let spell = |(number, phrase): (usize, &String)| {
        let command = |byte| match Key::of(byte) {
            Key::Command(command) => Some(command),
            Key::Ignored | Key::Unknown => None,
        };
        let commands = phrase.bytes().map(command).collect::<Option<Vec<_>>>()?;
        Some(Spell { bytes: phrase.clone().into_bytes(), commands, bit: 1 << (number % 64) })
    };
    let mut spells: Vec<Spell> = phrases.list().iter().enumerate().filter_map(spell).collect();
    spells.sort_by_key(|spell| std::cmp::Reverse(spell.bytes.len()));
    spells
}

/// How a placement was first come to.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// The number of the tree it belongs to; another says that it was not come to.
    tree: u32,
    before: u32,
    byte: u8,
    /// Phrases on the way, and the set of them.
    count: u16,
    set: u64,
}

/// The ways of one unit; its tables serve for one unit after the other.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    tree: u32,
    steps: Vec<Step>,
    /// The placements in the order in which they were come to.
    reached: Vec<Placement>,
}

impl Walk {
    pub(super) fn new(problem: &Problem) -> Self {
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0);
        Walk { tree: 0, steps: vec![Step::default(); slots], reached: Vec::new() }
    }

    /// Finds ways from where `unit` comes, if it fits there, until `enough` says of a placement
    /// that no more are needed.
    pub(super) fn grow(
        &mut self,
        unit: &Unit,
        rows: &[Row],
        spells: &[Spell],
        enough: impl Fn(Placement) -> bool,
    ) {
        self.tree += 1;
        self.reached.clear();
        let spawn = unit.spawn();
        if !unit.fits(rows, spawn) {
            return;
        }
        self.steps[unit.slot(spawn)] = Step { tree: self.tree, ..Step::default() };
        self.reached.push(spawn);
        let mut next = 0;
        while next < self.reached.len() {
            let at = self.reached[next];
            next += 1;
            if enough(at) {
                return;
            }
            for spell in spells {
                self.spell(unit, rows, at, spell);
            }
            for command in Command::ALL {
                let byte = command.characters().as_bytes()[0];
                self.go(unit, rows, at, unit.step(at, command), byte);
            }
        }
    }

    /// Whether `to` is a placement that was not come to before; it is then.
    fn go(&mut self, unit: &Unit, rows: &[Row], at: Placement, to: Placement, byte: u8) -> bool {
        if !unit.fits(rows, to) || self.steps[unit.slot(to)].tree == self.tree {
            return false;
        }
        let before = unit.slot(at);
        let step = Step { before: before as u32, byte, ..self.steps[before] };
        self.steps[unit.slot(to)] = step;
        self.reached.push(to);
        true
    }

    /// Spells a phrase from `at` if that leads through new placements only.
    fn spell(&mut self, unit: &Unit, rows: &[Row], at: Placement, spell: &Spell) {
        let (known, mut here) = (self.reached.len(), at);
        for (&command, &byte) in spell.commands.iter().zip(&spell.bytes) {
            let to = unit.step(here, command);
            if !self.go(unit, rows, here, to, byte) {
                for &at in &self.reached[known..] {
                    self.steps[unit.slot(at)].tree = 0;
                }
                self.reached.truncate(known);
                return;
            }
            here = to;
        }
        let end = &mut self.steps[unit.slot(here)];
        end.count += 1;
        end.set |= spell.bit;
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

    /// Writes the way to a placement come to.
    pub(super) fn write(&self, unit: &Unit, at: Placement, text: &mut String) {
        let (mut slot, spawn) = (unit.slot(at), unit.slot(unit.spawn()));
        let mut backwards = Vec::new();
        while slot != spawn {
            let step = self.steps[slot];
            backwards.push(step.byte);
            slot = step.before as usize;
        }
        text.extend(backwards.iter().rev().map(|&byte| char::from(byte)));
    }
}

/// A character that locks `unit` at `at`, if there is one.
pub(super) fn lock_byte(unit: &Unit, rows: &[Row], at: Placement) -> Option<u8> {
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
    let (mut walk, mut text) = (Walk::new(problem), String::new());
    let mut rows = problem.board().clone();
    for (number, (&unit, &at)) in units.iter().zip(placements).enumerate() {
        let unit = &problem.units()[unit];
        if number >= written {
            let Some(lock) = lock_byte(unit, &rows, at) else { break };
            walk.grow(unit, &rows, &[], |reached| reached == at);
            if stop() || !walk.reached().contains(&at) {
                break;
            }
            walk.write(unit, at, &mut text);
            text.push(char::from(lock));
        }
        unit.lock(&mut rows, at);
    }
    text
}
