//! A problem with a seed, and the state of its game between two units, shared by the command game
//! and the placement game. The size of boards is limited here, so that a state is a plain value
//! without heap memory.

use std::borrow::Borrow;

use super::board::{RowCells, full_row, lock_points};
use super::picture;
use super::problem::Problem;
use super::problems;
use super::unit::{Placement, Unit};
use super::unit_source::UnitSource;
use ludion_core::notation::{NotationError, NotationReader, show_grid};
use ludion_core::param::{Args, Param, ParamError};
use ludion_core::random::mix;
use ludion_core::scene::Scene;

/// Maximum number of rows of a board in the command game and the placement game.
pub const MAX_PLAYABLE_ROWS: usize = 20;
/// Size, in words of 64 bits, of a set of placements of one unit, which has one bit for each
/// placement; it limits the boards of the command game and the placement game.
pub const SLOT_WORDS: usize = 24;
/// Largest number of points that is accepted when a state is read from text.
const MAX_POINTS: i64 = 1_000_000_000_000;

/// Names of the built-in problems that are small enough for the command game and the placement
/// game.
pub const PLAYABLE_PROBLEMS: &[&str] =
    &["dot", "pair", "corner", "well", "turning", "swing", "rubble", "tetrahexes"];

/// Parameters of the command game and of the placement game.
pub(super) const PARAMS: &[Param] = &[
    Param::text(
        "problem",
        "corner",
        "board and units: dot, pair, corner, well, turning, swing, rubble or tetrahexes",
    ),
    Param::int("seed", 0, 0, u32::MAX as i64, "one of the problem's; it orders the units"),
];

/// A problem with a seed, which determines one game.
#[derive(Clone, Debug)]
pub struct SeededProblem {
    problem: Problem,
    seed: u32,
}

/// State of a game between two units: the board, the next unit, and the points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HextrisState {
    /// Rows of the board, the top row first; the entries beyond the height of the board are 0.
    pub rows: [RowCells; MAX_PLAYABLE_ROWS],
    /// Generator of the units that appear after `unit`.
    source: UnitSource,
    /// The unit to lock next, as an index into [`Problem::units`].
    unit: u16,
    locked: u32,
    lines_before: u32,
    points: u64,
}

impl SeededProblem {
    /// Returns the built-in problem and seed that the parameters of a game name.
    pub(super) fn build(args: &Args) -> Result<Self, ParamError> {
        let name = args.text("problem");
        let named = problems::find(name).filter(|named| PLAYABLE_PROBLEMS.contains(&named.name));
        let named = named.ok_or_else(|| args.refuse("problem", name, one_of(PLAYABLE_PROBLEMS)))?;
        let problem = named.problem();
        let seed = u32::try_from(args.int("seed")).expect("a seed is defined as 32 bits");
        if !problem.seeds().contains(&seed) {
            let seeds: Vec<String> = problem.seeds().iter().map(u32::to_string).collect();
            return Err(args.refuse("seed", seed, one_of(&seeds)));
        }
        Ok(SeededProblem::new(problem, seed).expect("playable problems are small enough"))
    }

