//! Plain minimax to a fixed depth (French: *MinMax*): the reference that every other search
//! must agree with. The side at the root takes the greatest value, its opponent the least;
//! no pruning, no memory, no ordering.

use crate::evaluator::{Evaluator, ZeroEvaluator};
use crate::game::{Game, Side};
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, NodeVisit, choose_root_move,
};

/// Looks `depth` plies ahead, at everything.
pub struct MinimaxPlayer<G: Game> {
    sight: FixedDepthOptions<G>,
}

impl<G: Game> MinimaxPlayer<G> {
    /// Looks `depth` plies ahead, at least one, and judges nothing.
    #[must_use]
    pub fn new(depth: u32) -> Self {
        MinimaxPlayer { sight: FixedDepthOptions::blind(depth) }
    }
}

/// The worth of `s` to the side at the root.
pub(crate) fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut FixedDepthSearch<'_, G, E>,
    s: &G::State,
    root: Side,
    depth: u32,
) -> i32 {
    let turn = match walk.visit(s, root, depth) {
        NodeVisit::Leaf(value) => return value,
        NodeVisit::Inner(turn) => turn,
    };
    let listed = walk.enter(s);
    let mut best = if turn == root { i32::MIN } else { i32::MAX };
    for i in listed.clone() {
        let child = walk.child(s, i);
        let value = value(walk, &child, root, depth - 1);
        best = if turn == root { best.max(value) } else { best.min(value) };
    }
    walk.leave(listed);
    best
}

impl<G: Game<Outcome = Duel>> Player<G> for MinimaxPlayer<G> {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let depth = self.sight.depth_for(turn);
        match &self.sight.judge {
            None => choose_root_move(turn, depth, &ZeroEvaluator, |w, s, me, _| {
                Some(value(w, s, me, depth - 1))
            }),
            Some(e) => {
                choose_root_move(turn, depth, &**e, |w, s, me, _| Some(value(w, s, me, depth - 1)))
            }
        }
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for MinimaxPlayer<G> {
    const NAME: &'static str = "minimax";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str =
        "looks at every line of a fixed depth; the reference for other searches";
    const PARAMS: &'static [Param] = FixedDepthOptions::<G>::PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(MinimaxPlayer { sight: FixedDepthOptions::build(args, parts)? })
    }
}
