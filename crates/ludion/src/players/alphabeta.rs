//! Alpha-beta to a fixed depth (French: *AlphaBeta*): minimax that leaves out what cannot
//! change the decision. `alpha` is what the root side has for sure, `beta` what its opponent
//! will allow at most; a state is cut off as soon as `alpha ≥ beta`.
//!
//! The best move so far narrows the window of the next ones at the root, so of the others
//! only *no better* is known. Memory and move ordering are not here.

use crate::evaluator::{Evaluator, ZeroEvaluator};
use crate::game::{Game, Side};
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, INFINITY, NodeVisit, choose_root_move,
};

/// Looks `depth` plies ahead, at what can matter.
pub struct AlphaBetaPlayer<G: Game> {
    sight: FixedDepthOptions<G>,
}

/// The worth of `s` to the side at the root where it lies between `alpha` and `beta`, else
/// a bound on the same side of the window.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut FixedDepthSearch<'_, G, E>,
    s: &G::State,
    root: Side,
    depth: u32,
    mut alpha: i32,
    mut beta: i32,
) -> i32 {
    let turn = match walk.visit(s, root, depth) {
        NodeVisit::Leaf(value) => return value,
        NodeVisit::Inner(turn) => turn,
    };
    let listed = walk.enter(s);
    for i in listed.clone() {
        let child = walk.child(s, i);
        let value = value(walk, &child, root, depth - 1, alpha, beta);
        if turn == root {
            alpha = alpha.max(value);
        } else {
            beta = beta.min(value);
        }
        if alpha >= beta {
            break;
        }
    }
    walk.leave(listed);
    if turn == root { alpha } else { beta }
}

/// Worth and only if above the best so far.
fn better<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut FixedDepthSearch<'_, G, E>,
    s: &G::State,
    root: Side,
    depth: u32,
    best: Option<i32>,
) -> Option<i32> {
    let alpha = best.unwrap_or(-INFINITY);
    Some(value(walk, s, root, depth, alpha, INFINITY)).filter(|v| *v > alpha)
}

impl<G: Game<Outcome = Duel>> Player<G> for AlphaBetaPlayer<G> {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let depth = self.sight.depth_for(turn);
        match &self.sight.judge {
            None => choose_root_move(turn, depth, &ZeroEvaluator, |w, s, me, best| {
                better(w, s, me, depth - 1, best)
            }),
            Some(e) => choose_root_move(turn, depth, &**e, |w, s, me, best| {
                better(w, s, me, depth - 1, best)
            }),
        }
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for AlphaBetaPlayer<G> {
    const NAME: &'static str = "alphabeta";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str = "minimax without the lines that cannot change its decision";
    const PARAMS: &'static [Param] = FixedDepthOptions::<G>::PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(AlphaBetaPlayer { sight: FixedDepthOptions::build(args, parts)? })
    }
}