    /// Combines `problem` with `seed`; `None` if the board exceeds [`MAX_PLAYABLE_ROWS`] or
    /// [`SLOT_WORDS`].
    #[must_use]
    pub fn new(problem: Problem, seed: u32) -> Option<Self> {
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0);
        (problem.height() <= MAX_PLAYABLE_ROWS && slots <= 64 * SLOT_WORDS)
            .then_some(SeededProblem { problem, seed })
    }

    /// Returns the problem without the seed.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the state at the start of the game, before the first unit locks.
    pub(super) fn start(&self) -> HextrisState {
        let mut rows = [0; MAX_PLAYABLE_ROWS];
        rows[..self.problem.height()].copy_from_slice(self.problem.board());
        let mut source = UnitSource::new(self.seed);
        let unit = source.unit(self.problem.units().len()) as u16;
        HextrisState { rows, source, unit, locked: 0, lines_before: 0, points: 0 }
    }

    /// Returns the unit to lock next.
    #[inline]
    pub(super) fn unit(&self, s: &HextrisState) -> &Unit {
        &self.problem.units()[usize::from(s.unit)]
    }

    /// Returns the rows of the board in a state, without unused entries.
    #[inline]
    pub(super) fn rows<'s>(&self, s: &'s HextrisState) -> &'s [RowCells] {
        &s.rows[..self.problem.height()]
    }

    /// Returns whether the game is over: all units have locked, or the next one does not fit where
    /// it would appear.
    #[inline]
    pub(super) fn is_over(&self, s: &HextrisState) -> bool {
        let unit = self.unit(s);
        s.locked as usize == self.problem.source_length() || !unit.fits(self.rows(s), unit.spawn())
    }

    /// Locks the current unit at a placement, counts its points, and draws the next unit.
    #[inline]
    pub(super) fn lock(&self, s: &mut HextrisState, at: Placement) {
        let unit = self.unit(s);
        let lines = unit.lock(&mut s.rows[..self.problem.height()], at);
        s.points += lock_points(unit.size(), lines, s.lines_before);
        s.locked += 1;
        s.lines_before = lines;
        s.unit = s.source.unit(self.problem.units().len()) as u16;
    }

    /// Returns a hash of the state, computed with the finaliser of `SplitMix64`.
    #[inline]
    pub(super) fn key(&self, s: &HextrisState) -> u64 {
        let counts = u64::from(s.locked) << 32 | u64::from(s.lines_before);
        let start = mix(mix(counts) ^ s.points);
        self.rows(s).iter().fold(start, |key, &row| mix(mix(key ^ row as u64) ^ (row >> 64) as u64))
    }

    /// Formats the board, the number of locked units, the points, and the number of rows cleared by
    /// the last lock.
    pub(super) fn show(&self, s: &HextrisState) -> String {
        let full = |x: usize, y: usize| if s.rows[y] >> x & 1 == 1 { 'x' } else { '.' };
        let board = show_grid(self.problem.width(), self.problem.height(), full);
        format!("{board} locked {} points {} lines {}", s.locked, s.points, s.lines_before)
    }

    /// Reads the text that [`SeededProblem::show`] writes.
    pub(super) fn read(
        &self,
        reader: &mut NotationReader<'_>,
    ) -> Result<HextrisState, NotationError> {
        let (width, height) = (self.problem.width(), self.problem.height());
        let cells = reader.grid(width, height, ".x")?;
        let mut s = self.start();
        for (y, row) in cells.chunks(width).enumerate() {
            s.rows[y] = row.iter().enumerate().map(|(x, &full)| (full as RowCells) << x).sum();
            if s.rows[y] == full_row(width) {
                return Err(reader.whole(format!("row {y} is full, and full rows vanish")));
            }
        }
        reader.expect(" locked ")?;
        let max = self.problem.source_length() as i64;
        let locked = reader.number("the units locked", 0, max)?;
        for _ in 0..locked {
            s.unit = s.source.unit(self.problem.units().len()) as u16;
        }
        s.locked = locked as u32;
        reader.expect(" points ")?;
        s.points = reader.number("the points", 0, MAX_POINTS)? as u64;
        reader.expect(" lines ")?;
        s.lines_before = reader.number("the rows cleared last", 0, height as i64)? as u32;
        Ok(s)
    }

    /// Draws the board, with the current unit at the placement `at` unless the game is over.
    pub(super) fn scene(&self, s: &HextrisState, at: Placement) -> Scene {
        let unit = (!self.is_over(s)).then(|| (self.unit(s), at));
        let mut scene = picture::scene(self.rows(s), self.problem.width(), unit);
        let all = self.problem.source_length();
        let full = self.is_over(s) && (s.locked as usize) < all;
        let end = if full { ", no room for the next" } else { "" };
        let points =
            if s.points == 1 { "1 point".to_owned() } else { format!("{} points", s.points) };
        scene.caption = format!("{} of {all} units locked{end}, {points}", s.locked);
        scene
    }
}

fn one_of<S: Borrow<str>>(words: &[S]) -> String {
    format!("one of {}", words.join(", "))
}

impl HextrisState {
    /// Returns the points of all locks so far, without points for phrases.
    #[inline]
    #[must_use]
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns the number of units locked since the start of the game.
    #[must_use]
    pub fn locked(&self) -> u32 {
        self.locked
    }
}
