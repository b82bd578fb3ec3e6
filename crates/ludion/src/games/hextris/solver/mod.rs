//! Solves hexagonal Tetris.

pub mod mover;
pub mod reach;
pub mod word;
