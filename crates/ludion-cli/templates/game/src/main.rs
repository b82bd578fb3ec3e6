//! The program of my_game: the whole of Ludion, with one more game.
//!
//! `rules.rs` has the rules, `evaluator.rs` an evaluator and `player.rs` a player made for the game,
//! `tests.rs` its tests. Only the rules are required: all players of Ludion play by them.

mod evaluator;
mod player;
mod rules;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use ludion::registry::{GameBuilder, Registry};

use evaluator::ParityEvaluator;
use player::CarefulPlayer;
use rules::MyGameRules;

/// Returns the game with what was made for it. A game of which patterns can be learned adds
/// `.grid()`, one with a fast exact solver `.solver(…)`. A puzzle for one starts from
/// `GameBuilder::puzzle()`.
fn entry() -> GameBuilder<MyGameRules> {
    GameBuilder::duel()
        .evaluator("parity", "counts the cells that do not lose at once", ParityEvaluator)
        .player::<CarefulPlayer>()
}

/// Returns all games of the library and this one. `Registry::empty()` leaves the others out.
fn registry() -> Registry {
    ludion::registry::standard().with(entry())
}

fn main() -> ExitCode {
    ludion_cli::run(registry())
}
