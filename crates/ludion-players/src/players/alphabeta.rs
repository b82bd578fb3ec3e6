//! Alpha-beta to a fixed depth (French: *AlphaBeta*): minimax that skips moves which cannot change
//! the choice. `alpha` is the value that the root side is sure of, `beta` the most that its
//! opponent allows; a node is cut off as soon as `alpha ≥ beta`.
//!
//! At the root the best value so far is the lower bound for the next moves, so a worse move is only
//! known to be no better, not by how much. The search has no transposition table and no move
//! ordering.

use crate::game::{Game, Side};
use crate::outcome::Duel;
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, INFINITY, NodeKind, fixed_depth_player,
};

/// Chooses moves by alpha-beta search to a fixed depth.
pub struct AlphaBetaPlayer<G: Game> {
    options: FixedDepthOptions<G>,
}

/// Returns the value of `s` for the side at the root if it lies between `alpha` and `beta`.
/// Otherwise returns a bound: at most `alpha` if the value is too low, at least `beta` if it is too
/// high.
fn value<G: Game<Outcome = Duel>>(
    search: &mut FixedDepthSearch<'_, G>,
    s: &G::State,
    root: Side,
    depth: u32,
    mut alpha: i32,
    mut beta: i32,
) -> i32 {
    let mover = match search.visit(s, root, depth) {
        NodeKind::Leaf(value) => return value,
        NodeKind::Inner(mover) => mover,
    };
    let listed = search.push_moves(s);
    for i in listed.clone() {
        let child = search.child(s, i);
        let value = value(search, &child, root, depth - 1, alpha, beta);
        if mover == root {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if alpha >= beta {
            break;
        }
    }
    search.pop_moves(listed);
    if mover == root { alpha } else { beta }
}

/// Returns the value of `s` for the side at the root if it is greater than `best`, otherwise
/// `None`.
fn value_if_better<G: Game<Outcome = Duel>>(
    search: &mut FixedDepthSearch<'_, G>,
    s: &G::State,
    root: Side,
    depth: u32,
    best: Option<i32>,
) -> Option<i32> {
    let alpha = best.unwrap_or(-INFINITY);
    Some(value(search, s, root, depth, alpha, INFINITY)).filter(|v| *v > alpha)
}

fixed_depth_player!(
    AlphaBetaPlayer,
    "alphabeta",
    "minimax that skips lines which cannot change its choice",
    |search, s, side, depth, best| value_if_better(search, s, side, depth, best)
);

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `AlphaBetaPlayer`")]
pub type AlphaBeta<G> = AlphaBetaPlayer<G>;
