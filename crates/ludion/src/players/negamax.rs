//! Negamax to a fixed depth (French: *NegaMax*): minimax written with one function, in which
//! either side takes the greatest of the values it sees, and a value changes its sign when
//! the turn changes. It visits what minimax visits.

use crate::evaluator::{Blind, Evaluator};
use crate::game::{Game, Side};
use crate::listing::{Kit, ListedPlayer};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, Player, Refusal, Turn, Unit};
use crate::search::fixed::{Sight, Visit, Walk, decide};

/// Looks `depth` plies ahead, at everything.
pub struct Negamax<G: Game> {
    sight: Sight<G>,
}

/// The worth of `s` to `side`, which moved last.
fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut Walk<'_, G, E>,
    s: &G::State,
    side: Side,
    depth: u32,
) -> i32 {
    let turn = match walk.visit(s, side, depth) {
        Visit::Leaf(value) => return value,
        Visit::Inner(turn) => turn,
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

impl<G: Game<Outcome = Duel>> Player<G> for Negamax<G> {
    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        let depth = self.sight.depth_for(turn);
        match &self.sight.judge {
            None => decide(turn, depth, &Blind, |w, s, me, _| Some(value(w, s, me, depth - 1))),
            Some(e) => decide(turn, depth, &**e, |w, s, me, _| Some(value(w, s, me, depth - 1))),
        }
    }
}

impl<G: Game<Outcome = Duel>> ListedPlayer<G> for Negamax<G> {
    const NAME: &'static str = "negamax";
    const SPENDS: &'static [Unit] = &[Unit::Time, Unit::Nodes, Unit::Depth];
    const HELP: &'static str = "minimax in one function; looks at the same lines";
    const PARAMS: &'static [Param] = Sight::<G>::PARAMS;

    fn build(args: &Args, kit: &Kit<G>) -> Result<Self, ParamError> {
        Ok(Negamax { sight: Sight::build(args, kit)? })
    }
}
