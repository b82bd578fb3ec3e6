//! What the two games of the registry share: a problem with a seed, and the part of their
//! states that changes when a unit locks. Boards are of limited size here, so that a state is
//! a plain value without heap.

use std::borrow::Borrow;

use super::board::{RowCells, full_row, lock_points};
use super::picture;
use super::problem::Problem;
use super::problems;
use super::unit::{Placement, Unit};
use super::unit_source::UnitSource;
use crate::notation::{NotationError, NotationReader, show_grid};
use crate::param::{Args, Param, ParamError};
use crate::random::mix;
use crate::scene::Scene;

/// The most rows of a board that is played on.
pub const ROWS: usize = 20;
/// The most placements of a unit there, in words of 64.
pub const WORDS: usize = 24;
/// More points than any game has.
const MAX_POINTS: i64 = 1_000_000_000_000;

/// The problems of ours that are small enough.
pub const PLAYABLE: &[&str] =
    &["dot", "pair", "corner", "well", "turning", "swing", "rubble", "tetrahexes"];

/// The parameters of both games.
pub(super) const PARAMS: &[Param] = &[
    Param::text(
        "problem",
        "corner",
        "board and units: dot, pair, corner, well, turning, swing, rubble or tetrahexes",
    ),
    Param::int("seed", 0, 0, u32::MAX as i64, "one of the problem's; it orders the units"),
];

/// A problem with a seed.
#[derive(Clone, Debug)]
pub struct SeededProblem {
    problem: Problem,
    seed: u32,
}

/// What stays when a unit locks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LockedState {
    /// The board; rows below it are empty.
    pub rows: [RowCells; ROWS],
    /// What the unit after this one is drawn from.
    source: UnitSource,
    /// The unit, as a place in the problem's list.
    unit: u16,
    locked: u32,
    lines_before: u32,
    points: u64,
}

impl SeededProblem {
    /// The table that the parameters ask for.
    pub(super) fn build(args: &Args) -> Result<Self, ParamError> {
        let name = args.text("problem");
        let named = problems::find(name).filter(|named| PLAYABLE.contains(&named.name));
        let named = named.ok_or_else(|| args.refuse("problem", name, one_of(PLAYABLE)))?;
        let problem = named.problem();
        let seed = u32::try_from(args.int("seed")).expect("a seed is defined as 32 bits");
        if !problem.seeds().contains(&seed) {
            let seeds: Vec<String> = problem.seeds().iter().map(u32::to_string).collect();
            return Err(args.refuse("seed", seed, one_of(&seeds)));
        }
        Ok(SeededProblem::new(problem, seed).expect("a test builds all that are playable"))
    }

    /// `problem` with `seed`; none if the board is larger than what is played on.
    #[must_use]
    pub fn new(problem: Problem, seed: u32) -> Option<Self> {
        let slots = problem.units().iter().map(Unit::slots).max().unwrap_or(0);
        (problem.height() <= ROWS && slots <= 64 * WORDS).then_some(SeededProblem { problem, seed })
    }

    /// The problem.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The board, no unit locked yet.
    pub(super) fn start(&self) -> LockedState {
        let mut rows = [0; ROWS];
        rows[..self.problem.height()].copy_from_slice(self.problem.board());
        let mut source = UnitSource::new(self.seed);
        let unit = source.unit(self.problem.units().len()) as u16;
        LockedState { rows, source, unit, locked: 0, lines_before: 0, points: 0 }
    }

    /// The unit that is to lock next.
    #[inline]
    pub(super) fn unit(&self, s: &LockedState) -> &Unit {
        &self.problem.units()[usize::from(s.unit)]
    }

    /// The rows of the board.
    #[inline]
    pub(super) fn rows<'s>(&self, s: &'s LockedState) -> &'s [RowCells] {
        &s.rows[..self.problem.height()]
    }

    /// Whether all units have come or the next does not fit.
    #[inline]
    pub(super) fn is_over(&self, s: &LockedState) -> bool {
        let unit = self.unit(s);
        s.locked as usize == self.problem.source_length() || !unit.fits(self.rows(s), unit.spawn())
    }

    /// Locks the unit and draws the next.
    #[inline]
    pub(super) fn lock(&self, s: &mut LockedState, at: Placement) {
        let unit = self.unit(s);
        let lines = unit.lock(&mut s.rows[..self.problem.height()], at);
        s.points += lock_points(unit.size(), lines, s.lines_before);
        s.locked += 1;
        s.lines_before = lines;
        s.unit = s.source.unit(self.problem.units().len()) as u16;
    }

    /// Everything that matters in one number, by the finaliser of `SplitMix64`.
    #[inline]
    pub(super) fn key(&self, s: &LockedState) -> u64 {
        let counts = u64::from(s.locked) << 32 | u64::from(s.lines_before);
        let start = mix(mix(counts) ^ s.points);
        self.rows(s).iter().fold(start, |key, &row| mix(mix(key ^ row as u64) ^ (row >> 64) as u64))
    }

    /// Board, units locked, points, and rows cleared by the last lock.
    pub(super) fn show(&self, s: &LockedState) -> String {
        let full = |x: usize, y: usize| if s.rows[y] >> x & 1 == 1 { 'x' } else { '.' };
        let board = show_grid(self.problem.width(), self.problem.height(), full);
        format!("{board} locked {} points {} lines {}", s.locked, s.points, s.lines_before)
    }

    /// Reads what [`SeededProblem::show`] writes.
    pub(super) fn read(
        &self,
        reader: &mut NotationReader<'_>,
    ) -> Result<LockedState, NotationError> {
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
        let most = self.problem.source_length() as i64;
        let locked = reader.number("the units locked", 0, most)?;
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

    /// The board with the unit at `at`, its pivot marked.
    pub(super) fn scene(&self, s: &LockedState, at: Placement) -> Scene {
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

impl LockedState {
    /// The points so far.
    #[inline]
    #[must_use]
    pub fn points(&self) -> u64 {
        self.points
    }

    /// How many units have locked.
    #[must_use]
    pub fn locked(&self) -> u32 {
        self.locked
    }
}
