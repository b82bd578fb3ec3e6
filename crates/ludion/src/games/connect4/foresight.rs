//! A short look ahead with an evaluator, for what the solver cannot prove in time: plain
//! alpha-beta, deepened until its nodes are spent. It only judges; proofs are the
//! solver's.

use super::evaluator::ThreatEvaluator;
use super::{Connect4, Connect4State};
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Status};
use crate::outcome::Duel;

/// How each move of `s` looks after a search of at most `nodes` states, in the order of
/// the game, on the scale of [`Evaluator::value`]; and how deep the search went. It ends
/// when `stop` says so.
pub(super) fn look_ahead(
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
    let mut look = WinsAndThreats { g, order: columns(g), nodes, stop };
    for depth in 0..left as u32 {
        let deeper: Option<Vec<(u8, i32)>> = values
            .iter()
            .map(|&(m, _)| Some((m, -look.value(&after(m), depth, -WIN, WIN)?)))
            .collect();
        match deeper {
            Some(deeper) => values = deeper,
            None => return (values, depth),
        }
    }
    (values, left as u32)
}

/// The columns, those nearest to the middle first.
fn columns(g: &Connect4) -> Vec<u8> {
    let mut columns: Vec<u8> = (0..g.cols).collect();
    columns.sort_by_key(|&x| (2 * i32::from(x) - i32::from(g.cols) + 1).abs());
    columns
}

struct WinsAndThreats<'a> {
    g: &'a Connect4,
    order: Vec<u8>,
    nodes: u64,
    stop: &'a dyn Fn() -> bool,
}

/// States between two questions whether to stop.
const LOOK: u64 = 1 << 16;

impl WinsAndThreats<'_> {
    /// What `s` looks like to the side to move, `depth` plies ahead; `None` when the
    /// nodes are spent.
    fn value(&mut self, s: &Connect4State, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes = self.nodes.checked_sub(1)?;
        if self.nodes.is_multiple_of(LOOK) && (self.stop)() {
            return None;
        }
        match self.g.status(s) {
            // An earlier end weighs a little more than a later one.
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
