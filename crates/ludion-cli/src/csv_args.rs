//! The option `--csv FILE` or `--csv -`.

use std::path::PathBuf;

use clap::Args;

use crate::failure::CommandFailure;
use crate::output::Output;
use crate::plots::in_folder;

/// Option of commands whose results are a table.
#[derive(Args, Clone, Default)]
pub(crate) struct CsvArgs {
    /// Write the results as a table to this CSV file; - writes it to standard output instead of the
    /// report
    #[arg(long, value_name = "FILE", value_parser = writable)]
    csv: Option<PathBuf>,
}

/// Checks, before the work starts, that the file's folder exists.
fn writable(text: &str) -> Result<PathBuf, String> {
    in_folder(PathBuf::from(text))
}

impl CsvArgs {
    /// Returns whether the CSV replaces the report on standard output.
    pub(crate) fn is_answer(&self) -> bool {
        self.csv.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    /// Returns a usage error with the message `why` if the option was given.
    pub(crate) fn refuse(&self, why: &str) -> Result<(), CommandFailure> {
        if self.csv.is_none() { Ok(()) } else { Err(CommandFailure::Usage(why.to_owned())) }
    }

    /// Writes the table if the option was given; `head` holds the column names.
    pub(crate) fn write(
        &self,
        output: &Output,
        head: &[&str],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Result<(), CommandFailure> {
        let Some(path) = &self.csv else { return Ok(()) };
        let cannot = |error: &dyn std::fmt::Display| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(head).map_err(|error| cannot(&error))?;
        for row in rows {
            writer.write_record(row).map_err(|error| cannot(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| cannot(&error))?;
        if self.is_answer() {
            return output.write(&String::from_utf8_lossy(&bytes));
        }
        std::fs::write(path, bytes).map_err(|error| cannot(&error))
    }
}
