//! Shared parts of all commands that play many games: their options, the store, Ctrl-C, and playing
//! a plan to its report.

mod conditions;
mod expected;
pub(crate) mod interrupt;
mod options;
mod play;
mod storage;

pub(crate) use expected::ExpectedTime;
pub(crate) use options::GameTermsArgs;
pub(crate) use play::{play, play_new, report};
pub(crate) use storage::{StoreArgs, read_env};
