//! Tests of the arena, of championships and of optimisation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod arena;
mod championship;
mod conditions;
mod optimise;
