//! The dark squares as the side to move sees them: it always moves up, so for the second side
//! the board is turned by half, which on the padded board reverses the order of the bits.

use super::{Checkers, CheckersState, board, learned};
use crate::game::Side;
use crate::grid::{GridCell, GridGame, GridLayout, GridPieces};

/// The set on a board with `W` squares a row, turned by half.
#[inline(always)]
pub(super) const fn turned<const W: u32>(set: u64) -> u64 {
    set.reverse_bits() >> (63 - board::bit(W, 2 * W - 1, W - 1))
}

impl Checkers {
    /// The set on a board turned by half.
    #[inline]
    fn turned(&self, set: u64) -> u64 {
        match self.width {
            3 => turned::<3>(set),
            4 => turned::<4>(set),
            _ => turned::<5>(set),
        }
    }
}

impl GridGame for Checkers {
    fn board(&self) -> GridLayout {
        let size = self.size() as u8;
        let place = |bit| {
            let (row, col) = board::place(self.width.into(), bit);
            GridCell { bit, x: (2 * col + (row + 1) % 2) as u8, y: row as u8 }
        };
        GridLayout {
            cols: size,
            rows: size,
            cells: self.squares().map(place).collect(),
            kings: self.rules().promotion != super::rules::PromotionRule::Never,
            max_pieces: 2 * self.width * (self.width - 1),
        }
    }

    #[inline]
    fn pieces(&self, s: &CheckersState) -> GridPieces {
        let (mine, theirs, kings) = match s.turn {
            Side::First => (s.mine(), s.theirs(), s.kings),
            Side::Second => {
                let kings = if s.kings == 0 { 0 } else { self.turned(s.kings) };
                (self.turned(s.mine()), self.turned(s.theirs()), kings)
            }
        };
        GridPieces { men: [mine & !kings, theirs & !kings], kings: [mine & kings, theirs & kings] }
    }

    fn bundled_model(&self) -> Option<&'static [u8]> {
        learned::model(self)
    }

    #[inline]
    fn is_noisy(&self, s: &CheckersState) -> bool {
        self.must_capture(s)
    }
}
