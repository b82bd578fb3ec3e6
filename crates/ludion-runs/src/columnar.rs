//! Tables for other programs, held column by column. Rows are written in batches, so that a table
//! of any length can be written with little memory: as CSV here, or in another format by the
//! caller.

use std::io::Write;

use crate::RunError;

/// Number of rows after which a batch is written.
const BATCH_ROWS: usize = 50_000;

/// The type of the values of a column.
#[derive(Clone, Copy)]
pub enum ColumnKind {
    /// Integers.
    Whole,
    /// Floating-point numbers; a cell can be empty.
    Real,
    /// Texts; a cell can be empty.
    Text,
}

/// The names and types of the columns of a table.
pub type ColumnList = &'static [(&'static str, ColumnKind)];

/// The values of one column of a batch.
pub enum ColumnValues {
    /// Integers.
    Whole(Vec<i64>),
    /// Floating-point numbers; `None` is an empty cell.
    Real(Vec<Option<f64>>),
    /// Texts; `None` is an empty cell.
    Text(Vec<Option<String>>),
}

/// The value of one column in one row.
pub enum CellValue {
    /// An integer.
    Whole(i64),
    /// A floating-point number; `None` is an empty cell.
    Real(Option<f64>),
    /// A text; `None` is an empty cell.
    Text(Option<String>),
}

impl CellValue {
    /// Returns a cell with a count; a count above `i64::MAX` becomes `i64::MAX`.
    #[must_use]
    pub fn count(value: u64) -> Self {
        CellValue::Whole(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// Returns a cell with a text.
    pub fn text(value: impl Into<String>) -> Self {
        CellValue::Text(Some(value.into()))
    }
}

/// Callback that writes one batch of rows; it gets the values of each column.
pub type WriteBatches<'a, E> = dyn FnMut(&[ColumnValues]) -> Result<(), E> + 'a;

/// Table that collects rows and passes them on in batches.
pub struct BatchWriter<'a, E> {
    columns: ColumnList,
    values: Vec<ColumnValues>,
    rows: usize,
    write: &'a mut WriteBatches<'a, E>,
}

impl<'a, E> BatchWriter<'a, E> {
    /// Calls `fill` with a table to which it adds rows, and passes these rows to `write` in
    /// batches.
    ///
    /// # Errors
    /// The errors of `fill` and of `write`.
    pub fn write_with(
        columns: ColumnList,
        write: &'a mut WriteBatches<'a, E>,
        fill: impl FnOnce(&mut BatchWriter<'a, E>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut table = BatchWriter { columns, values: empty_batch(columns), rows: 0, write };
        fill(&mut table)?;
        table.flush()
    }

    /// Adds a row with one value for each column.
    ///
    /// # Errors
    /// When a batch cannot be written.
    pub fn add<const N: usize>(&mut self, cells: [CellValue; N]) -> Result<(), E> {
        assert_eq!(N, self.columns.len(), "a row has one value for each column");
        for (values, cell) in self.values.iter_mut().zip(cells) {
            match (values, cell) {
                (ColumnValues::Whole(values), CellValue::Whole(value)) => values.push(value),
                (ColumnValues::Real(values), CellValue::Real(value)) => values.push(value),
                (ColumnValues::Text(values), CellValue::Text(value)) => values.push(value),
                _ => unreachable!("the values of a row have the types of its columns"),
            }
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), E> {
        self.rows = 0;
        (self.write)(&std::mem::replace(&mut self.values, empty_batch(self.columns)))
    }
}

fn empty_batch(columns: ColumnList) -> Vec<ColumnValues> {
    let values = |kind| match kind {
        ColumnKind::Whole => ColumnValues::Whole(Vec::new()),
        ColumnKind::Real => ColumnValues::Real(Vec::new()),
        ColumnKind::Text => ColumnValues::Text(Vec::new()),
    };
    columns.iter().map(|&(_, kind)| values(kind)).collect()
}

/// Writes a table as comma-separated values: a line of column names, then the rows that `fill`
/// adds.
///
/// # Errors
/// The errors of `fill`, and an error if `out` cannot be written.
pub fn csv<E: From<RunError>>(
    out: &mut impl Write,
    columns: ColumnList,
    fill: impl FnOnce(&mut BatchWriter<'_, E>) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = csv::Writer::from_writer(out);
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => RunError::from(error),
        other => RunError::Failed(format!("the table could not be written: {other:?}")),
    };
    writer.write_record(columns.iter().map(|(name, _)| name)).map_err(failed)?;
    let mut write = |batch: &[ColumnValues]| {
        for i in 0..batch.first().map_or(0, ColumnValues::len) {
            let cells = batch.iter().map(|values| match values {
                ColumnValues::Whole(values) => values[i].to_string(),
                ColumnValues::Real(values) => values[i].map_or_else(String::new, |v| v.to_string()),
                ColumnValues::Text(values) => values[i].clone().unwrap_or_default(),
            });
            writer.write_record(cells).map_err(failed)?;
        }
        Ok(())
    };
    BatchWriter::write_with(columns, &mut write, fill)?;
    writer.flush().map_err(RunError::from)?;
    Ok(())
}

impl ColumnValues {
    fn len(&self) -> usize {
        match self {
            ColumnValues::Whole(values) => values.len(),
            ColumnValues::Real(values) => values.len(),
            ColumnValues::Text(values) => values.len(),
        }
    }
}
