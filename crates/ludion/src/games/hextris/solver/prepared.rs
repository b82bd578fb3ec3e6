//! A problem prepared for beams, with rows in the narrowest word that holds them.

use super::super::board::{HexBoard, full_row};
use super::super::problem::Problem;
use super::beam::{BeamSearch, BeamWidth, LockPlan};
use super::evaluation::BoardWeights;
use super::mover::UnitMover;
use super::row_word::RowWord;

/// A problem whose rows are words.
#[derive(Clone, Debug)]
pub struct PreparedProblem<B> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) full: B,
    pub(super) rows: Vec<B>,
    pub(super) movers: Vec<UnitMover<B>>,
    /// The unit with the most cells, the first of several.
    pub(super) largest: usize,
}

impl<B: RowWord> PreparedProblem<B> {
    /// Prepares `problem`, whose board must not be wider than the word.
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
            movers: problem
                .units()
                .iter()
                .map(|unit| UnitMover::new(unit, width, height))
                .collect(),
        }
    }
}

/// A problem prepared, whatever its width.
#[derive(Clone, Debug)]
pub enum AnyPreparedProblem {
    /// At most 32 columns.
    Narrow(PreparedProblem<u32>),
    /// At most 64.
    Middling(PreparedProblem<u64>),
    /// At most 128.
    Wide(PreparedProblem<u128>),
}

impl AnyPreparedProblem {
    /// Prepares `problem`.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        match problem.width() {
            0..=32 => AnyPreparedProblem::Narrow(PreparedProblem::new(problem)),
            33..=64 => AnyPreparedProblem::Middling(PreparedProblem::new(problem)),
            _ => AnyPreparedProblem::Wide(PreparedProblem::new(problem)),
        }
    }

    /// The same with another board of the same size.
    #[must_use]
    pub(super) fn with_board(&self, board: &HexBoard) -> Self {
        fn rows<B: RowWord>(board: &HexBoard) -> Vec<B> {
            board.iter().map(|&row| B::of(row)).collect()
        }
        let mut other = self.clone();
        match &mut other {
            AnyPreparedProblem::Narrow(ground) => ground.rows = rows(board),
            AnyPreparedProblem::Middling(ground) => ground.rows = rows(board),
            AnyPreparedProblem::Wide(ground) => ground.rows = rows(board),
        }
        other
    }

    /// The best game that a beam finds in which `units` come.
    #[must_use]
    pub fn search(
        &self,
        weights: &BoardWeights,
        units: &[usize],
        breadth: BeamWidth<'_>,
    ) -> LockPlan {
        match self {
            AnyPreparedProblem::Narrow(ground) => {
                BeamSearch::new(ground, weights, units).run(breadth)
            }
            AnyPreparedProblem::Middling(ground) => {
                BeamSearch::new(ground, weights, units).run(breadth)
            }
            AnyPreparedProblem::Wide(ground) => {
                BeamSearch::new(ground, weights, units).run(breadth)
            }
        }
    }

    /// How many states a beam over so many units may go on from with so many bytes of memory.
    #[must_use]
    pub fn states_within(&self, bytes: usize, units: usize) -> usize {
        let (height, word) = match self {
            AnyPreparedProblem::Narrow(ground) => (ground.height, 4),
            AnyPreparedProblem::Middling(ground) => (ground.height, 8),
            AnyPreparedProblem::Wide(ground) => (ground.height, 16),
        };
        // Two levels, a link for every unit, and some children each, with their hashes.
        let each = 2 * height * (word + 4) + 8 * units + 1024;
        (bytes / each).max(1)
    }
}
