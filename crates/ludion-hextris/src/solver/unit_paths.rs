//! Paths of a unit to the placements it can reach, found breadth first as by de Falco and Fleck,
//! with whole phrases as single steps that are tried first.
//!
//! All paths together form a tree in which every placement occurs at most once, as the end of a
//! step. Placements in the middle of a phrase are not recorded, so that other paths may pass
//! through them. No path repeats a placement: a unit never rises, so a phrase is checked only
//! against the path's placements in the row where it starts.

use super::super::board::RowCells;
use super::super::commands::{Command, DecodedChar};
use super::super::phrases::Phrases;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};

/// The order in which the commands are tried, which is that of de Falco and Fleck.
pub(super) const STEP_ORDER: [Command; 6] = [
    Command::East,
    Command::West,
    Command::SouthEast,
    Command::SouthWest,
    Command::Clockwise,
    Command::CounterClockwise,
];

/// A phrase as characters and as commands.
#[derive(Clone, Debug)]
pub(super) struct PhraseCommands {
    pub(super) bytes: Vec<u8>,
    pub(super) commands: Vec<Command>,
    /// Index of the phrase in [`Phrases::list`].
    pub(super) number: usize,
}

/// How a path reached a placement from the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LastStep {
    /// By one command, encoded by this character.
    Command(u8),
    /// By the phrase with this index in the list given to [`UnitPathTree::grow`].
    Phrase(usize),
}

/// Returns the phrases all of whose characters are commands, the longest first because they earn
/// most.
pub(super) fn phrase_commands(phrases: &Phrases) -> Vec<PhraseCommands> {
    let spell = |(number, phrase): (usize, &String)| {
        let command = |byte| match DecodedChar::from_byte(byte) {
            DecodedChar::Command(command) => Some(command),
            DecodedChar::Ignored | DecodedChar::Unknown => None,
        };
        let commands = phrase.bytes().map(command).collect::<Option<Vec<_>>>()?;
        Some(PhraseCommands { bytes: phrase.clone().into_bytes(), commands, number })
    };
    let mut usable: Vec<PhraseCommands> =
        phrases.list().iter().enumerate().filter_map(spell).collect();
    usable.sort_by_key(|phrase| std::cmp::Reverse(phrase.bytes.len()));
    usable
}

/// Initial value of the entries of `UnitPathTree::places`, before a placement is reached.
const UNUSED_SLOT: Placement = Placement { x: 0, y: 0, turn: 0 };

/// The last step of the path to a placement, with totals over the path.
#[derive(Clone, Copy, Debug, Default)]
struct PathStep {
    /// Number of the search that reached the placement. The placement counts as reached only if
    /// this is the number of the current search, so that tables need no clearing between searches.
    tree: u32,
    /// Index, by [`Unit::slot`], of the placement before the step.
    before: u32,
    /// Character of the command, if the step is a single command.
    byte: u8,
    /// Number of the phrase, from 1, if the step is a phrase; 0 for a single command.
    spell: u16,
    /// Whether the path visits placements of this row in the middle of a phrase, which the tree
    /// does not record.
    is_hidden: bool,
    /// Number of characters of the phrases spelled on the whole path.
    characters: u32,
}

/// Tree of the paths of one unit from its spawn; its tables are reused for the next unit.
#[derive(Clone, Debug)]
pub(super) struct UnitPathTree {
    tree: u32,
    steps: Vec<PathStep>,
    /// Placements in the order in which they were reached.
    reached: Vec<Placement>,
    /// Placement with each index, by [`Unit::slot`].
    places: Vec<Placement>,
    /// Displacement of the unit by each phrase, from an even and from an odd row.
    offsets: Vec<[Placement; 2]>,
    /// Placements of the path to `trail_of` that are in the same row as `trail_of`.
    trail: Vec<Placement>,
    trail_of: Option<Placement>,
}

