//! All games, players and riddles by name: the module [`ludion_players::registry`], with the registry
//! of the built-in games.

pub use ludion_players::registry::*;

use crate::games::{
    breakthrough, checkers, connect4, dice, divide, domineering, dotsandboxes, go, gomoku, hex,
    hexapawn, hextris, kalah, marienbad, matches, morpion, morris, othello, quarto, tictactoe,
    ultimate_tictactoe,
};
use crate::riddles::mastermind;

/// Returns a registry with every game and riddle of this library.
#[must_use]
pub fn standard() -> Registry {
    Registry::empty()
        .with(matches::entry())
        .with(divide::entry())
        .with(dice::entry())
        .with(marienbad::entry())
        .with(hexapawn::entry())
        .with(morpion::entry())
        .with(tictactoe::entry())
        .with(connect4::entry())
        .with(othello::entry())
        .with(hex::entry())
        .with(breakthrough::entry())
        .with(domineering::entry())
        .with(quarto::entry())
        .with(checkers::entry())
        .with(go::entry())
        .with(morris::entry())
        .with(kalah::entry())
        .with(dotsandboxes::entry())
        .with(gomoku::entry())
        .with(ultimate_tictactoe::entry())
        .with(hextris::command_entry())
        .with(hextris::placement_entry())
        .with_riddle(mastermind::entry())
}
