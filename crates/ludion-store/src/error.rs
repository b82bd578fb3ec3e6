//! Why something could not be kept or found again.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::RunId;

/// What can go wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or the file cannot be made.
    #[error("the store {} cannot be opened: {source}", path.display())]
    Unreachable {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be opened by SQLite.
    #[error("the store {} cannot be opened: {reason}", path.display())]
    Closed {
        /// Where.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file is something else.
    #[error("{} is no store of Ludion but {what}; name another file with --store", path.display())]
    Foreign {
        /// Where.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The store was written by a newer version.
    #[error(
        "the store {} was written by a newer Ludion (its tables are of version {found}, this program knows version {known}); use the newer program or another file with --store",
        path.display()
    )]
    Newer {
        /// Where.
        path: PathBuf,
        /// Version of the tables.
        found: usize,
        /// Version this program makes.
        known: usize,
    },
    /// There is no room.
    #[error("the disk is full; what was kept before is safe, and the run can be resumed")]
    Full,
    /// Another program has been writing for too long.
    #[error("another program keeps the store busy; try again when it is done")]
    Busy,
    /// The file may not be written.
    #[error("the store may not be written; it, or its folder, is read-only")]
    ReadOnly,
    /// No run of this number.
    #[error("there is no run {id}{}", last_run(*last))]
    NoRun {
        /// The number.
        id: RunId,
        /// The greatest number there is.
        last: Option<RunId>,
    },
    /// A run of another kind than was asked for.
    #[error("run {id} is of another kind, {kind:?}; see: ludion run show {id}")]
    OtherKind {
        /// The run.
        id: RunId,
        /// What it is.
        kind: String,
    },
    /// No game of this number.
    #[error("run {run} has no game {number}{}", if *finished { "" } else { " yet" })]
    NoGame {
        /// The run.
        run: RunId,
        /// The number.
        number: u64,
        /// Whether no more games come.
        finished: bool,
    },
    /// No team of this number.
    #[error("there is no team {0}")]
    NoTeam(i64),
    /// A name that is taken.
    #[error("there is a team called {0:?} already")]
    TeamExists(String),
    /// The run is another program's.
    #[error("run {0} is being played by another program; stop that one first")]
    Taken(RunId),
    /// Something in the store does not read.
    #[error("the store does not read: {0}")]
    Strange(String),
    /// Whatever else SQLite says.
    #[error("the store failed: {0}")]
    Sqlite(rusqlite::Error),
}

fn last_run(last: Option<RunId>) -> String {
    last.map_or_else(
        || "; there are no runs yet".to_owned(),
        |last| format!("; the last one is {last}"),
    )
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt) => {
                StoreError::Strange("the file is damaged (SQLite says: malformed)".to_owned())
            }
            _ => StoreError::Sqlite(error),
        }
    }
}

impl StoreError {
    pub(crate) fn opening(path: &Path, error: rusqlite::Error) -> Self {
        StoreError::Closed { path: path.to_owned(), reason: error.to_string() }
    }

    /// The same, of the store at `path`.
    pub(crate) fn at(self, at: &Path) -> Self {
        let path = at.to_owned();
        match self {
            StoreError::Foreign { what, .. } => StoreError::Foreign { path, what },
            StoreError::Newer { found, known, .. } => StoreError::Newer { path, found, known },
            StoreError::Sqlite(error)
                if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) =>
            {
                StoreError::Foreign { path, what: "no database at all" }
            }
            StoreError::Sqlite(error) => StoreError::opening(&path, error),
            other => other,
        }
    }
}
