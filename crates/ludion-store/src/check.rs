//! Checks the file and the rows of a store: SQLite's own check, the checksums, and whether every row
//! can be read. Whether a game follows its rules is checked by `ludion-runs`, which knows them.

use std::collections::HashMap;

use ludion_players::arena::plan::GamesPlan;
use rusqlite::{Row, params};

use crate::checksums::{
    ANNOTATION, CACHED_VALUE, ChecksumColumn, GAME, OUTPUT, RUN, RUN_STATE, SCORE, SOLUTION, TEAM,
    TOKEN, of_row,
};
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

/// Callback that gets the number of a row, and what is wrong with it if anything is.
pub type CheckedNumber<'a> = &'a mut dyn FnMut(i64, Option<String>);

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
        self.check_rows(&GAME, &mut |row, wrong| {
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
        self.check_rows(&OUTPUT, &mut |row, wrong| {
            visit(checked(row, wrong.map_or(Ok(()), Err)));
        })?;
        self.check_rows(&CACHED_VALUE, &mut |_, wrong| {
            let wrong = wrong.map(|wrong| format!("a cached value: {wrong}"));
            visit(CheckedRow { run: None, number: None, content: wrong.map_or(Ok(()), Err) });
        })
    }

    /// Passes every run to `visit`, with its number alone.
    ///
    /// # Errors
    /// When SQLite cannot read on.
    pub fn check_runs(&self, visit: &mut dyn FnMut(CheckedRow<()>)) -> Result<(), StoreError> {
        let mut states = self.wrong_rows(&RUN_STATE)?;
        let mut annotations = self.wrong_rows(&ANNOTATION)?;
        self.check_rows(&RUN, &mut |row, wrong| {
            let id = row.get(0).ok();
            let state = id.and_then(|id: RunId| states.remove(&id));
            let annotation = id.and_then(|id| annotations.remove(&id));
            let content = wrong.or(state).or(annotation).map_or(Ok(()), Err);
            visit(CheckedRow { number: None, ..checked(row, content) });
        })
    }

    /// Passes every team to `visit`: its number, and a sentence if something is wrong with it.
    ///
    /// # Errors
    /// When SQLite cannot read on.
    pub fn check_teams(&self, visit: CheckedNumber<'_>) -> Result<(), StoreError> {
        self.check_numbered(&TEAM, &TOKEN, visit)
    }

    /// Passes every submitted solution to `visit`: its number, and a sentence if something is wrong
    /// with it.
    ///
    /// # Errors
    /// When SQLite cannot read on.
    pub fn check_submissions(&self, visit: CheckedNumber<'_>) -> Result<(), StoreError> {
        self.check_numbered(&SOLUTION, &SCORE, visit)
    }

    fn check_numbered(
        &self,
        fixed: &ChecksumColumn,
        changing: &ChecksumColumn,
        visit: CheckedNumber<'_>,
    ) -> Result<(), StoreError> {
        let mut changed = self.wrong_rows(changing)?;
        self.check_rows(fixed, &mut |row, wrong| {
            // The number is SQLite's own key of the row, which is always a number.
            let id = row.get(0).unwrap_or_default();
            visit(id, wrong.or(changed.remove(&id)));
        })
    }

    /// Returns what is wrong with rows by one checksum, by the number of the row.
    fn wrong_rows(&self, column: &ChecksumColumn) -> Result<HashMap<i64, String>, StoreError> {
        let mut found = HashMap::new();
        self.check_rows(column, &mut |row, wrong| {
            if let (Ok(id), Some(wrong)) = (row.get(0), wrong) {
                found.insert(id, wrong);
            }
        })?;
        Ok(found)
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

    /// Passes all rows of a table, in order, to `visit` with what is wrong by their checksums.
    fn check_rows(
        &self,
        column: &ChecksumColumn,
        visit: &mut dyn FnMut(&Row<'_>, Option<String>),
    ) -> Result<(), StoreError> {
        let ChecksumColumn { table, covers, name, .. } = column;
        let columns = column.count();
        // Each table has its key in the first one or two columns.
        let sql = format!("SELECT {covers}, {name} FROM {table} ORDER BY 1, 2");
        let mut statement = self.connection.prepare(&sql)?;
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
