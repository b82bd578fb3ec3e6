//! One game of a problem, command by command: the unit moves, or locks where it stands when
//! the command leads to where it does not fit. A placement that this unit has had before is
//! refused. The table of placements is stamped with the number of the command that led there,
//! so that it needs no clearing and knows what was repeated.

use serde::Serialize;

use super::board::{HexBoard, lock_points};
use super::commands::Command;
use super::problem::Problem;
use super::unit::{Placement, Unit};
use super::unit_source::UnitSource;

/// Whether a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HextrisStatus {
    /// A unit waits for commands.
    Playing,
    /// All units have come.
    Ended,
    /// The next unit did not fit.
    Full,
}

/// What a command did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandEffect {
    /// The unit moved.
    Moved,
    /// The unit locked.
    Locked(LockedUnit),
}

/// A unit locked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LockedUnit {
    /// Where.
    pub at: Placement,
    /// How many rows it filled.
    pub lines: u32,
    /// What it earned, the bonus for rows cleared by the unit before included.
    pub points: u64,
}

/// Why a command is refused. The run is then as it was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// The unit has been there before.
    Repetition {
        /// Where the command leads.
        at: Placement,
        /// After how many commands of the game it was there.
        earlier: u64,
    },
    /// The game is over.
    Over,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct HextrisGame<'a> {
    problem: &'a Problem,
    source: UnitSource,
    board: HexBoard,
    unit: usize,
    at: Placement,
    phase: HextrisStatus,
    commands: u64,
    /// How many commands had been given when the unit came.
    since: u64,
    /// By slot of the unit: one more than the number of commands after which it was there.
    /// What is not greater than `since` belongs to an earlier unit.
    stamps: Vec<u64>,
    locked: usize,
    lines: u64,
    lines_before: u32,
    points: u64,
}

impl<'a> HextrisGame<'a> {
    /// The game of `problem` with `seed`, its first unit on the board.
    #[must_use]
    pub fn new(problem: &'a Problem, seed: u32) -> Self {
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0);
        let mut run = HextrisGame {
            problem,
            source: UnitSource::new(seed),
            board: problem.board().clone(),
            unit: 0,
            at: problem.units()[0].spawn(),
            phase: HextrisStatus::Playing,
            commands: 0,
            since: 0,
            stamps: vec![0; slots],
            locked: 0,
            lines: 0,
            lines_before: 0,
            points: 0,
        };
        run.spawn();
        run
    }

    /// Gives the unit a command.
    ///
    /// # Errors
    /// When the game is over, and when the unit has been there before.
    #[inline]
    pub fn command(&mut self, command: Command) -> Result<CommandEffect, CommandError> {
        if self.phase != HextrisStatus::Playing {
            return Err(CommandError::Over);
        }
        let unit = &self.problem.units()[self.unit];
        let next = unit.step(self.at, command);
        if !unit.fits(&self.board, next) {
            self.commands += 1;
            return Ok(CommandEffect::Locked(self.lock()));
        }
        let stamp = &mut self.stamps[unit.slot(next)];
        if *stamp > self.since {
            return Err(CommandError::Repetition { at: next, earlier: *stamp - 1 });
        }
        self.commands += 1;
        *stamp = self.commands + 1;
        self.at = next;
        Ok(CommandEffect::Moved)
    }

    fn lock(&mut self) -> LockedUnit {
        let unit = &self.problem.units()[self.unit];
        let lines = unit.lock(&mut self.board, self.at);
        let points = lock_points(unit.size(), lines, self.lines_before);
        let lock = LockedUnit { at: self.at, lines, points };
        self.locked += 1;
        self.lines += u64::from(lines);
        self.lines_before = lines;
        self.points += points;
        self.spawn();
        lock
    }

    fn spawn(&mut self) {
        if self.locked == self.problem.source_length() {
            self.phase = HextrisStatus::Ended;
            return;
        }
        self.unit = self.source.unit(self.problem.units().len());
        let unit = &self.problem.units()[self.unit];
        self.at = unit.spawn();
        if !unit.fits(&self.board, self.at) {
            self.phase = HextrisStatus::Full;
            return;
        }
        self.since = self.commands;
        self.stamps[unit.slot(self.at)] = self.commands + 1;
    }

    /// The problem.
    #[must_use]
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The full cells, the unit that waits not among them.
    #[must_use]
    pub fn board(&self) -> &HexBoard {
        &self.board
    }

    /// The unit that waits for commands and where it is, or when the game is over none.
    #[must_use]
    pub fn unit(&self) -> Option<(&'a Unit, Placement)> {
        (self.phase == HextrisStatus::Playing).then(|| (&self.problem.units()[self.unit], self.at))
    }

    /// The units that come after the one that waits, as places in the list of the problem.
    pub fn coming(&self) -> impl Iterator<Item = usize> + use<'a> {
        let left = match self.phase {
            HextrisStatus::Playing => self.problem.source_length() - self.locked - 1,
            HextrisStatus::Ended | HextrisStatus::Full => 0,
        };
        let (mut source, units) = (self.source, self.problem.units().len());
        (0..left).map(move |_| source.unit(units))
    }

    /// Whether the game goes on.
    #[must_use]
    pub fn phase(&self) -> HextrisStatus {
        self.phase
    }

    /// How many commands were executed.
    #[must_use]
    pub fn commands(&self) -> u64 {
        self.commands
    }

    /// How many commands had been executed when the unit came.
    #[must_use]
    pub fn since(&self) -> u64 {
        self.since
    }

    /// How many units have locked.
    #[must_use]
    pub fn locked(&self) -> usize {
        self.locked
    }

    /// How many rows were cleared.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The move score so far.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.points
    }
}
