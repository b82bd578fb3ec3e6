//! Negamax to a fixed depth (French: *NegaMax*): minimax in one function, in which both sides
//! maximise and a value changes its sign when the side to move changes. It visits the same nodes as
//! minimax.

use crate::game::{Game, Side};
use crate::outcome::Duel;
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, NodeKind, fixed_depth_player,
};

/// Chooses moves by negamax to a fixed depth.
pub struct NegamaxPlayer<G: Game> {
    options: FixedDepthOptions<G>,
}

/// Returns the negamax value of `s`, searched to `depth`, for `side`, which moved last.
fn value<G: Game<Outcome = Duel>>(
    search: &mut FixedDepthSearch<'_, G>,
    s: &G::State,
    side: Side,
    depth: u32,
) -> i32 {
    let mover = match search.visit(s, side, depth) {
        NodeKind::Leaf(value) => return value,
        NodeKind::Inner(mover) => mover,
    };
    let listed = search.push_moves(s);
    let mut best = i32::MIN;
    for i in listed.clone() {
        let child = search.child(s, i);
        best = best.max(value(search, &child, mover, depth - 1));
    }
    search.pop_moves(listed);
    if mover == side { best } else { -best }
}

fixed_depth_player!(
    NegamaxPlayer,
    "negamax",
    "minimax in one function; visits the same nodes",
    |search, s, side, depth, _| Some(value(search, s, side, depth))
);

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `NegamaxPlayer`")]
pub type Negamax<G> = NegamaxPlayer<G>;
