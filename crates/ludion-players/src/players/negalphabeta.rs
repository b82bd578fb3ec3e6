//! Alpha-beta in negamax form (French: *NegAlphaBeta*): one function for both sides, whose window
//! is negated and swapped when the side to move changes.
//!
//! Unlike [`AlphaBeta`](super::alphabeta::AlphaBetaPlayer) it searches every root move with the
//! full window, which visits more nodes and gives the exact value of each move.

use crate::game::{Game, Side};
use crate::outcome::Duel;
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, INFINITY, NodeKind, fixed_depth_player,
};

/// Chooses moves by alpha-beta search in negamax form, to a fixed depth.
pub struct NegAlphaBetaPlayer<G: Game> {
    options: FixedDepthOptions<G>,
}

/// Returns the value of `s` for `side` if it lies between `alpha` and `beta`. Otherwise returns a
/// bound: at most `alpha` if the value is too low, at least `beta` if it is too high.
fn value<G: Game<Outcome = Duel>>(
    search: &mut FixedDepthSearch<'_, G>,
    s: &G::State,
    side: Side,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let mover = match search.visit(s, side, depth) {
        NodeKind::Leaf(value) => return value,
        NodeKind::Inner(mover) => mover,
    };
    let (mut alpha, beta) = if mover == side { (alpha, beta) } else { (-beta, -alpha) };
    let listed = search.push_moves(s);
    for i in listed.clone() {
        let child = search.child(s, i);
        alpha = alpha.max(value(search, &child, mover, depth - 1, alpha, beta));
        if alpha >= beta {
            break;
        }
    }
    search.pop_moves(listed);
    if mover == side { alpha } else { -alpha }
}

fixed_depth_player!(
    NegAlphaBetaPlayer,
    "negalphabeta",
    "alphabeta in one function, with the exact value of every root move",
    |search, s, side, depth, _| Some(value(search, s, side, depth, -INFINITY, INFINITY))
);

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `NegAlphaBetaPlayer`")]
pub type NegAlphaBeta<G> = NegAlphaBetaPlayer<G>;
