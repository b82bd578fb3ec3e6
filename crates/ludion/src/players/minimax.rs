//! Plain minimax to a fixed depth (French: *MinMax*): the reference that every other search
//! must agree with. The side at the root takes the greatest value, its opponent the least;
//! no pruning, no memory, no ordering.

use crate::evaluator::{Blind, Evaluator};
use crate::game::{Game, Side};
use crate::listing::{Kit, ListedPlayer};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, Player, Refusal, Turn, Unit};
use crate::search::fixed::{Sight, Visit, Walk, decide};

/// Looks `depth` plies ahead, at everything.
pub struct Minimax<G: Game> {
    sight: Sight<G>,
}

impl<G: Game> Minimax<G> {
    /// Looks `depth` plies ahead, at least one, and judges nothing.
    #[must_use]
    pub fn new(depth: u32) -> Self {
        Minimax { sight: Sight::blind(depth) }
    }
}

/// The worth of `s` to the side at the root.
pub(crate) fn value<G: Game<Outcome = Duel>, E: Evaluator<G> + ?Sized>(
    walk: &mut Walk<'_, G, E>,
    s: &G::State,
    root: Side,
    depth: u32,
) -> i32 {
    let turn = match walk.visit(s, root, depth) {
        Visit::Leaf(value) => return value,
        Visit::Inner(turn) => turn,
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

impl<G: Game<Outcome = Duel>> Player<G> for Minimax<G> {
    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        let depth = self.sight.depth_for(turn);
        match &self.sight.judge {
            None => decide(turn, depth, &Blind, |w, s, me, _| Some(value(w, s, me, depth - 1))),
            Some(e) => decide(turn, depth, &**e, |w, s, me, _| Some(value(w, s, me, depth - 1))),
        }
    }
}

impl<G: Game<Outcome = Duel>> ListedPlayer<G> for Minimax<G> {
    const NAME: &'static str = "minimax";
    const SPENDS: &'static [Unit] = &[Unit::Time, Unit::Nodes, Unit::Depth];
    const HELP: &'static str =
        "looks at every line of a fixed depth; the reference for other searches";
    const PARAMS: &'static [Param] = Sight::<G>::PARAMS;

    fn build(args: &Args, kit: &Kit<G>) -> Result<Self, ParamError> {
        Ok(Minimax { sight: Sight::build(args, kit)? })
    }
}
