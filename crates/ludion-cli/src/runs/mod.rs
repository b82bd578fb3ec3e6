//! What all commands that play many games share: their options, where the games are kept, the
//! line of progress, and how a result is shown.

pub(crate) mod interrupt;
mod options;
mod play;
mod report;
mod storage;

pub(crate) use options::GameTermsArgs;
pub(crate) use play::play;
pub(crate) use report::{report, show};
pub(crate) use storage::{OpenedStore, StoreArgs};
