//! A shallow alpha-beta search with an evaluator, for root moves that the solver cannot prove in
//! time. It deepens iteratively until its node limit is reached. Its values are estimates; only the
//! solver proves results.

use super::evaluator::ThreatEvaluator;
use super::{Connect4, Connect4State};
use ludion_core::evaluator::{Evaluator, WIN};
use ludion_core::game::{Game, Status};
use ludion_core::outcome::Duel;

/// Estimates each move of `s` with a search of at most `nodes` nodes, which ends early when `stop`
/// returns true. Returns the moves in the order of [`Game::moves`] with their values on the scale
/// of [`Evaluator::value`], and the depth of the last complete iteration in plies.
pub(super) fn estimate_moves(
    g: &Connect4,
    s: &Connect4State,
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> (Vec<(u8, i32)>, u32) {
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    let after = |m: u8| g.after(s, m);
    let mut values: Vec<(u8, i32)> = moves.iter().map(|&m| (m, 0)).collect();
    let left = i32::from(g.cols) * i32::from(g.rows) - s.plies() as i32;
    let mut search = ShallowSearch { g, order: columns_from_middle(g), nodes, stop };
    for depth in 0..left as u32 {
        let deeper: Option<Vec<(u8, i32)>> = values
            .iter()
            .map(|&(m, _)| Some((m, -search.value(&after(m), depth, -WIN, WIN)?)))
            .collect();
        match deeper {
            Some(deeper) => values = deeper,
            None => return (values, depth),
        }
    }
    (values, left as u32)
}

/// Returns the columns, ordered from the middle outwards.
pub(super) fn columns_from_middle(g: &Connect4) -> Vec<u8> {
    let mut columns: Vec<u8> = (0..g.cols).collect();
    columns.sort_by_key(|&x| (2 * i32::from(x) - i32::from(g.cols) + 1).abs());
    columns
}

/// A depth-limited alpha-beta search with a node limit.
struct ShallowSearch<'a> {
    g: &'a Connect4,
    /// The columns in the order in which their moves are searched.
    order: Vec<u8>,
    /// The number of nodes that the search may still visit.
    nodes: u64,
    stop: &'a dyn Fn() -> bool,
}

/// The number of nodes between two calls of `stop`.
const STOP_CHECK_INTERVAL: u64 = 1 << 16;

impl ShallowSearch<'_> {
    /// Returns the alpha-beta value of `s` for the side to move, searched to `depth` plies; `None`
    /// if the node limit is reached or `stop` returns true.
    fn value(&mut self, s: &Connect4State, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes = self.nodes.checked_sub(1)?;
        if self.nodes.is_multiple_of(STOP_CHECK_INTERVAL) && (self.stop)() {
            return None;
        }
        match self.g.status(s) {
            // Earlier wins have slightly higher values.
            Status::Over(Duel::Won(_)) => return Some(s.plies() as i32 - WIN),
            Status::Over(Duel::Drawn) => return Some(0),
            Status::Turn(_) if depth == 0 => return Some(ThreatEvaluator.value(self.g, s)),
            Status::Turn(_) => {}
        }
        let mut best = -WIN;
        for i in 0..self.order.len() {
            let m = self.order[i];
            if s.all & self.g.column(m) == self.g.column(m) {
                continue;
            }
            let child = self.g.after(s, m);
            let value = -self.value(&child, depth - 1, -beta, -alpha)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}
