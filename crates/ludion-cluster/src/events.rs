//! What a coordinator hears of its run.

use async_nats::jetstream::message::Acker;

use crate::wire::{ChunkReport, WorkerMessage};

/// Something that happened.
pub(crate) enum RunEvent {
    /// A worker sent results.
    Report {
        /// Who.
        worker: String,
        /// What; nothing where it does not read.
        report: Option<ChunkReport>,
        /// By which the server learns that they are kept.
        acker: Box<Acker>,
    },
    /// A worker says something.
    Note(WorkerMessage),
    /// The server had lost the run, and has it again, but nothing that was handed out.
    Reopened,
}
