//! Runs jobs on many machines. A [`Coordinator`] hands out the jobs of a run and collects the
//! results; it implements [`Cluster`](ludion_runs::cluster::Cluster). A [`Worker`] runs jobs. They
//! communicate through a NATS JetStream server, with a work queue of chunks, a queue of results,
//! and an object store for attachments (models and data files).
//!
//! Guarantees under failure: a worker acknowledges a chunk after the server has stored its results,
//! the coordinator acknowledges results after they are in its store, and a result whose job is
//! already done is dropped. So every job counts exactly once, and a run is complete when all its
//! results are there.
//!
//! A message counts only with the tag of its run (`run_key`), and no number in it is trusted: a chunk
//! beyond the plan or of too many jobs is refused. So messages of other clients change no result.
//!
//! This crate knows no game: job specifications and results are bytes. It prints nothing.

mod attachments;
mod chunk_scheduler;
mod cleanup;
mod connection;
mod connection_watch;
mod coordinated_run;
mod coordinator;
mod error;
mod message_puller;
mod rate_meter;
mod residual_watch;
mod run_channel;
mod run_key;
mod run_streams;
mod runtime;
mod stored_message;
mod wire;
#[doc(hidden)]
pub mod wire_formats;
mod worker;

pub use connection::{Credentials, ServerAddress};
pub use coordinator::{Coordinator, CoordinatorOptions, OnNotice};
pub use error::ClusterError;
pub use worker::{JobSetOpener, ReceivedJobSpec, Worker, WorkerEvent, check_worker_name};
