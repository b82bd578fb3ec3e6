//! An evaluator made for the game: it estimates who wins a state without searching. Players use it
//! as `alphabeta(eval=parity)`, or as `alphabeta(eval=own)`, the first evaluator of the game.

use ludion::evaluator::{Evaluator, WIN};
use ludion::game::Game;

use super::rules::{MyGameRules, MyGameState};

/// Counts the safe cells: those after which the opponent cannot complete a line. The side that has
/// no safe cell left loses, so an odd number of them is good for the side to move, as long as no
/// cross takes away more than one.
pub struct ParityEvaluator;

impl Evaluator<MyGameRules> for ParityEvaluator {
    /// Returns the estimate for the side to move, strictly between `-WIN` and `WIN`.
    fn value(&self, g: &MyGameRules, s: &MyGameState) -> i32 {
        if g.can_win(s) {
            return WIN - 1;
        }
        let safe = g.empty_cells(s).filter(|&cell| !g.can_win(&g.after(s, cell))).count();
        match safe {
            0 => 1 - WIN,
            // The fewer cells are left, the more certain is the parity.
            _ if safe % 2 == 1 => WIN / (1 + safe as i32),
            _ => -WIN / (1 + safe as i32),
        }
    }
}
