//! The value of a position in an endgame table with kings.

use ludion_core::outcome::Wdl;

/// The greatest number of moves that a table can hold; it also stands for greater ones.
const MAX_MOVES: u8 = 127;

/// The result of a position for the side to move, with the number of moves of the winner to the end of
/// the game if the winner plays the shortest and the loser the longest line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingTableValue {
    /// The side to move wins.
    Win {
        /// The number of its moves, from 1 to 127; 127 also stands for more.
        moves: u8,
    },
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss {
        /// The number of the opponent's moves, from 0 to 127; 127 also stands for more.
        moves: u8,
    },
}

impl KingTableValue {
    /// Returns the byte that stands for the value: 0 for a draw, 1 to 127 for a win with as many moves,
    /// 128 and more for a loss.
    pub(super) fn to_byte(self) -> u8 {
        match self {
            KingTableValue::Win { moves } => moves.clamp(1, MAX_MOVES),
            KingTableValue::Draw => 0,
            KingTableValue::Loss { moves } => MAX_MOVES + 1 + moves.min(MAX_MOVES),
        }
    }

    /// Returns the value that a byte stands for.
    #[inline]
    pub(super) fn from_byte(byte: u8) -> Self {
        match byte {
            0 => KingTableValue::Draw,
            1..=MAX_MOVES => KingTableValue::Win { moves: byte },
            _ => KingTableValue::Loss { moves: byte - MAX_MOVES - 1 },
        }
    }

    /// Returns the result without the number of moves.
    #[inline]
    #[must_use]
    pub fn result(self) -> Wdl {
        match self {
            KingTableValue::Win { .. } => Wdl::Win,
            KingTableValue::Draw => Wdl::Draw,
            KingTableValue::Loss { .. } => Wdl::Loss,
        }
    }

    /// Returns the value, for the side that moved, of a move to a position with this value.
    pub(super) fn before_move(self) -> Self {
        match self {
            KingTableValue::Win { moves } => KingTableValue::Loss { moves },
            KingTableValue::Draw => KingTableValue::Draw,
            KingTableValue::Loss { moves } => {
                KingTableValue::Win { moves: (moves + 1).min(MAX_MOVES) }
            }
        }
    }

    /// Returns the value that the side to move prefers: quick wins and slow losses.
    pub(super) fn better(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    fn rank(self) -> i32 {
        let most = i32::from(MAX_MOVES) + 1;
        match self {
            KingTableValue::Win { moves } => most - i32::from(moves),
            KingTableValue::Draw => 0,
            KingTableValue::Loss { moves } => i32::from(moves) - most,
        }
    }
}
