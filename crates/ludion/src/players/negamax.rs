//! Negamax to a fixed depth (French: *NegaMax*): minimax in one function, in which both sides
//! maximise and a value changes its sign when the side to move changes. It visits the same nodes as
//! minimax.

use crate::evaluator::{Evaluator, ZeroEvaluator};
use crate::game::{Game, Side};
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::search::fixed_depth::{FixedDepthOptions, FixedDepthSearch, NodeKind, choose_root_move};

/// Chooses moves by negamax to a fixed depth.
pub struct NegamaxPlayer<G: Game> {
    options: FixedDepthOptions<G>,
}

/// Returns the negamax value of `s`, searched to `depth`, for `side`, which moved last.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    search: &mut FixedDepthSearch<'_, G, E>,
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

impl<G: Game<Outcome = Duel>> Player<G> for NegamaxPlayer<G> {
    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let depth = self.options.depth_for(request);
        match &self.options.evaluator {
            None => choose_root_move(request, depth, &ZeroEvaluator, |search, s, side, _| {
                Some(value(search, s, side, depth - 1))
            }),
            Some(e) => choose_root_move(request, depth, &**e, |search, s, side, _| {
                Some(value(search, s, side, depth - 1))
            }),
        }
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for NegamaxPlayer<G> {
    const NAME: &'static str = "negamax";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str = "minimax in one function; visits the same nodes";
    const PARAMS: &'static [Param] = FixedDepthOptions::<G>::PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(NegamaxPlayer { options: FixedDepthOptions::build(args, parts)? })
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `NegamaxPlayer`")]
pub type Negamax<G> = NegamaxPlayer<G>;
