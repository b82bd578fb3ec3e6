//! A run as a table, a row a game or a row a move, and as CSV. Rows are gathered some
//! thousands at a time, so that a run of any length fits.

use std::io::Write;

use crate::Error;
use ludion::arena::game::End;
use ludion::arena::pair::Record;
use ludion::game::Side;
use ludion::outcome::Duel;
use ludion_store::{Run, Store, StoredGame};

/// Rows that are gathered before they are written.
const BATCH: usize = 50_000;

/// What a row of a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// One game.
    Games,
    /// One move.
    Moves,
}

/// Values of one column.
pub enum Values {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers, where they are known.
    Real(Vec<Option<f64>>),
    /// Words, where there are any.
    Text(Vec<Option<String>>),
}

/// Rows, column by column, each with its name.
pub struct Table(pub Vec<(&'static str, Values)>);

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(rows: Rows) -> Self {
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
///
/// # Errors
/// When the store cannot be read, and what `write` says.
pub fn gather<E: From<ludion_store::Error>>(
    store: &Store,
    run: &Run,
    rows: Rows,
    mut write: impl FnMut(Table) -> Result<(), E>,
) -> Result<(), E> {
    let mut table = Table::new(rows);
    store.each_game::<E>(run.id, |game| {
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
///
/// # Errors
/// When the store cannot be read or `out` not be written.
pub fn csv(store: &Store, run: &Run, rows: Rows, out: &mut impl Write) -> Result<(), Error> {
    let mut writer = csv::Writer::from_writer(out);
    let failed = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::from(error),
        other => Error::Failed(format!("the table could not be written: {other:?}")),
    };
    writer.write_record(Table::new(rows).0.iter().map(|(name, _)| name)).map_err(failed)?;
    gather::<Error>(store, run, rows, |table| {
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
