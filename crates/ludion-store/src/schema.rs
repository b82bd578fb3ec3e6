//! The tables of the store, as a list of migrations. A published migration is never changed; new
//! ones are appended.

use rusqlite::{Connection, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ludion_players::arena::plan::{GamesPlan, PlanTally};

use crate::{RunId, StoreError, checksums, games, private, rows};

/// SQLite application id that identifies the file as a store of Ludion: the bytes of "Ludi".
const APPLICATION_ID: i32 = 0x4c75_6469;

/// SQL scripts of the migrations: script n changes tables of version n to version n + 1. SQLite
/// keeps the version as `user_version`.
const MIGRATIONS: &[&str] =
    &[GAMES, STUDIES, SUBMISSIONS, CHECKSUMS, NAMES, MORE_CHECKSUMS, GAME_ENDS, ANNOTATIONS];

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

/// Checksums of rows, and the versions that have resumed a run.
const CHECKSUMS: &str = "ALTER TABLE runs ADD COLUMN resumed_by TEXT;
     ALTER TABLE runs ADD COLUMN checksum INTEGER;
     ALTER TABLE games ADD COLUMN checksum INTEGER;
     ALTER TABLE outputs ADD COLUMN checksum INTEGER;
     ALTER TABLE keepsakes ADD COLUMN checksum INTEGER;";

/// Version of the first tables that have no games beyond the decision of a test.
const DECIDED_VERSION: i32 = 4;

/// Names under which players are shown; without one, a player is shown by its spec.
const NAMES: &str = "ALTER TABLE players ADD COLUMN name TEXT;

     DROP VIEW standings;
     CREATE VIEW standings AS
     WITH seats AS (
        SELECT run, first AS player, result = 'first' AS won, result = 'draw' AS drew, plies
        FROM games
        UNION ALL
        SELECT run, second, result = 'second', result = 'draw', plies FROM games
     )
     SELECT seats.run AS run, coalesce(players.name, players.spec) AS player, count(*) AS games,
            sum(won) AS wins, sum(drew) AS draws, count(*) - sum(won) - sum(drew) AS losses,
            sum(won) + 0.5 * sum(drew) AS points,
            (sum(won) + 0.5 * sum(drew)) / count(*) AS score, avg(plies) AS plies,
            players.spec AS spec
     FROM seats JOIN players ON players.run = seats.run AND players.number = seats.player
     GROUP BY seats.run, seats.player
     ORDER BY seats.run, points DESC;";

/// Checksums of what changes in a run, and of teams and their solutions.
const MORE_CHECKSUMS: &str = "ALTER TABLE runs ADD COLUMN state_checksum INTEGER;
     ALTER TABLE teams ADD COLUMN checksum INTEGER;
     ALTER TABLE teams ADD COLUMN token_checksum INTEGER;
     ALTER TABLE solutions ADD COLUMN checksum INTEGER;
     ALTER TABLE solutions ADD COLUMN score_checksum INTEGER;";

/// Games that begin in another position, and that end by a clock or by adjudication. A constraint of a
/// table can only be changed by a new table. The constraints have no `IN`, for which SQLite would make
/// a temporary table at every insertion.
const GAME_ENDS: &str = "DROP VIEW standings;
     CREATE TABLE games_of_all_ends (
        run      INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number   INTEGER NOT NULL,
        first    INTEGER NOT NULL,
        second   INTEGER NOT NULL,
        result   TEXT NOT NULL CHECK (result = 'first' OR result = 'second' OR result = 'draw'),
        ended    TEXT NOT NULL CHECK (ended = 'rules' OR ended = 'forfeit' OR ended = 'endless'
                                      OR ended = 'time' OR ended = 'adjudicated'),
        reason   TEXT,
        plies    INTEGER NOT NULL,
        opening  TEXT NOT NULL,
        movers   TEXT NOT NULL,
        moves    TEXT NOT NULL,
        nanos    TEXT NOT NULL,
        nodes    TEXT NOT NULL,
        worth    TEXT NOT NULL,
        checksum INTEGER,
        start    TEXT,
        PRIMARY KEY (run, number)
     ) STRICT, WITHOUT ROWID;
     INSERT INTO games_of_all_ends
     SELECT run, number, first, second, result, ended, reason, plies, opening, movers, moves,
            nanos, nodes, worth, NULL, NULL
     FROM games;
     DROP TABLE games;
     ALTER TABLE games_of_all_ends RENAME TO games;
     CREATE VIEW standings AS
     WITH seats AS (
        SELECT run, first AS player, result = 'first' AS won, result = 'draw' AS drew, plies
        FROM games
        UNION ALL
        SELECT run, second, result = 'second', result = 'draw', plies FROM games
     )
     SELECT seats.run AS run, coalesce(players.name, players.spec) AS player, count(*) AS games,
            sum(won) AS wins, sum(drew) AS draws, count(*) - sum(won) - sum(drew) AS losses,
            sum(won) + 0.5 * sum(drew) AS points,
            (sum(won) + 0.5 * sum(drew)) / count(*) AS score, avg(plies) AS plies,
            players.spec AS spec
     FROM seats JOIN players ON players.run = seats.run AND players.number = seats.player
     GROUP BY seats.run, seats.player
     ORDER BY seats.run, points DESC;";

/// What users write about a run, and which run it repeats. The number of the repeated run is kept when
/// that run is deleted.
const ANNOTATIONS: &str = "CREATE TABLE annotations (
        id       INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
        tags     TEXT NOT NULL,
        note     TEXT NOT NULL,
        repeat_of INTEGER,
        checksum INTEGER
     ) STRICT;";

