//! Random problems, determined by a seed: connected units of given sizes, no two of them equal up
//! to rotation, and a board whose lower half is partly filled.

use std::collections::HashSet;

use super::problem::{
    JsonCell, JsonProblem, JsonUnit, MAX_COLUMNS, MAX_ROWS, MAX_SEEDS, MAX_SOURCE_LENGTH, Problem,
    ProblemError,
};
use ludion_core::random::{Rng, derive_seed};

/// Maximum number of cells of a generated unit.
pub const MAX_CELLS: usize = 12;
/// Maximum number of different units of a generated problem.
pub const MAX_UNIT_KINDS: usize = 100;

/// Parameters of a random problem.
#[derive(Clone, Debug)]
pub struct RandomProblemOptions {
    /// Number of the generated problem; it also changes the random choices.
    pub id: u32,
    /// Number of columns of the board.
    pub width: usize,
    /// Number of rows of the board.
    pub height: usize,
    /// Number of different units to generate; the problem has fewer if there are not as many with
    /// the given numbers of cells.
    pub kinds: usize,
    /// Smallest and largest number of cells of a unit.
    pub cells: (usize, usize),
    /// Probability that a cell of the board's lower half is full at the start.
    pub density: f64,
    /// Number of units that appear in one game.
    pub source_length: usize,
    /// Number of seeds, each of which is one game.
    pub seeds: usize,
}

/// Reasons why a random problem cannot be generated.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RandomProblemError {
    /// A parameter is out of range.
    #[error("{what} is {value}; it must be from {min} to {max}")]
    OutOfRange {
        /// Name of the parameter.
        what: &'static str,
        /// Value of the parameter.
        value: usize,
        /// Smallest value allowed.
        min: usize,
        /// Largest value allowed.
        max: usize,
    },
    /// The density is this number, which is not from 0 to 0.9.
    #[error("the density is {0}; it must be from 0 to 0.9")]
    Density(f64),
    /// The generated problem is invalid.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// Generates the problem with these parameters and this seed; equal arguments give equal problems.
///
/// # Errors
/// Returns an error that names the parameter that is out of range.
pub fn random_problem(
    options: &RandomProblemOptions,
    seed: u64,
) -> Result<Problem, RandomProblemError> {
    check(options)?;
    let mut rng = Rng::new(derive_seed(seed, &[options.id.into()]));
    let units = random_units(options, &mut rng);
    // The rows in which units appear stay free, so that the first unit fits.
    let depth = |unit: &JsonUnit| unit.members.iter().map(|member| member.y).max().unwrap_or(0);
    let free = units.iter().map(depth).max().unwrap_or(0) + 2;
    let mut seeds: Vec<i64> = Vec::new();
    while seeds.len() < options.seeds {
        let next = if seeds.is_empty() { 0 } else { rng.below(1 << 15) as i64 };
        if !seeds.contains(&next) {
            seeds.push(next);
        }
    }
    let json = JsonProblem {
        id: options.id.into(),
        width: options.width as i64,
        height: options.height as i64,
        filled: random_filled_cells(options, free, &mut rng),
        units,
        source_length: options.source_length as i64,
        source_seeds: seeds,
    };
    Ok(Problem::new(json)?)
}

fn check(options: &RandomProblemOptions) -> Result<(), RandomProblemError> {
    for (what, value, min, max) in [
        ("the width", options.width, 1, MAX_COLUMNS as usize),
        ("the height", options.height, 1, MAX_ROWS as usize),
        ("the number of units", options.kinds, 1, MAX_UNIT_KINDS),
        ("the most cells of a unit", options.cells.1, 1, MAX_CELLS.min(options.width)),
        ("the fewest cells of a unit", options.cells.0, 1, options.cells.1),
        ("the length of the source", options.source_length, 1, MAX_SOURCE_LENGTH as usize),
        ("the number of seeds", options.seeds, 1, MAX_SEEDS),
    ] {
        if !(min..=max).contains(&value) {
            return Err(RandomProblemError::OutOfRange { what, value, min, max });
        }
    }
    let is_valid = (0.0..=0.9).contains(&options.density);
    if is_valid { Ok(()) } else { Err(RandomProblemError::Density(options.density)) }
}

/// Axial coordinates (q, r) of a hexagonal cell.
type AxialCoord = (i64, i64);

/// Axial coordinates of the six neighbours of a cell, relative to the cell.
const NEIGHBOURS: [AxialCoord; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

fn random_units(options: &RandomProblemOptions, rng: &mut Rng) -> Vec<JsonUnit> {
    let (mut units, mut known) = (Vec::new(), HashSet::new());
    // The number of attempts is bounded because there may be fewer different units than wanted.
    for _ in 0..100 * options.kinds {
        let size = options.cells.0 + rng.below(options.cells.1 - options.cells.0 + 1);
        let cells = random_cells(size, rng);
        if known.insert(canonical_cells(&cells)) {
            units.push(random_unit(&cells, rng));
        }
        if units.len() == options.kinds {
            break;
        }
    }
    units
}

/// Returns a random connected set of `size` cells, grown from one cell by random neighbours.
fn random_cells(size: usize, rng: &mut Rng) -> Vec<AxialCoord> {
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

/// Returns a form of the cells that is equal for all rotations and translations: the smallest of
/// the six rotations, each translated so that its smallest cell is the origin.
fn canonical_cells(cells: &[AxialCoord]) -> Vec<AxialCoord> {
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

/// Returns the unit with these cells, moved to the upper left corner; its pivot is a random one of
/// the cells, or sometimes a neighbour of one.
fn random_unit(cells: &[AxialCoord], rng: &mut Rng) -> JsonUnit {
    let (mut q, mut r) = cells[rng.below(cells.len())];
    if rng.below(5) == 0 {
        let (dq, dr) = NEIGHBOURS[rng.below(6)];
        (q, r) = (q + dq, r + dr);
    }
    let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    let row = |r: i64| r - top;
    let column = |q: i64, r: i64| q + row(r).div_euclid(2);
    let left = cells.iter().map(|&(q, r)| column(q, r)).min().unwrap_or(0);
    let cell = |q: i64, r: i64| JsonCell { x: column(q, r) - left, y: row(r) };
    let mut members: Vec<JsonCell> = cells.iter().map(|&(q, r)| cell(q, r)).collect();
    members.sort_unstable_by_key(|cell| (cell.y, cell.x));
    JsonUnit { members, pivot: cell(q, r) }
}

/// Returns random cells to fill in the lower half of the board, none of them in the first `free`
/// rows; in each row at least one cell stays empty.
fn random_filled_cells(options: &RandomProblemOptions, free: i64, rng: &mut Rng) -> Vec<JsonCell> {
    let mut filled = Vec::new();
    for y in free.max(options.height as i64 / 2)..options.height as i64 {
        let hole = rng.below(options.width) as i64;
        for x in 0..options.width as i64 {
            if rng.unit() < options.density && x != hole {
                filled.push(JsonCell { x, y });
            }
        }
    }
    filled
}
