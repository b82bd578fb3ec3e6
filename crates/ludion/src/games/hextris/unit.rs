//! A unit prepared for one board. Its cells turn about the pivot in axial coordinates
//! q = x − ⌊y/2⌋, r = y: clockwise (dq, dr) → (−dr, dq + dr). Of the six turns only as many
//! are kept as differ (1, 2, 3 or 6), so that equal placements are equal values; each is kept
//! as row masks for pivots in even and in odd rows, since those differ in x.

use serde::Serialize;

use super::board::{RowCells, clear_lines};
use super::commands::Command;

/// Where a unit is: its pivot, which may be outside the board, and its turn clockwise from the
/// original, less than [`Unit::turns`]. Two placements of one unit are the same to the rules
/// exactly when they are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Placement {
    /// Column of the pivot.
    pub x: i16,
    /// Row of the pivot.
    pub y: i16,
    /// Sixths of a turn clockwise, modulo the symmetry of the unit.
    pub turn: u8,
}

/// The cells of one turn relative to pivots in rows of one parity.
#[derive(Clone, Debug)]
struct TurnedUnit {
    left: i16,
    right: i16,
    top: i16,
    bottom: i16,
    /// From top to bottom, bit 0 the leftmost column; empty when larger than the board.
    rows: Box<[RowCells]>,
}

/// A unit and all it can look like on a board of given size.
#[derive(Clone, Debug)]
pub struct Unit {
    width: i16,
    height: i16,
    size: usize,
    turns: u8,
    spawn: Placement,
    /// Index 2·turn + parity of the pivot's row.
    shapes: Vec<TurnedUnit>,
    /// Likewise: the least turn that looks the same, its pivot being elsewhere.
    looks: Vec<u8>,
    /// The cells relative to the pivot in axial coordinates, a list a turn.
    cells: Vec<Vec<AxialCoord>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct AxialCoord {
    q: i32,
    r: i32,
}

impl AxialCoord {
    fn of((x, y): (i32, i32)) -> Self {
        AxialCoord { q: x - (y >> 1), r: y }
    }

    fn clockwise(self) -> Self {
        AxialCoord { q: -self.r, r: self.q + self.r }
    }

    /// Column and row, this seen from a pivot at column `x` of row `y`.
    fn seen_from(self, x: i32, y: i32) -> (i32, i32) {
        let row = y + self.r;
        (x - (y >> 1) + self.q + (row >> 1), row)
    }
}

/// What a command adds to the column of a pivot in an even and in an odd row.
const COLUMNS: [[i16; 2]; 6] = [[-1, -1], [1, 1], [-1, 0], [0, 1], [0, 0], [0, 0]];
/// What a command adds to the row.
const ROWS: [i16; 6] = [0, 0, 1, 1, 0, 0];

impl Unit {
    /// The unit of these members and this pivot, all given as (x, y), on a board of this size.
    ///
    /// # Panics
    /// Without members, or when coordinates do not fit 12 bits; problems are held to that.
    #[must_use]
    pub fn new(members: &[(i32, i32)], pivot: (i32, i32), width: usize, height: usize) -> Self {
        let (left, right, top, _) = bounds(members.iter().copied());
        let east = (width as i32 - (right - left + 1)).div_euclid(2);
        let (dx, dy) = (east - left, -top);
        let pivot = (pivot.0 + dx, pivot.1 + dy);
        let centre = AxialCoord::of(pivot);
        let seen = |&(x, y): &(i32, i32)| {
            let cell = AxialCoord::of((x + dx, y + dy));
            AxialCoord { q: cell.q - centre.q, r: cell.r - centre.r }
        };
        let cells = different_turns(members.iter().map(seen).collect());
        let shape = |cells: &Vec<AxialCoord>, parity| TurnedUnit::new(cells, parity, width, height);
        let shapes: Vec<TurnedUnit> =
            cells.iter().flat_map(|cells| [shape(cells, 0), shape(cells, 1)]).collect();
        Unit {
            width: width as i16,
            height: height as i16,
            size: members.len(),
            turns: cells.len() as u8,
            spawn: Placement { x: fit(pivot.0), y: fit(pivot.1), turn: 0 },
            looks: looks(&shapes),
            shapes,
            cells,
        }
    }

    /// How many cells it has.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many turns differ: 6 without symmetry, 1 when every turn looks alike.
    #[inline]
    #[must_use]
    pub fn turns(&self) -> u8 {
        self.turns
    }

    /// Where it appears: at the top, in the middle, rounded to the left.
    #[inline]
    #[must_use]
    pub fn spawn(&self) -> Placement {
        self.spawn
    }

    /// Where `command` leads from `at`, be it possible or not.
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
        Placement { x: at.x + COLUMNS[i][parity], y: at.y + ROWS[i], turn }
    }

    #[inline]
    fn shape(&self, at: Placement) -> &TurnedUnit {
        &self.shapes[2 * usize::from(at.turn) + (at.y & 1) as usize]
    }

    /// Whether all its cells are on the board and none of them is full. `rows` are those of a
    /// board of the size that the unit was made for.
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

