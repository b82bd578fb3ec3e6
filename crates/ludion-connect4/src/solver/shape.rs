//! The geometry of a board as masks and shifts, to find threats, four in a row and mirror images.
//! [`ShapeProvider`] gives it to the search, as a constant for the standard board, so that the
//! compiler knows every shift.

use crate::Connect4;

/// The size and the masks of a board. Columns are ordered from the middle outwards and padded with
/// empty ones to `LANES`, so that a search can process all columns in one vector pass.
#[derive(Clone, Copy)]
pub(super) struct BoardShape<const LANES: usize> {
    /// The number of bits from one column to the next.
    height: u32,
    cols: u32,
    pub(super) rows: i32,
    pub(super) cells: i32,
    /// The set of the lowest cells of all columns.
    pub(super) bottom: u64,
    /// The set of all cells of the board.
    pub(super) board: u64,
    /// The cells of the first, third, … row from the bottom.
    pub(super) odd_rows: u64,
    /// The cells of each column, from the middle outwards; 0 for lanes beyond the last column.
    pub(super) columns: [u64; LANES],
}

/// A type that gives the search its board shape: a constant or a reference.
pub(super) trait ShapeProvider<const LANES: usize>: Copy {
    /// Returns the size and the masks of the board.
    fn shape(&self) -> &BoardShape<LANES>;
}

/// The shape of the standard board, seven columns of six rows, as a constant.
#[derive(Clone, Copy)]
pub(super) struct StandardShape;

static STANDARD: BoardShape<8> = BoardShape::new(&Connect4::STANDARD);

impl ShapeProvider<8> for StandardShape {
    #[inline(always)]
    fn shape(&self) -> &BoardShape<8> {
        &STANDARD
    }
}

impl<const LANES: usize> ShapeProvider<LANES> for &BoardShape<LANES> {
    #[inline(always)]
    fn shape(&self) -> &BoardShape<LANES> {
        self
    }
}

impl<const LANES: usize> BoardShape<LANES> {
    /// Computes the masks of the board of `g`.
    pub(super) const fn new(g: &Connect4) -> Self {
        assert!(g.cols as usize <= LANES, "every column has its lane");
        let mut columns = [0; LANES];
        let mut lane = 0;
        while lane < g.cols {
            columns[lane as usize] = g.column(nth_from_middle(g.cols, lane));
            lane += 1;
        }
        let mut odd_rows = 0;
        let mut row = 0;
        while row < g.rows {
            odd_rows |= g.bottom << row;
            row += 2;
        }
        BoardShape {
            height: g.height() as u32,
            cols: g.cols as u32,
            rows: g.rows as i32,
            cells: g.cols as i32 * g.rows as i32,
            bottom: g.bottom,
            board: g.board(),
            odd_rows,
            columns,
        }
    }

    /// Returns the cells, empty or not, that complete four in a row with three of `stones`.
    #[inline(always)]
    pub(super) fn threats(&self, stones: u64) -> u64 {
        // Stones fall down, so a vertical threat can only be above its three stones.
        let mut threats = stones << 1 & stones << 2 & stones << 3;
        for step in self.across() {
            let above = stones << step & stones << (2 * step);
            let below = stones >> step & stones >> (2 * step);
            threats |= above & (stones << (3 * step) | stones >> step);
            threats |= below & (stones >> (3 * step) | stones << step);
        }
        threats & self.board
    }

    /// Returns whether `stones` contains four in a row.
    #[inline(always)]
    pub(super) fn has_four(&self, stones: u64) -> bool {
        let pairs = stones & stones >> 1;
        let mut fours = pairs & pairs >> 2;
        for step in self.across() {
            let pairs = stones & stones >> step;
            fours |= pairs & pairs >> (2 * step);
        }
        fours != 0
    }

    /// Iterates over the distances in bits between neighbouring cells of horizontal and diagonal
    /// lines.
    #[inline(always)]
    fn across(&self) -> impl Iterator<Item = u32> + use<LANES> {
        // Boards of fewer than four columns have no such lines, and may be so high that the
        // shifts would exceed the word.
        let h = self.height;
        [h - 1, h, h + 1].into_iter().take(if self.cols < 4 { 0 } else { 3 })
    }

    /// Returns the cells on which the next stone of each column that is not full would land.
    #[inline(always)]
    pub(super) fn open(&self, all: u64) -> u64 {
        all.wrapping_add(self.bottom) & self.board
    }

    /// Returns a unique key of a position: per column the sum of the stones of the side to move
    /// and all stones.
    #[inline(always)]
    pub(super) fn key(&self, mover: u64, all: u64) -> u64 {
        mover + all
    }

    /// Mirrors a set of cells, or a position key, left to right.
    #[inline(always)]
    pub(super) fn mirror(&self, set: u64) -> u64 {
        let column = u64::MAX >> (u64::BITS - self.height);
        (0..self.cols).fold(0, |image, x| {
            let (from, to) = (x * self.height, (self.cols - 1 - x) * self.height);
            image | (set >> from & column) << to
        })
    }

    /// Returns the column that contains `cell`, and the number of cells above `cell`.
    #[inline(always)]
    pub(super) fn column_of(&self, cell: u64) -> (u64, i32) {
        let bit = cell.trailing_zeros();
        let row = bit % self.height;
        (((1 << self.rows) - 1) << (bit - row), self.rows - 1 - row as i32)
    }
}

/// Returns the column at index `place` of the order from the middle column outwards.
const fn nth_from_middle(cols: u8, place: u8) -> u8 {
    let middle = (cols - 1) / 2;
    let away = place.div_ceil(2);
    // With an even number of columns, the left of the two middle columns comes first, then the
    // right one.
    if (place % 2 == 1) == cols.is_multiple_of(2) { middle + away } else { middle - away }
}
