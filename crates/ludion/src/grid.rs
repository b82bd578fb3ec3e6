//! Games of pieces on the cells of a board, seen as sets of cells: what learned patterns look
//! at, whatever the rules are.

use crate::game::Game;

/// A cell of a board: its bit in the sets of [`GridPieces`], and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridCell {
    /// The bit.
    pub bit: u8,
    /// The column, from the left.
    pub x: u8,
    /// The row, from the top.
    pub y: u8,
}

/// The cells of a board, as the side to move sees them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GridLayout {
    /// Columns, those without a cell of the game included.
    pub cols: u8,
    /// Rows.
    pub rows: u8,
    /// The cells, at most 64.
    pub cells: Vec<GridCell>,
    /// Whether some pieces are more than the others, as kings are.
    pub kings: bool,
    /// No state has more pieces.
    pub most: u8,
}

/// The pieces of a state as the side to move sees them: its own first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GridPieces {
    /// Stones, or men.
    pub men: [u64; 2],
    /// Kings.
    pub kings: [u64; 2],
}

impl GridPieces {
    /// All pieces.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u32 {
        let all = |sets: [u64; 2]| (sets[0] | sets[1]).count_ones();
        all(self.men) + all(self.kings)
    }
}

/// A game whose state is what stands on the cells of a board.
///
/// Where the sides go different ways, the second sees the board turned, so that the side to
/// move always goes the same way and one judgement serves both.
pub trait GridGame: Game {
    /// The board; [`Game::symmetries`] are taken to be symmetries of it.
    fn board(&self) -> GridLayout;

    /// What stands on it, as the side to move of `s` sees it.
    fn pieces(&self, s: &Self::State) -> GridPieces;

    /// A model of patterns for these rules that comes with the library, as bytes.
    fn learned(&self) -> Option<&'static [u8]> {
        None
    }

    /// Whether the next move will change much, as a forced capture does: such a state is
    /// not to be judged, but what follows from it.
    #[inline]
    fn restless(&self, s: &Self::State) -> bool {
        let _ = s;
        false
    }
}

impl GridLayout {
    /// A full board of one kind of pieces, whose bit of a cell is `bit(x, y)`.
    #[must_use]
    pub fn full(cols: usize, rows: usize, bit: impl Fn(usize, usize) -> usize) -> Self {
        let place = |i: usize| {
            let (x, y) = (i % cols, i / cols);
            GridCell { bit: bit(x, y) as u8, x: x as u8, y: y as u8 }
        };
        let cells: Vec<GridCell> = (0..cols * rows).map(place).collect();
        let most = cells.len() as u8;
        GridLayout { cols: cols as u8, rows: rows as u8, cells, kings: false, most }
    }
}
