//! The games of a run as a table with one row for each game or for each move.

use std::io::Write;

use ludion_players::arena::game::GameEnd;
use ludion_players::arena::pair::GameRecord;
use ludion_players::game::Side;
use ludion_players::outcome::Duel;
use ludion_store::{Store, StoredGame, StoredRun};
use serde::Deserialize;

use super::OnExportedGame;
use crate::RunError;
use crate::columnar::{self, BatchWriter, CellValue, ColumnKind, ColumnList};

/// Choice of what one row of an exported table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportRows {
    /// One row for each game.
    #[default]
    Games,
    /// One row for each move.
    Moves,
}

impl ExportRows {
    /// Returns the names and types of the columns of a table with such rows.
    #[must_use]
    pub fn columns(self) -> ColumnList {
        match self {
            ExportRows::Games => &[
                ("run", ColumnKind::Whole),
                ("game", ColumnKind::Whole),
                ("first", ColumnKind::Text),
                ("second", ColumnKind::Text),
                ("result", ColumnKind::Text),
                ("ended", ColumnKind::Text),
                ("reason", ColumnKind::Text),
                ("plies", ColumnKind::Whole),
                ("opening", ColumnKind::Text),
                ("moves", ColumnKind::Text),
                ("first_nodes", ColumnKind::Whole),
                ("second_nodes", ColumnKind::Whole),
                ("first_seconds", ColumnKind::Real),
                ("second_seconds", ColumnKind::Real),
            ],
            ExportRows::Moves => &[
                ("run", ColumnKind::Whole),
                ("game", ColumnKind::Whole),
                ("ply", ColumnKind::Whole),
                ("player", ColumnKind::Text),
                ("seat", ColumnKind::Text),
                ("move", ColumnKind::Text),
                ("value", ColumnKind::Real),
                ("nodes", ColumnKind::Whole),
                ("seconds", ColumnKind::Real),
            ],
        }
    }

    /// Adds the games or moves of a run to a table with the columns of [`ExportRows::columns`].
    /// Calls `on_game` after each game.
    ///
    /// # Errors
    /// When the store cannot be read or a batch cannot be written.
    pub fn fill<E: From<ludion_store::StoreError>>(
        self,
        store: &Store,
        run: &StoredRun,
        table: &mut BatchWriter<'_, E>,
        on_game: OnExportedGame<'_>,
    ) -> Result<(), E> {
        let mut games = 0;
        store.each_game::<E>(run.id, |game| {
            match self {
                ExportRows::Games => game_row(table, run, &game)?,
                ExportRows::Moves => move_rows(table, run, &game)?,
            }
            games += 1;
            on_game(games);
            Ok(())
        })
    }
}

/// Writes the games or moves of a run as comma-separated values, after a line of column names.
/// Calls `on_game` after each game.
///
/// # Errors
/// When the store cannot be read or `out` cannot be written.
pub fn csv(
    store: &Store,
    run: &StoredRun,
    rows: ExportRows,
    out: &mut impl Write,
    on_game: OnExportedGame<'_>,
) -> Result<(), RunError> {
    columnar::csv::<RunError>(out, rows.columns(), |table| rows.fill(store, run, table, on_game))
}

fn game_row<E>(
    table: &mut BatchWriter<'_, E>,
    run: &StoredRun,
    game: &StoredGame,
) -> Result<(), E> {
    let result = &game.result;
    let player = |seat: usize| CellValue::text(run.plan.player_name(result.seats[seat] as usize));
    let (ended, reason) = match &result.end {
        GameEnd::Rules(_) => ("rules", None),
        GameEnd::Forfeit { reason, .. } => ("forfeit", Some(reason.clone())),
        GameEnd::Endless => ("endless", None),
        GameEnd::Time { .. } => ("time", None),
        GameEnd::Adjudicated { reason, .. } => ("adjudicated", Some(reason.clone())),
    };
    let won = match result.end.duel() {
        Duel::Won(Side::First) => "first",
        Duel::Won(Side::Second) => "second",
        Duel::Drawn => "draw",
    };
    let none = GameRecord::default();
    let record = result.record.as_deref().unwrap_or(&none);
    let moves: Vec<&str> = record.plies.iter().map(|ply| ply.play.as_str()).collect();
    let [first, second] = result.spent;
    table.add([
        CellValue::Whole(run.id),
        CellValue::count(game.number),
        player(0),
        player(1),
        CellValue::text(won),
        CellValue::text(ended),
        CellValue::Text(reason),
        CellValue::Whole(result.plies.into()),
        CellValue::text(record.opening.join(" ")),
        CellValue::text(moves.join(" ")),
        CellValue::count(first.nodes),
        CellValue::count(second.nodes),
        CellValue::Real(Some(first.time.as_secs_f64())),
        CellValue::Real(Some(second.time.as_secs_f64())),
    ])
}

fn move_rows<E>(
    table: &mut BatchWriter<'_, E>,
    run: &StoredRun,
    game: &StoredGame,
) -> Result<(), E> {
    let Some(record) = &game.result.record else { return Ok(()) };
    for (ply, played) in (record.opening.len() as u64 + 1..).zip(&record.plies) {
        let player = game.result.seats[played.side.index()];
        table.add([
            CellValue::Whole(run.id),
            CellValue::count(game.number),
            CellValue::count(ply),
            CellValue::text(run.plan.player_name(player as usize)),
            CellValue::text(played.side.to_string()),
            CellValue::text(&played.play),
            CellValue::Real(played.value),
            CellValue::count(played.nodes),
            CellValue::Real(Some(played.time.as_secs_f64())),
        ])?;
    }
    Ok(())
}
