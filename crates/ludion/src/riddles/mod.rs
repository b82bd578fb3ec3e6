//! Riddles: secrets that are found by guesses and feedback.

pub mod mastermind;
