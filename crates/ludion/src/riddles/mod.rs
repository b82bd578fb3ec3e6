//! The riddles: secrets questioned by guesses.

pub mod mastermind;
