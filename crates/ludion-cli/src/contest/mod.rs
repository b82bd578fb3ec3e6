//! What all commands that play many games share: their options, where the games are kept, how
//! a plan is played and resumed, and how its result is shown.

pub(crate) mod interrupt;
mod options;
mod play;
mod report;
mod storage;

pub(crate) use options::Rules;
pub(crate) use play::{Progressing, Session, State, resumed, started};
pub(crate) use report::{show, stored};
pub(crate) use storage::{Storage, StoreOption};
