//! Measuring players against each other: games, pairs, matches, tournaments, and what their
//! results are worth.

pub mod championship;
pub mod elo;
pub mod executor;
pub mod game;
pub mod pair;
pub mod pairings;
pub mod plan;
pub mod ratings;
pub mod seat_statistics;
pub mod sprt;
pub mod standings;
