//! The evaluator of Kalah: seeds, and moves that give another move.

use super::sowing::byte_sum;
use super::{Kalah, KalahState};
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::Side;

/// Evaluates a position by the difference of the stores, the seeds in the houses, and the moves that
/// end in the store and so give another move.
#[derive(Clone, Copy, Debug)]
pub struct KalahEvaluator;

impl KalahEvaluator {
    fn side_value(g: &Kalah, s: &KalahState, side: Side) -> i32 {
        let store = g.store(s, side);
        let again = (0..g.houses).filter(|&house| s.seeds(side, house) == g.houses - house).count();
        let most = 2 * store > g.total();
        (100 * store + 30 * byte_sum(g.houses(s, side)) + 40 * again as u32) as i32
            + if most { WIN / 2 } else { 0 }
    }
}

impl Evaluator<Kalah> for KalahEvaluator {
    fn value(&self, g: &Kalah, s: &KalahState) -> i32 {
        let value = KalahEvaluator::side_value(g, s, s.turn)
            - KalahEvaluator::side_value(g, s, s.turn.other());
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Kalah, s: &KalahState) -> f64 {
        expected_result(self.value(g, s), 600.0)
    }
}
