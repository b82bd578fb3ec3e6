//! Checksums of rows: CRC-32 of the values of a row, each with its type and length. A row whose
//! checksum does not fit was changed by something other than this program, such as a failing disk.
//! What changes in a row has a checksum of its own, so that a change does not hide damage of the rest.

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use crate::StoreError;

/// A column of a table with the checksum of some columns of the same row.
pub(crate) struct ChecksumColumn {
    /// Name of the table.
    pub table: &'static str,
    /// Columns that the checksum covers, in order; first those that identify the row.
    pub covers: &'static str,
    /// Name of the column.
    pub name: &'static str,
    /// Version of the tables that added the column.
    pub since: i32,
}

/// Of a game.
pub(crate) const GAME: ChecksumColumn = ChecksumColumn {
    table: "games",
    covers: "run, number, first, second, result, ended, reason, plies, opening, movers, moves,
        nanos, nodes, worth, start",
    name: "checksum",
    since: 7,
};
/// Of what never changes in a run.
pub(crate) const RUN: ChecksumColumn = ChecksumColumn {
    table: "runs",
    covers: "id, parent, kind, game, plan, seed, version, began",
    name: "checksum",
    since: 4,
};
/// Of what changes while a run is played.
pub(crate) const RUN_STATE: ChecksumColumn = ChecksumColumn {
    table: "runs",
    covers: "id, state, ended, resumed_by",
    name: "state_checksum",
    since: 6,
};
/// Of an output of a study.
pub(crate) const OUTPUT: ChecksumColumn = ChecksumColumn {
    table: "outputs",
    covers: "run, number, nanos, output",
    name: "checksum",
    since: 4,
};
/// Of a cached value.
pub(crate) const CACHED_VALUE: ChecksumColumn =
    ChecksumColumn { table: "keepsakes", covers: "kind, name, value", name: "checksum", since: 4 };
/// Of the name of a team.
pub(crate) const TEAM: ChecksumColumn =
    ChecksumColumn { table: "teams", covers: "id, name, created", name: "checksum", since: 6 };
/// Of the hash of a team's token.
pub(crate) const TOKEN: ChecksumColumn =
    ChecksumColumn { table: "teams", covers: "id, token", name: "token_checksum", since: 6 };
/// Of a solution as it was submitted.
pub(crate) const SOLUTION: ChecksumColumn = ChecksumColumn {
    table: "solutions",
    covers: "id, team, created, problem, seed, tag, solution",
    name: "checksum",
    since: 6,
};
/// Of the score of a solution.
pub(crate) const SCORE: ChecksumColumn = ChecksumColumn {
    table: "solutions",
    covers: "id, status, score, power, phrases",
    name: "score_checksum",
    since: 6,
};

/// Of what users write about a run.
pub(crate) const ANNOTATION: ChecksumColumn = ChecksumColumn {
    table: "annotations",
    covers: "id, tags, note, repeat_of",
    name: "checksum",
    since: 8,
};

const ALL: [&ChecksumColumn; 10] = [
    &GAME,
    &RUN,
    &RUN_STATE,
    &OUTPUT,
    &CACHED_VALUE,
    &TEAM,
    &TOKEN,
    &SOLUTION,
    &SCORE,
    &ANNOTATION,
];

impl ChecksumColumn {
    /// Returns the number of columns that the checksum covers.
    pub(crate) fn count(&self) -> usize {
        self.covers.split(',').count()
    }

    /// Stores the checksum of the row with this `id`, after an insertion or a change.
    pub(crate) fn seal(&self, connection: &Connection, id: i64) -> Result<(), StoreError> {
        let mut update = connection.prepare_cached(&(self.update() + " WHERE id = ?1"))?;
        update.execute(params![id])?;
        Ok(())
    }

    fn update(&self) -> String {
        format!("UPDATE {} SET {} = row_checksum({})", self.table, self.name, self.covers)
    }
}

/// Adds the SQL function `row_checksum`, the checksum of its arguments, to a connection.
pub(crate) fn add_function(connection: &Connection) -> Result<(), rusqlite::Error> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("row_checksum", -1, flags, |values| {
        let add = |sum: RowChecksum, i| sum.add(values.get_raw(i));
        Ok((0..values.len()).fold(RowChecksum::new(), add).finish())
    })
}

/// Stores the checksums of all rows, in the columns that a store of an older version lacked.
pub(crate) fn seal_all(connection: &Connection, version: i32) -> Result<(), StoreError> {
    for column in ALL.into_iter().filter(|column| column.since > version) {
        connection.execute(&column.update(), [])?;
    }
    Ok(())
}

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
