//! Board games seen as bitboards, one bit for each cell. Learned patterns use this view,
//! independent of the rules of a game.

use std::sync::Arc;

use crate::evaluator::Evaluator;
use crate::game::Game;

/// A cell of a board: its bit in [`PieceBitboards`] and its coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardCell {
    /// Index of the bit that stands for the cell in [`PieceBitboards`], from 0.
    pub bit: u8,
    /// The column, from 0 at the left.
    pub x: u8,
    /// The row, from 0 at the top.
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
    pub cells: Vec<BoardCell>,
    /// Whether the game has a second kind of pieces, such as kings beside men.
    pub kings: bool,
    /// The maximum number of pieces of both sides together in any state.
    pub max_pieces: u8,
    /// Number of features of [`GridGame::balance`] if exchanging the sides and rotating the board by
    /// 180° negates the value of a state; `None` if it does not, or if patterns are learned without
    /// this knowledge.
    pub balance_features: Option<u8>,
}

/// The maximum number of features of [`GridGame::balance`].
pub const MAX_BALANCE_FEATURES: usize = 4;

/// What learned patterns use of a state besides the places of its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Differences between the side to move and the opponent, such as that of their mobility. Those
    /// beyond the number of [`GridLayout::balance_features`] are 0.
    pub features: [i8; MAX_BALANCE_FEATURES],
    /// The number by which the value is divided, because states with such pieces are mostly drawn; at
    /// least 1.
    pub draw_divisor: u8,
}

impl Balance {
    /// The balance of a state in which all differences are 0.
    pub const EVEN: Balance = Balance { features: [0; MAX_BALANCE_FEATURES], draw_divisor: 1 };
}

/// The pieces of a state as bitboards. In each array the pieces of the side to move come first,
/// then those of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PieceBitboards {
    /// Cells with stones or men: those of the side to move, then those of the opponent.
    pub men: [u64; 2],
    /// Cells with kings: those of the side to move, then those of the opponent.
    pub kings: [u64; 2],
}

impl PieceBitboards {
    /// Returns the number of pieces of both sides and all kinds.
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
    /// Returns the layout of the board. Every symmetry of [`Game::symmetries`] must map its cells
    /// to its cells.
    fn board(&self) -> GridLayout;

    /// Returns the pieces of `s` from the point of view of the side to move.
    fn pieces(&self, s: &Self::State) -> PieceBitboards;

    /// Returns a key of what [`pieces`](Self::pieces) shows: the key of the state without its counters.
    #[inline]
    fn pieces_key(&self, s: &Self::State) -> u64 {
        self.key(s)
    }

    /// Returns the pattern model for these rules that is part of the library, as the bytes of its
    /// file; `None` if there is none.
    fn bundled_model(&self) -> Option<&'static [u8]> {
        None
    }

    /// Returns whether a pattern model for the variant `spec` also serves this one, because they differ
    /// only in rules that a model does not see.
    fn shares_model_with(&self, spec: &str) -> bool {
        let _ = spec;
        false
    }

    /// Returns the balance of the sides in a state with these pieces, for learned patterns.
    #[inline]
    fn balance(&self, pieces: &PieceBitboards) -> Balance {
        let _ = pieces;
        Balance::EVEN
    }

    /// Returns the number of consecutive plies that change nothing for good, such as moves of kings
    /// without a capture, after which a self-play game is drawn, because more of its states would
    /// teach little; `None` for no limit.
    fn quiet_limit(&self) -> Option<usize> {
        None
    }

    /// Returns the evaluator by which self-play begins, before any pattern is learned; `None` if the
    /// first games are random.
    fn first_teacher(&self) -> Option<Arc<dyn Evaluator<Self>>>
    where
        Self: Sized,
    {
        None
    }

    /// Returns whether `s` is not quiet, for example because a capture is forced. Pattern
    /// evaluators do not evaluate such a state but search on to quiet states (quiescence search).
    #[inline]
    fn is_noisy(&self, s: &Self::State) -> bool {
        let _ = s;
        false
    }

    /// Returns whether the opponent of the side to move could capture in `s` if it were its turn.
    /// Selective searches do not prune such a state by its static value.
    #[inline]
    fn is_threatened(&self, s: &Self::State) -> bool {
        let _ = s;
        false
    }
}

impl GridLayout {
    /// Creates the layout of a rectangular board with one kind of pieces; `bit(x, y)` is the bit of
    /// the cell in column `x` and row `y`.
    #[must_use]
    pub fn full(cols: usize, rows: usize, bit: impl Fn(usize, usize) -> usize) -> Self {
        let place = |i: usize| {
            let (x, y) = (i % cols, i / cols);
            BoardCell { bit: bit(x, y) as u8, x: x as u8, y: y as u8 }
        };
        let cells: Vec<BoardCell> = (0..cols * rows).map(place).collect();
        let max_pieces = cells.len() as u8;
        GridLayout {
            cols: cols as u8,
            rows: rows as u8,
            cells,
            kings: false,
            max_pieces,
            balance_features: None,
        }
    }
}
