//! Playing hexagonal Tetris well. What a game spells on the way down is a question of its own,
//! asked when it is known where every unit locks: [`spell`].

pub mod spell;
