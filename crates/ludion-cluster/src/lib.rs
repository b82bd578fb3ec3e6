//! The jobs of a run on many machines. A [`Coordinator`] is the [`Crew`](ludion_runs::crew::Crew)
//! of a program that conducts runs; a [`Worker`] is a program that does jobs for whoever asks.
//! Between them is a server of NATS JetStream: a work queue of chunks of jobs, a queue of results,
//! and an object store for models and data.
//!
//! What holds whoever dies: a chunk is acknowledged after its results are stored by the server,
//! results are acknowledged after the coordinator has kept them, and a result that comes again is
//! dropped by its number. So every job counts exactly once, and a run is complete when its results
//! are there.
//!
//! Nothing here knows a game: work and results are bytes. Nothing here prints.

mod access;
mod board;
mod conduct;
mod coordinator;
mod engine;
mod error;
mod line;
mod meter;
mod news;
mod opening;
mod pull;
mod sweep;
mod things;
mod wire;
mod worker;

pub use access::{Access, Address};
pub use coordinator::{Coordinator, Options, Remark};
pub use error::Error;
pub use worker::{Handed, Opener, Said, Worker, check_name};
