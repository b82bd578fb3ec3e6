//! Matches between players: games, pairs of games, schedules and executors, and the statistics of
//! their results (Elo, SPRT, ratings, championships over parameters).

pub mod adjudication;
pub mod championship;
pub mod clock;
pub mod conditions;
pub mod elo;
pub mod executor;
pub mod game;
mod openings;
pub mod pair;
pub mod pairings;
pub mod plan;
pub mod ratings;
pub mod repeated_pairs;
pub mod score_history;
pub mod seat_statistics;
pub mod sprt;
pub mod standings;
