//! The evaluator of Nine Men's Morris: men, mills and the freedom to move.

use super::board::{LINES, NEXT};
use super::{Morris, MorrisState, bits};
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::Side;

/// Values men, mills and the freedom to move.
#[derive(Clone, Copy, Default, Debug)]
pub struct MillEvaluator;

/// The value of one man, in the units of an evaluator.
const MAN: i32 = 300;

impl MillEvaluator {
    fn side_value(g: &Morris, s: &MorrisState, side: Side) -> i32 {
        let (men, empty) = (s.men[side.index()], Morris::empty(s));
        let count = men.count_ones() as i32 + i32::from(s.hand[side.index()]);
        let open =
            LINES.iter().map(|&[a, b, c]| 1 << a | 1 << b | 1 << c).map(|line: u32| {
                match ((men & line).count_ones(), (empty & line).count_ones()) {
                    (3, _) => 40,
                    (2, 1) => 25,
                    _ => 0,
                }
            });
        let flies = g.flying && s.hand[side.index()] == 0 && men.count_ones() <= 3;
        let freedom: u32 = match flies {
            true => 20,
            false => bits(men.into()).map(|p| (NEXT[usize::from(p)] & empty).count_ones()).sum(),
        };
        MAN * count + open.sum::<i32>() + 8 * freedom as i32
    }
}

impl Evaluator<Morris> for MillEvaluator {
    fn value(&self, g: &Morris, s: &MorrisState) -> i32 {
        let takes = if s.takes { MAN } else { 0 };
        let value = MillEvaluator::side_value(g, s, s.turn)
            - MillEvaluator::side_value(g, s, s.turn.other())
            + takes;
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Morris, s: &MorrisState) -> f64 {
        expected_result(self.value(g, s), 600.0)
    }
}
