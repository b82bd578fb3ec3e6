//! The evaluator of ultimate tic-tac-toe: lines that can still be completed, on boards and of boards.

use super::{LINES, UltimateTicTacToe, UltimateTicTacToeState};
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::Side;

/// Evaluates a position by the lines of each board that a side can still complete, and by the lines
/// of boards.
#[derive(Clone, Copy, Debug)]
pub struct LocalBoardEvaluator;

/// The value of a board for the large lines that it is on: the centre is on four, a corner on three.
const BOARD_WEIGHTS: [i32; 9] = [3, 2, 3, 2, 4, 2, 3, 2, 3];

impl LocalBoardEvaluator {
    /// Returns the value of the lines with stones of `mine` and none of `blocked`.
    #[inline]
    fn line_value(mine: u16, blocked: u16) -> i32 {
        let lines = LINES.iter().filter(|&&line| line & blocked == 0);
        lines.map(|line| [0, 1, 4, 12][(line & mine).count_ones() as usize]).sum()
    }

    fn side_value(s: &UltimateTicTacToeState, side: Side) -> i32 {
        let (me, other) = (side.index(), side.other().index());
        let lost = s.closed & !s.won[me];
        let mut value = 60 * Self::line_value(s.won[me], lost);
        for (board, weight) in BOARD_WEIGHTS.iter().enumerate() {
            let local = match s.closed >> board & 1 {
                0 => Self::line_value(s.stones[me][board], s.stones[other][board]).min(12),
                _ => 24 * i32::from(s.won[me] >> board & 1 == 1),
            };
            value += weight * local;
        }
        value
    }
}

impl Evaluator<UltimateTicTacToe> for LocalBoardEvaluator {
    fn value(&self, _g: &UltimateTicTacToe, s: &UltimateTicTacToeState) -> i32 {
        // A free choice of the board is worth about a stone.
        let choice = if s.allowed.is_power_of_two() { 0 } else { 15 };
        (Self::side_value(s, s.turn) - Self::side_value(s, s.turn.other()) + choice)
            .clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &UltimateTicTacToe, s: &UltimateTicTacToeState) -> f64 {
        expected_result(self.value(g, s), 250.0)
    }
}
