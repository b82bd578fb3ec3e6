//! Solves hexagonal Tetris.

pub mod beam;
pub mod evaluation;
pub mod mover;
pub mod reach;
pub mod word;
