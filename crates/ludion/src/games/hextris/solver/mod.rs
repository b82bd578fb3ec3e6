//! Playing hexagonal Tetris well. Where the units lock is found first; what a game spells on the
//! way down is a question of its own, asked when that is known: [`spell`].

pub mod beam;
pub mod evaluation;
pub mod mover;
pub mod reach;
pub mod spell;
pub mod word;
