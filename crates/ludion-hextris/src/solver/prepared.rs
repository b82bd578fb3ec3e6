//! Problems and units prepared for beam search, with rows in the narrowest word that holds them.
//!
//! Here a placement is a turn, the row of the pivot and a *corner*, which is the column of the
//! unit's leftmost cell. A command then shifts the corners of all placements with the same turn and
//! row by the same number of columns, which depends only on the turn and the parity of the row.

use super::super::board::{HexBoard, full_row};
use super::super::commands::Command;
use super::super::problem::Problem;
use super::super::unit::{Placement, Unit};
use super::beam::{BeamLimits, BeamSearch, PlacementPlan};
use super::evaluation::BoardWeights;
use super::row_word::ColumnShift;
use super::row_word::RowWord;

/// A problem prepared for beam search, with each row of the board in a word of type `B`.
#[derive(Clone, Debug)]
pub struct PreparedProblem<B> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) full: B,
    pub(super) rows: Vec<B>,
    pub(super) units: Vec<PreparedUnit<B>>,
    /// Index of the unit with the most cells, the first of several.
    pub(super) largest: usize,
}

impl<B: RowWord> PreparedProblem<B> {
    /// Prepares `problem`, whose board must not have more columns than the word has bits.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        let (width, height) = (problem.width(), problem.height());
        let size = |&unit: &usize| (problem.units()[unit].size(), std::cmp::Reverse(unit));
        PreparedProblem {
            largest: (0..problem.units().len()).max_by_key(size).unwrap_or(0),
            width,
            height,
            full: B::of(full_row(width)),
            rows: problem.board().iter().map(|&row| B::of(row)).collect(),
            units: problem
                .units()
                .iter()
                .map(|unit| PreparedUnit::new(unit, width, height))
                .collect(),
        }
    }
}

/// A prepared problem with rows in the narrowest word that holds them.
#[derive(Clone, Debug)]
pub enum AnyPreparedProblem {
    /// The board has at most 32 columns.
    Narrow(PreparedProblem<u32>),
    /// The board has 33 to 64 columns.
    Medium(PreparedProblem<u64>),
    /// The board has 65 to 128 columns.
    Wide(PreparedProblem<u128>),
}

impl AnyPreparedProblem {
    /// Prepares `problem` with the word that suits its number of columns.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        match problem.width() {
            0..=32 => AnyPreparedProblem::Narrow(PreparedProblem::new(problem)),
            33..=64 => AnyPreparedProblem::Medium(PreparedProblem::new(problem)),
            _ => AnyPreparedProblem::Wide(PreparedProblem::new(problem)),
        }
    }

    /// Returns a copy of the problem with another board of the same size.
    #[must_use]
    pub(super) fn with_board(&self, board: &HexBoard) -> Self {
        fn rows<B: RowWord>(board: &HexBoard) -> Vec<B> {
            board.iter().map(|&row| B::of(row)).collect()
        }
        let mut other = self.clone();
        match &mut other {
            AnyPreparedProblem::Narrow(prepared) => prepared.rows = rows(board),
            AnyPreparedProblem::Medium(prepared) => prepared.rows = rows(board),
            AnyPreparedProblem::Wide(prepared) => prepared.rows = rows(board),
        }
        other
    }

    /// Returns the best placement plan that beam search finds for the game with this sequence of
    /// units, given as indices into the problem's units.
    #[must_use]
    pub fn search(
        &self,
        weights: &BoardWeights,
        units: &[usize],
        limits: BeamLimits<'_>,
    ) -> PlacementPlan {
        match self {
            AnyPreparedProblem::Narrow(prepared) => {
                BeamSearch::new(prepared, weights, units).run(limits)
            }
            AnyPreparedProblem::Medium(prepared) => {
                BeamSearch::new(prepared, weights, units).run(limits)
            }
            AnyPreparedProblem::Wide(prepared) => {
                BeamSearch::new(prepared, weights, units).run(limits)
            }
        }
    }

    /// Returns the number of states that a beam search over a game of `units` units can keep with
    /// this number of bytes.
    #[must_use]
    pub fn states_within(&self, bytes: usize, units: usize) -> usize {
        let (height, word) = match self {
            AnyPreparedProblem::Narrow(prepared) => (prepared.height, 4),
            AnyPreparedProblem::Medium(prepared) => (prepared.height, 8),
            AnyPreparedProblem::Wide(prepared) => (prepared.height, 16),
        };
        // For each state: rows of two levels, a link for every unit, and some candidates with their
        // hashes.
        let each = 2 * height * (word + 4) + 8 * units + 1024;
        (bytes / each).max(1)
    }
}

/// A unit prepared for beam search on boards of one size.
#[derive(Clone, Debug)]
pub struct PreparedUnit<B> {
    pub(super) turns: usize,
    pub(super) size: usize,
    pub(super) height: i32,
    /// Row of the pivot when the unit appears: the first layer of placements.
    pub(super) first: i32,
    /// Number of rows that the pivot can be in, from `first` down.
    pub(super) layers: usize,
    /// Column of the leftmost cell when the unit appears.
    pub(super) spawn: u32,
    /// Cells and shifts of each orientation, at index 2·turn + parity of the pivot's row.
    pub(super) shapes: Vec<PreparedOrientation<B>>,
}

