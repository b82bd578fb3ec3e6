//! Runs in the laboratory: what the store keeps, what is under way, and what is asked for next.
//!
//! `desk` conducts: so many runs at a time, the others wait in line; a run goes on whoever looks,
//! and one whose program ended is shown as stopped and can be resumed. `order` is what a page
//! asks for, `list` and `details` what it is shown, `live` the news, `games` and `files` what
//! came of it game by game.

pub(super) mod cluster;
pub(super) mod control;
pub(super) mod details;
pub(super) mod files;
mod finished;
pub(super) mod games;
mod gate;
mod limits;
pub(super) mod list;
pub(super) mod live;
mod manager;
mod paths;
mod progress;
pub(super) mod request;

pub use limits::RunLimits;
pub(crate) use manager::RunManager;
