//! Board games seen as bitboards, one bit for each cell. Learned patterns use this view,
//! independent of the rules of a game.

use crate::game::Game;

/// A cell of a board: its bit in [`GridPieces`] and its coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridCell {
    /// The bit of the cell.
    pub bit: u8,
    /// The column, from the left.
    pub x: u8,
    /// The row, from the top.
    pub y: u8,
}

/// The cells of a board, from the point of view of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GridLayout {
    /// Number of columns, including those without a playable cell.
    pub cols: u8,
    /// Number of rows.
    pub rows: u8,
    /// The playable cells, at most 64.
    pub cells: Vec<GridCell>,
    /// Whether there are two kinds of pieces, such as men and kings.
    pub kings: bool,
    /// The maximum number of pieces in any state.
    pub max_pieces: u8,
}

/// The pieces of a state as bitboards, those of the side to move first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GridPieces {
    /// Stones or men.
    pub men: [u64; 2],
    /// Kings.
    pub kings: [u64; 2],
}

impl GridPieces {
    /// Counts all pieces.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u32 {
        let all = |sets: [u64; 2]| (sets[0] | sets[1]).count_ones();
        all(self.men) + all(self.kings)
    }
}

/// A game whose state consists of pieces on the cells of a board.
///
/// Where the sides move in opposite directions, the board is rotated for the second side, so that
/// the side to move always moves in the same direction and one evaluation serves both.
pub trait GridGame: Game {
    /// Returns the cells of the board. [`Game::symmetries`] must be symmetries of it.
    fn board(&self) -> GridLayout;

    /// Returns the pieces of `s` from the point of view of the side to move.
    fn pieces(&self, s: &Self::State) -> GridPieces;

    /// Returns the bytes of the pattern model for these rules that comes with the library.
    fn bundled_model(&self) -> Option<&'static [u8]> {
        None
    }

    /// Returns whether the state is not quiet, such as one with a forced capture. Such a state is
    /// not evaluated itself; the states after it are.
    #[inline]
    fn is_noisy(&self, s: &Self::State) -> bool {
        let _ = s;
        false
    }
}

impl GridLayout {
    /// Creates the layout of a rectangular board with one kind of pieces; `bit(x, y)` is the bit of
    /// a cell.
    #[must_use]
    pub fn full(cols: usize, rows: usize, bit: impl Fn(usize, usize) -> usize) -> Self {
        let place = |i: usize| {
            let (x, y) = (i % cols, i / cols);
            GridCell { bit: bit(x, y) as u8, x: x as u8, y: y as u8 }
        };
        let cells: Vec<GridCell> = (0..cols * rows).map(place).collect();
        let max_pieces = cells.len() as u8;
        GridLayout { cols: cols as u8, rows: rows as u8, cells, kings: false, max_pieces }
    }
}
