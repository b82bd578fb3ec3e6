//! Alpha-beta to a fixed depth (French: *AlphaBeta*): minimax that leaves out what cannot
//! change the decision. `alpha` is what the root side has for sure, `beta` what its opponent
//! will allow at most; a state is cut off as soon as `alpha ≥ beta`.
//!
//! The best move so far narrows the window of the next ones at the root, so of the others
//! only *no better* is known. Memory and move ordering are not here.

use crate::evaluator::{Blind, Evaluator};
use crate::game::{Game, Side};
use crate::listing::{Kit, ListedPlayer};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, Player, Refusal, Turn, Unit};
use crate::search::fixed::{INFINITY, Sight, Visit, Walk, decide};

/// Looks `depth` plies ahead, at what can matter.
pub struct AlphaBeta<G: Game> {
    sight: Sight<G>,
}

/// The worth of `s` to the side at the root where it lies between `alpha` and `beta`, else
/// a bound on the same side of the window.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut Walk<'_, G, E>,
    s: &G::State,
    root: Side,
    depth: u32,
    mut alpha: i32,
    mut beta: i32,
) -> i32 {
    let turn = match walk.visit(s, root, depth) {
        Visit::Leaf(value) => return value,
        Visit::Inner(turn) => turn,
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
    walk: &mut Walk<'_, G, E>,
    s: &G::State,
    root: Side,
    depth: u32,
    best: Option<i32>,
) -> Option<i32> {
    let alpha = best.unwrap_or(-INFINITY);
    Some(value(walk, s, root, depth, alpha, INFINITY)).filter(|v| *v > alpha)
}

impl<G: Game<Outcome = Duel>> Player<G> for AlphaBeta<G> {
    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        let depth = self.sight.depth_for(turn);
        match &self.sight.judge {
            None => decide(turn, depth, &Blind, |w, s, me, best| better(w, s, me, depth - 1, best)),
            Some(e) => {
                decide(turn, depth, &**e, |w, s, me, best| better(w, s, me, depth - 1, best))
            }
        }
    }
}

impl<G: Game<Outcome = Duel>> ListedPlayer<G> for AlphaBeta<G> {
    const NAME: &'static str = "alphabeta";
    const SPENDS: &'static [Unit] = &[Unit::Time, Unit::Nodes, Unit::Depth];
    const HELP: &'static str = "minimax without the lines that cannot change its decision";
    const PARAMS: &'static [Param] = Sight::<G>::PARAMS;

    fn build(args: &Args, kit: &Kit<G>) -> Result<Self, ParamError> {
        Ok(AlphaBeta { sight: Sight::build(args, kit)? })
    }
}
