//! Alpha-beta with memory that judges unfinished games by the game's own evaluator (French:
//! *Ultimate*). In a game that has none it is [`Memory`], to the move.

use std::sync::Arc;

use crate::game::Game;
use crate::listing::{Kit, ListedPlayer};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{Choice, Player, Refusal, Turn, Unit};
use crate::players::memory::{Memory, Order};
use crate::search::fixed::Sight;

/// Remembers, and knows its game.
pub struct Ultimate<G: Game>(Memory<G>);

impl<G: Game<Outcome = Duel>> Player<G> for Ultimate<G> {
    fn begin(&mut self, seed: u64) {
        self.0.begin(seed);
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Refusal> {
        self.0.choose(turn)
    }
}

impl<G: Game<Outcome = Duel>> ListedPlayer<G> for Ultimate<G> {
    const NAME: &'static str = "ultimate";
    const SPENDS: &'static [Unit] = &[Unit::Time, Unit::Nodes, Unit::Depth];
    const HELP: &'static str = "alphabeta with memory and the game's own evaluator (Ultimate)";
    const PARAMS: &'static [Param] =
        &[Sight::<G>::DEPTH, Order::PARAM, Memory::<G>::MEGABYTES, Memory::<G>::SHEET];

    fn build(args: &Args, kit: &Kit<G>) -> Result<Self, ParamError> {
        let judge = kit.evaluators.first().map(|own| Arc::clone(&own.evaluator));
        let sight = Sight { depth: args.size("depth") as u32, judge };
        Ok(Ultimate(Memory::with_sight(args, sight)))
    }
}