/// Maximum number of attempts to create or migrate the tables while another program does so.
const MAX_ATTEMPTS: u32 = 200;
/// Delay between two attempts to create or migrate the tables.
const RETRY_DELAY: Duration = Duration::from_millis(10);

/// Creates the tables or migrates them to the newest version. Rejects a file of another program
/// before it writes anything. Two programs that open the same new file at once disturb each other;
/// the second one retries until the first one is done.
pub(crate) fn create_or_migrate(connection: &mut Connection) -> Result<(), StoreError> {
    checksums::add_function(connection)?;
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
    check_version(version)?;
    // Committed data survives the end of the process, even by a signal, without waiting for the
    // disk.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A transaction takes the write lock at its start, so that it can wait for other writers.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    if version < MIGRATIONS.len() as i32 {
        if version > 0 {
            back_up(connection, version)?;
        }
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        migrate(connection)?;
    }
    Ok(())
}

/// Refuses tables of a newer version of this program.
fn check_version(version: i32) -> Result<(), StoreError> {
    let known = MIGRATIONS.len();
    match usize::try_from(version) {
        Ok(found) if found > known => {
            Err(StoreError::NewerVersion { path: PathBuf::new(), found, known })
        }
        Ok(_) => Ok(()),
        Err(_) => Err(StoreError::Invalid(format!("its tables have the version {version}"))),
    }
}

/// Copies a store before it is migrated: `ludion.sqlite` of version 2 to `ludion.sqlite.v2`. A copy
/// that exists is kept.
fn back_up(connection: &Connection, version: i32) -> Result<(), StoreError> {
    let Some(store) = connection.path().filter(|path| !path.is_empty()) else { return Ok(()) };
    let copy = format!("{store}.v{version}");
    if Path::new(&copy).exists() {
        return Ok(());
    }
    // Under another name until it is complete.
    let partial = format!("{copy}.{}.part", std::process::id());
    let failed = |error: std::io::Error| {
        StoreError::Invalid(format!("it cannot be copied to {copy}: {error}"))
    };
    let _ = std::fs::remove_file(&partial);
    // SQLite writes into an empty file that exists.
    private::create_file(Path::new(&partial)).map_err(failed)?;
    connection.execute("VACUUM INTO ?1", [&partial])?;
    std::fs::rename(&partial, &copy).map_err(failed)
}

