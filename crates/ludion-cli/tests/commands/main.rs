//! Commands as processes: archives, learning, hexagonal Tetris, Mastermind, the contest, studies of
//! 0.1.0, and what other users and files can do. All are one program, because every program links
//! the whole library.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod archive;
mod book;
mod checkers;
mod conditions;
mod contest;
#[path = "../default_signals/mod.rs"]
mod default_signals;
mod hextris_solve;
mod hextris_tune;
mod learn;
mod learning;
mod mastermind;
mod old_studies;
mod reproduce;
mod tune;
