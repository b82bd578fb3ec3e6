//! Rows for other programs. They are gathered column by column, some thousands at a time, so that a
//! table of any length fits, and written as CSV here or in another format by whoever takes batches.

use std::io::Write;

use crate::RunError;

/// Rows that are gathered before they are written.
const BATCH: usize = 50_000;

/// What the cells of a column are.
#[derive(Clone, Copy)]
pub enum ColumnKind {
    /// Whole numbers.
    Whole,
    /// Numbers, where they are known.
    Real,
    /// Words, where there are any.
    Text,
}

/// The columns of a sheet.
pub type ColumnList = &'static [(&'static str, ColumnKind)];

/// Values of one column.
pub enum ColumnValues {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers, where they are known.
    Real(Vec<Option<f64>>),
    /// Words, where there are any.
    Text(Vec<Option<String>>),
}

/// One cell of a row.
pub enum CellValue {
    /// A whole number.
    Whole(i64),
    /// A number, where it is known.
    Real(Option<f64>),
    /// Words, where there are any.
    Text(Option<String>),
}

impl CellValue {
    /// A number of things.
    #[must_use]
    pub fn count(value: u64) -> Self {
        CellValue::Whole(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// Words.
    pub fn text(value: impl Into<String>) -> Self {
        CellValue::Text(Some(value.into()))
    }
}

/// Takes batches of rows.
pub type WriteBatches<'a, E> = dyn FnMut(&[ColumnValues]) -> Result<(), E> + 'a;

/// Rows on their way to a file.
pub struct ColumnarTable<'a, E> {
    columns: ColumnList,
    values: Vec<ColumnValues>,
    rows: usize,
    write: &'a mut WriteBatches<'a, E>,
}

impl<'a, E> ColumnarTable<'a, E> {
    /// Gives the rows that `fill` adds to `write`, some thousands at a time.
    ///
    /// # Errors
    /// Those of `fill` and of `write`.
    pub fn filled(
        columns: ColumnList,
        write: &'a mut WriteBatches<'a, E>,
        fill: impl FnOnce(&mut ColumnarTable<'a, E>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sheet = ColumnarTable { columns, values: empty(columns), rows: 0, write };
        fill(&mut sheet)?;
        sheet.flush()
    }

    /// Adds one row, a cell a column.
    ///
    /// # Errors
    /// When a batch cannot be written.
    pub fn add<const N: usize>(&mut self, cells: [CellValue; N]) -> Result<(), E> {
        assert_eq!(N, self.columns.len(), "a cell a column");
        for (values, cell) in self.values.iter_mut().zip(cells) {
            match (values, cell) {
                (ColumnValues::Whole(values), CellValue::Whole(value)) => values.push(value),
                (ColumnValues::Real(values), CellValue::Real(value)) => values.push(value),
                (ColumnValues::Text(values), CellValue::Text(value)) => values.push(value),
                _ => unreachable!("the cells of a row are those of its columns"),
            }
        }
        self.rows += 1;
        if self.rows == BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), E> {
        self.rows = 0;
        (self.write)(&std::mem::replace(&mut self.values, empty(self.columns)))
    }
}

fn empty(columns: ColumnList) -> Vec<ColumnValues> {
    let values = |kind| match kind {
        ColumnKind::Whole => ColumnValues::Whole(Vec::new()),
        ColumnKind::Real => ColumnValues::Real(Vec::new()),
        ColumnKind::Text => ColumnValues::Text(Vec::new()),
    };
    columns.iter().map(|&(_, kind)| values(kind)).collect()
}

/// Writes the rows that `fill` adds as comma-separated values, with a line of names.
///
/// # Errors
/// When `out` cannot be written, and those of `fill`.
pub fn csv<E: From<RunError>>(
    out: &mut impl Write,
    columns: ColumnList,
    fill: impl FnOnce(&mut ColumnarTable<'_, E>) -> Result<(), E>,
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
    ColumnarTable::filled(columns, &mut write, fill)?;
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
