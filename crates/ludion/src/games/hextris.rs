//! Hexagonal Tetris: the crate [`ludion_hextris`], with the entries of its two games.

pub use ludion_hextris::*;

use crate::erased::GameBuilder;

/// Returns the registry's entry of the command game.
#[must_use]
pub fn command_entry() -> GameBuilder<CommandGame> {
    GameBuilder::puzzle()
}

/// Returns the registry's entry of the placement game.
#[must_use]
pub fn placement_entry() -> GameBuilder<PlacementGame> {
    GameBuilder::puzzle()
}
