//! Games of men of two sides on 32 squares: a position is two words, and a move two positions.
//! This is what neighbours and networks learn from, whatever the rules are.

use crate::game::{Game, Side};
use crate::outcome::Duel;

/// A game whose state is where the men of either side stand, and whose turn it is.
pub trait MenOnlyGame: Game<Outcome = Duel> {
    /// Whether this is so with these parameters: no more than 32 squares, and no kings.
    fn has_men_alone(&self) -> bool;

    /// The squares with men of `side` and with those of the other, as `side` sees the board: the
    /// second sees it turned, so that who looks always moves the same way.
    fn words(&self, s: &Self::State, side: Side) -> [u32; 2];
}
