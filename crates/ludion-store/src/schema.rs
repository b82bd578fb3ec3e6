//! The tables of the store, as a list of migrations. A published migration is never changed; new
//! ones are appended.

use rusqlite::{Connection, TransactionBehavior};
use rusqlite_migration::{Error as MigrationError, M, MigrationDefinitionError, Migrations};
use std::path::PathBuf;
use std::time::Duration;

use crate::StoreError;

/// SQLite application id that identifies the file as a store of Ludion: the bytes of "Ludi".
const APPLICATION_ID: i32 = 0x4c75_6469;

const MIGRATIONS: &[M<'static>] = &[M::up(GAMES), M::up(STUDIES), M::up(SUBMISSIONS)];

const GAMES: &str = "CREATE TABLE runs (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        parent  INTEGER REFERENCES runs (id) ON DELETE CASCADE,
        kind    TEXT NOT NULL,
        game    TEXT NOT NULL,
        plan    TEXT NOT NULL,
        seed    TEXT NOT NULL,
        version TEXT NOT NULL,
        state   TEXT NOT NULL CHECK (state IN ('running', 'stopped', 'finished')),
        began   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),
        ended   TEXT
     ) STRICT;
     CREATE INDEX runs_by_plan ON runs (plan);
     CREATE INDEX runs_by_parent ON runs (parent);

     CREATE TABLE players (
        run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        spec   TEXT NOT NULL,
        PRIMARY KEY (run, number)
     ) STRICT, WITHOUT ROWID;

     -- Games 2n and 2n + 1 are pair n. Moves, nanoseconds, nodes and worth are JSON lists, an
     -- entry a move of a player, whose seats are the digits of movers; the moves of the opening
     -- stand apart.
     CREATE TABLE games (
        run     INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number  INTEGER NOT NULL,
        first   INTEGER NOT NULL,
        second  INTEGER NOT NULL,
        result  TEXT NOT NULL CHECK (result IN ('first', 'second', 'draw')),
        ended   TEXT NOT NULL CHECK (ended IN ('rules', 'forfeit', 'endless')),
        reason  TEXT,
        plies   INTEGER NOT NULL,
        opening TEXT NOT NULL,
        movers  TEXT NOT NULL,
        moves   TEXT NOT NULL,
        nanos   TEXT NOT NULL,
        nodes   TEXT NOT NULL,
        worth   TEXT NOT NULL,
        PRIMARY KEY (run, number)
     ) STRICT, WITHOUT ROWID;

     CREATE VIEW standings AS
     WITH seats AS (
        SELECT run, first AS player, result = 'first' AS won, result = 'draw' AS drew, plies
        FROM games
        UNION ALL
        SELECT run, second, result = 'second', result = 'draw', plies FROM games
     )
     SELECT seats.run AS run, players.spec AS player, count(*) AS games, sum(won) AS wins,
            sum(drew) AS draws, count(*) - sum(won) - sum(drew) AS losses,
            sum(won) + 0.5 * sum(drew) AS points,
            (sum(won) + 0.5 * sum(drew)) / count(*) AS score, avg(plies) AS plies
     FROM seats JOIN players ON players.run = seats.run AND players.number = seats.player
     GROUP BY seats.run, seats.player
     ORDER BY seats.run, points DESC;";

/// Tables of studies. `outputs` has one JSON value for every job; `keepsakes` caches results that
/// are expensive to compute, by kind and name.
const STUDIES: &str = "CREATE TABLE outputs (
        run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        nanos  INTEGER NOT NULL,
        output TEXT NOT NULL,
        PRIMARY KEY (run, number)
     ) STRICT, WITHOUT ROWID;

     CREATE TABLE keepsakes (
        kind  TEXT NOT NULL,
        name  TEXT NOT NULL,
        value BLOB NOT NULL,
        found TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),
        PRIMARY KEY (kind, name)
     ) STRICT;";

/// Tables of the contest server: teams and the solutions they submit. Only the hash of a token is
/// stored.
const SUBMISSIONS: &str = "CREATE TABLE teams (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        name    TEXT NOT NULL UNIQUE,
        token   BLOB NOT NULL CHECK (length(token) = 32),
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ'))
     ) STRICT;

     CREATE TABLE solutions (
        id       INTEGER PRIMARY KEY AUTOINCREMENT,
        team     INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        created  TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),
        problem  INTEGER NOT NULL,
        seed     INTEGER NOT NULL,
        tag      TEXT,
        solution TEXT NOT NULL,
        status   TEXT,
        score    INTEGER,
        power    INTEGER,
        phrases  INTEGER
     ) STRICT;
     CREATE INDEX solutions_by_team ON solutions (team, problem, seed);
     CREATE INDEX solutions_unscored ON solutions (id) WHERE score IS NULL;";

/// Maximum number of attempts to create or migrate the tables while another program does so.
const MAX_ATTEMPTS: u32 = 200;
/// Delay between these attempts.
const RETRY_DELAY: Duration = Duration::from_millis(10);

/// Creates the tables or migrates them to the newest version. Rejects a file of another program
/// before it writes anything. Two programs that open the same new file at once disturb each other;
/// the second one retries until the first one is done.
pub(crate) fn create_or_migrate(connection: &mut Connection) -> Result<(), StoreError> {
    for _ in 1..MAX_ATTEMPTS {
        match try_create_or_migrate(connection) {
            Err(StoreError::Busy | StoreError::Invalid(_)) => std::thread::sleep(RETRY_DELAY),
            result => return result,
        }
    }
    try_create_or_migrate(connection)
}

fn try_create_or_migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let foreign = |what| StoreError::Foreign { path: PathBuf::new(), what };
    let read = |connection: &Connection, pragma: &str| {
        connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0))
    };
    // One transaction for a consistent view: another program may be creating the tables.
    let snapshot = connection.transaction()?;
    let (application_id, version) =
        (read(&snapshot, "application_id")?, read(&snapshot, "user_version")?);
    let tables: i64 =
        snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    snapshot.commit()?;
    let is_used = tables > 0 || version != 0 || application_id != 0;
    if application_id != APPLICATION_ID && is_used {
        return Err(foreign("a database of another program"));
    }
    let known = MIGRATIONS.len();
    if version > known as i32 {
        return Err(StoreError::NewerVersion {
            path: PathBuf::new(),
            found: version as usize,
            known,
        });
    }
    // Committed data survives the end of the process, even by a signal, without waiting for the
    // disk.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A transaction takes the write lock at its start, so that it can wait for other writers.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    if version < known as i32 {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        migrate(connection)?;
    }
    Ok(())
}

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    match Migrations::from_slice(MIGRATIONS).to_latest(connection) {
        Ok(()) => Ok(()),
        // Another program may have created the tables meanwhile.
        Err(MigrationError::RusqliteError { query, err }) => match err.into() {
            StoreError::Sqlite(error) => Err(StoreError::Invalid(format!("{error} in {query}"))),
            other => Err(other),
        },
        Err(MigrationError::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead)) => {
            Err(StoreError::Busy)
        }
        Err(other) => Err(StoreError::Invalid(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migrations_are_valid() {
        Migrations::from_slice(MIGRATIONS).validate().expect("valid migrations");
    }
}
