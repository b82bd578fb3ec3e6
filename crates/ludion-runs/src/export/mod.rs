//! Exports of a run for other programs: a table as CSV, the whole run as JSON.

mod table;

use std::io::Write;

use ludion_store::{Store, StoredRun};

use crate::RunError;
pub use table::{ExportRows, csv};

/// Callback after each exported game; it gets the number of games so far.
pub type OnExportedGame<'a> = &'a mut dyn FnMut(u64);

/// Writes the run with all its stored games as one JSON object. Calls `on_game` after each game.
///
/// # Errors
/// When the store cannot be read or `out` cannot be written.
pub fn json(
    store: &Store,
    run: &StoredRun,
    out: &mut impl Write,
    on_game: OnExportedGame<'_>,
) -> Result<(), RunError> {
    let checked = |value: Result<String, serde_json::Error>| {
        value.map_err(|error| RunError::Failed(format!("the answer is no JSON: {error}")))
    };
    write!(out, "{{\"run\":{},\"games\":[", checked(serde_json::to_string(run))?)?;
    let (mut comma, mut games) = ("", 0);
    store.each_game::<RunError>(run.id, |game| {
        write!(out, "{comma}{}", checked(serde_json::to_string(&game))?)?;
        (comma, games) = (",", games + 1);
        on_game(games);
        Ok(())
    })?;
    writeln!(out, "]}}")?;
    Ok(())
}
