//! What a coordinator hears of its run.

use async_nats::jetstream::message::Acker;

use crate::wire::{Note, Report};

/// Something that happened.
pub(crate) enum News {
    /// A worker sent results.
    Report {
        /// Who.
        worker: String,
        /// What; nothing where it does not read.
        report: Option<Report>,
        /// By which the server learns that they are kept.
        acker: Box<Acker>,
    },
    /// A worker says something.
    Note(Note),
    /// The server had lost the run, and has it again, but nothing that was handed out.
    Reopened,
}
