//! The geometry of one board size as masks and shifts: where threats lie, whether four
//! stand in a row, what the mirror image is. [`ShapeSource`] hands the shape to the search,
//! as a constant for the ordinary board, so that every shift there is known to the
//! compiler.

use crate::games::connect4::Connect4;

/// A board size; its columns are kept the middle one first, padded with empty ones to
/// `LANES`, so that a search can treat all columns alike in one pass.
#[derive(Clone, Copy)]
pub(super) struct BoardShape<const LANES: usize> {
    /// Bits from one column to the next.
    height: u32,
    cols: u32,
    pub(super) rows: i32,
    pub(super) cells: i32,
    /// The lowest cell of every column.
    pub(super) bottom: u64,
    pub(super) board: u64,
    /// The first, third, … row from below.
    pub(super) odd_rows: u64,
    /// The cells of each column.
    pub(super) columns: [u64; LANES],
}

/// Where a search gets its shape from.
pub(super) trait ShapeSource<const LANES: usize>: Copy {
    fn shape(&self) -> &BoardShape<LANES>;
}

/// The ordinary board of seven columns and six rows.
#[derive(Clone, Copy)]
pub(super) struct StandardShape;

static ORDINARY: BoardShape<8> = BoardShape::new(&Connect4::STANDARD);

impl ShapeSource<8> for StandardShape {
    #[inline(always)]
    fn shape(&self) -> &BoardShape<8> {
        &ORDINARY
    }
}

impl<const LANES: usize> ShapeSource<LANES> for &BoardShape<LANES> {
    #[inline(always)]
    fn shape(&self) -> &BoardShape<LANES> {
        self
    }
}

impl<const LANES: usize> BoardShape<LANES> {
    pub(super) const fn new(g: &Connect4) -> Self {
        assert!(g.cols as usize <= LANES, "every column has its lane");
        let mut columns = [0; LANES];
        let mut lane = 0;
        while lane < g.cols {
            columns[lane as usize] = g.column(from_the_middle(g.cols, lane));
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

    /// The cells, empty or not, that would make four with three stones of `stones`.
    #[inline(always)]
    pub(super) fn threats(&self, stones: u64) -> u64 {
        // Nothing hangs in the air: a threat in a column can only lie above its three.
        let mut threats = stones << 1 & stones << 2 & stones << 3;
        for step in self.across() {
            let above = stones << step & stones << (2 * step);
            let below = stones >> step & stones >> (2 * step);
            threats |= above & (stones << (3 * step) | stones >> step);
            threats |= below & (stones >> (3 * step) | stones << step);
        }
        threats & self.board
    }

    /// Whether `stones` holds four in a row.
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

    /// The steps of lines over several columns.
    #[inline(always)]
    fn across(&self) -> impl Iterator<Item = u32> + use<LANES> {
        // Fewer than four columns have no such lines, and may be so high that the steps
        // would leave the word.
        let h = self.height;
        [h - 1, h, h + 1].into_iter().take(if self.cols < 4 { 0 } else { 3 })
    }

    /// The cells that can be played.
    #[inline(always)]
    pub(super) fn open(&self, all: u64) -> u64 {
        all.wrapping_add(self.bottom) & self.board
    }

    /// One number for one position: in each column the stones of the mover over a line
    /// of ones that marks the height.
    #[inline(always)]
    pub(super) fn key(&self, mover: u64, all: u64) -> u64 {
        mover + all
    }

    /// The mirror image of a set of cells, or of a key.
    #[inline(always)]
    pub(super) fn mirror(&self, set: u64) -> u64 {
        let column = u64::MAX >> (u64::BITS - self.height);
        (0..self.cols).fold(0, |image, x| {
            let (from, to) = (x * self.height, (self.cols - 1 - x) * self.height);
            image | (set >> from & column) << to
        })
    }

    /// The whole column that `cell` lies in, and how many cells lie above it.
    #[inline(always)]
    pub(super) fn column_of(&self, cell: u64) -> (u64, i32) {
        let bit = cell.trailing_zeros();
        let row = bit % self.height;
        (((1 << self.rows) - 1) << (bit - row), self.rows - 1 - row as i32)
    }
}

/// The column that comes `place`-th when columns are sorted from the middle outwards.
const fn from_the_middle(cols: u8, place: u8) -> u8 {
    let middle = (cols - 1) / 2;
    let away = place.div_ceil(2);
    // On an even number of columns the two in the middle are alike: the right one is
    // the first step away.
    if (place % 2 == 1) == cols.is_multiple_of(2) { middle + away } else { middle - away }
}
