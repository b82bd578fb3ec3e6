//! Checks the file and the rows of a store: SQLite's own check, the checksums, and whether every row
//! can be read. Whether a game follows its rules is checked by `ludion-runs`, which knows them.

use ludion_players::arena::plan::GamesPlan;
use rusqlite::{Row, params};

use crate::checksums::{CACHE_COLUMNS, GAME_COLUMNS, OUTPUT_COLUMNS, RUN_COLUMNS, count, of_row};
use crate::{RunId, Store, StoreError, StoredGame, rows};

/// A row of the store that was read to be checked.
pub struct CheckedRow<T> {
    /// Number of the run that the row belongs to, or says it belongs to; `None` if it cannot be read.
    pub run: Option<RunId>,
    /// Number of the row in its run; `None` if it has none or it cannot be read.
    pub number: Option<u64>,
    /// The content of the row, or a sentence that says what is wrong with it.
    pub content: Result<T, String>,
}

impl Store {
    /// Runs SQLite's check of the file, and returns what it finds as sentences; none if the file is
    /// sound.
    #[must_use]
    pub fn check_file(&self) -> Vec<String> {
        let mut found = Vec::new();
        for pragma in ["PRAGMA integrity_check(20)", "PRAGMA foreign_key_check"] {
            if let Err(error) = self.collect_findings(pragma, &mut found) {
                found.push(format!("SQLite cannot check the file: {error}"));
            }
        }
        found
    }

    fn collect_findings(&self, pragma: &str, found: &mut Vec<String>) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare(pragma)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            match row.get_ref(0)?.as_str() {
                Ok("ok") => {}
                Ok(table) if pragma.ends_with("foreign_key_check") => {
                    found.push(format!("a row of {table} belongs to nothing"));
                }
                Ok(text) => found.push(text.replace('\n', "; ")),
                Err(_) => found.push("SQLite reports an error that is no text".to_owned()),
            }
        }
        Ok(())
    }

    /// Passes every game of the store to `visit`, in the order of runs and numbers.
    ///
    /// # Errors
    /// When SQLite cannot read on.
    pub fn check_games(
        &self,
        visit: &mut dyn FnMut(CheckedRow<StoredGame>),
    ) -> Result<(), StoreError> {
        let sql = format!("SELECT {GAME_COLUMNS}, checksum FROM games ORDER BY run, number");
        self.check_rows(&sql, GAME_COLUMNS, &mut |row, wrong| {
            let content = match wrong {
                Some(wrong) => Err(wrong),
                None => rows::read_game(row).map_err(|error| error.to_string()),
            };
            visit(checked(row, content));
        })
    }

    /// Passes every output of the studies and every cached value to `visit`, without its content.
    ///
    /// # Errors
    /// When SQLite cannot read on.
    pub fn check_outputs(&self, visit: &mut dyn FnMut(CheckedRow<()>)) -> Result<(), StoreError> {
        let sql = format!("SELECT {OUTPUT_COLUMNS}, checksum FROM outputs ORDER BY run, number");
        self.check_rows(&sql, OUTPUT_COLUMNS, &mut |row, wrong| {
            visit(checked(row, wrong.map_or(Ok(()), Err)));
        })?;
        let sql = format!("SELECT {CACHE_COLUMNS}, checksum FROM keepsakes");
        self.check_rows(&sql, CACHE_COLUMNS, &mut |_, wrong| {
            let wrong = wrong.map(|wrong| format!("a cached value: {wrong}"));
            visit(CheckedRow { run: None, number: None, content: wrong.map_or(Ok(()), Err) });
        })
    }

    /// Passes every run to `visit`, with its number alone.
    ///
    /// # Errors
    /// When SQLite cannot read on.
    pub fn check_runs(&self, visit: &mut dyn FnMut(CheckedRow<()>)) -> Result<(), StoreError> {
        let sql = format!("SELECT {RUN_COLUMNS}, checksum FROM runs ORDER BY id");
        self.check_rows(&sql, RUN_COLUMNS, &mut |row, wrong| {
            visit(CheckedRow { number: None, ..checked(row, wrong.map_or(Ok(()), Err)) });
        })
    }

    /// Returns whether the table of players has the players of this plan, with their names, for this
    /// run.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub fn has_players(&self, run: RunId, plan: &GamesPlan) -> Result<bool, StoreError> {
        let sql = "SELECT number, spec, name FROM players WHERE run = ?1 ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let found = statement.query_map(params![run], read)?;
        let found: Vec<(i64, String, Option<String>)> = found.collect::<Result<_, _>>()?;
        let players = plan.players.iter().enumerate();
        Ok(found
            .into_iter()
            .eq(players.map(|(i, spec)| (i as i64, spec.clone(), plan.names.get(i).cloned()))))
    }

    /// Reads rows that end with their checksum; passes each to `visit` with what is wrong with it.
    fn check_rows(
        &self,
        sql: &str,
        columns: &str,
        visit: &mut dyn FnMut(&Row<'_>, Option<String>),
    ) -> Result<(), StoreError> {
        let columns = count(columns);
        let mut statement = self.connection.prepare(sql)?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let stored = row.get::<_, Option<i64>>(columns);
            let wrong = match (of_row(row, columns), stored) {
                (Ok(sum), Ok(Some(stored))) if sum == stored => None,
                (Ok(_), Ok(None)) => Some("the row has no checksum".to_owned()),
                _ => Some("the row does not have the values that were stored".to_owned()),
            };
            visit(row, wrong);
        }
        Ok(())
    }
}

fn checked<T>(row: &Row<'_>, content: Result<T, String>) -> CheckedRow<T> {
    let number = row.get::<_, i64>(1).ok().and_then(|number| u64::try_from(number).ok());
    CheckedRow { run: row.get(0).ok(), number, content }
}
