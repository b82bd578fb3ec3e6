//! A unit (the piece of hexagonal Tetris), prepared for a board of one size. Cells rotate about the
//! pivot in axial coordinates q = x − ⌊y/2⌋, r = y: clockwise (dq, dr) → (−dr, dq + dr).
//!
//! Only distinct orientations are kept (1, 2, 3 or 6), so that equal placements are equal values.
//! Each orientation is stored twice as row masks, for pivots in even and in odd rows, because odd
//! rows are shifted by half a cell.

use serde::Serialize;

use super::board::{RowCells, clear_lines};
use super::commands::Command;

/// Position of a unit: its pivot, which may lie outside the board, and its orientation. Two
/// placements of a unit are the same under the rules exactly if they are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Placement {
    /// Column of the pivot.
    pub x: i16,
    /// Row of the pivot.
    pub y: i16,
    /// Orientation: number of clockwise rotations by 60° from the initial one, below
    /// [`Unit::turns`].
    pub turn: u8,
}

/// The cells of one orientation of a unit, relative to a pivot in an even row or in an odd row.
#[derive(Clone, Debug)]
struct UnitOrientation {
    left: i16,
    right: i16,
    top: i16,
    bottom: i16,
    /// Mask of the cells in each row of the unit, from top to bottom; bit 0 is the leftmost column
    /// of the unit. Empty if the orientation is larger than the board.
    rows: Box<[RowCells]>,
}

/// A unit with all its orientations, prepared for boards of one size.
#[derive(Clone, Debug)]
pub struct Unit {
    width: i16,
    height: i16,
    size: usize,
    turns: u8,
    spawn: Placement,
    /// Cells of each orientation, at index 2·turn + parity of the pivot's row.
    shapes: Vec<UnitOrientation>,
    /// For each entry of `shapes`, the smallest [`Placement::turn`] at which the unit can cover the
    /// same cells, with its pivot elsewhere.
    first_equal: Vec<u8>,
    /// Cells of each orientation in axial coordinates relative to the pivot.
    cells: Vec<Vec<AxialCoord>>,
}

/// Axial coordinates of a hexagonal cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct AxialCoord {
    q: i32,
    r: i32,
}

impl AxialCoord {
    fn from_offset((x, y): (i32, i32)) -> Self {
        AxialCoord { q: x - (y >> 1), r: y }
    }

    fn clockwise(self) -> Self {
        AxialCoord { q: -self.r, r: self.q + self.r }
    }

    /// Converts to the column and row on the board, if the coordinates are relative to a pivot at
    /// column `x` of row `y`.
    fn relative_to(self, x: i32, y: i32) -> (i32, i32) {
        let row = y + self.r;
        (x - (y >> 1) + self.q + (row >> 1), row)
    }
}

/// Change of the pivot's column by each command, from a pivot in an even and in an odd row.
const COLUMN_STEPS: [[i16; 2]; 6] = [[-1, -1], [1, 1], [-1, 0], [0, 1], [0, 0], [0, 0]];
/// Change of the pivot's row by each command.
const ROW_STEPS: [i16; 6] = [0, 0, 1, 1, 0, 0];

impl Unit {
    /// Creates a unit for boards of this size from its cells and its pivot, given as (x, y); the
    /// position does not matter, because the unit is moved to the top centre.
    ///
    /// # Panics
    /// Panics if `members` is empty or coordinates do not fit into 12 bits, which
    /// [`Problem`](super::Problem) excludes.
    #[must_use]
    pub fn new(members: &[(i32, i32)], pivot: (i32, i32), width: usize, height: usize) -> Self {
        let (left, right, top, _) = bounds(members.iter().copied());
        let east = (width as i32 - (right - left + 1)).div_euclid(2);
        let (dx, dy) = (east - left, -top);
        let pivot = (pivot.0 + dx, pivot.1 + dy);
        let centre = AxialCoord::from_offset(pivot);
        let relative = |&(x, y): &(i32, i32)| {
            let cell = AxialCoord::from_offset((x + dx, y + dy));
            AxialCoord { q: cell.q - centre.q, r: cell.r - centre.r }
        };
        let cells = distinct_orientations(members.iter().map(relative).collect());
        let shape =
            |cells: &Vec<AxialCoord>, parity| UnitOrientation::new(cells, parity, width, height);
        let shapes: Vec<UnitOrientation> =
            cells.iter().flat_map(|cells| [shape(cells, 0), shape(cells, 1)]).collect();
        Unit {
            width: width as i16,
            height: height as i16,
            size: members.len(),
            turns: cells.len() as u8,
            spawn: Placement { x: to_i16(pivot.0), y: to_i16(pivot.1), turn: 0 },
            first_equal: first_equal_orientations(&shapes),
            shapes,
            cells,
        }
    }

