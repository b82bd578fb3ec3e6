//! The tables, version by version. A version that was published is never changed; a new one is
//! added below it.

use rusqlite::{Connection, TransactionBehavior};
use rusqlite_migration::{Error as MigrationError, M, MigrationDefinitionError, Migrations};
use std::path::PathBuf;
use std::time::Duration;

use crate::StoreError;

/// "Ludi" in the header of the file says whose it is.
const APPLICATION: i32 = 0x4c75_6469;

const VERSIONS: &[M<'static>] = &[M::up(GAMES), M::up(STUDIES), M::up(SUBMISSIONS)];

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

/// Runs that play no games have outputs, a JSON value a job. What was expensive to find and is the
/// same for everybody is kept by its kind and name.
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

/// Who submits solutions to problems, and what. A token is kept as its hash.
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

/// How often a store that another program is making ready is looked at again, and how soon.
const ATTEMPTS: u32 = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// Makes the tables, or brings them to the newest version; refuses a file that is not ours
/// before anything is written to it. Two programs that begin with the same new file get in each
/// other's way; whoever comes second finds it ready when it looks again.
pub(crate) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    for _ in 1..ATTEMPTS {
        match attempt(connection) {
            Err(StoreError::Busy | StoreError::Strange(_)) => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
    attempt(connection)
}

fn attempt(connection: &mut Connection) -> Result<(), StoreError> {
    let foreign = |what| StoreError::Foreign { path: PathBuf::new(), what };
    let read = |connection: &Connection, pragma: &str| {
        connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0))
    };
    // All of one moment: another program may be making it ready.
    let moment = connection.transaction()?;
    let (application, version) = (read(&moment, "application_id")?, read(&moment, "user_version")?);
    let tables: i64 =
        moment.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    moment.commit()?;
    if application != APPLICATION && (tables > 0 || version != 0 || application != 0) {
        return Err(foreign("a database of another program"));
    }
    let known = VERSIONS.len();
    if version > known as i32 {
        return Err(StoreError::Newer { path: PathBuf::new(), found: version as usize, known });
    }
    // What is committed outlives the program, however it ends, without waiting for the disk.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Whoever means to write says so at once, and waits for its turn.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    if version < known as i32 {
        connection.pragma_update(None, "application_id", APPLICATION)?;
        migrate(connection)?;
    }
    Ok(())
}

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    match Migrations::from_slice(VERSIONS).to_latest(connection) {
        Ok(()) => Ok(()),
        // The tables may have been made by another program meanwhile.
        Err(MigrationError::RusqliteError { query, err }) => match err.into() {
            StoreError::Sqlite(error) => Err(StoreError::Strange(format!("{error} in {query}"))),
            other => Err(other),
        },
        Err(MigrationError::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead)) => {
            Err(StoreError::Busy)
        }
        Err(other) => Err(StoreError::Strange(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_follow_each_other() {
        Migrations::from_slice(VERSIONS).validate().expect("valid migrations");
    }
}
