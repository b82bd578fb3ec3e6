//! The store of runs, one SQLite file: the plans of runs, every game move by move, the outputs of
//! the jobs of studies, and the submissions of the contest server.
//!
//! A finished game is stored within milliseconds, so a killed program loses only unfinished games.
//! Several programs may use one store; a lock gives each run to one program at a time. The tables
//! can be read with any SQLite tool: `runs`, `players`, `games`, the view `standings`, `outputs`,
//! `keepsakes`, `teams`, `solutions`, `annotations`. Large numbers of games are written to archives instead, which
//! are files of their own; their readers and writers are here as well.
//!
//! ```no_run
//! use ludion_store::Store;
//!
//! let store = Store::open("ludion.sqlite3".as_ref())?;
//! for run in store.runs()? {
//!     println!("run {}: {}, {}", run.id, run.plan.kind(), run.state.name());
//! }
//! // The first ten games of run 1.
//! for game in store.games(1, 0, 10)? {
//!     println!("{:?}", game.result.end);
//! }
//! # Ok::<(), ludion_store::StoreError>(())
//! ```

mod annotations;
mod archive;
mod check;
mod checksums;
mod error;
mod files;
mod games;
mod lock;
mod private;
mod rows;
mod schema;
mod studies;
mod submissions;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ludion_players::arena::plan::{GamesPlan, PlanKind};
use rusqlite::{Connection, params};
use serde::Serialize;

pub use annotations::RunAnnotation;
pub use archive::{
    ArchiveFileError, ArchiveFileReader, ArchiveFileWriter, ArchiveRecord, BlockSource,
};
pub use check::{CheckedNumber, CheckedRow};
pub use error::StoreError;
pub use files::{
    open_file_or_pipe, open_regular_file, read_file_or_pipe, read_regular_file, replace_file,
};
pub use lock::RunLock;
pub use rows::StoredGame;
pub use studies::{JobOutput, RunPlan, StudyPlan};
pub use submissions::{
    CountingRule, NewSolution, SUBMISSION_BYTES, SolutionScore, Submission, SubmittedProblem, Team,
    TeamId,
};

/// Number of a run in its store.
pub type RunId = i64;

/// State of a stored run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// A program is running the jobs of the run, or was killed while it did.
    Running,
    /// The run was stopped and can be resumed.
    Stopped,
    /// All jobs are done, or the sequential test (SPRT) is decided.
    Finished,
}

impl RunState {
    const ALL: [RunState; 3] = [RunState::Running, RunState::Stopped, RunState::Finished];

    /// Returns the name used in the database and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Stopped => "stopped",
            RunState::Finished => "finished",
        }
    }

    fn from_name(name: &str) -> Result<RunState, StoreError> {
        let found = RunState::ALL.into_iter().find(|state| state.name() == name);
        found.ok_or_else(|| StoreError::Invalid(format!("a run has the unknown state {name:?}")))
    }
}

/// A run in the store. Its plan is a [`GamesPlan`] for runs of games, a [`StudyPlan`] for studies,
/// and a [`RunPlan`] if it can be either.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoredRun<P = GamesPlan> {
    /// Number of the run.
    pub id: RunId,
    /// Run that this one is a part of: the tuning to which the match of a candidate belongs.
    pub parent: Option<RunId>,
    /// Everything needed to play or compute the run again.
    pub plan: P,
    /// Version of the program that started the run, with a stamp of its sources, such as
    /// `0.2.0+1b2c3d4e`.
    pub version: String,
    /// Other versions that have resumed the run since.
    pub resumed_by: Vec<String>,
    /// Whether the run is running, stopped or finished.
    pub state: RunState,
    /// Time of the start in UTC, such as `2024-05-01T12:00:00Z`.
    pub began: String,
    /// Time of the end in UTC; `None` until the run is finished.
    pub ended: Option<String>,
    /// Number of stored games, including those of child runs.
    pub games: u64,
    /// Number of stored outputs of a study, such as results of jobs or generations.
    pub outputs: u64,
}

impl<P> StoredRun<P> {
    fn with_plan<Q>(self, plan: Q) -> StoredRun<Q> {
        let StoredRun {
            id, parent, version, resumed_by, state, began, ended, games, outputs, ..
        } = self;
        StoredRun { id, parent, plan, version, resumed_by, state, began, ended, games, outputs }
    }
}