/// One orientation of a unit, for a pivot in an even row or in an odd row.
#[derive(Clone, Debug)]
pub(super) struct PreparedOrientation<B> {
    /// Row of the highest cell, relative to the pivot's row.
    pub(super) top: i32,
    /// Column of the leftmost cell, relative to the pivot's column.
    left: i32,
    /// Each cell as its row below the highest cell and its column right of the leftmost cell.
    pub(super) cells: Vec<(u8, u8)>,
    /// Mask of the cells in each row of the unit, from top to bottom; the lowest bit is the
    /// leftmost column.
    pub(super) rows: Vec<B>,
    /// Columns of the leftmost cell, one bit each, at which the unit is between the side walls;
    /// none if it is larger than the board.
    pub(super) inside: B,
    pub(super) southwest: ColumnShift,
    pub(super) southeast: ColumnShift,
    /// Turn after a rotation clockwise and counter-clockwise, with the shift of the leftmost
    /// column; `None` if the shift exceeds the word.
    pub(super) turned: [Option<(usize, ColumnShift)>; 2],
    /// Turns that can cover the same cells and are preferred to this one, see `is_preferred`.
    pub(super) equivalents: Vec<usize>,
}

impl<B: RowWord> PreparedUnit<B> {
    /// Prepares `unit` for boards of this width and height.
    #[must_use]
    pub fn new(unit: &Unit, width: usize, height: usize) -> Self {
        let turns = usize::from(unit.turns());
        let spawn = unit.spawn();
        let mut shapes: Vec<PreparedOrientation<B>> = (0..2 * turns)
            .map(|i| PreparedOrientation::new(unit, (i / 2) as u8, (i % 2) as i16, width, height))
            .collect();
        link(unit, &mut shapes);
        let first = i32::from(spawn.y);
        let fitting = shapes.iter().filter(|shape| !shape.rows.is_empty());
        let last = fitting.map(|shape| height as i32 - shape.rows.len() as i32 - shape.top).max();
        let layers = last.map_or(0, |last| last - first + 1).max(0) as usize;
        let left = shapes[(spawn.y & 1) as usize].left;
        PreparedUnit {
            turns,
            size: unit.size(),
            height: height as i32,
            first,
            layers,
            spawn: (i32::from(spawn.x) + left).max(0) as u32,
            shapes,
        }
    }

    #[inline]
    pub(super) fn shape(&self, turn: usize, row: i32) -> &PreparedOrientation<B> {
        &self.shapes[2 * turn + (row & 1) as usize]
    }

    /// Returns the placement with this turn, with the pivot in `row` and the leftmost cell in
    /// column `corner`.
    #[inline]
    #[must_use]
    pub(super) fn placement(&self, turn: usize, row: i32, corner: u32) -> Placement {
        let x = corner as i32 - self.shape(turn, row).left;
        Placement { x: x as i16, y: row as i16, turn: turn as u8 }
    }
}

impl<B: RowWord> PreparedOrientation<B> {
    fn new(unit: &Unit, turn: u8, parity: i16, width: usize, height: usize) -> Self {
        let at = Placement { x: 0, y: parity, turn };
        let cells = || unit.cells(at);
        let left = cells().map(|(x, _)| x).min().unwrap_or(0);
        let right = cells().map(|(x, _)| x).max().unwrap_or(0);
        let top = cells().map(|(_, y)| y).min().unwrap_or(0);
        let bottom = cells().map(|(_, y)| y).max().unwrap_or(0);
        let (columns, lines) = ((right - left + 1) as usize, (bottom - top + 1) as usize);
        let fits = columns <= width && lines <= height;
        let mut shape = PreparedOrientation {
            top: top - i32::from(parity),
            left,
            cells: Vec::new(),
            rows: Vec::new(),
            inside: B::default(),
            southwest: ColumnShift::none(),
            southeast: ColumnShift::none(),
            turned: [None; 2],
            equivalents: Vec::new(),
        };
        if fits {
            shape.rows.resize(lines, B::default());
            shape.inside = B::of(full_row(width - columns + 1));
            shape.cells = cells().map(|(x, y)| ((y - top) as u8, (x - left) as u8)).collect();
            for &(y, x) in &shape.cells {
                shape.rows[usize::from(y)] |= B::ONE << u32::from(x);
            }
        }
        shape
    }
}

/// Computes for each orientation the shifts by commands, and the turns that cover the same cells
/// and are preferred.
fn link<B: RowWord>(unit: &Unit, shapes: &mut [PreparedOrientation<B>]) {
    let lefts: Vec<i32> = shapes.iter().map(|shape| shape.left).collect();
    for i in 0..shapes.len() {
        let at = Placement { x: 0, y: (i % 2) as i16, turn: (i / 2) as u8 };
        let target = |command| {
            let to = unit.step(at, command);
            let index = 2 * usize::from(to.turn) + (to.y & 1) as usize;
            let shift = ColumnShift::new::<B>(i32::from(to.x) + lefts[index] - lefts[i]);
            (usize::from(to.turn), shift)
        };
        let none = ColumnShift::none();
        shapes[i].southwest = target(Command::SouthWest).1.unwrap_or(none);
        shapes[i].southeast = target(Command::SouthEast).1.unwrap_or(none);
        shapes[i].turned = [Command::Clockwise, Command::CounterClockwise].map(|command| {
            let (turn, shift) = target(command);
            shift.map(|shift| (turn, shift))
        });
        let equivalents =
            (0..shapes.len() / 2).filter(|&turn| is_preferred(shapes, i, turn)).collect();
        shapes[i].equivalents = equivalents;
    }
}

/// Returns whether `turn` can cover the same cells as entry `i` of `shapes` with a lower pivot. A
/// lower pivot is preferred because the unit descends more rows, on which more text is spelled.
fn is_preferred<B: RowWord>(shapes: &[PreparedOrientation<B>], i: usize, turn: usize) -> bool {
    let shape = &shapes[i];
    let parity = (i as i32 + shape.top - shapes[2 * turn].top).rem_euclid(2);
    let other = &shapes[2 * turn + parity as usize];
    other.rows == shape.rows && (other.top, turn) < (shape.top, i / 2)
}
