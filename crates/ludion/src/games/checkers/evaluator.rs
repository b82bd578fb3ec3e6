//! Judges positions of checkers by material, alone or with mobility.
//!
//! A position in which something must be captured says little, so the captures are played out
//! first, both sides choosing the best of theirs, and the quiet positions behind them are
//! judged (*quiescence*). Captures are forced and take pieces away, so this is exact about
//! them and always ends.

use super::rules::KingRange;
use super::{Checkers, CheckersMove, CheckersState};
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side, Status};

/// A man.
const MAN: i32 = 100;
/// A king that goes one square, and one that flies.
const SHORT_KING: i32 = 150;
const FLYING_KING: i32 = 300;
/// A step that a piece could make.
const STEP: i32 = 6;
/// A game that ends among the captures: nearly certain.
const DECIDED: i32 = WIN - 1;

/// Counts the pieces once all captures are made.
#[derive(Clone, Copy, Default, Debug)]
pub struct MaterialEvaluator {
    /// Whether the steps that either side could make count too.
    pub mobility: bool,
}

impl Evaluator<Checkers> for MaterialEvaluator {
    #[inline]
    fn value(&self, g: &Checkers, s: &CheckersState) -> i32 {
        if g.must_capture(s) {
            self.after_captures(g, s, [-WIN, WIN], &mut Vec::new())
        } else {
            self.quiet(g, s)
        }
    }
}

impl MaterialEvaluator {
    /// What `s` is worth to its side to move once nobody must capture, in a window.
    fn after_captures(
        &self,
        g: &Checkers,
        s: &CheckersState,
        [mut alpha, beta]: [i32; 2],
        moves: &mut Vec<CheckersMove>,
    ) -> i32 {
        match g.status(s) {
            Status::Over(end) => return DECIDED * end.seen_by(s.turn).sign(),
            Status::Turn(_) if !g.must_capture(s) => return self.quiet(g, s),
            Status::Turn(_) => {}
        }
        let base = moves.len();
        g.moves(s, moves);
        for i in base..moves.len() {
            let child = g.after(s, moves[i]);
            alpha = alpha.max(-self.after_captures(g, &child, [-beta, -alpha], moves));
            if alpha >= beta {
                break;
            }
        }
        moves.truncate(base);
        alpha
    }

    /// What a position without captures is worth to the side to move.
    #[inline]
    fn quiet(&self, g: &Checkers, s: &CheckersState) -> i32 {
        let king = match g.rules().kings {
            KingRange::Short => SHORT_KING,
            KingRange::Flying => FLYING_KING,
        };
        let side = |side: Side| {
            let pieces = s.pieces[side.index()];
            let kings = (pieces & s.kings).count_ones() as i32;
            let steps = if self.mobility { STEP * g.steps(s, side) as i32 } else { 0 };
            MAN * (pieces.count_ones() as i32 - kings) + king * kings + steps
        };
        (side(s.turn) - side(s.turn.other())).clamp(1 - DECIDED, DECIDED - 1)
    }
}
