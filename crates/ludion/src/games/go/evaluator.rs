//! The evaluator of Go: the points nearer to the stones of each side.

use super::board::{GoBoard, points};
use super::{Go, GoState};
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::Side;

/// Values a state by influence: each point counts for the side whose stones are nearer, and chains
/// with a single liberty for the side that can take them.
#[derive(Clone, Copy, Default, Debug)]
pub struct InfluenceEvaluator;

/// The value of one point of area, in the units of an evaluator.
const POINT: i32 = 100;

impl Evaluator<Go> for InfluenceEvaluator {
    fn value(&self, g: &Go, s: &GoState) -> i32 {
        let empty = g.empty(s);
        let mut stones = s.stones();
        // The side to move takes chains in atari first; of the rest those of the side to move are
        // safe.
        let theirs = s.turn.other().index();
        let taken =
            points(empty).map(|at| GoBoard::captured(1 << at, stones[theirs], empty & !(1 << at)));
        stones[theirs] &= !taken.fold(0, |all, chain| all | chain);
        let mut areas = stones;
        loop {
            let [first, second] = areas.map(|area| GoBoard::spread(area) & g.board.all);
            let free = g.board.all & !(areas[0] | areas[1]);
            let grown = [areas[0] | first & free & !second, areas[1] | second & free & !first];
            if grown == areas {
                break;
            }
            areas = grown;
        }
        let [first, second] = areas.map(|area| area.count_ones() as i32);
        let lead = POINT * (first - second) - (f64::from(POINT) * g.komi) as i32;
        let value = if s.turn == Side::First { lead } else { -lead };
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Go, s: &GoState) -> f64 {
        expected_result(self.value(g, s), f64::from(8 * POINT))
    }
}
