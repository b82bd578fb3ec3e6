//! Alpha-beta in the form of negamax (French: *NegAlphaBeta*), as the course writes it: one
//! function for both sides, the window turned round with the turn.
//!
//! Unlike [`AlphaBeta`](super::alphabeta::AlphaBeta) it searches every move of the root with
//! the whole window. That costs calls, and tells the exact worth of each move.

use crate::evaluator::{Blind, Evaluator};
use crate::game::{Game, Side};
use crate::listing::{Kit, ListedPlayer};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, Player, Refusal, Turn, Unit};
use crate::search::fixed::{INFINITY, Sight, Visit, Walk, decide};

/// Looks `depth` plies ahead, at what can matter for the worth of some root move.
pub struct NegAlphaBeta<G: Game> {
    sight: Sight<G>,
}

/// The worth of `s` to `side` where it lies between `alpha` and `beta`, else a bound on the
/// same side of the window.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut Walk<'_, G, E>,
    s: &G::State,
    side: Side,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let turn = match walk.visit(s, side, depth) {
        Visit::Leaf(value) => return value,
        Visit::Inner(turn) => turn,
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
    walk: &mut Walk<'_, G, E>,
    s: &G::State,
    side: Side,
    depth: u32,
) -> Option<i32> {
    Some(value(walk, s, side, depth, -INFINITY, INFINITY))
}

impl<G: Game<Outcome = Duel>> Player<G> for NegAlphaBeta<G> {
    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        let depth = self.sight.depth_for(turn);
        match &self.sight.judge {
            None => decide(turn, depth, &Blind, |w, s, me, _| worth(w, s, me, depth - 1)),
            Some(e) => decide(turn, depth, &**e, |w, s, me, _| worth(w, s, me, depth - 1)),
        }
    }
}

impl<G: Game<Outcome = Duel>> ListedPlayer<G> for NegAlphaBeta<G> {
    const NAME: &'static str = "negalphabeta";
    const SPENDS: &'static [Unit] = &[Unit::Time, Unit::Nodes, Unit::Depth];
    const HELP: &'static str = "alphabeta in one function, with the exact worth of every root move";
    const PARAMS: &'static [Param] = Sight::<G>::PARAMS;

    fn build(args: &Args, kit: &Kit<G>) -> Result<Self, ParamError> {
        Ok(NegAlphaBeta { sight: Sight::build(args, kit)? })
    }
}
