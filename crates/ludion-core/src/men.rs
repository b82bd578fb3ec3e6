//! Draughts-like games with men only, on at most 32 squares, so that a position is two 32-bit
//! words. Nearest-neighbour and network players learn from this view, independent of the rules.

use crate::game::{Game, Side};
use crate::outcome::Duel;

/// A game whose state consists of the men of both sides and the side to move.
pub trait MenOnlyGame: Game<Outcome = Duel> {
    /// Returns whether the game, with its parameters, has at most 32 squares and no kings. Players
    /// and labellings that use [`MenOnlyGame::words`] refuse other games.
    fn is_men_only(&self) -> bool;

    /// Returns two bitboards: the squares with men of `side` and those with men of its opponent.
    /// For the second side the board is rotated, so that `side` always moves in the same direction.
    fn words(&self, s: &Self::State, side: Side) -> [u32; 2];
}
