//! The nine boards of ultimate tic-tac-toe: which of them are won or open, and the places of their
//! cells.

use crate::game::Side;
use crate::scene::cell_name;

use super::{FULL, LINES, UltimateTicTacToeState, bits, has_line};

impl UltimateTicTacToeState {
    #[inline]
    pub(super) fn free(&self, board: usize) -> u16 {
        FULL & !(self.stones[0][board] | self.stones[1][board])
    }

    /// Sets the boards that are won or full from the stones.
    pub(super) fn find_closed_boards(&mut self) {
        for board in 0..9 {
            for side in 0..2 {
                self.won[side] |= u16::from(has_line(self.stones[side][board])) << board;
            }
            self.closed |= u16::from(self.free(board) == 0) << board;
        }
        self.closed |= self.won[0] | self.won[1];
    }

    /// Returns whether the last move won or no board is open.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.closed == FULL || has_line(self.won[self.turn.other().index()])
    }

    #[inline]
    pub(super) fn count_free(&self) -> u32 {
        bits(self.allowed.into()).map(|board| self.free(board.into()).count_ones()).sum()
    }

    /// Returns the owner of the cell in column `x` and row `y` of the whole grid.
    pub(super) fn owner(&self, x: usize, y: usize) -> Option<Side> {
        let (board, cell) = inner(x, y);
        Side::BOTH.into_iter().find(|side| self.stones[side.index()][board] >> cell & 1 == 1)
    }

    /// Returns the winner of the board that has the cell in column `x` and row `y` of the whole grid.
    pub(super) fn board_owner(&self, x: usize, y: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.won[side.index()] >> inner(x, y).0 & 1 == 1)
    }
}

/// For each set of cells, the cells that complete three in a row with it.
pub(super) static COMPLETING: [u16; 512] = completing_table();

const fn completing_table() -> [u16; 512] {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            let lacking = LINES[i] & !(set as u16);
            if lacking.is_power_of_two() {
                table[set] |= lacking;
            }
            i += 1;
        }
        set += 1;
    }
    table
}

/// Returns the board and the cell in it of the cell in column `x` and row `y` of the whole grid.
#[inline]
pub(super) fn inner(x: usize, y: usize) -> (usize, usize) {
    (y / 3 * 3 + x / 3, y % 3 * 3 + x % 3)
}

/// Returns the column and row in the whole grid of a move.
#[inline]
pub(super) fn place(m: u8) -> (usize, usize) {
    let (board, cell) = (usize::from(m / 9), usize::from(m % 9));
    (board % 3 * 3 + cell % 3, board / 3 * 3 + cell / 3)
}

/// Returns all cells of the whole grid, row by row, as columns and rows.
#[inline]
pub(super) fn grid_cells() -> impl Iterator<Item = (usize, usize)> {
    (0..81).map(|i| (i % 9, i / 9))
}

/// Returns the cells of the boards that are three in a row for their winner.
pub(super) fn winning_cells(s: &UltimateTicTacToeState) -> impl Iterator<Item = (usize, usize)> {
    let is_won = |line: &u16| s.won.iter().any(|won| won & line == *line);
    let boards = LINES.into_iter().filter(is_won).fold(0, |boards, line| boards | line);
    grid_cells().filter(move |&(x, y)| boards >> inner(x, y).0 & 1 == 1)
}

/// Returns the name of the board of the next move, `any` or `none`.
pub(super) fn allowed_name(s: &UltimateTicTacToeState) -> String {
    let open = FULL & !s.closed;
    match s.allowed {
        0 => "none".to_owned(),
        allowed if allowed == open => "any".to_owned(),
        allowed => {
            let board = allowed.trailing_zeros() as usize;
            cell_name(board % 3, board / 3, 3)
        }
    }
}
