//! Checkers and draughts: the crate [`ludion_checkers`], with the entry of the game.

pub use ludion_checkers::*;

use crate::erased::GameBuilder;

/// Returns the registry entry of checkers, with its material and endgame evaluators.
#[must_use]
pub fn entry() -> GameBuilder<Checkers> {
    GameBuilder::duel()
        .compiled_searches()
        .grid()
        .learns_patterns_best()
        .evaluator(
            "material+mobility",
            "pieces once all captures are made, and the steps either side has",
            evaluator::MaterialEvaluator { mobility: true },
        )
        .evaluator(
            "material",
            "pieces once all captures are made",
            evaluator::MaterialEvaluator { mobility: false },
        )
        .evaluator_factory(endgame::EndgameEvaluator::factory())
}
