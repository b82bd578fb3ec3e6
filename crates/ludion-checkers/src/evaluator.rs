//! An evaluator of checkers by material, optionally with mobility.
//!
//! A quiescence search plays all compulsory captures before pieces are counted. It is exact because
//! captures are compulsory, and it ends because every capture removes pieces.

use super::rules::KingRange;
use super::{Checkers, CheckersMove, CheckersState};
use ludion_core::evaluator::{Evaluator, WIN, expected_result};
use ludion_core::game::{Game, Side, Status};
use ludion_core::grid::GridGame;

/// The value of a man.
const MAN: i32 = 100;
/// The value of a king that moves one square.
const SHORT_KING: i32 = 150;
/// The value of a king that moves any distance.
const FLYING_KING: i32 = 300;
/// The value of each step that a side could make, if mobility counts.
const STEP: i32 = 6;
/// The scale of [`expected_result`]: the best fit to the results of 240 positions of games between
/// searches of depth 4.
const RESULT_SCALE: f64 = 125.0;
/// The value of a game that is won within the quiescence search.
const DECIDED: i32 = WIN - 1;

/// Evaluates a position by its material after all compulsory captures.
#[derive(Clone, Copy, Default, Debug)]
pub struct MaterialEvaluator {
    /// Whether the number of steps that each side could make also counts.
    pub mobility: bool,
}

impl Evaluator<Checkers> for MaterialEvaluator {
    #[inline]
    fn value(&self, g: &Checkers, s: &CheckersState) -> i32 {
        if g.must_capture(s) {
            self.quiescence(g, s, [-DECIDED, DECIDED], &mut Vec::new())
        } else {
            self.static_value(g, s)
        }
    }

    #[inline]
    fn value_within(
        &self,
        g: &Checkers,
        s: &CheckersState,
        (alpha, beta): (i32, i32),
        moves: &mut Vec<CheckersMove>,
    ) -> i32 {
        let within = |bound: i32| bound.clamp(-DECIDED, DECIDED);
        self.quiescence(g, s, [within(alpha), within(beta)], moves)
    }

    #[inline]
    fn is_noisy(&self, g: &Checkers, s: &CheckersState) -> bool {
        g.must_capture(s)
    }

    #[inline]
    fn is_threatened(&self, g: &Checkers, s: &CheckersState) -> bool {
        g.is_threatened(s)
    }

    fn unit(&self) -> i32 {
        MAN
    }

    fn expected_result(&self, g: &Checkers, s: &CheckersState) -> f64 {
        expected_result(self.value(g, s), RESULT_SCALE)
    }
}

impl MaterialEvaluator {
    /// Returns the alpha-beta value of `s` for the side to move, after all compulsory captures.
    fn quiescence(
        &self,
        g: &Checkers,
        s: &CheckersState,
        [mut alpha, beta]: [i32; 2],
        moves: &mut Vec<CheckersMove>,
    ) -> i32 {
        match g.status(s) {
            Status::Over(end) => return DECIDED * end.seen_by(s.turn).sign(),
            Status::Turn(_) if !g.must_capture(s) => return self.static_value(g, s),
            Status::Turn(_) => {}
        }
        let base = moves.len();
        g.moves(s, moves);
        for i in base..moves.len() {
            let child = g.after(s, moves[i]);
            alpha = alpha.max(-self.quiescence(g, &child, [-beta, -alpha], moves));
            if alpha >= beta {
                break;
            }
        }
        moves.truncate(base);
        alpha
    }

    /// Returns the value for the side to move of a position in which it has no capture.
    #[inline]
    fn static_value(&self, g: &Checkers, s: &CheckersState) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the feature the function was compiled for.
            return unsafe { self.static_value_with_popcnt(g, s) };
        }
        self.static_value_portable(g, s)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn static_value_with_popcnt(&self, g: &Checkers, s: &CheckersState) -> i32 {
        self.static_value_portable(g, s)
    }

    #[inline(always)]
    fn static_value_portable(&self, g: &Checkers, s: &CheckersState) -> i32 {
        let value = self.pieces_value(g, s, s.turn) - self.pieces_value(g, s, s.turn.other());
        value.clamp(1 - DECIDED, DECIDED - 1)
    }

    /// Returns the value of the pieces of a side and of the steps that they can make.
    #[inline(always)]
    fn pieces_value(&self, g: &Checkers, s: &CheckersState, side: Side) -> i32 {
        let king = match g.rules().kings {
            KingRange::Short => SHORT_KING,
            KingRange::Flying => FLYING_KING,
        };
        let pieces = s.pieces[side.index()];
        let kings = (pieces & s.kings).count_ones() as i32;
        let steps = if self.mobility { STEP * g.steps(s, side) as i32 } else { 0 };
        MAN * (pieces.count_ones() as i32 - kings) + king * kings + steps
    }
}
