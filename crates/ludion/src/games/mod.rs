//! The built-in games. Each has one file, or a folder if it needs several.

pub(crate) use ludion_core::bits;

use crate::game::Game;
use crate::notation::{NotationError, read_shown_move};

pub mod breakthrough;
pub mod checkers;
pub mod connect4;
pub mod dice;
pub mod divide;
pub mod domineering;
pub mod dotsandboxes;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod hexapawn;
pub mod hextris;
pub mod kalah;
pub mod marienbad;
pub mod matches;
pub mod morpion;
pub mod morris;
pub mod othello;
pub mod quarto;
pub mod tictactoe;
pub mod ultimate_tictactoe;

/// Reads a move that is written as two cells, such as `a1b1`, in either order.
fn read_pair_of_cells<G: Game>(g: &G, s: &G::State, text: &str) -> Result<G::Move, NotationError> {
    read_shown_move(g, s, text).or_else(|error| {
        let text = text.trim();
        let mut letters = text.char_indices().filter(|(_, c)| c.is_ascii_alphabetic());
        let Some((second, _)) = letters.nth(1) else { return Err(error) };
        let swapped = format!("{}{}", &text[second..], &text[..second]);
        read_shown_move(g, s, &swapped).map_err(|_| error)
    })
}