impl UnitPathTree {
    pub(super) fn new(problem: &Problem) -> Self {
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0);
        let (steps, places) = (vec![PathStep::default(); slots], vec![UNUSED_SLOT; slots]);
        let (reached, offsets, trail) = Default::default();
        UnitPathTree { tree: 0, steps, reached, places, offsets, trail, trail_of: None }
    }

    /// Finds paths to all placements that the unit can reach from its spawn, those with few steps
    /// first; ends early when `enough` returns true for a reached placement.
    pub(super) fn grow(
        &mut self,
        unit: &Unit,
        rows: &[RowCells],
        phrases: &[PhraseCommands],
        enough: impl Fn(Placement) -> bool,
    ) {
        self.tree += 1;
        self.reached.clear();
        self.trail_of = None;
        let offset = |spell: &PhraseCommands, y| {
            let start = Placement { x: 0, y, turn: 0 };
            let end = spell.commands.iter().fold(start, |at, &command| unit.step(at, command));
            Placement { y: end.y - y, ..end }
        };
        self.offsets.clear();
        self.offsets.extend(phrases.iter().map(|spell| [offset(spell, 0), offset(spell, 1)]));
        let spawn = unit.spawn();
        if !unit.fits(rows, spawn) {
            return;
        }
        self.enter(unit, spawn, PathStep { tree: self.tree, ..PathStep::default() });
        let mut next = 0;
        while next < self.reached.len() {
            let at = self.reached[next];
            next += 1;
            if enough(at) {
                return;
            }
            for number in 0..phrases.len() {
                self.spell(unit, rows, at, phrases, number);
            }
            for command in STEP_ORDER {
                self.step(unit, rows, at, command, phrases);
            }
        }
    }

    /// Records a reached placement with the step that led to it.
    fn enter(&mut self, unit: &Unit, at: Placement, step: PathStep) {
        let slot = unit.slot(at);
        self.steps[slot] = step;
        self.places[slot] = at;
        self.reached.push(at);
    }

    fn is_new(&self, unit: &Unit, at: Placement) -> bool {
        self.steps[unit.slot(at)].tree != self.tree
    }

    /// Extends the path to `at` by one command if that leads to a placement not reached before.
    fn step(
        &mut self,
        unit: &Unit,
        rows: &[RowCells],
        at: Placement,
        command: Command,
        phrases: &[PhraseCommands],
    ) {
        let to = unit.step(at, command);
        if !unit.fits(rows, to) || !self.is_new(unit, to) {
            return;
        }
        let before = unit.slot(at);
        let is_hidden = self.steps[before].is_hidden && to.y == at.y;
        if is_hidden {
            self.collect_trail(unit, at, phrases);
            if self.trail.contains(&to) {
                return;
            }
        }
        let byte = command.characters().as_bytes()[0];
        let from = self.steps[before];
        let step = PathStep { before: before as u32, byte, spell: 0, is_hidden, ..from };
        self.enter(unit, to, step);
    }

    /// Collects in `trail` the placements of the path to `at` that are in the row of `at`.
    fn collect_trail(&mut self, unit: &Unit, at: Placement, phrases: &[PhraseCommands]) {
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
                for &command in &phrases[spell].commands {
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

    /// Extends the path to `at` by phrase `number` if it ends at a placement not reached before and
    /// repeats no placement.
    fn spell(
        &mut self,
        unit: &Unit,
        rows: &[RowCells],
        at: Placement,
        phrases: &[PhraseCommands],
        number: usize,
    ) {
        let offset = self.offsets[number][(at.y & 1) as usize];
        let turn = (at.turn + offset.turn) % unit.turns();
        let end = Placement { x: at.x + offset.x, y: at.y + offset.y, turn };
        if !unit.fits(rows, end) || !self.is_new(unit, end) {
            return;
        }
        self.collect_trail(unit, at, phrases);
        let (spell, known) = (&phrases[number], self.trail.len());
        let mut here = at;
        let is_valid = spell.commands.iter().all(|&command| {
            here = unit.step(here, command);
            let is_new = unit.fits(rows, here) && !self.trail.contains(&here);
            self.trail.push(here);
            is_new
        });
        self.trail.truncate(known);
        if is_valid {
            let before = unit.slot(at);
            let mut step = PathStep { before: before as u32, ..self.steps[before] };
            step.spell = number as u16 + 1;
            step.is_hidden = true;
            step.characters += spell.bytes.len() as u32;
            self.enter(unit, end, step);
        }
    }

    /// Returns the reached placements, in the order in which they were reached.
    pub(super) fn reached(&self) -> &[Placement] {
        &self.reached
    }

    /// Returns the last step of the path to a reached placement and the placement before it; `None`
    /// for the spawn.
    pub(super) fn last_step(&self, unit: &Unit, at: Placement) -> Option<(Placement, LastStep)> {
        let step = self.steps[unit.slot(at)];
        let by = match (step.spell as usize).checked_sub(1) {
            None => LastStep::Command(step.byte),
            Some(phrase) => LastStep::Phrase(phrase),
        };
        (at != unit.spawn()).then(|| (self.places[step.before as usize], by))
    }

    /// Returns the number of characters of the phrases spelled on the path to a reached placement.
    pub(super) fn phrase_characters(&self, unit: &Unit, at: Placement) -> u32 {
        self.steps[unit.slot(at)].characters
    }

    /// Appends the characters of the path to a reached placement to `text`.
    pub(super) fn write(
        &self,
        unit: &Unit,
        at: Placement,
        phrases: &[PhraseCommands],
        text: &mut String,
    ) {
        let (mut slot, spawn) = (unit.slot(at), unit.slot(unit.spawn()));
        let mut backwards = Vec::new();
        while slot != spawn {
            let step = &self.steps[slot];
            match (step.spell as usize).checked_sub(1) {
                None => backwards.push(step.byte),
                Some(spell) => backwards.extend(phrases[spell].bytes.iter().rev()),
            }
            slot = step.before as usize;
        }
        text.extend(backwards.iter().rev().map(|&byte| char::from(byte)));
    }
}

/// Returns the character of a command that locks `unit` at `at`; `None` if no command is blocked
/// there.
pub(super) fn lock_byte(unit: &Unit, rows: &[RowCells], at: Placement) -> Option<u8> {
    let blocked = |command: &&Command| !unit.fits(rows, unit.step(at, **command));
    Command::ALL.iter().find(blocked).map(|command| command.characters().as_bytes()[0])
}

/// Returns command characters that lock `units` (indices into the units of `problem`) at their
/// `placements` by shortest paths, without regard to phrases. Both lists begin with the first unit
/// of the game; commands are returned only for the units from index `written` on. Ends early, with
/// the commands so far, if `stop` returns true.
pub(super) fn write_shortest_paths(
    problem: &Problem,
    units: &[usize],
    placements: &[Placement],
    written: usize,
    stop: impl Fn() -> bool,
) -> String {
    let (mut tree, mut text) = (UnitPathTree::new(problem), String::new());
    let mut rows = problem.board().clone();
    for (number, (&unit, &at)) in units.iter().zip(placements).enumerate() {
        let unit = &problem.units()[unit];
        if number >= written {
            let Some(lock) = lock_byte(unit, &rows, at) else { break };
            tree.grow(unit, &rows, &[], |reached| reached == at);
            if stop() || !tree.reached().contains(&at) {
                break;
            }
            tree.write(unit, at, &[], &mut text);
            text.push(char::from(lock));
        }
        unit.lock(&mut rows, at);
    }
    text
}
