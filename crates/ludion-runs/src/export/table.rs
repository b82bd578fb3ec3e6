//! The rows of a run, a row a game or a row a move.

use std::io::Write;

use ludion::arena::game::End;
use ludion::arena::pair::Record;
use ludion::game::Side;
use ludion::outcome::Duel;
use ludion_store::{Run, Store, StoredGame};

use crate::Error;
use crate::columnar::{self, Cell, Columns, Kind, Sheet};

/// What a row of a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// One game.
    Games,
    /// One move.
    Moves,
}

impl Rows {
    /// The columns of the table.
    #[must_use]
    pub fn columns(self) -> Columns {
        match self {
            Rows::Games => &[
                ("run", Kind::Whole),
                ("game", Kind::Whole),
                ("first", Kind::Text),
                ("second", Kind::Text),
                ("result", Kind::Text),
                ("ended", Kind::Text),
                ("reason", Kind::Text),
                ("plies", Kind::Whole),
                ("opening", Kind::Text),
                ("moves", Kind::Text),
                ("first_nodes", Kind::Whole),
                ("second_nodes", Kind::Whole),
                ("first_seconds", Kind::Real),
                ("second_seconds", Kind::Real),
            ],
            Rows::Moves => &[
                ("run", Kind::Whole),
                ("game", Kind::Whole),
                ("ply", Kind::Whole),
                ("player", Kind::Text),
                ("seat", Kind::Text),
                ("move", Kind::Text),
                ("value", Kind::Real),
                ("nodes", Kind::Whole),
                ("seconds", Kind::Real),
            ],
        }
    }

    /// Adds the rows of a run to a sheet of these columns.
    ///
    /// # Errors
    /// When the store cannot be read, and those of the sheet.
    pub fn fill<E: From<ludion_store::Error>>(
        self,
        store: &Store,
        run: &Run,
        sheet: &mut Sheet<'_, E>,
    ) -> Result<(), E> {
        store.each_game::<E>(run.id, |game| match self {
            Rows::Games => game_row(sheet, run, &game),
            Rows::Moves => move_rows(sheet, run, &game),
        })
    }
}

/// Writes a table as comma-separated values, with a line of names.
///
/// # Errors
/// When the store cannot be read or `out` not be written.
pub fn csv(store: &Store, run: &Run, rows: Rows, out: &mut impl Write) -> Result<(), Error> {
    columnar::csv::<Error>(out, rows.columns(), |sheet| rows.fill(store, run, sheet))
}

fn game_row<E>(sheet: &mut Sheet<'_, E>, run: &Run, game: &StoredGame) -> Result<(), E> {
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
    sheet.add([
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
    ])
}

fn move_rows<E>(sheet: &mut Sheet<'_, E>, run: &Run, game: &StoredGame) -> Result<(), E> {
    let Some(record) = &game.result.record else { return Ok(()) };
    for (ply, played) in (record.opening.len() as u64 + 1..).zip(&record.plies) {
        let player = game.result.seats[played.side.index()];
        sheet.add([
            Cell::Whole(run.id),
            Cell::count(game.number),
            Cell::count(ply),
            Cell::text(&run.plan.players[player as usize]),
            Cell::text(played.side.to_string()),
            Cell::text(&played.play),
            Cell::Real(played.value),
            Cell::count(played.nodes),
            Cell::Real(Some(played.time.as_secs_f64())),
        ])?;
    }
    Ok(())
}
