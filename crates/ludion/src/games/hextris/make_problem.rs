//! New problems from a seed: connected units of a given number of cells, no two alike after
//! turning, and a board whose lower rows are filled here and there.

use std::collections::HashSet;

use super::problem::{
    JsonCell, JsonProblem, JsonUnit, MAX_COLUMNS, MAX_ROWS, MAX_SEEDS, MAX_SOURCE, Problem,
    ProblemError,
};
use crate::random::{Rng, derive_seed};

/// The most cells of a unit that is made.
pub const MAX_CELLS: usize = 12;
/// The most kinds of units that are made.
pub const MAX_KINDS: usize = 100;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct ProblemOptions {
    /// The number of the problem.
    pub id: u32,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// How many kinds of units; fewer where there are not so many.
    pub kinds: usize,
    /// The fewest and the most cells of a unit.
    pub cells: (usize, usize),
    /// The chance of a cell of the lower half to be full.
    pub density: f64,
    /// How many units come.
    pub source_length: usize,
    /// How many seeds.
    pub seeds: usize,
}

/// Why no problem is made.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ProblemMakeError {
    /// A wish outside what is possible.
    #[error("{what} is {value}; it must be from {min} to {max}")]
    Wish {
        /// Which wish.
        what: &'static str,
        /// What was wished.
        value: usize,
        /// Least.
        min: usize,
        /// Most.
        max: usize,
    },
    /// A chance that is none.
    #[error("the density is {0}; it must be from 0 to 0.9")]
    Density(f64),
    /// The problem would not be one.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// Makes the problem of a wish and a seed; the same every time.
///
/// # Errors
/// Names the wish that cannot be met.
pub fn make(wish: &ProblemOptions, seed: u64) -> Result<Problem, ProblemMakeError> {
    check(wish)?;
    let mut rng = Rng::new(derive_seed(seed, &[wish.id.into()]));
    let units = make_units(wish, &mut rng);
    // Rows where units come stay free, so that none of them ends the game at once.
    let depth = |unit: &JsonUnit| unit.members.iter().map(|member| member.y).max().unwrap_or(0);
    let free = units.iter().map(depth).max().unwrap_or(0) + 2;
    let mut seeds: Vec<i64> = Vec::new();
    while seeds.len() < wish.seeds {
        let next = if seeds.is_empty() { 0 } else { rng.below(1 << 15) as i64 };
        if !seeds.contains(&next) {
            seeds.push(next);
        }
    }
    let draft = JsonProblem {
        id: wish.id.into(),
        width: wish.width as i64,
        height: wish.height as i64,
        filled: fill(wish, free, &mut rng),
        units,
        source_length: wish.source_length as i64,
        source_seeds: seeds,
    };
    Ok(Problem::new(draft)?)
}

fn check(wish: &ProblemOptions) -> Result<(), ProblemMakeError> {
    for (what, value, min, max) in [
        ("the width", wish.width, 1, MAX_COLUMNS as usize),
        ("the height", wish.height, 1, MAX_ROWS as usize),
        ("the number of units", wish.kinds, 1, MAX_KINDS),
        ("the most cells of a unit", wish.cells.1, 1, MAX_CELLS.min(wish.width)),
        ("the fewest cells of a unit", wish.cells.0, 1, wish.cells.1),
        ("the length of the source", wish.source_length, 1, MAX_SOURCE as usize),
        ("the number of seeds", wish.seeds, 1, MAX_SEEDS),
    ] {
        if !(min..=max).contains(&value) {
            return Err(ProblemMakeError::Wish { what, value, min, max });
        }
    }
    let sound = (0.0..=0.9).contains(&wish.density);
    if sound { Ok(()) } else { Err(ProblemMakeError::Density(wish.density)) }
}

/// Axial coordinates.
type AxialCoord = (i64, i64);

const NEIGHBOURS: [AxialCoord; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

fn make_units(wish: &ProblemOptions, rng: &mut Rng) -> Vec<JsonUnit> {
    let (mut units, mut known) = (Vec::new(), HashSet::new());
    // There is one unit of one cell and one of two: tries are bounded.
    for _ in 0..100 * wish.kinds {
        let size = wish.cells.0 + rng.below(wish.cells.1 - wish.cells.0 + 1);
        let cells = grow(size, rng);
        if known.insert(outline(&cells)) {
            units.push(draft(&cells, rng));
        }
        if units.len() == wish.kinds {
            break;
        }
    }
    units
}

/// A connected set of cells, one neighbour after the other.
fn grow(size: usize, rng: &mut Rng) -> Vec<AxialCoord> {
    let mut cells = vec![(0, 0)];
    while cells.len() < size {
        let (q, r) = cells[rng.below(cells.len())];
        let (dq, dr) = NEIGHBOURS[rng.below(6)];
        if !cells.contains(&(q + dq, r + dr)) {
            cells.push((q + dq, r + dr));
        }
    }
    cells
}

/// The least of its six turns, each moved to where its least cell is the origin.
fn outline(cells: &[AxialCoord]) -> Vec<AxialCoord> {
    let mut cells = cells.to_vec();
    let turns = (0..6).map(|_| {
        cells = cells.iter().map(|&(q, r)| (-r, q + r)).collect();
        let mut moved = cells.clone();
        moved.sort_unstable();
        let (q0, r0) = moved[0];
        moved.iter().map(|&(q, r)| (q - q0, r - r0)).collect()
    });
    turns.min().unwrap_or_default()
}

/// The unit in the upper left corner; its pivot is one of its cells, or now and then beside it.
fn draft(cells: &[AxialCoord], rng: &mut Rng) -> JsonUnit {
    let (mut q, mut r) = cells[rng.below(cells.len())];
    if rng.below(5) == 0 {
        let (dq, dr) = NEIGHBOURS[rng.below(6)];
        (q, r) = (q + dq, r + dr);
    }
    let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    let row = |r: i64| r - top;
    let column = |q: i64, r: i64| q + row(r).div_euclid(2);
    let left = cells.iter().map(|&(q, r)| column(q, r)).min().unwrap_or(0);
    let spot = |q: i64, r: i64| JsonCell { x: column(q, r) - left, y: row(r) };
    let mut members: Vec<JsonCell> = cells.iter().map(|&(q, r)| spot(q, r)).collect();
    members.sort_unstable_by_key(|spot| (spot.y, spot.x));
    JsonUnit { members, pivot: spot(q, r) }
}

/// Cells of the lower half, at least one in each row left empty.
fn fill(wish: &ProblemOptions, free: i64, rng: &mut Rng) -> Vec<JsonCell> {
    let mut filled = Vec::new();
    for y in free.max(wish.height as i64 / 2)..wish.height as i64 {
        let hole = rng.below(wish.width) as i64;
        for x in 0..wish.width as i64 {
            if rng.unit() < wish.density && x != hole {
                filled.push(JsonCell { x, y });
            }
        }
    }
    filled
}