    /// Returns the number of cells of the unit.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of distinct orientations: 6 without symmetry, 1 with full symmetry.
    #[inline]
    #[must_use]
    pub fn turns(&self) -> u8 {
        self.turns
    }

    /// Returns the placement at which the unit appears: in the top row, centred and rounded to the
    /// left.
    #[inline]
    #[must_use]
    pub fn spawn(&self) -> Placement {
        self.spawn
    }

    /// Returns the placement that a command leads to, without checking whether the unit fits there.
    #[inline]
    #[must_use]
    pub fn step(&self, at: Placement, command: Command) -> Placement {
        let (i, parity) = (command.index(), (at.y & 1) as usize);
        let turn = match command {
            Command::Clockwise if at.turn + 1 == self.turns => 0,
            Command::Clockwise => at.turn + 1,
            Command::CounterClockwise if at.turn == 0 => self.turns - 1,
            Command::CounterClockwise => at.turn - 1,
            _ => at.turn,
        };
        Placement { x: at.x + COLUMN_STEPS[i][parity], y: at.y + ROW_STEPS[i], turn }
    }

    #[inline]
    fn shape(&self, at: Placement) -> &UnitOrientation {
        &self.shapes[2 * usize::from(at.turn) + (at.y & 1) as usize]
    }

    /// Returns whether the unit fits at a placement: all its cells are on the board and empty.
    /// `rows` must have the board size that the unit was created for.
    #[inline]
    #[must_use]
    pub fn fits(&self, rows: &[RowCells], at: Placement) -> bool {
        let shape = self.shape(at);
        let (x, y) = (at.x + shape.left, at.y + shape.top);
        if x < 0 || y < 0 || at.x + shape.right >= self.width || at.y + shape.bottom >= self.height
        {
            return false;
        }
        let under = &rows[y as usize..][..shape.rows.len()];
        under.iter().zip(&shape.rows).all(|(row, mask)| row & mask << x == 0)
    }

    /// Fills the unit's cells at a placement where it fits, clears full rows, and returns the
    /// number of cleared rows.
    #[inline]
    pub fn lock(&self, rows: &mut [RowCells], at: Placement) -> u32 {
        let shape = self.shape(at);
        let (x, y) = (at.x + shape.left, (at.y + shape.top) as usize);
        for (row, mask) in rows[y..].iter_mut().zip(&shape.rows) {
            *row |= mask << x;
        }
        clear_lines(rows, self.width as usize)
    }

    /// Returns the rows of the highest and of the lowest cell of the unit at a placement.
    #[inline]
    #[must_use]
    pub fn extent(&self, at: Placement) -> (i16, i16) {
        let shape = self.shape(at);
        (at.y + shape.top, at.y + shape.bottom)
    }

    /// Returns the highest row that the unit covers at a placement on the board, and for each row
    /// from there down a mask of the covered cells.
    #[inline]
    pub fn masks(&self, at: Placement) -> (usize, impl Iterator<Item = RowCells> + '_) {
        let shape = self.shape(at);
        let x = at.x + shape.left;
        ((at.y + shape.top) as usize, shape.rows.iter().map(move |mask| mask << x))
    }

    /// Returns the index of a placement on the board in a table of [`Unit::slots`] entries; every
    /// placement has its own.
    ///
    /// The index is computed from the upper left corner of the covered cells, because the pivot may
    /// be far away from them.
    #[inline]
    #[must_use]
    pub fn slot(&self, at: Placement) -> usize {
        self.index(at, at.turn)
    }

    /// Returns an index of the set of cells that the unit covers at a placement, below
    /// [`Unit::slots`]; placements that cover the same cells have the same index.
    #[inline]
    #[must_use]
    pub fn footprint(&self, at: Placement) -> usize {
        self.index(at, self.first_equal[2 * usize::from(at.turn) + (at.y & 1) as usize])
    }

