//! A problem prepared for beams, with rows in the narrowest word that holds them.

use super::super::board::{Board, full_row};
use super::super::problem::Problem;
use super::beam::{Beam, Breadth, Plan};
use super::evaluation::Weights;
use super::mover::Mover;
use super::word::Word;

/// A problem whose rows are words.
#[derive(Clone, Debug)]
pub struct Ground<B> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) full: B,
    pub(super) rows: Vec<B>,
    pub(super) movers: Vec<Mover<B>>,
    /// The unit with the most cells, the first of several.
    pub(super) largest: usize,
}

impl<B: Word> Ground<B> {
    /// Prepares `problem`, whose board must not be wider than the word.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        let (width, height) = (problem.width(), problem.height());
        let size = |&unit: &usize| (problem.units()[unit].size(), std::cmp::Reverse(unit));
        Ground {
            largest: (0..problem.units().len()).max_by_key(size).unwrap_or(0),
            width,
            height,
            full: B::of(full_row(width)),
            rows: problem.board().iter().map(|&row| B::of(row)).collect(),
            movers: problem.units().iter().map(|unit| Mover::new(unit, width, height)).collect(),
        }
    }
}

/// A problem prepared, whatever its width.
#[derive(Clone, Debug)]
pub enum AnyGround {
    /// At most 32 columns.
    Narrow(Ground<u32>),
    /// At most 64.
    Middling(Ground<u64>),
    /// At most 128.
    Wide(Ground<u128>),
}

impl AnyGround {
    /// Prepares `problem`.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        match problem.width() {
            0..=32 => AnyGround::Narrow(Ground::new(problem)),
            33..=64 => AnyGround::Middling(Ground::new(problem)),
            _ => AnyGround::Wide(Ground::new(problem)),
        }
    }

    /// The same with another board of the same size.
    #[must_use]
    pub(super) fn with_board(&self, board: &Board) -> Self {
        fn rows<B: Word>(board: &Board) -> Vec<B> {
            board.iter().map(|&row| B::of(row)).collect()
        }
        let mut other = self.clone();
        match &mut other {
            AnyGround::Narrow(ground) => ground.rows = rows(board),
            AnyGround::Middling(ground) => ground.rows = rows(board),
            AnyGround::Wide(ground) => ground.rows = rows(board),
        }
        other
    }

    /// The best game that a beam finds in which `units` come.
    #[must_use]
    pub fn search(&self, weights: &Weights, units: &[usize], breadth: Breadth<'_>) -> Plan {
        match self {
            AnyGround::Narrow(ground) => Beam::new(ground, weights, units).run(breadth),
            AnyGround::Middling(ground) => Beam::new(ground, weights, units).run(breadth),
            AnyGround::Wide(ground) => Beam::new(ground, weights, units).run(breadth),
        }
    }

    /// How many states a beam over so many units may go on from with so many bytes of memory.
    #[must_use]
    pub fn states_within(&self, bytes: usize, units: usize) -> usize {
        let (height, word) = match self {
            AnyGround::Narrow(ground) => (ground.height, 4),
            AnyGround::Middling(ground) => (ground.height, 8),
            AnyGround::Wide(ground) => (ground.height, 16),
        };
        // Two levels, a link for every unit, and some children each, with their hashes.
        let each = 2 * height * (word + 4) + 8 * units + 1024;
        (bytes / each).max(1)
    }
}
