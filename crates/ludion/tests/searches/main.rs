//! Tests of players, searches and evaluators, and of the registry that builds them. One crate, because
//! each compiles the searches it uses.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod common;
mod evaluators;
mod mcts;
mod montecarlo;
mod moves_twice;
mod networks;
mod patterns;
mod players;
mod registry;
mod selective;
mod solve;
