//! Errors of runs.

use std::io;

/// Error of a run that cannot be started, played, read or exported.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The request is not allowed; the message says what is allowed.
    #[error("{0}")]
    Wrong(String),
    /// The registry does not know a game or player, or rejects its parameters.
    #[error(transparent)]
    Name(#[from] ludion_players::registry::RegistryError),
    /// A player or the game of a stored run is not what it was when the run was stored; the message
    /// says what is different.
    #[error("a player has changed since the run was stored: {0}")]
    Changed(String),
    /// The run failed; the message says why.
    #[error("{0}")]
    Failed(String),
    /// The store cannot be read or written, or does not hold the run.
    #[error(transparent)]
    Store(#[from] ludion_store::StoreError),
    /// An exported file could not be written.
    #[error("the answer could not be written: {0}")]
    Write(#[from] io::Error),
}
