//! The evaluator of Breakthrough: pieces, how far they have come, and those that cannot be stopped.

use super::{Breakthrough, BreakthroughState};
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::Side;

/// Evaluates a position by the number of pieces, how far they have advanced, and pieces that no
/// opponent stands before any more.
#[derive(Clone, Copy, Debug)]
pub struct AdvanceEvaluator;

impl AdvanceEvaluator {
    fn side_value(g: &Breakthrough, s: &BreakthroughState, side: Side) -> i32 {
        let (own, other) = (s.pieces[side.index()], s.pieces[side.other().index()]);
        let rows = g.grid.rows;
        // What the opponent's pieces can reach one day: a piece elsewhere cannot be stopped.
        let mut guarded = other;
        for _ in 1..rows {
            let ahead = g.forward(side.other(), guarded);
            guarded |= ahead | g.grid.left(ahead) | g.grid.right(ahead);
        }
        let mut value = 100 * own.count_ones() as i32;
        for y in 0..rows {
            let row = own & g.grid.row(y);
            let advanced = match side {
                Side::First => rows - 1 - y,
                Side::Second => y,
            } as i32;
            value += 4 * advanced * advanced * row.count_ones() as i32;
            value += 60 * advanced * (row & !guarded).count_ones().min(1) as i32;
        }
        // Pieces on the home row hold up the opponent.
        value + 12 * (own & g.goal_row(side.other())).count_ones() as i32
    }
}

impl Evaluator<Breakthrough> for AdvanceEvaluator {
    fn value(&self, g: &Breakthrough, s: &BreakthroughState) -> i32 {
        let value = AdvanceEvaluator::side_value(g, s, s.turn)
            - AdvanceEvaluator::side_value(g, s, s.turn.other());
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Breakthrough, s: &BreakthroughState) -> f64 {
        expected_result(self.value(g, s), 250.0)
    }
}
