//! Checkers as a game on a grid, for learned patterns. The side to move always moves up, so for
//! the second side the board is rotated by 180°, which on the padded bitboard reverses the bits.

use std::sync::Arc;

use super::evaluator::MaterialEvaluator;
use super::rules::PromotionRule;
use super::{Checkers, CheckersState, balance, board, learned};
use ludion_core::evaluator::Evaluator;
use ludion_core::game::{Game, Side};
use ludion_core::grid::{Balance, BoardCell, GridGame, GridLayout, PieceBitboards};

/// Rotates a set of squares by 180° on a board with `W` dark squares per row.
#[inline(always)]
pub(super) const fn rotated<const W: u32>(set: u64) -> u64 {
    set.reverse_bits() >> (63 - board::bit(W, 2 * W - 1, W - 1))
}

impl Checkers {
    /// Rotates a set of squares by 180° on the board of this game.
    #[inline]
    pub(crate) fn rotated(&self, set: u64) -> u64 {
        match self.width {
            3 => rotated::<3>(set),
            4 => rotated::<4>(set),
            _ => rotated::<5>(set),
        }
    }

    /// Returns whether men become kings.
    #[inline]
    pub(crate) fn has_kings(&self) -> bool {
        self.rules().promotion != PromotionRule::Never
    }
}

impl GridGame for Checkers {
    fn board(&self) -> GridLayout {
        let size = self.size() as u8;
        let cell = |bit| {
            let (row, col) = board::row_and_column(self.width.into(), bit);
            BoardCell { bit, x: (2 * col + (row + 1) % 2) as u8, y: row as u8 }
        };
        GridLayout {
            cols: size,
            rows: size,
            cells: self.squares().map(cell).collect(),
            kings: self.has_kings(),
            max_pieces: 2 * self.width * (self.width - 1),
            balance_features: self.has_kings().then_some(balance::FEATURES),
        }
    }

    #[inline]
    fn balance(&self, pieces: &PieceBitboards) -> Balance {
        match self.width {
            3 => balance::of::<3>(self.rules(), pieces),
            4 => balance::of::<4>(self.rules(), pieces),
            _ => balance::of::<5>(self.rules(), pieces),
        }
    }

    fn quiet_limit(&self) -> Option<usize> {
        self.has_kings().then_some(20)
    }

    fn first_teacher(&self) -> Option<Arc<dyn Evaluator<Checkers>>> {
        self.has_kings().then(|| Arc::new(MaterialEvaluator { mobility: true }) as _)
    }

    #[inline]
    fn pieces(&self, s: &CheckersState) -> PieceBitboards {
        let (mine, theirs, kings) = match s.turn {
            Side::First => (s.mine(), s.theirs(), s.kings),
            Side::Second => {
                let kings = if s.kings == 0 { 0 } else { self.rotated(s.kings) };
                (self.rotated(s.mine()), self.rotated(s.theirs()), kings)
            }
        };
        PieceBitboards {
            men: [mine & !kings, theirs & !kings],
            kings: [mine & kings, theirs & kings],
        }
    }

    #[inline]
    fn pieces_key(&self, s: &CheckersState) -> u64 {
        self.key(&CheckersState { quiet: 0, ..*s })
    }

    fn bundled_model(&self) -> Option<&'static [u8]> {
        learned::model(self)
    }

    fn shares_model_with(&self, spec: &str) -> bool {
        let repetition = self.repetition;
        Checkers::named(spec).is_some_and(|other| Checkers { repetition, ..other } == *self)
    }

    #[inline]
    fn is_threatened(&self, s: &CheckersState) -> bool {
        self.must_capture(&CheckersState { turn: s.turn.other(), ..*s })
    }

    #[inline]
    fn is_noisy(&self, s: &CheckersState) -> bool {
        self.must_capture(s)
    }
}
