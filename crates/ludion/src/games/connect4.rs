//! Connect Four: the crate [`ludion_connect4`], with the entry of the game.

pub use ludion_connect4::*;

use crate::erased::GameBuilder;

/// Returns the registry entry of Connect Four, with the evaluator `threats`, a network, the player
/// `expert` and the solver.
#[must_use]
pub fn entry() -> GameBuilder<Connect4> {
    GameBuilder::duel()
        .compiled_searches()
        .grid()
        .evaluator("threats", "open lines, and threats by row", evaluator::ThreatEvaluator)
        .network("connect4", learned::NETWORK)
        .player::<solver_player::SolverPlayer>()
        .solver(solve::solve)
}
