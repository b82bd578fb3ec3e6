//! Alpha-beta in negamax form (French: *NegAlphaBeta*): one function for both sides, whose window
//! is negated and swapped when the side to move changes.
//!
//! Unlike [`AlphaBeta`](super::alphabeta::AlphaBetaPlayer) it searches every root move with the
//! full window, which visits more nodes and gives the exact value of each move.

use crate::evaluator::{Evaluator, ZeroEvaluator};
use crate::game::{Game, Side};
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::search::fixed_depth::{
    FixedDepthOptions, FixedDepthSearch, INFINITY, NodeKind, choose_root_move,
};

/// Chooses moves by alpha-beta search in negamax form, to a fixed depth.
pub struct NegAlphaBetaPlayer<G: Game> {
    options: FixedDepthOptions<G>,
}

/// Returns the value of `s` for `side` if it lies between `alpha` and `beta`. Otherwise returns a
/// bound: at most `alpha` if the value is too low, at least `beta` if it is too high.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    search: &mut FixedDepthSearch<'_, G, E>,
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

/// Returns the exact value of `s` for `side` by a search with the full window.
fn exact_value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    search: &mut FixedDepthSearch<'_, G, E>,
    s: &G::State,
    side: Side,
    depth: u32,
) -> Option<i32> {
    Some(value(search, s, side, depth, -INFINITY, INFINITY))
}

impl<G: Game<Outcome = Duel>> Player<G> for NegAlphaBetaPlayer<G> {
    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let depth = self.options.depth_for(request);
        match &self.options.evaluator {
            None => choose_root_move(request, depth, &ZeroEvaluator, |search, s, side, _| {
                exact_value(search, s, side, depth - 1)
            }),
            Some(e) => choose_root_move(request, depth, &**e, |search, s, side, _| {
                exact_value(search, s, side, depth - 1)
            }),
        }
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for NegAlphaBetaPlayer<G> {
    const NAME: &'static str = "negalphabeta";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const HELP: &'static str = "alphabeta in one function, with the exact value of every root move";
    const PARAMS: &'static [Param] = FixedDepthOptions::<G>::PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(NegAlphaBetaPlayer { options: FixedDepthOptions::build(args, parts)? })
    }
}

#[doc(hidden)]
#[deprecated(since = "0.2.0", note = "renamed to `NegAlphaBetaPlayer`")]
pub type NegAlphaBeta<G> = NegAlphaBetaPlayer<G>;
