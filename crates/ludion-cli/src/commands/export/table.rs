//! The rows of a run, a row a game or a row a move.

use ludion::arena::game::End;
use ludion::arena::pair::Record;
use ludion::game::Side;
use ludion::outcome::Duel;
use ludion_store::{Run, Store, StoredGame};

use super::Rows;
use crate::columnar::{Cell, Columns, Kind, Sheet};
use crate::failure::Failure;

/// The columns of a table.
pub(super) fn columns(rows: Rows) -> Columns {
    match rows {
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

/// Adds the rows of a run to a sheet.
pub(super) fn fill(
    store: &Store,
    run: &Run,
    rows: Rows,
    sheet: &mut Sheet<'_>,
) -> Result<(), Failure> {
    store.each_game::<Failure>(run.id, |game| match rows {
        Rows::Games => game_row(sheet, run, &game),
        Rows::Moves => move_rows(sheet, run, &game),
    })
}

fn game_row(sheet: &mut Sheet<'_>, run: &Run, game: &StoredGame) -> Result<(), Failure> {
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

fn move_rows(sheet: &mut Sheet<'_>, run: &Run, game: &StoredGame) -> Result<(), Failure> {
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
