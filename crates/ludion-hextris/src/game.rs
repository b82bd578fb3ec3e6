//! The rules of one game, command by command. A command moves the unit, or locks it where it is if
//! it does not fit at the placement that the command leads to. A command to a placement that the
//! unit has had before is refused.
//!
//! The table of placements stores after which command the unit was at each, so that it needs no
//! clearing between units and an error can name the earlier visit.

use serde::Serialize;

use super::board::{HexBoard, lock_points};
use super::commands::Command;
use super::problem::Problem;
use super::unit::{Placement, Unit};
use super::unit_source::UnitSource;

/// Whether a game goes on, or how it ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HextrisStatus {
    /// A unit is on the board and waits for commands.
    Playing,
    /// All units of the game have locked.
    Ended,
    /// The next unit does not fit where it would appear.
    Full,
}

/// Effect of a command that was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandEffect {
    /// The unit moved or rotated.
    Moved,
    /// The unit locked, with this placement, number of cleared rows and points.
    Locked(LockedUnit),
}

/// Placement, cleared rows and points of a unit that locked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LockedUnit {
    /// Placement at which the unit locked.
    pub at: Placement,
    /// Number of rows that the lock cleared.
    pub lines: u32,
    /// Points earned by the lock, including the bonus for rows cleared by the previous unit.
    pub points: u64,
}

/// Reasons why a command is refused; the game stays unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// The command leads to a placement that the unit has had before.
    Repetition {
        /// Placement that the command leads to.
        at: Placement,
        /// Number of commands of the game after which the unit had this placement before.
        earlier: u64,
    },
    /// The game is over.
    Over,
}

/// A game of a problem, which executes commands one by one.
#[derive(Clone, Debug)]
pub struct HextrisSimulation<'a> {
    problem: &'a Problem,
    source: UnitSource,
    board: HexBoard,
    unit: usize,
    /// Placement of the current unit.
    at: Placement,
    status: HextrisStatus,
    commands: u64,
    /// Number of commands of the game before the current unit appeared.
    unit_start: u64,
    /// Detects repeated placements. The entry at index [`Unit::slot`] is `commands + 1` at the time
    /// when a unit last had that placement, or 0 if none had it. The current unit has had a placement
    /// if its entry is greater than `unit_start`; smaller entries are left over from earlier units.
    stamps: Vec<u64>,
    locked: usize,
    lines: u64,
    lines_before: u32,
    points: u64,
}

impl<'a> HextrisSimulation<'a> {
    /// Starts the game of `problem` with `seed`; its first unit is on the board.
    #[must_use]
    pub fn new(problem: &'a Problem, seed: u32) -> Self {
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0);
        let mut game = HextrisSimulation {
            problem,
            source: UnitSource::new(seed),
            board: problem.board().clone(),
            unit: 0,
            at: problem.units()[0].spawn(),
            status: HextrisStatus::Playing,
            commands: 0,
            unit_start: 0,
            stamps: vec![0; slots],
            locked: 0,
            lines: 0,
            lines_before: 0,
            points: 0,
        };
        game.spawn();
        game
    }

    /// Executes a command.
    ///
    /// # Errors
    /// Returns an error if the game is over, or if the unit has had the resulting placement before;
    /// the game then stays unchanged.
    #[inline]
    pub fn command(&mut self, command: Command) -> Result<CommandEffect, CommandError> {
        if self.status != HextrisStatus::Playing {
            return Err(CommandError::Over);
        }
        let unit = &self.problem.units()[self.unit];
        let next = unit.step(self.at, command);
        if !unit.fits(&self.board, next) {
            self.commands += 1;
            return Ok(CommandEffect::Locked(self.lock()));
        }
        let stamp = &mut self.stamps[unit.slot(next)];
        if *stamp > self.unit_start {
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
            self.status = HextrisStatus::Ended;
            return;
        }
        self.unit = self.source.unit(self.problem.units().len());
        let unit = &self.problem.units()[self.unit];
        self.at = unit.spawn();
        if !unit.fits(&self.board, self.at) {
            self.status = HextrisStatus::Full;
            return;
        }
        self.unit_start = self.commands;
        self.stamps[unit.slot(self.at)] = self.commands + 1;
    }

    /// Returns the problem of which this is a game.
    #[must_use]
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// Returns the board without the cells of the current unit.
    #[must_use]
    pub fn board(&self) -> &HexBoard {
        &self.board
    }

    /// Returns the current unit and its placement; `None` if the game is over.
    #[must_use]
    pub fn unit(&self) -> Option<(&'a Unit, Placement)> {
        (self.status == HextrisStatus::Playing).then(|| (&self.problem.units()[self.unit], self.at))
    }

    /// Iterates over the units that appear after the current one, as indices into
    /// [`Problem::units`].
    pub fn upcoming(&self) -> impl Iterator<Item = usize> + use<'a> {
        let left = match self.status {
            HextrisStatus::Playing => self.problem.source_length() - self.locked - 1,
            HextrisStatus::Ended | HextrisStatus::Full => 0,
        };
        let (mut source, units) = (self.source, self.problem.units().len());
        (0..left).map(move |_| source.unit(units))
    }

    /// Returns whether the game goes on, or how it ended.
    #[must_use]
    pub fn status(&self) -> HextrisStatus {
        self.status
    }

    /// Returns the number of commands executed since the start of the game.
    #[must_use]
    pub fn commands(&self) -> u64 {
        self.commands
    }

    /// Returns the number of commands executed before the current unit appeared.
    #[must_use]
    pub fn unit_start(&self) -> u64 {
        self.unit_start
    }

    /// Returns the number of units locked since the start of the game.
    #[must_use]
    pub fn locked(&self) -> usize {
        self.locked
    }

    /// Returns the number of rows cleared since the start of the game.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the points of all locks so far, without points for phrases.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.points
    }
}
