//! Rows for other programs, as CSV or Parquet. Rows are gathered column by column, some thousands
//! at a time, so that a table of any length fits.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::failure::Failure;

/// Rows that are gathered before they are written.
const BATCH: usize = 50_000;

/// What the cells of a column are.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Whole,
    Real,
    Text,
}

/// The columns of a sheet.
pub(crate) type Columns = &'static [(&'static str, Kind)];

/// Values of one column.
enum Values {
    Whole(Vec<i64>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

/// One cell of a row.
pub(crate) enum Cell {
    Whole(i64),
    Real(Option<f64>),
    Text(Option<String>),
}

impl Cell {
    pub(crate) fn count(value: u64) -> Self {
        Cell::Whole(i64::try_from(value).unwrap_or(i64::MAX))
    }

    pub(crate) fn text(value: impl Into<String>) -> Self {
        Cell::Text(Some(value.into()))
    }
}

/// Takes batches of rows.
type Batches<'a> = dyn FnMut(&[Values]) -> Result<(), Failure> + 'a;

/// Rows on their way to a file.
pub(crate) struct Sheet<'a> {
    columns: Columns,
    values: Vec<Values>,
    rows: usize,
    write: &'a mut Batches<'a>,
}

impl<'a> Sheet<'a> {
    fn new(columns: Columns, write: &'a mut Batches<'a>) -> Self {
        Sheet { columns, values: empty(columns), rows: 0, write }
    }

    /// Adds one row, a cell a column.
    pub(crate) fn add<const N: usize>(&mut self, cells: [Cell; N]) -> Result<(), Failure> {
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

    fn flush(&mut self) -> Result<(), Failure> {
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
pub(crate) fn csv(
    out: &mut impl Write,
    columns: Columns,
    fill: impl FnOnce(&mut Sheet<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(out);
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => Failure::from(error),
        other => Failure::Failed(format!("the table could not be written: {other:?}")),
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
    let mut sheet = Sheet::new(columns, &mut write);
    fill(&mut sheet)?;
    sheet.flush()?;
    writer.flush()?;
    Ok(())
}

/// Writes the rows that `fill` adds as Parquet.
pub(crate) fn parquet(
    out: &mut (impl Write + Send),
    columns: Columns,
    fill: impl FnOnce(&mut Sheet<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: ParquetError| match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => Failure::from(*error),
            Err(other) => Failure::Failed(format!("the table could not be written: {other}")),
        },
        other => Failure::Failed(format!("the table could not be written: {other}")),
    };
    let schema = Arc::new(schema(columns).map_err(failed)?);
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(WriterProperties::default()))
        .map_err(failed)?;
    let mut write = |batch: &[Values]| {
        let mut group = writer.next_row_group().map_err(failed)?;
        for values in batch {
            column(&mut group, values).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        Ok(())
    };
    let mut sheet = Sheet::new(columns, &mut write);
    fill(&mut sheet)?;
    sheet.flush()?;
    writer.close().map_err(failed)?;
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

fn schema(columns: Columns) -> Result<Type, ParquetError> {
    let fields: Result<Vec<Arc<Type>>, ParquetError> = columns
        .iter()
        .map(|&(name, kind)| {
            let (physical, repetition) = match kind {
                Kind::Whole => (PhysicalType::INT64, Repetition::REQUIRED),
                Kind::Real => (PhysicalType::DOUBLE, Repetition::OPTIONAL),
                Kind::Text => (PhysicalType::BYTE_ARRAY, Repetition::OPTIONAL),
            };
            let field = Type::primitive_type_builder(name, physical).with_repetition(repetition);
            let field = match kind {
                Kind::Text => field.with_converted_type(ConvertedType::UTF8),
                Kind::Whole | Kind::Real => field,
            };
            Ok(Arc::new(field.build()?))
        })
        .collect();
    Type::group_type_builder("rows").with_fields(fields?).build()
}

fn column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &Values,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.expect("a column for each of the schema");
    match values {
        Values::Whole(values) => {
            column.typed::<Int64Type>().write_batch(values, None, None)?;
        }
        Values::Real(values) => {
            let (known, levels) = present(values);
            column.typed::<DoubleType>().write_batch(&known, Some(&levels), None)?;
        }
        Values::Text(values) => {
            let (known, levels) = present(values);
            let known: Vec<ByteArray> =
                known.iter().map(|text| ByteArray::from(text.as_str())).collect();
            column.typed::<ByteArrayType>().write_batch(&known, Some(&levels), None)?;
        }
    }
    column.close()
}

/// The values that are there, and for every value whether it is.
fn present<T: Clone>(values: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let levels = values.iter().map(|value| i16::from(value.is_some())).collect();
    (values.iter().flatten().cloned().collect(), levels)
}
