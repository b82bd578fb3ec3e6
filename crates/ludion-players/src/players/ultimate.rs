//! Alpha-beta with a transposition table and the game's own evaluator (French: *Ultimate*). In a
//! game without an evaluator it plays exactly like [`TranspositionPlayer`].

use std::sync::Arc;

use crate::effective::BudgetOverride;
use crate::game::Game;
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};
use crate::players::memory::{MoveOrder, TranspositionPlayer};
use crate::search::fixed_depth::FixedDepthOptions;

/// A [`TranspositionPlayer`] with the game's own evaluator.
pub struct GameEvaluatorPlayer<G: Game>(TranspositionPlayer<G>);

impl<G: Game<Outcome = Duel>> Player<G> for GameEvaluatorPlayer<G> {
    fn begin(&mut self, seed: u64) {
        self.0.begin(seed);
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        self.0.choose(request)
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for GameEvaluatorPlayer<G> {
    const NAME: &'static str = "ultimate";
    const SPENDS: &'static [BudgetUnit] = &[BudgetUnit::Time, BudgetUnit::Nodes, BudgetUnit::Depth];
    const OVERRIDES: &'static [BudgetOverride] =
        &[BudgetOverride::replaces("depth", BudgetUnit::Depth)];
    const HELP: &'static str =
        "alphabeta with a transposition table and the game's own evaluator (Ultimate)";
    const PARAMS: &'static [Param] = &[
        FixedDepthOptions::<G>::DEPTH,
        MoveOrder::PARAM,
        TranspositionPlayer::<G>::MEGABYTES,
        TranspositionPlayer::<G>::SHEET,
    ];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let evaluator = parts.evaluators.first().map(|own| Arc::clone(&own.evaluator));
        let options = FixedDepthOptions { depth: args.size("depth") as u32, evaluator };
        Ok(GameEvaluatorPlayer(TranspositionPlayer::from_args(args, options)))
    }
}
