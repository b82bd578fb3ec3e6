//! Plain minimax to a fixed depth (French: *MinMax*): the reference that every other search must
//! agree with. The side at the root maximises, its opponent minimises. It has no pruning, no
//! transposition table and no move ordering.

use crate::game::{Game, Side};
use crate::outcome::Duel;
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, NodeKind, fixed_depth_player,
};

/// Chooses moves by minimax to a fixed depth.
pub struct MinimaxPlayer<G: Game> {
    options: FixedDepthOptions<G>,
}

impl<G: Game> MinimaxPlayer<G> {
    /// Creates a player that searches to this depth, at least 1, without an evaluator.
    #[must_use]
    pub fn new(depth: u32) -> Self {
        MinimaxPlayer { options: FixedDepthOptions::without_evaluator(depth) }
    }
}

/// Returns the minimax value of `s`, searched to `depth`, for the side at the root.
pub(crate) fn value<G: Game<Outcome = Duel>>(
    search: &mut FixedDepthSearch<'_, G>,
    s: &G::State,
    root: Side,
    depth: u32,
) -> i32 {
    let mover = match search.visit(s, root, depth) {
        NodeKind::Leaf(value) => return value,
        NodeKind::Inner(mover) => mover,
    };
    let listed = search.push_moves(s);
    let mut best = if mover == root { i32::MIN } else { i32::MAX };
    for i in listed.clone() {
        let child = search.child(s, i);
        let value = value(search, &child, root, depth - 1);
        best = if mover == root { best.max(value) } else { best.min(value) };
    }
    search.pop_moves(listed);
    best
}

fixed_depth_player!(
    MinimaxPlayer,
    "minimax",
    "searches every line to a fixed depth; the reference for other searches",
    |search, s, side, depth, _| Some(value(search, s, side, depth))
);

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `MinimaxPlayer`")]
pub type Minimax<G> = MinimaxPlayer<G>;
