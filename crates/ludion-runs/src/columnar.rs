//! Rows for other programs. They are gathered column by column, some thousands at a time, so that a
//! table of any length fits, and written as CSV here or in another format by whoever takes batches.

use std::io::Write;

use crate::Error;

/// Rows that are gathered before they are written.
const BATCH: usize = 50_000;

/// What the cells of a column are.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers, where they are known.
    Real,
    /// Words, where there are any.
    Text,
}

/// The columns of a sheet.
pub type Columns = &'static [(&'static str, Kind)];

/// Values of one column.
pub enum Values {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers, where they are known.
    Real(Vec<Option<f64>>),
    /// Words, where there are any.
    Text(Vec<Option<String>>),
}

/// One cell of a row.
pub enum Cell {
    /// A whole number.
    Whole(i64),
    /// A number, where it is known.
    Real(Option<f64>),
    /// Words, where there are any.
    Text(Option<String>),
}

impl Cell {
    /// A number of things.
    #[must_use]
    pub fn count(value: u64) -> Self {
        Cell::Whole(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// Words.
    pub fn text(value: impl Into<String>) -> Self {
        Cell::Text(Some(value.into()))
    }
}

/// Takes batches of rows.
pub type Batches<'a, E> = dyn FnMut(&[Values]) -> Result<(), E> + 'a;

/// Rows on their way to a file.
pub struct Sheet<'a, E> {
    columns: Columns,
    values: Vec<Values>,
    rows: usize,
    write: &'a mut Batches<'a, E>,
}

impl<'a, E> Sheet<'a, E> {
    /// Gives the rows that `fill` adds to `write`, some thousands at a time.
    ///
    /// # Errors
    /// Those of `fill` and of `write`.
    pub fn filled(
        columns: Columns,
        write: &'a mut Batches<'a, E>,
        fill: impl FnOnce(&mut Sheet<'a, E>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut sheet = Sheet { columns, values: empty(columns), rows: 0, write };
        fill(&mut sheet)?;
        sheet.flush()
    }

    /// Adds one row, a cell a column.
    ///
    /// # Errors
    /// When a batch cannot be written.
    pub fn add<const N: usize>(&mut self, cells: [Cell; N]) -> Result<(), E> {
        assert_eq!(N, self.columns.len(), "a cell a column");
        for (values, cell) in self.values.iter_mut().zip(cells) {
            match (values, cell) {
                (Values::Whole(values), Cell::Whole(value)) => values.push(value),
                (Values::Real(values), Cell::Real(value)) => values.push(value),
                (Values::Text(values), Cell::Text(value)) => values.push(value),
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

fn empty(columns: Columns) -> Vec<Values> {
    let values = |kind| match kind {
        Kind::Whole => Values::Whole(Vec::new()),
        Kind::Real => Values::Real(Vec::new()),
        Kind::Text => Values::Text(Vec::new()),
    };
    columns.iter().map(|&(_, kind)| values(kind)).collect()
}

/// Writes the rows that `fill` adds as comma-separated values, with a line of names.
///
/// # Errors
/// When `out` cannot be written, and those of `fill`.
pub fn csv<E: From<Error>>(
    out: &mut impl Write,
    columns: Columns,
    fill: impl FnOnce(&mut Sheet<'_, E>) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = csv::Writer::from_writer(out);
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::from(error),
        other => Error::Failed(format!("the table could not be written: {other:?}")),
    };
    writer.write_record(columns.iter().map(|(name, _)| name)).map_err(failed)?;
    let mut write = |batch: &[Values]| {
        for i in 0..batch.first().map_or(0, Values::len) {
            let cells = batch.iter().map(|values| match values {
                Values::Whole(values) => values[i].to_string(),
                Values::Real(values) => values[i].map_or_else(String::new, |v| v.to_string()),
                Values::Text(values) => values[i].clone().unwrap_or_default(),
            });
            writer.write_record(cells).map_err(failed)?;
        }
        Ok(())
    };
    Sheet::filled(columns, &mut write, fill)?;
    writer.flush().map_err(Error::from)?;
    Ok(())
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Whole(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Text(values) => values.len(),
        }
    }
}
