//! Negamax to a fixed depth (French: *NegaMax*): minimax written with one function, in which
//! either side takes the greatest of the values it sees, and a value changes its sign when
//! the turn changes. It visits what minimax visits.

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
pub struct NegamaxPlayer<G: Game> {
    sight: FixedDepthOptions<G>,
}

/// The worth of `s` to `side`, which moved last.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut FixedDepthSearch<'_, G, E>,
    s: &G::State,
    side: Side,
    depth: u32,
) -> i32 {
    let turn = match walk.visit(s, side, depth) {
        NodeVisit::Leaf(value) => return value,
        NodeVisit::Inner(turn) => turn,
    };
    let listed = walk.enter(s);
    let mut best = i32::MIN;
    for i in listed.clone() {
        let child = walk.child(s, i);
        best = best.max(value(walk, &child, turn, depth - 1));
    }
    walk.leave(listed);
    if turn == side { best } else { -best }
}

impl<G: Game<Outcome = Duel>> Player<G> for NegamaxPlayer<G> {
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

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for NegamaxPlayer<G> {
    const NAME: &'static str = "negamax";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str = "minimax in one function; looks at the same lines";
    const PARAMS: &'static [Param] = FixedDepthOptions::<G>::PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(NegamaxPlayer { sight: FixedDepthOptions::build(args, parts)? })
    }
}
