//! A run as a table, a row a game or a row a move, as CSV or Parquet. Rows are gathered some
//! thousands at a time, so that a run of any length fits.

use std::io::Write;
use std::sync::Arc;

use ludion::arena::game::End;
use ludion::arena::pair::Record;
use ludion::game::Side;
use ludion::outcome::Duel;
use ludion_store::{Run, Store, StoredGame};
use parquet::basic::{ConvertedType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::Rows;
use crate::failure::Failure;

/// Rows that are gathered before they are written.
const BATCH: usize = 50_000;

/// Values of one column.
enum Values {
    Whole(Vec<i64>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

/// Rows, column by column.
struct Table(Vec<(&'static str, Values)>);

impl Table {
    fn new(rows: Rows) -> Self {
        let whole = |name| (name, Values::Whole(Vec::new()));
        let real = |name| (name, Values::Real(Vec::new()));
        let text = |name| (name, Values::Text(Vec::new()));
        Table(match rows {
            Rows::Games => vec![
                whole("run"),
                whole("game"),
                text("first"),
                text("second"),
                text("result"),
                text("ended"),
                text("reason"),
                whole("plies"),
                text("opening"),
                text("moves"),
                whole("first_nodes"),
                whole("second_nodes"),
                real("first_seconds"),
                real("second_seconds"),
            ],
            Rows::Moves => vec![
                whole("run"),
                whole("game"),
                whole("ply"),
                text("player"),
                text("seat"),
                text("move"),
                real("value"),
                whole("nodes"),
                real("seconds"),
            ],
        })
    }

    /// Adds one row, a cell a column.
    fn add<const N: usize>(&mut self, cells: [Cell; N]) {
        for ((_, values), cell) in self.0.iter_mut().zip(cells) {
            match (values, cell) {
                (Values::Whole(values), Cell::Whole(value)) => values.push(value),
                (Values::Real(values), Cell::Real(value)) => values.push(value),
                (Values::Text(values), Cell::Text(value)) => values.push(value),
                _ => unreachable!("the cells of a row are those of its table"),
            }
        }
    }

    fn len(&self) -> usize {
        match &self.0[0].1 {
            Values::Whole(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Text(values) => values.len(),
        }
    }
}

enum Cell {
    Whole(i64),
    Real(Option<f64>),
    Text(Option<String>),
}

impl Cell {
    fn count(value: u64) -> Self {
        Cell::Whole(i64::try_from(value).unwrap_or(i64::MAX))
    }

    fn text(value: impl Into<String>) -> Self {
        Cell::Text(Some(value.into()))
    }
}

/// Gathers the rows of a run and gives them to `write`, some thousands at a time.
fn gather(
    store: &Store,
    run: &Run,
    rows: Rows,
    mut write: impl FnMut(Table) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut table = Table::new(rows);
    store.each_game::<Failure>(run.id, |game| {
        match rows {
            Rows::Games => game_row(&mut table, run, &game),
            Rows::Moves => move_rows(&mut table, run, &game),
        }
        if table.len() >= BATCH {
            write(std::mem::replace(&mut table, Table::new(rows)))?;
        }
        Ok(())
    })?;
    write(table)
}

fn game_row(table: &mut Table, run: &Run, game: &StoredGame) {
    let result = &game.result;
    let player = |seat: usize| Cell::text(&run.plan.players[result.seats[seat] as usize]);
    let (ended, reason) = match &result.end {
        End::Rules(_) => ("rules", None),
        End::Forfeit { reason, .. } => ("forfeit", Some(reason.clone())),
        End::Endless => ("endless", None),
    };
    let won = match result.end.duel() {
        Duel::Won(Side::First) => "first",
        Duel::Won(Side::Second) => "second",
        Duel::Drawn => "draw",
    };
    let none = Record::default();
    let record = result.record.as_ref().unwrap_or(&none);
    let moves: Vec<&str> = record.plies.iter().map(|ply| ply.play.as_str()).collect();
    let [first, second] = result.spent;
    table.add([
        Cell::Whole(run.id),
        Cell::count(game.number),
        player(0),
        player(1),
        Cell::text(won),
        Cell::text(ended),
        Cell::Text(reason),
        Cell::Whole(result.plies.into()),
        Cell::text(record.opening.join(" ")),
        Cell::text(moves.join(" ")),
        Cell::count(first.nodes),
        Cell::count(second.nodes),
        Cell::Real(Some(first.time.as_secs_f64())),
        Cell::Real(Some(second.time.as_secs_f64())),
    ]);
}

fn move_rows(table: &mut Table, run: &Run, game: &StoredGame) {
    let Some(record) = &game.result.record else { return };
    for (ply, played) in (record.opening.len() as u64 + 1..).zip(&record.plies) {
        let player = game.result.seats[played.side.index()];
        table.add([
            Cell::Whole(run.id),
            Cell::count(game.number),
            Cell::count(ply),
            Cell::text(&run.plan.players[player as usize]),
            Cell::text(played.side.to_string()),
            Cell::text(&played.play),
            Cell::Real(played.value),
            Cell::count(played.nodes),
            Cell::Real(Some(played.time.as_secs_f64())),
        ]);
    }
}

/// Writes a table as comma-separated values, with a line of names.
pub(super) fn csv(
    store: &Store,
    run: &Run,
    rows: Rows,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(out);
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => Failure::from(error),
        other => Failure::Failed(format!("the table could not be written: {other:?}")),
    };
    writer.write_record(Table::new(rows).0.iter().map(|(name, _)| name)).map_err(failed)?;
    gather(store, run, rows, |table| {
        for i in 0..table.len() {
            let cells = table.0.iter().map(|(_, values)| match values {
                Values::Whole(values) => values[i].to_string(),
                Values::Real(values) => values[i].map_or_else(String::new, |v| v.to_string()),
                Values::Text(values) => values[i].clone().unwrap_or_default(),
            });
            writer.write_record(cells).map_err(failed)?;
        }
        Ok(())
    })?;
    writer.flush()?;
    Ok(())
}

/// Writes a table as Parquet.
pub(super) fn parquet(
    store: &Store,
    run: &Run,
    rows: Rows,
    out: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let failed = |error: ParquetError| match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => Failure::from(*error),
            Err(other) => Failure::Failed(format!("the table could not be written: {other}")),
        },
        other => Failure::Failed(format!("the table could not be written: {other}")),
    };
    let schema = Arc::new(schema(&Table::new(rows)).map_err(failed)?);
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(WriterProperties::default()))
        .map_err(failed)?;
    gather(store, run, rows, |table| {
        let mut group = writer.next_row_group().map_err(failed)?;
        for (_, values) in &table.0 {
            column(&mut group, values).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        Ok(())
    })?;
    writer.close().map_err(failed)?;
    Ok(())
}

fn schema(table: &Table) -> Result<Type, ParquetError> {
    let fields: Result<Vec<Arc<Type>>, ParquetError> = table
        .0
        .iter()
        .map(|(name, values)| {
            let (physical, repetition) = match values {
                Values::Whole(_) => (PhysicalType::INT64, Repetition::REQUIRED),
                Values::Real(_) => (PhysicalType::DOUBLE, Repetition::OPTIONAL),
                Values::Text(_) => (PhysicalType::BYTE_ARRAY, Repetition::OPTIONAL),
            };
            let field = Type::primitive_type_builder(name, physical).with_repetition(repetition);
            let field = match values {
                Values::Text(_) => field.with_converted_type(ConvertedType::UTF8),
                Values::Whole(_) | Values::Real(_) => field,
            };
            Ok(Arc::new(field.build()?))
        })
        .collect();
    Type::group_type_builder("run").with_fields(fields?).build()
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
