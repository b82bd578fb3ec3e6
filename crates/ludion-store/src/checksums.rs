//! Checksums of rows: CRC-32 of the values of a row, each with its type and length. A row whose
//! checksum does not fit was changed by something other than this program, such as a failing disk.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use crate::{RunId, StoreError};

/// Columns of a game that its checksum covers, in order.
pub(crate) const GAME_COLUMNS: &str = "run, number, first, second, result, ended, reason, plies,
    opening, movers, moves, nanos, nodes, worth";
/// Columns of a run that its checksum covers: those that never change.
pub(crate) const RUN_COLUMNS: &str = "id, parent, kind, game, plan, seed, version, began";
/// Columns of an output of a study that its checksum covers.
pub(crate) const OUTPUT_COLUMNS: &str = "run, number, nanos, output";
/// Columns of a cached value that its checksum covers.
pub(crate) const CACHE_COLUMNS: &str = "kind, name, value";

/// The checksum of the values of a row so far.
pub(crate) struct RowChecksum(crc32fast::Hasher);

impl RowChecksum {
    pub(crate) fn new() -> Self {
        RowChecksum(crc32fast::Hasher::new())
    }

    /// Adds the next value of the row.
    pub(crate) fn add<'a>(mut self, value: impl Into<ValueRef<'a>>) -> Self {
        let (kind, bytes): (u8, &[u8]) = match &value.into() {
            ValueRef::Null => (0, &[]),
            ValueRef::Integer(number) => {
                self.0.update(&[1]);
                self.0.update(&number.to_le_bytes());
                return self;
            }
            ValueRef::Real(number) => {
                self.0.update(&[2]);
                self.0.update(&number.to_le_bytes());
                return self;
            }
            ValueRef::Text(bytes) => (3, bytes),
            ValueRef::Blob(bytes) => (4, bytes),
        };
        self.0.update(&[kind]);
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a whole number.
    pub(crate) fn int(self, number: i64) -> Self {
        self.add(ValueRef::Integer(number))
    }

    /// Adds a text.
    pub(crate) fn text(self, text: &str) -> Self {
        self.add(ValueRef::Text(text.as_bytes()))
    }

    /// Returns the checksum as it is stored.
    pub(crate) fn finish(self) -> i64 {
        self.0.finalize().into()
    }
}

/// Returns the checksum of the first `columns` values of a row.
pub(crate) fn of_row(row: &Row<'_>, columns: usize) -> Result<i64, rusqlite::Error> {
    let mut sum = RowChecksum::new();
    for column in 0..columns {
        sum = sum.add(row.get_ref(column)?);
    }
    Ok(sum.finish())
}

/// Returns the number of columns in a list of them.
pub(crate) fn count(columns: &str) -> usize {
    columns.split(',').count()
}

/// Stores the checksum of a run that was just inserted.
pub(crate) fn seal_run(connection: &Connection, id: RunId) -> Result<(), StoreError> {
    let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE id = ?1");
    let sum = connection.query_row(&sql, params![id], |row| of_row(row, count(RUN_COLUMNS)))?;
    connection.execute("UPDATE runs SET checksum = ?2 WHERE id = ?1", params![id, sum])?;
    Ok(())
}

/// Stores the checksums of all rows that have none, in a store of an older version.
pub(crate) fn seal_all(connection: &Connection) -> Result<(), StoreError> {
    let mut runs = connection.prepare("SELECT id FROM runs")?;
    let runs: Vec<RunId> = runs.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for run in runs {
        seal_run(connection, run)?;
        for (table, columns) in [("games", GAME_COLUMNS), ("outputs", OUTPUT_COLUMNS)] {
            let sql = format!("SELECT {columns} FROM {table} WHERE run = ?1");
            let mut select = connection.prepare_cached(&sql)?;
            let sums: Vec<(i64, i64)> = select
                .query_map(params![run], |row| Ok((row.get(1)?, of_row(row, count(columns))?)))?
                .collect::<Result<_, _>>()?;
            let sql = format!("UPDATE {table} SET checksum = ?3 WHERE run = ?1 AND number = ?2");
            let mut update = connection.prepare_cached(&sql)?;
            for (number, sum) in sums {
                update.execute(params![run, number, sum])?;
            }
        }
    }
    seal_cache(connection)
}

fn seal_cache(connection: &Connection) -> Result<(), StoreError> {
    let sql = format!("SELECT {CACHE_COLUMNS} FROM keepsakes");
    let mut select = connection.prepare(&sql)?;
    let sums: Vec<(String, String, i64)> = select
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, of_row(row, count(CACHE_COLUMNS))?)))?
        .collect::<Result<_, _>>()?;
    for (kind, name, sum) in sums {
        let sql = "UPDATE keepsakes SET checksum = ?3 WHERE kind = ?1 AND name = ?2";
        connection.execute(sql, params![kind, name, sum])?;
    }
    Ok(())
}
