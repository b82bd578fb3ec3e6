//! Runs in the laboratory: the runs of the store, the runs in progress, and requests for new ones.
//!
//! `manager` executes a few runs at a time and queues the others. A run continues when no client
//! watches it; a run whose program ended early is shown as stopped and can be resumed. `request`
//! makes plans of requests for new runs, `control` pauses, resumes, repeats and deletes runs,
//! `list` and `details` return runs with their reports, `live` streams progress, `games` and
//! `files` return the results game by game.

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
pub(super) mod paths;
mod progress;
pub(super) mod request;

pub use limits::RunLimits;
pub(crate) use manager::RunManager;
