//! The evaluator of Dots and Boxes: boxes, and the parity of safe moves.

use super::board::edges_of;
use super::{DotsAndBoxes, DotsAndBoxesState};
use crate::evaluator::{Evaluator, WIN, expected_result};

/// Evaluates a position by the lead in boxes, the boxes with three edges, which the side to move can
/// complete, and the parity of the moves that give no box away.
#[derive(Clone, Copy, Debug)]
pub struct BoxEvaluator;

impl Evaluator<DotsAndBoxes> for BoxEvaluator {
    fn value(&self, g: &DotsAndBoxes, s: &DotsAndBoxesState) -> i32 {
        let [mine, theirs] = [s.turn, s.turn.other()].map(|side| i32::from(s.scores[side.index()]));
        let (mut open, mut safe) = (0, 0);
        for edge in edges_of(g.free(s)) {
            let missing = |mask: u128| match mask {
                u128::MAX => u32::MAX,
                _ => (mask & !s.edges()).count_ones(),
            };
            let [one, other] = g.boxes[usize::from(edge)].map(missing);
            open += i32::from(one == 1) + i32::from(other == 1);
            safe += i32::from(one > 2 && other > 2);
        }
        // Without a box to take, the side to move wants an odd number of safe moves.
        let parity = if (safe & 1 == 1) == (open == 0) { 40 } else { -40 };
        (100 * (mine - theirs) + 60 * open + parity).clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &DotsAndBoxes, s: &DotsAndBoxesState) -> f64 {
        expected_result(self.value(g, s), 250.0)
    }
}
