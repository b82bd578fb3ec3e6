//! The built-in games. Each has one file, or a folder if it needs several.

pub(crate) use ludion_core::bits;

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
