//! The jobs of a run on many machines. A [`Coordinator`] is the [`Crew`](ludion_runs::cluster::Cluster)
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
mod attachments;
mod chunk_scheduler;
mod coordinated_run;
mod coordinator;
mod error;
mod events;
mod pull;
mod rate_meter;
mod run_channel;
mod runtime;
mod server_run;
mod sweep;
mod wire;
mod worker;

pub use access::{Credentials, ServerAddress};
pub use coordinator::{Coordinator, CoordinatorOptions, OnRemark};
pub use error::ClusterError;
pub use worker::{OpenReceivedJob, ReceivedJob, Worker, WorkerEvent, check_name};