/// Runs the missing migrations in one transaction. Another program may have run them meanwhile.
fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    let version: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    check_version(version)?;
    for script in &MIGRATIONS[version as usize..] {
        transaction.execute_batch(script)?;
    }
    if version < DECIDED_VERSION {
        drop_surplus_games(&transaction)?;
    }
    checksums::seal_all(&transaction, version)?;
    transaction.pragma_update(None, "user_version", MIGRATIONS.len() as i32)?;
    Ok(transaction.commit()?)
}

/// Deletes the games that older versions stored beyond the pair that decided a sequential test, so
/// that the stored games are those that were counted.
fn drop_surplus_games(connection: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT id, plan FROM runs WHERE kind = 'match' AND state = 'finished'";
    let mut select = connection.prepare(sql)?;
    let plans: Vec<(RunId, String)> =
        select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (run, plan) in plans {
        let Ok(plan) = rows::from_json::<GamesPlan>(&plan) else { continue };
        if plan.sprt.is_none() {
            continue;
        }
        let mut tally = PlanTally::new(&plan);
        let decided = games::pairs(connection, run)?
            .iter()
            .any(|(number, pair)| tally.add(*number, pair).is_break());
        if decided {
            let sql = "DELETE FROM games WHERE run = ?1 AND number >= ?2";
            connection.execute(sql, rusqlite::params![run, 2 * tally.pairs as i64])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the version of the tables of a file and their names.
    fn tables(path: &Path) -> (i32, Vec<String>) {
        let connection = Connection::open(path).expect("a file");
        let version = connection.pragma_query_value(None, "user_version", |row| row.get(0));
        let mut query = connection
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            .expect("a query");
        let names = query.query_map([], |row| row.get(0)).expect("rows");
        (version.expect("a version"), names.map(|name| name.expect("a name")).collect())
    }

    /// Makes a store of an older version with one run in it.
    fn old_store(path: &Path, version: usize) {
        let connection = Connection::open(path).expect("a file");
        connection.pragma_update(None, "application_id", APPLICATION_ID).expect("an id");
        for script in &MIGRATIONS[..version] {
            connection.execute_batch(script).expect("tables");
        }
        connection.pragma_update(None, "user_version", version as i32).expect("a version");
        let run = "INSERT INTO runs (kind, game, plan, seed, version, state)
                   VALUES ('match', 'morpion', '{}', '1', '0.1.0', 'finished')";
        connection.execute(run, []).expect("a run");
    }

    #[test]
    fn an_old_store_is_copied_and_then_migrated() {
        for version in 1..MIGRATIONS.len() {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("old.sqlite");
            old_store(&path, version);
            let before = tables(&path);
            let mut connection = Connection::open(&path).expect("a store");
            create_or_migrate(&mut connection).expect("a migration");
            drop(connection);
            assert_eq!(tables(&path).0, MIGRATIONS.len() as i32);
            let copy = folder.path().join(format!("old.sqlite.v{version}"));
            assert_eq!(tables(&copy), before);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = copy.metadata().expect("a copy").permissions().mode();
                assert_eq!(mode & 0o777, 0o600, "the copy is for its owner alone");
            }
            for path in [&path, &copy] {
                let connection = Connection::open(path).expect("a store");
                let runs: i64 = connection
                    .query_row("SELECT count(*) FROM runs", [], |row| row.get(0))
                    .expect("a count");
                assert_eq!(runs, 1);
            }
        }
    }

    #[test]
    fn a_new_store_has_no_copy() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.sqlite");
        let mut connection = Connection::open(&path).expect("a store");
        create_or_migrate(&mut connection).expect("tables");
        create_or_migrate(&mut connection).expect("tables that exist");
        drop(connection);
        let files = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!((tables(&path).0, files), (MIGRATIONS.len() as i32, 1));
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.sqlite");
        old_store(&path, 1);
        let mut connection = Connection::open(&path).expect("a store");
        connection.execute_batch("CREATE TABLE teams (id INTEGER)").expect("a table in the way");
        connection.execute_batch("PRAGMA user_version = 1").expect("a version");
        assert!(migrate(&mut connection).is_err());
        drop(connection);
        assert_eq!(tables(&path).0, 1);
        assert!(!tables(&path).1.contains(&"outputs".to_owned()));
    }
}
