//! What users write about runs, tags and a note, and which run a run repeat_of.

use std::collections::HashMap;

use rusqlite::{OptionalExtension as _, Row, params};
use serde::Serialize;

use crate::{RunId, Store, StoreError, checksums, rows};

/// What is kept about a run besides its plan and results.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct RunAnnotation {
    /// Short words by which runs are grouped.
    pub tags: Vec<String>,
    /// A text of the user about the run.
    pub note: String,
    /// Number of the run whose plan this run repeat_of; that run may have been deleted.
    pub repeat_of: Option<RunId>,
}

impl Store {
    /// Returns what is kept about a run; empty if nothing is.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn annotation(&self, id: RunId) -> Result<RunAnnotation, StoreError> {
        let sql = "SELECT tags, note, repeat_of FROM annotations WHERE id = ?1";
        let found = self.connection.query_row(sql, params![id], |row| Ok(read(row, 0)));
        found.optional()?.unwrap_or_else(|| Ok(RunAnnotation::default()))
    }

    /// Returns what is kept about all runs that have something.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn annotations(&self) -> Result<HashMap<RunId, RunAnnotation>, StoreError> {
        let mut statement =
            self.connection.prepare("SELECT id, tags, note, repeat_of FROM annotations")?;
        let mut found = statement.query([])?;
        let mut all = HashMap::new();
        while let Some(row) = found.next()? {
            all.insert(row.get(0)?, read(row, 1)?);
        }
        Ok(all)
    }

    /// Replaces what is kept about a run.
    ///
    /// # Errors
    /// When there is no such run, or the store cannot be written.
    pub fn annotate(&mut self, id: RunId, annotation: &RunAnnotation) -> Result<(), StoreError> {
        self.any_run(id)?;
        let RunAnnotation { tags, note, repeat_of } = annotation;
        let transaction = self.connection.transaction()?;
        transaction.execute(
            "INSERT OR REPLACE INTO annotations (id, tags, note, repeat_of) VALUES (?1, ?2, ?3, ?4)",
            params![id, rows::to_json(tags)?, note, repeat_of],
        )?;
        checksums::ANNOTATION.seal(&transaction, id)?;
        Ok(transaction.commit()?)
    }
}

/// Reads tags, note and repeated run from the columns of a row.
fn read(row: &Row<'_>, first: usize) -> Result<RunAnnotation, StoreError> {
    Ok(RunAnnotation {
        tags: rows::from_json(&row.get::<_, String>(first)?)?,
        note: row.get(first + 1)?,
        repeat_of: row.get(first + 2)?,
    })
}
