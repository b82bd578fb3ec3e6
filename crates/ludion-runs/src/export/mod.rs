//! Exports of a run for other programs: a table as CSV, the whole run as JSON.

mod table;

use std::io::Write;

use ludion_store::{Store, StoredRun};

use crate::RunError;
pub use table::{ExportRows, csv};

/// Writes the run with all its stored games as one JSON object.
///
/// # Errors
/// When the store cannot be read or `out` cannot be written.
pub fn json(store: &Store, run: &StoredRun, out: &mut impl Write) -> Result<(), RunError> {
    let checked = |value: Result<String, serde_json::Error>| {
        value.map_err(|error| RunError::Failed(format!("the answer is no JSON: {error}")))
    };
    write!(out, "{{\"run\":{},\"games\":[", checked(serde_json::to_string(run))?)?;
    let mut comma = "";
    store.each_game::<RunError>(run.id, |game| {
        write!(out, "{comma}{}", checked(serde_json::to_string(&game))?)?;
        comma = ",";
        Ok(())
    })?;
    writeln!(out, "]}}")?;
    Ok(())
}
