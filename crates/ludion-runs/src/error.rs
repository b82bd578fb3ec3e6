//! Why a run is not conducted.

use std::io;

/// What can go wrong with a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// What was asked is wrong.
    #[error("{0}")]
    Wrong(String),
    /// There is no such game or player, or it does not take such values.
    #[error(transparent)]
    Name(#[from] ludion::registry::RegistryError),
    /// It could not be done.
    #[error("{0}")]
    Failed(String),
    /// The store failed, or has no such run.
    #[error(transparent)]
    Store(#[from] ludion_store::StoreError),
    /// What is exported could not be written.
    #[error("the answer could not be written: {0}")]
    Write(#[from] io::Error),
}
