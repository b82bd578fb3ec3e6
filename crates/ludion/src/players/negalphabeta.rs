//! Alpha-beta in the form of negamax (French: *NegAlphaBeta*), as the course writes it: one
//! function for both sides, the window turned round with the turn.
//!
//! Unlike [`AlphaBeta`](super::alphabeta::AlphaBetaPlayer) it searches every move of the root with
//! the whole window. That costs calls, and tells the exact worth of each move.

use crate::evaluator::{Evaluator, ZeroEvaluator};
use crate::game::{Game, Side};
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, INFINITY, NodeVisit, choose_root_move,
};

/// Looks `depth` plies ahead, at what can matter for the worth of some root move.
pub struct NegAlphaBetaPlayer<G: Game> {
    sight: FixedDepthOptions<G>,
}

/// The worth of `s` to `side` where it lies between `alpha` and `beta`, else a bound on the
/// same side of the window.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut FixedDepthSearch<'_, G, E>,
    s: &G::State,
    side: Side,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let turn = match walk.visit(s, side, depth) {
        NodeVisit::Leaf(value) => return value,
        NodeVisit::Inner(turn) => turn,
    };
    let (mut alpha, beta) = if turn == side { (alpha, beta) } else { (-beta, -alpha) };
    let listed = walk.enter(s);
    for i in listed.clone() {
        let child = walk.child(s, i);
        alpha = alpha.max(value(walk, &child, turn, depth - 1, alpha, beta));
        if alpha >= beta {
            break;
        }
    }
    walk.leave(listed);
    if turn == side { alpha } else { -alpha }
}

/// The worth of `s`, in the whole window.
fn worth<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut FixedDepthSearch<'_, G, E>,
    s: &G::State,
    side: Side,
    depth: u32,
) -> Option<i32> {
    Some(value(walk, s, side, depth, -INFINITY, INFINITY))
}

impl<G: Game<Outcome = Duel>> Player<G> for NegAlphaBetaPlayer<G> {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let depth = self.sight.depth_for(turn);
        match &self.sight.judge {
            None => choose_root_move(turn, depth, &ZeroEvaluator, |w, s, me, _| {
                worth(w, s, me, depth - 1)
            }),
            Some(e) => {
                choose_root_move(turn, depth, &**e, |w, s, me, _| worth(w, s, me, depth - 1))
            }
        }
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for NegAlphaBetaPlayer<G> {
    const NAME: &'static str = "negalphabeta";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str = "alphabeta in one function, with the exact worth of every root move";
    const PARAMS: &'static [Param] = FixedDepthOptions::<G>::PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(NegAlphaBetaPlayer { sight: FixedDepthOptions::build(args, parts)? })
    }
}
