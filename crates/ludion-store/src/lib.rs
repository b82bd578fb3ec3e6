//! What was asked for and what came of it, kept in one SQLite file: runs with everything needed
//! to do them again, every game of them, move by move, and the outputs of other work.
//!
//! A finished game is in the file within milliseconds, so a program that is killed loses nothing
//! that was finished. Several programs may use one store; each run is played by one of them at a
//! time. The tables are made to be read with any SQLite tool: `runs`, `players`, `games`, the view
//! `standings`, `outputs`, `keepsakes`, `teams`, `solutions`. Games by the million are kept in
//! archives, files of their own.

mod archive;
mod error;
mod lock;
mod rows;
mod schema;
mod studies;
mod submissions;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ludion::arena::pair::GameResult;
use ludion::arena::plan::{MatchPlan, PlanKind};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

pub use archive::{
    ArchiveFileError, ArchiveFileReader, ArchiveFileWriter, ArchiveRecord, BlockSource,
};
pub use error::StoreError;
pub use lock::RunLock;
pub use rows::StoredGame;
pub use studies::{JobOutput, RunPlan, StudyPlan};
pub use submissions::{CountingRule, NewSolution, ScoredSolution, Submission, Team, TeamId};

/// The number of a run.
pub type RunId = i64;

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It is being played, or was when its program was killed.
    Running,
    /// It was stopped and can be resumed.
    Stopped,
    /// All is played, or its test is decided.
    Finished,
}

impl RunState {
    const ALL: [RunState; 3] = [RunState::Running, RunState::Stopped, RunState::Finished];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Stopped => "stopped",
            RunState::Finished => "finished",
        }
    }

    fn read(name: &str) -> Result<RunState, StoreError> {
        let found = RunState::ALL.into_iter().find(|state| state.name() == name);
        found.ok_or_else(|| StoreError::Strange(format!("a run is in the state {name:?}")))
    }
}

/// A run as the store knows it; most are asked for as what they are, games or a study.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoredRun<P = MatchPlan> {
    /// Its number.
    pub id: RunId,
    /// The run it was played for, such as a tuning.
    pub parent: Option<RunId>,
    /// What it is.
    pub plan: P,
    /// The version of Ludion that began it.
    pub version: String,
    /// How far it has come.
    pub state: RunState,
    /// When it began, in universal time.
    pub began: String,
    /// When it was finished, in universal time.
    pub ended: Option<String>,
    /// Games in the store, those of runs played for it included.
    pub games: u64,
    /// Jobs of a study that are done.
    pub outputs: u64,
}

impl<P> StoredRun<P> {
    fn with<Q>(self, plan: Q) -> StoredRun<Q> {
        let StoredRun { id, parent, plan: _, version, state, began, ended, games, outputs } = self;
        StoredRun { id, parent, plan, version, state, began, ended, games, outputs }
    }
}

/// How long to wait for another program that is writing.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open store.
pub struct Store {
    connection: Connection,
    place: StoreLocation,
}

/// Where a store is.
enum StoreLocation {
    File(PathBuf),
    /// In the memory of this program, under a number of its own.
    Memory(u64),
}

/// Stores that were made in memory so far.
static IN_MEMORY: AtomicU64 = AtomicU64::new(0);

