//! Runs in the laboratory: the runs of the store, the runs in progress, and requests for new ones.
//!
//! `manager` executes a few runs at a time and queues the others. A run continues when no client
//! watches it; a run whose program ended early is shown as stopped and can be resumed. `request`
//! makes plans of requests for new runs, `control` pauses, resumes, repeats and deletes runs,
//! `list` and `details` return runs with their reports, `live` streams progress, `games` and
//! `files` return the results game by game, `charts` as data, `annotation` keeps what users write, and
//! `repetition` compares a run with the one that it repeats.

pub(super) mod annotation;
pub(super) mod charts;
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
pub(super) mod repetition;
pub(super) mod request;
mod verdict_cache;

pub use limits::RunLimits;
pub(crate) use limits::check_range;
pub(crate) use manager::RunManager;
