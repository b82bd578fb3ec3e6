//! Tests of rules: laws, facts from outside, notation, and the solvers of single games. One crate,
//! because each is a program of its own to link.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod breakthrough;
mod checkers;
mod checkers_rules;
mod connect4_solver;
mod domineering;
mod dotsandboxes;
mod facts;
mod go_solver;
mod gomoku;
mod hex;
mod hextris;
mod hextris_solver;
mod hextris_spell;
mod kalah;
mod laws;
mod morris;
mod notation;
mod othello;
mod presentation;
mod quarto;
mod repetition;
mod ultimate_tictactoe;
