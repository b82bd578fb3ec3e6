//! The games, one file each; a folder where a game needs more than one.

mod bits;
pub mod checkers;
pub mod connect4;
pub mod dice;
pub mod divide;
pub mod hexapawn;
pub mod hextris;
pub mod marienbad;
pub mod matches;
pub mod morpion;
pub mod tictactoe;
