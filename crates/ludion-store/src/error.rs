//! The error type of the store.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::RunId;

/// Error of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A folder or a file beside the store cannot be created or locked.
    #[error("the store {} cannot be opened: {source}", path.display())]
    Io {
        /// Path of the store or of a file beside it.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// SQLite cannot open the file.
    #[error("the store {} cannot be opened: {reason}", path.display())]
    CannotOpen {
        /// Path of the store.
        path: PathBuf,
        /// Message of SQLite.
        reason: String,
    },
    /// The file is not a store.
    #[error(
        "{} is not a store of Ludion, it is {what}; name another file with --store",
        path.display()
    )]
    Foreign {
        /// Path of the file.
        path: PathBuf,
        /// Description of what the file is instead.
        what: &'static str,
    },
    /// The store was written by a newer version.
    #[error(
        "the store {} was written by a newer Ludion (its tables are of version {found}, this program knows version {known}); use the newer program or another file with --store",
        path.display()
    )]
    NewerVersion {
        /// Path of the store.
        path: PathBuf,
        /// Version of the tables in the file.
        found: usize,
        /// Newest version that this program knows.
        known: usize,
    },
    /// The disk is full.
    #[error("the disk is full; the results stored before are safe, and the run can be resumed")]
    Full,
    /// Another program has been writing for longer than the timeout.
    #[error("another program is writing to the store; try again when it is done")]
    Busy,
    /// The file is read-only.
    #[error("the store cannot be written: the file or its folder is read-only")]
    ReadOnly,
    /// There is no run with this number.
    #[error("there is no run {id}{}", last_run(*last))]
    NoRun {
        /// Number of the run that was requested.
        id: RunId,
        /// Largest number of a run in the store; `None` if it has no runs.
        last: Option<RunId>,
    },
    /// The run is a study where a plan of games was expected, or the other way round.
    #[error("run {id} is of another kind, {kind:?}; see: ludion run show {id}")]
    OtherKind {
        /// Number of the run.
        id: RunId,
        /// Kind of the run.
        kind: String,
    },
    /// The run has no game with this number.
    #[error("run {run} has no game {number}{}", if *finished { "" } else { " yet" })]
    NoGame {
        /// Number of the run.
        run: RunId,
        /// Number of the game that was requested.
        number: u64,
        /// Whether the run is finished, so that no more games follow.
        finished: bool,
    },
    /// There is no team with this number.
    #[error("there is no team {0}")]
    NoTeam(i64),
    /// Another team has this name.
    #[error("there is a team called {0:?} already")]
    TeamExists(String),
    /// Solutions would exceed the room that a team has.
    #[error("{added} bytes more than the {used} stored would exceed the team's {quota} bytes")]
    QuotaExceeded {
        /// Bytes that the new solutions take.
        added: u64,
        /// Bytes that the stored solutions of the team take.
        used: u64,
        /// Bytes that the solutions of a team may take.
        quota: u64,
    },
    /// Another program has locked the run with this number.
    #[error("run {0} is being played by another program; stop that one first")]
    Locked(RunId),
    /// Data in the store is damaged or cannot be parsed; the message says what.
    #[error("the store contains invalid data: {0}")]
    Invalid(String),
    /// Another error of SQLite.
    #[error("the store failed: {0}")]
    Sqlite(rusqlite::Error),
}

/// Returns the end of the message about a missing run, which names the last run of the store.
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
                StoreError::Invalid("the file is damaged (SQLite says: malformed)".to_owned())
            }
            _ => StoreError::Sqlite(error),
        }
    }
}

impl StoreError {
    /// Wraps an error of SQLite that occurred while the store was opened.
    pub(crate) fn cannot_open(path: &Path, error: rusqlite::Error) -> Self {
        StoreError::CannotOpen { path: path.to_owned(), reason: error.to_string() }
    }

    /// Adds the path of the store to an error that occurred while it was opened.
    pub(crate) fn with_path(self, path: &Path) -> Self {
        let path = path.to_owned();
        match self {
            StoreError::Foreign { what, .. } => StoreError::Foreign { path, what },
            StoreError::NewerVersion { found, known, .. } => {
                StoreError::NewerVersion { path, found, known }
            }
            StoreError::Sqlite(error)
                if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) =>
            {
                StoreError::Foreign { path, what: "not a database" }
            }
            StoreError::Sqlite(error) => StoreError::cannot_open(&path, error),
            other => other,
        }
    }
}