    #[inline]
    fn index(&self, at: Placement, turn: u8) -> usize {
        let shape = self.shape(at);
        let (x, y) = ((at.x + shape.left) as usize, (at.y + shape.top) as usize);
        (usize::from(turn) * self.height as usize + y) * self.width as usize + x
    }

    /// Returns the placement with this index, whether the unit fits there or not; the inverse of
    /// [`Unit::slot`].
    #[must_use]
    pub fn placement(&self, slot: usize) -> Placement {
        let (width, height) = (self.width as usize, self.height as usize);
        let (x, y, turn) = (slot % width, slot / width % height, slot / width / height);
        let row = y as i16 - self.shapes[2 * turn].top;
        let shape = &self.shapes[2 * turn + (row & 1) as usize];
        Placement { x: x as i16 - shape.left, y: row, turn: turn as u8 }
    }

    /// Returns the size of a table indexed by [`Unit::slot`]: turns · width · height.
    #[inline]
    #[must_use]
    pub fn slots(&self) -> usize {
        usize::from(self.turns) * self.width as usize * self.height as usize
    }

    /// Iterates over the cells that the unit covers at a placement, as (x, y); some may be outside
    /// the board.
    pub fn cells(&self, at: Placement) -> impl Iterator<Item = (i32, i32)> + '_ {
        let cells = &self.cells[usize::from(at.turn)];
        cells.iter().map(move |cell| cell.relative_to(at.x.into(), at.y.into()))
    }
}

impl UnitOrientation {
    fn new(cells: &[AxialCoord], parity: i32, width: usize, height: usize) -> Self {
        let places = || cells.iter().map(|cell| cell.relative_to(0, parity));
        let (left, right, top, bottom) = bounds(places());
        let (columns, lines) = ((right - left + 1) as usize, (bottom - top + 1) as usize);
        let mut rows = Vec::new();
        if columns <= width && lines <= height {
            rows.resize(lines, 0);
            for (x, y) in places() {
                rows[(y - top) as usize] |= 1 << (x - left);
            }
        }
        UnitOrientation {
            left: to_i16(left),
            right: to_i16(right),
            top: to_i16(top - parity),
            bottom: to_i16(bottom - parity),
            rows: rows.into_boxed_slice(),
        }
    }
}

/// Returns for each entry of `shapes` the smallest [`Placement::turn`] at which the unit can cover
/// the same cells. Two entries can cover the same cells if their row masks are equal and their
/// highest rows have the same parity.
fn first_equal_orientations(shapes: &[UnitOrientation]) -> Vec<u8> {
    let parity = |i: usize| (i as i16 + shapes[i].top) & 1;
    let same = |i: usize, j: usize| parity(i) == parity(j) && shapes[i].rows == shapes[j].rows;
    let first = |i| (0..i).find(|&j| same(i, j)).unwrap_or(i);
    (0..shapes.len()).map(|i| (first(i) / 2) as u8).collect()
}

/// Returns the distinct rotations of `cells` about the pivot, the original first; the cells of each
/// are sorted.
fn distinct_orientations(mut cells: Vec<AxialCoord>) -> Vec<Vec<AxialCoord>> {
    let mut turns: Vec<Vec<AxialCoord>> = Vec::new();
    loop {
        cells.sort_unstable();
        if turns.first() == Some(&cells) {
            return turns;
        }
        let next = cells.iter().map(|cell| cell.clockwise()).collect();
        turns.push(std::mem::replace(&mut cells, next));
    }
}

/// Returns the smallest and largest x and the smallest and largest y of cells given as (x, y).
fn bounds(cells: impl Iterator<Item = (i32, i32)>) -> (i32, i32, i32, i32) {
    let none = (i32::MAX, i32::MIN, i32::MAX, i32::MIN);
    cells.fold(none, |(left, right, top, bottom), (x, y)| {
        (left.min(x), right.max(x), top.min(y), bottom.max(y))
    })
}

fn to_i16(coordinate: i32) -> i16 {
    i16::try_from(coordinate).expect("coordinates of a problem fit 12 bits")
}