impl Store {
    /// Opens the store at `path`; a file that does not exist is made, with its folders.
    ///
    /// # Errors
    /// When the file is no store, or one of a newer version, or cannot be read or written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let at = |source| StoreError::Unreachable { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(at)?;
        }
        Store::at(StoreLocation::File(path.to_owned()))
    }

    /// A store that is gone when it is closed.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        Store::at(StoreLocation::Memory(IN_MEMORY.fetch_add(1, Ordering::Relaxed)))
    }

    /// The same store once more, for another thread. One in memory is gone when the last of
    /// them is closed.
    ///
    /// # Errors
    /// As when it was opened.
    pub fn reopen(&self) -> Result<Self, StoreError> {
        Store::at(match &self.place {
            StoreLocation::File(path) => StoreLocation::File(path.clone()),
            StoreLocation::Memory(number) => StoreLocation::Memory(*number),
        })
    }

    /// The files it is made of, whether they are there at the moment or not. Whoever else in
    /// this program opens one of them and closes it takes SQLite's locks away (they go with any
    /// descriptor of the file, by POSIX), and another program may then write over us.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let StoreLocation::File(path) = &self.place else { return Vec::new() };
        let named = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        ["", "-wal", "-shm", "-journal"].into_iter().map(named).collect()
    }

    fn at(place: StoreLocation) -> Result<Self, StoreError> {
        let (name, opened) = match &place {
            StoreLocation::File(path) => (path.clone(), Connection::open(path)),
            StoreLocation::Memory(number) => {
                let address = format!("file:/ludion-{number}?vfs=memdb");
                (PathBuf::from(":memory:"), Connection::open(address))
            }
        };
        let mut connection = opened.map_err(|error| StoreError::opening(&name, error))?;
        connection.busy_timeout(PATIENCE)?;
        schema::prepare(&mut connection).map_err(|error| error.at(&name))?;
        Ok(Store { connection, place })
    }

    /// Keeps a new run and gives its number.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn begin(&mut self, plan: &MatchPlan, parent: Option<RunId>) -> Result<RunId, StoreError> {
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
                env!("CARGO_PKG_VERSION"),
            ],
        )?;
        let id = transaction.last_insert_rowid();
        for (number, spec) in plan.players.iter().enumerate() {
            transaction.execute(
                "INSERT INTO players (run, number, spec) VALUES (?1, ?2, ?3)",
                params![id, number as i64, spec],
            )?;
        }
        transaction.commit()?;
        Ok(id)
    }

    /// Says how far a run has come.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_state(&mut self, id: RunId, state: RunState) -> Result<(), StoreError> {
        let ended =
            if state == RunState::Finished { "strftime('%Y-%m-%dT%H:%M:%SZ')" } else { "NULL" };
        let sql = format!("UPDATE runs SET state = ?2, ended = {ended} WHERE id = ?1");
        self.connection.execute(&sql, params![id, state.name()])?;
        Ok(())
    }

    /// The run of games with this number.
    ///
    /// # Errors
    /// When there is none, or when the run is a study.
    pub fn run(&self, id: RunId) -> Result<StoredRun, StoreError> {
        games_of(self.any_run(id)?)
    }

    /// The run with this number, whatever it does.
    ///
    /// # Errors
    /// When there is none.
    pub fn any_run(&self, id: RunId) -> Result<StoredRun<RunPlan>, StoreError> {
        let found = self.select("WHERE id = ?1", params![id])?;
        found.into_iter().next().ok_or_else(|| self.no_run(id))
    }

    fn no_run(&self, id: RunId) -> StoreError {
        let last = self.connection.query_row("SELECT max(id) FROM runs", [], |row| row.get(0));
        StoreError::NoRun { id, last: last.ok().flatten() }
    }

    /// All runs that were asked for, the newest first; not those played for another run.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn runs(&self) -> Result<Vec<StoredRun<RunPlan>>, StoreError> {
        self.select("WHERE parent IS NULL ORDER BY id DESC", [])
    }

    /// How many runs were asked for.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn count_runs(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM runs WHERE parent IS NULL";
        let count: i64 = self.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// Some of the runs that were asked for, the newest first: at most `count`, all of them
    /// older than the run `before`.
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

    /// The runs played for another one, in their order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn children(&self, parent: RunId) -> Result<Vec<StoredRun>, StoreError> {
        let found = self.select("WHERE parent = ?1 ORDER BY id", params![parent])?;
        found.into_iter().map(games_of).collect()
    }

    /// The newest run of exactly this plan by this version of Ludion.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find(&self, plan: &MatchPlan) -> Result<Option<StoredRun>, StoreError> {
        self.newest(&rows::to_json(plan)?)?.map(games_of).transpose()
    }

    fn newest(&self, plan: &str) -> Result<Option<StoredRun<RunPlan>>, StoreError> {
        let version = env!("CARGO_PKG_VERSION");
        let found = self.select(
            "WHERE plan = ?1 AND version = ?2 ORDER BY id DESC LIMIT 1",
            params![plan, version],
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
                    (SELECT count(*) FROM outputs WHERE outputs.run = runs.id), kind
             FROM runs {condition}"
        );
        let mut statement = self.connection.prepare(&sql)?;
        let mut found = statement.query(params)?;
        let mut runs = Vec::new();
        while let Some(row) = found.next()? {
            runs.push(StoredRun {
                id: row.get(0)?,
                parent: row.get(1)?,
                plan: planned(&row.get::<_, String>(9)?, &row.get::<_, String>(2)?)?,
                version: row.get(3)?,
                state: RunState::read(&row.get::<_, String>(4)?)?,
                began: row.get(5)?,
                ended: row.get(6)?,
                games: row.get::<_, i64>(7)?.unsigned_abs(),
                outputs: row.get::<_, i64>(8)?.unsigned_abs(),
            });
        }
        Ok(runs)
    }

    /// Keeps finished pairs of games. All of them are in the file when it returns.
    ///
    /// # Errors
    /// When the store cannot be written: then none of them is.
    pub fn keep(&mut self, run: RunId, pairs: &[(u64, [GameResult; 2])]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(rows::INSERT)?;
            for (number, pair) in pairs {
                for (i, game) in (0..).zip(pair) {
                    rows::insert(&mut insert, run, 2 * number + i, game)?;
                }
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// The pairs of a run in their order, without their moves.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn pairs(&self, run: RunId) -> Result<Vec<(u64, [GameResult; 2])>, StoreError> {
        let mut pairs = Vec::new();
        let mut first = None;
        self.each_game::<StoreError>(run, |game| {
            let result = GameResult { record: None, ..game.result };
            match (game.number % 2, first.take()) {
                (0, _) => first = Some((game.number, result)),
                (_, Some((number, first))) if number + 1 == game.number => {
                    pairs.push((number / 2, [first, result]));
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(pairs)
    }

    /// Gives every game of a run to `visit`, in their order.
    ///
    /// # Errors
    /// When the store cannot be read, and what `visit` says.
    pub fn each_game<E: From<StoreError>>(
        &self,
        run: RunId,
        mut visit: impl FnMut(StoredGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("{} WHERE run = ?1 ORDER BY number", rows::SELECT);
        let mut statement = self.connection.prepare(&sql).map_err(StoreError::from)?;
        let mut found = statement.query(params![run]).map_err(StoreError::from)?;
        while let Some(row) = found.next().map_err(StoreError::from)? {
            visit(rows::read(row)?)?;
        }
        Ok(())
    }

    /// Some games of a run in their order: at most `count`, from the number `from` on.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn games(&self, run: RunId, from: u64, count: u64) -> Result<Vec<StoredGame>, StoreError> {
        let sql =
            format!("{} WHERE run = ?1 AND number >= ?2 ORDER BY number LIMIT ?3", rows::SELECT);
        let mut statement = self.connection.prepare_cached(&sql)?;
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let mut found = statement.query(params![run, whole(from), whole(count)])?;
        let mut games = Vec::new();
        while let Some(row) = found.next()? {
            games.push(rows::read(row)?);
        }
        Ok(games)
    }

    /// One game of a run.
    ///
    /// # Errors
    /// When there is none with this number.
    pub fn game(&self, run: RunId, number: u64) -> Result<StoredGame, StoreError> {
        let sql = format!("{} WHERE run = ?1 AND number = ?2", rows::SELECT);
        let mut statement = self.connection.prepare(&sql)?;
        let found = statement
            .query_row(params![run, number as i64], |row| Ok(rows::read(row)))
            .optional()?;
        match found {
            Some(game) => game,
            None => {
                let finished = self.run(run)?.state == RunState::Finished;
                Err(StoreError::NoGame { run, number, finished })
            }
        }
    }

    /// Forgets a run with all its games.
    ///
    /// # Errors
    /// When there is none with this number, or the store cannot be written.
    pub fn forget(&mut self, id: RunId) -> Result<(), StoreError> {
        match self.connection.execute("DELETE FROM runs WHERE id = ?1", params![id])? {
            0 => Err(self.no_run(id)),
            _ => Ok(()),
        }
    }

    /// Whether a program is playing this run.
    #[must_use]
    pub fn is_played(&self, id: RunId) -> bool {
        matches!(self.lock(id), Err(StoreError::Taken(_)))
    }

    /// The right to play a run, which one program has at a time; given back when it is
    /// dropped or the program ends, however it ends.
    ///
    /// # Errors
    /// When another program has it.
    pub fn lock(&self, id: RunId) -> Result<Option<RunLock>, StoreError> {
        match &self.place {
            StoreLocation::File(path) => RunLock::take(path, id).map(Some),
            StoreLocation::Memory(_) => Ok(None),
        }
    }
}

/// The plan of a run of this kind, written down.
fn planned(kind: &str, plan: &str) -> Result<RunPlan, StoreError> {
    if PlanKind::ALL.iter().any(|known| known.name() == kind) {
        return Ok(RunPlan::Games(rows::from_json(plan)?));
    }
    Ok(RunPlan::Study(rows::from_json(plan)?))
}

fn games_of(run: StoredRun<RunPlan>) -> Result<StoredRun, StoreError> {
    match run.plan.clone() {
        RunPlan::Games(plan) => Ok(run.with(plan)),
        RunPlan::Study(study) => Err(StoreError::OtherKind { id: run.id, kind: study.kind }),
    }
}
