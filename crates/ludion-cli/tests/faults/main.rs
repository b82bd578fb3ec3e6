//! Faults of the system: calls that fail, memory and threads that are limited, and signals. After
//! each, the program has said one sentence, and the resumed run equals the undisturbed one.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../default_signals/mod.rs"]
mod default_signals;
mod injection;
#[path = "../kept/mod.rs"]
mod kept;
mod limits;
mod program;
mod signals;
