//! Writes tables as Parquet.

use std::io::Write;
use std::sync::Arc;

use ludion_runs::columnar::{BatchWriter, ColumnKind, ColumnList, ColumnValues};
use parquet::basic::{ConvertedType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::failure::CommandFailure;

/// Returns an error if this program cannot write Parquet; to be called before a file is created.
#[expect(clippy::unnecessary_wraps, reason = "a program without Parquet refuses here")]
pub(crate) fn check() -> Result<(), CommandFailure> {
    Ok(())
}

/// Writes a table as Parquet; `fill` adds its rows.
pub(crate) fn write(
    out: &mut (impl Write + Send),
    columns: ColumnList,
    fill: impl FnOnce(&mut BatchWriter<'_, CommandFailure>) -> Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    let failed = |error: ParquetError| match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => CommandFailure::from(*error),
            Err(other) => {
                CommandFailure::Failed(format!("the table could not be written: {other}"))
            }
        },
        other => CommandFailure::Failed(format!("the table could not be written: {other}")),
    };
    let schema = Arc::new(schema(columns).map_err(failed)?);
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(WriterProperties::default()))
        .map_err(failed)?;
    let mut write = |batch: &[ColumnValues]| {
        let mut group = writer.next_row_group().map_err(failed)?;
        for values in batch {
            column(&mut group, values).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        Ok(())
    };
    BatchWriter::write_with(columns, &mut write, fill)?;
    writer.close().map_err(failed)?;
    Ok(())
}

fn schema(columns: ColumnList) -> Result<Type, ParquetError> {
    let fields: Result<Vec<Arc<Type>>, ParquetError> = columns
        .iter()
        .map(|&(name, kind)| {
            let (physical, repetition) = match kind {
                ColumnKind::Whole => (PhysicalType::INT64, Repetition::REQUIRED),
                ColumnKind::Real => (PhysicalType::DOUBLE, Repetition::OPTIONAL),
                ColumnKind::Text => (PhysicalType::BYTE_ARRAY, Repetition::OPTIONAL),
            };
            let field = Type::primitive_type_builder(name, physical).with_repetition(repetition);
            let field = match kind {
                ColumnKind::Text => field.with_converted_type(ConvertedType::UTF8),
                ColumnKind::Whole | ColumnKind::Real => field,
            };
            Ok(Arc::new(field.build()?))
        })
        .collect();
    Type::group_type_builder("rows").with_fields(fields?).build()
}

fn column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &ColumnValues,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.expect("a column for each of the schema");
    match values {
        ColumnValues::Whole(values) => {
            column.typed::<Int64Type>().write_batch(values, None, None)?;
        }
        ColumnValues::Real(values) => {
            let (known, levels) = present(values);
            column.typed::<DoubleType>().write_batch(&known, Some(&levels), None)?;
        }
        ColumnValues::Text(values) => {
            let (known, levels) = present(values);
            let known: Vec<ByteArray> =
                known.iter().map(|text| ByteArray::from(text.as_str())).collect();
            column.typed::<ByteArrayType>().write_batch(&known, Some(&levels), None)?;
        }
    }
    column.close()
}

/// Splits optional values into the present values and the definition levels of Parquet, which are 1
/// for a present value and 0 for a missing one.
fn present<T: Clone>(values: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let levels = values.iter().map(|value| i16::from(value.is_some())).collect();
    (values.iter().flatten().cloned().collect(), levels)
}
