//! An evaluator that looks positions up in an endgame table with kings, and uses another evaluator
//! for positions with more pieces. Of two wins the one with fewer moves has the higher value, so that a
//! search makes progress.

use std::sync::Arc;

use super::super::{Checkers, CheckersMove, CheckersState};
use super::{KingTable, KingTableValue};
use ludion_core::evaluator::{Evaluator, WIN};
use ludion_core::game::Game;
use ludion_core::outcome::Wdl;

/// The value of a position that is won at once according to the table.
const WON: i32 = WIN - 1;
/// The greatest absolute value of a position that the table does not cover.
const MAX_UNKNOWN: i32 = WON - 200;
/// The divisor of the other evaluator's value in a position that the table knows to be drawn.
const DRAWN_DIVISOR: i32 = 64;
/// The number of pieces more than the table covers from which captures are looked up, one by one.
const PIECES_NEAR: u32 = 4;

/// Evaluates positions by an endgame table with kings, and those that it does not cover by another
/// evaluator.
pub struct KingTableEvaluator {
    /// The endgame table.
    pub table: KingTable,
    /// The evaluator of positions that the table does not cover.
    pub other: Arc<dyn Evaluator<Checkers>>,
}

impl KingTableEvaluator {
    /// Returns the value of `s` for the side to move if the table covers it. In a draw it is a small
    /// part of the other evaluator's.
    #[inline]
    fn known_value(&self, g: &Checkers, s: &CheckersState) -> Option<i32> {
        Some(match self.table.value(g, s)? {
            KingTableValue::Win { moves } => WON - i32::from(moves),
            KingTableValue::Draw => self.other.value(g, s) / DRAWN_DIVISOR,
            KingTableValue::Loss { moves } => i32::from(moves) - WON,
        })
    }

    /// Returns the alpha-beta value of `s` after all captures, with the table where it covers the
    /// positions after them.
    fn quiescence(
        &self,
        g: &Checkers,
        s: &CheckersState,
        (mut alpha, beta): (i32, i32),
        moves: &mut Vec<CheckersMove>,
    ) -> i32 {
        if s.mine() == 0 {
            return -WON;
        }
        if let Some(value) = self.known_value(g, s) {
            return value;
        }
        let is_near = s.occupied().count_ones() <= self.table.pieces() + PIECES_NEAR;
        if !is_near || !g.must_capture(s) {
            let value = self.other.value_within(g, s, (alpha, beta), moves);
            return value.clamp(-MAX_UNKNOWN, MAX_UNKNOWN);
        }
        let base = moves.len();
        g.moves(s, moves);
        let mut best = -WON;
        for i in base..moves.len() {
            let child = g.after(s, moves[i]);
            best = best.max(-self.quiescence(g, &child, (-beta, -alpha), moves));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        moves.truncate(base);
        best
    }
}

impl Evaluator<Checkers> for KingTableEvaluator {
    fn value(&self, g: &Checkers, s: &CheckersState) -> i32 {
        self.quiescence(g, s, (-WON, WON), &mut Vec::new())
    }

    fn value_within(
        &self,
        g: &Checkers,
        s: &CheckersState,
        (alpha, beta): (i32, i32),
        moves: &mut Vec<CheckersMove>,
    ) -> i32 {
        let (alpha, beta) = (alpha.clamp(-WON, WON), beta.clamp(-WON, WON));
        // No value is outside, so the bound is as good as a value.
        if alpha >= beta { alpha } else { self.quiescence(g, s, (alpha, beta), moves) }
    }

    fn knows_results(&self) -> bool {
        true
    }

    fn known_result(&self, g: &Checkers, s: &CheckersState) -> Option<Wdl> {
        self.table.value(g, s).map(KingTableValue::result)
    }

    fn is_noisy(&self, g: &Checkers, s: &CheckersState) -> bool {
        self.other.is_noisy(g, s)
    }

    fn is_threatened(&self, g: &Checkers, s: &CheckersState) -> bool {
        self.other.is_threatened(g, s)
    }

    fn unit(&self) -> i32 {
        self.other.unit()
    }

    fn expected_result(&self, g: &Checkers, s: &CheckersState) -> f64 {
        match self.table.value(g, s) {
            Some(known) => f64::from(known.result().sign()),
            None => self.other.expected_result(g, s),
        }
    }
}