    /// Fills its cells at `at`, where it must fit, and takes full rows away. Returns how many
    /// those were.
    #[inline]
    pub fn lock(&self, rows: &mut [RowCells], at: Placement) -> u32 {
        let shape = self.shape(at);
        let (x, y) = (at.x + shape.left, (at.y + shape.top) as usize);
        for (row, mask) in rows[y..].iter_mut().zip(&shape.rows) {
            *row |= mask << x;
        }
        clear_lines(rows, self.width as usize)
    }

    /// The row of its highest cell, and of its lowest.
    #[inline]
    #[must_use]
    pub fn extent(&self, at: Placement) -> (i16, i16) {
        let shape = self.shape(at);
        (at.y + shape.top, at.y + shape.bottom)
    }

    /// The rows it covers at `at`, where it must be on the board: the highest, then their masks.
    #[inline]
    pub fn masks(&self, at: Placement) -> (usize, impl Iterator<Item = RowCells> + '_) {
        let shape = self.shape(at);
        let x = at.x + shape.left;
        ((at.y + shape.top) as usize, shape.rows.iter().map(move |mask| mask << x))
    }

    /// A number below [`Unit::slots`] for a placement on the board, different for different
    /// ones: it counts by the upper left corner of the cells, not by the pivot, which may be
    /// far away.
    #[inline]
    #[must_use]
    pub fn slot(&self, at: Placement) -> usize {
        self.number(at, at.turn)
    }

    /// A number below [`Unit::slots`] for the cells that the unit covers at `at`: two
    /// placements that fill the same cells have the same, wherever their pivots are.
    #[inline]
    #[must_use]
    pub fn look(&self, at: Placement) -> usize {
        self.number(at, self.looks[2 * usize::from(at.turn) + (at.y & 1) as usize])
    }

    #[inline]
    fn number(&self, at: Placement, turn: u8) -> usize {
        let shape = self.shape(at);
        let (x, y) = ((at.x + shape.left) as usize, (at.y + shape.top) as usize);
        (usize::from(turn) * self.height as usize + y) * self.width as usize + x
    }

    /// The placement of a slot, whether it fits or not: the inverse of [`Unit::slot`].
    #[must_use]
    pub fn placement(&self, slot: usize) -> Placement {
        let (width, height) = (self.width as usize, self.height as usize);
        let (x, y, turn) = (slot % width, slot / width % height, slot / width / height);
        let row = y as i16 - self.shapes[2 * turn].top;
        let shape = &self.shapes[2 * turn + (row & 1) as usize];
        Placement { x: x as i16 - shape.left, y: row, turn: turn as u8 }
    }

    /// How many slots a table of placements needs.
    #[inline]
    #[must_use]
    pub fn slots(&self) -> usize {
        usize::from(self.turns) * self.width as usize * self.height as usize
    }

    /// Its cells at `at` as (x, y), on the board or not.
    pub fn cells(&self, at: Placement) -> impl Iterator<Item = (i32, i32)> + '_ {
        let cells = &self.cells[usize::from(at.turn)];
        cells.iter().map(move |cell| cell.seen_from(at.x.into(), at.y.into()))
    }
}

impl TurnedUnit {
    fn new(cells: &[AxialCoord], parity: i32, width: usize, height: usize) -> Self {
        let places = || cells.iter().map(|cell| cell.seen_from(0, parity));
        let (left, right, top, bottom) = bounds(places());
        let (columns, lines) = ((right - left + 1) as usize, (bottom - top + 1) as usize);
        let mut rows = Vec::new();
        if columns <= width && lines <= height {
            rows.resize(lines, 0);
            for (x, y) in places() {
                rows[(y - top) as usize] |= 1 << (x - left);
            }
        }
        TurnedUnit {
            left: fit(left),
            right: fit(right),
            top: fit(top - parity),
            bottom: fit(bottom - parity),
            rows: rows.into_boxed_slice(),
        }
    }
}

/// For each shape the first turn whose rows are the same where its highest row has the same
/// parity.
fn looks(shapes: &[TurnedUnit]) -> Vec<u8> {
    let parity = |i: usize| (i as i16 + shapes[i].top) & 1;
    let same = |i: usize, j: usize| parity(i) == parity(j) && shapes[i].rows == shapes[j].rows;
    let first = |i| (0..i).find(|&j| same(i, j)).unwrap_or(i);
    (0..shapes.len()).map(|i| (first(i) / 2) as u8).collect()
}

/// The turns of `cells` that differ, the original first, each in order.
fn different_turns(mut cells: Vec<AxialCoord>) -> Vec<Vec<AxialCoord>> {
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

/// Least and greatest x, least and greatest y.
fn bounds(cells: impl Iterator<Item = (i32, i32)>) -> (i32, i32, i32, i32) {
    let none = (i32::MAX, i32::MIN, i32::MAX, i32::MIN);
    cells.fold(none, |(left, right, top, bottom), (x, y)| {
        (left.min(x), right.max(x), top.min(y), bottom.max(y))
    })
}

fn fit(coordinate: i32) -> i16 {
    i16::try_from(coordinate).expect("coordinates of a problem fit 12 bits")
}
