//! What all commands that play many games share: their options, the store, Ctrl-C, and playing a
//! plan from its first pair to its report.

pub(crate) mod interrupt;
mod options;
mod play;
mod storage;

pub(crate) use options::GameTermsArgs;
pub(crate) use play::{play, play_new, report};
pub(crate) use storage::{StoreArgs, read_env};