/// Time to wait while another program writes to the store.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// An open store: a connection to its database.
pub struct Store {
    connection: Connection,
    location: StoreLocation,
    /// Version of the program, with which new runs are stored.
    version: Cow<'static, str>,
}

/// Location of a store.
enum StoreLocation {
    File(PathBuf),
    /// In the memory of this process, identified by this number.
    Memory(u64),
}

/// Number of stores created in memory so far.
static STORES_IN_MEMORY: AtomicU64 = AtomicU64::new(0);

impl Store {
    /// Opens the store at `path`. Creates the file and its folders if they do not exist, for their
    /// owner alone. An existing store that every user of the machine may read or write is taken from
    /// all but its owner; one that is shared with a group is left as it is.
    ///
    /// # Errors
    /// When the file is not a store, has a newer version, or cannot be read or written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let io_error = |source| StoreError::Io { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            private::create_folder(folder).map_err(io_error)?;
        }
        let store = Store::open_at(StoreLocation::File(path.to_owned()))?;
        // SQLite follows links, and puts its other files beside the file that it finds.
        if let Ok(path) = path.canonicalize() {
            private::tighten(&files_of(&path));
        }
        Ok(store)
    }

    /// Creates a store in memory, which is lost when it is closed.
    ///
    /// # Errors
    /// When SQLite cannot create it.
    pub fn in_memory() -> Result<Self, StoreError> {
        Store::open_at(StoreLocation::Memory(STORES_IN_MEMORY.fetch_add(1, Ordering::Relaxed)))
    }

    /// Stores new runs as those of a program of this version. The default is the version of this
    /// crate; a program that knows its sources adds a stamp of them, as in `0.2.0+1b2c3d4e`.
    #[must_use]
    pub fn by_version(mut self, version: impl Into<Cow<'static, str>>) -> Self {
        self.version = version.into();
        self
    }

    /// Returns the version with which new runs are stored.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Opens another connection to the same store, for another thread. A store in memory is lost
    /// when its last connection is closed.
    ///
    /// # Errors
    /// The same as those of [`open`](Store::open).
    pub fn reopen(&self) -> Result<Self, StoreError> {
        let again = Store::open_at(match &self.location {
            StoreLocation::File(path) => StoreLocation::File(path.clone()),
            StoreLocation::Memory(number) => StoreLocation::Memory(*number),
        })?;
        Ok(again.by_version(self.version.clone()))
    }

    /// Returns the paths of the database and of SQLite's auxiliary files, whether they exist at the
    /// moment or not. This process must not open these files by other means: POSIX releases all
    /// locks on a file when any descriptor of it is closed, so SQLite would lose its locks.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        match &self.location {
            StoreLocation::File(path) => files_of(path),
            StoreLocation::Memory(_) => Vec::new(),
        }
    }

    fn open_at(location: StoreLocation) -> Result<Self, StoreError> {
        let (name, opened) = match &location {
            StoreLocation::File(path) => {
                // If it cannot be created, SQLite says why. SQLite reads an address as one.
                if !path.as_os_str().as_encoded_bytes().starts_with(b"file:") {
                    let _ = private::create_file(path);
                }
                (path.clone(), Connection::open(path))
            }
            StoreLocation::Memory(number) => {
                let address = format!("file:/ludion-{number}?vfs=memdb");
                (PathBuf::from(":memory:"), Connection::open(address))
            }
        };
        let mut connection = opened.map_err(|error| StoreError::cannot_open(&name, error))?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        schema::create_or_migrate(&mut connection).map_err(|error| error.with_path(&name))?;
        let version = Cow::Borrowed(env!("CARGO_PKG_VERSION"));
        Ok(Store { connection, location, version })
    }

    /// Stores the plan of a new run of games and returns the number of the run. `parent` is the
    /// tuning that the run is part of, if any.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin(&mut self, plan: &GamesPlan, parent: Option<RunId>) -> Result<RunId, StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT INTO runs (parent, kind, game, plan, seed, version, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running')",
            params![
                parent,
                plan.kind.name(),
                plan.game,
                rows::to_json(plan)?,
                plan.terms.seed.to_string(),
                self.version,
            ],
        )?;
        let id = transaction.last_insert_rowid();
        checksums::RUN.seal(&transaction, id)?;
        checksums::RUN_STATE.seal(&transaction, id)?;
        for (number, spec) in plan.players.iter().enumerate() {
            transaction.execute(
                "INSERT INTO players (run, number, spec, name) VALUES (?1, ?2, ?3, ?4)",
                params![id, number as i64, spec, plan.names.get(number)],
            )?;
        }
        transaction.commit()?;
        Ok(id)
    }

    /// Changes the state of a run; `Finished` also records the time of the end. A finished run stays
    /// finished and keeps that time.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_state(&mut self, id: RunId, state: RunState) -> Result<(), StoreError> {
        let ended =
            if state == RunState::Finished { "strftime('%Y-%m-%dT%H:%M:%SZ')" } else { "NULL" };
        let sql = format!(
            "UPDATE runs SET state = ?2, ended = {ended} WHERE id = ?1 AND state <> 'finished'"
        );
        let transaction = self.connection.transaction()?;
        if transaction.execute(&sql, params![id, state.name()])? > 0 {
            checksums::RUN_STATE.seal(&transaction, id)?;
        }
        Ok(transaction.commit()?)
    }

    /// Records that a program of this version has resumed the run, if another version began it. A
    /// finished run stays as it is.
    ///
    /// # Errors
    /// When there is no such run, or the store cannot be written.
    pub fn note_resumption(&mut self, id: RunId) -> Result<(), StoreError> {
        let StoredRun { version, mut resumed_by, state, .. } = self.any_run(id)?;
        let is_known = version == self.version || resumed_by.iter().any(|by| *by == self.version);
        if is_known || state == RunState::Finished {
            return Ok(());
        }
        resumed_by.push(self.version.clone().into_owned());
        let sql = "UPDATE runs SET resumed_by = ?2 WHERE id = ?1";
        let transaction = self.connection.transaction()?;
        transaction.execute(sql, params![id, rows::to_json(&resumed_by)?])?;
        checksums::RUN_STATE.seal(&transaction, id)?;
        Ok(transaction.commit()?)
    }

    /// Returns the run of games with this number.
    ///
    /// # Errors
    /// When there is no such run, or when it is a study.
    pub fn run(&self, id: RunId) -> Result<StoredRun, StoreError> {
        as_games_run(self.any_run(id)?)
    }

    /// Returns the run with this number, of games or a study.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn any_run(&self, id: RunId) -> Result<StoredRun<RunPlan>, StoreError> {
        let found = self.select("WHERE id = ?1", params![id])?;
        found.into_iter().next().ok_or_else(|| self.no_run(id))
    }

    fn no_run(&self, id: RunId) -> StoreError {
        let last = self.connection.query_row("SELECT max(id) FROM runs", [], |row| row.get(0));
        StoreError::NoRun { id, last: last.ok().flatten() }
    }

    /// Returns all runs without a parent, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn runs(&self) -> Result<Vec<StoredRun<RunPlan>>, StoreError> {
        self.select("WHERE parent IS NULL ORDER BY id DESC", [])
    }

    /// Returns the number of runs without a parent.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn count_runs(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM runs WHERE parent IS NULL";
        let count: i64 = self.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// Returns at most `count` runs without a parent, the newest first; if `before` is given, only
    /// runs older than that one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn runs_before(
        &self,
        before: Option<RunId>,
        count: u64,
    ) -> Result<Vec<StoredRun<RunPlan>>, StoreError> {
        let condition = "WHERE parent IS NULL AND id < ?1 ORDER BY id DESC LIMIT ?2";
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.select(condition, params![before.unwrap_or(RunId::MAX), count])
    }

    /// Returns the child runs of the run `parent`, the oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn children(&self, parent: RunId) -> Result<Vec<StoredRun>, StoreError> {
        let found = self.select("WHERE parent = ?1 ORDER BY id", params![parent])?;
        found.into_iter().map(as_games_run).collect()
    }

    /// Returns the newest run of exactly this plan that this version of Ludion started, or `None`
    /// if there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find(&self, plan: &GamesPlan) -> Result<Option<StoredRun>, StoreError> {
        self.newest(&rows::to_json(plan)?)?.map(as_games_run).transpose()
    }

    fn newest(&self, plan: &str) -> Result<Option<StoredRun<RunPlan>>, StoreError> {
        let found = self.select(
            "WHERE plan = ?1 AND version = ?2 ORDER BY id DESC LIMIT 1",
            params![plan, self.version],
        )?;
        Ok(found.into_iter().next())
    }

    fn select(
        &self,
        condition: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<StoredRun<RunPlan>>, StoreError> {
        let sql = format!(
            "SELECT id, parent, plan, version, state, began, ended,
                    (SELECT count(*) FROM games WHERE games.run = runs.id)
                    + (SELECT count(*) FROM games JOIN runs AS child ON games.run = child.id
                       WHERE child.parent = runs.id),
                    (SELECT count(*) FROM outputs WHERE outputs.run = runs.id), kind, resumed_by
             FROM runs {condition}"
        );
        let mut statement = self.connection.prepare(&sql)?;
        let mut found = statement.query(params)?;
        let mut runs = Vec::new();
        while let Some(row) = found.next()? {
            runs.push(StoredRun {
                id: row.get(0)?,
                parent: row.get(1)?,
                plan: parse_plan(&row.get::<_, String>(9)?, &row.get::<_, String>(2)?)?,
                version: row.get(3)?,
                resumed_by: match row.get::<_, Option<String>>(10)? {
                    Some(versions) => rows::from_json(&versions)?,
                    None => Vec::new(),
                },
                state: RunState::from_name(&row.get::<_, String>(4)?)?,
                began: row.get(5)?,
                ended: row.get(6)?,
                games: row.get::<_, i64>(7)?.unsigned_abs(),
                outputs: row.get::<_, i64>(8)?.unsigned_abs(),
            });
        }
        Ok(runs)
    }

    /// Deletes a run with its games, outputs and child runs.
    ///
    /// # Errors
    /// When there is no such run, or the store cannot be written.
    pub fn forget(&mut self, id: RunId) -> Result<(), StoreError> {
        match self.connection.execute("DELETE FROM runs WHERE id = ?1", params![id])? {
            0 => Err(self.no_run(id)),
            _ => Ok(()),
        }
    }

    /// Returns whether a program is running the jobs of this run at the moment.
    #[must_use]
    pub fn is_locked(&self, id: RunId) -> bool {
        match &self.location {
            StoreLocation::File(path) => {
                matches!(RunLock::try_acquire(path, id), Err(StoreError::Locked(_)))
            }
            StoreLocation::Memory(_) => false,
        }
    }

    /// Locks a run, so that only this program runs its jobs. The lock is released when it is
    /// dropped or the program ends, even by a signal. A store in memory needs no lock, so `None` is
    /// returned.
    ///
    /// # Errors
    /// When another program holds the lock.
    pub fn lock(&self, id: RunId) -> Result<Option<RunLock>, StoreError> {
        match &self.location {
            StoreLocation::File(path) => RunLock::acquire(path, id).map(Some),
            StoreLocation::Memory(_) => Ok(None),
        }
    }
}

/// Returns the paths of a database and of SQLite's auxiliary files.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let with_suffix = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    ["", "-wal", "-shm", "-journal"].into_iter().map(with_suffix).collect()
}

/// Parses the JSON of a plan, whose type depends on the kind of the run.
fn parse_plan(kind: &str, plan: &str) -> Result<RunPlan, StoreError> {
    if PlanKind::ALL.iter().any(|known| known.name() == kind) {
        return Ok(RunPlan::Games(rows::from_json(plan)?));
    }
    Ok(RunPlan::Study(rows::from_json(plan)?))
}

/// Converts a run to a run of games, or returns an error if it is a study.
fn as_games_run(run: StoredRun<RunPlan>) -> Result<StoredRun, StoreError> {
    match run.plan.clone() {
        RunPlan::Games(plan) => Ok(run.with_plan(plan)),
        RunPlan::Study(study) => Err(StoreError::OtherKind { id: run.id, kind: study.kind }),
    }
}
