//! Parquet in a program built without the feature `parquet`: it is refused.

use std::io::Write;

use ludion_runs::columnar::{BatchWriter, ColumnList};

use crate::failure::CommandFailure;

/// Refuses to write a table as Parquet.
pub(crate) fn write(
    _out: &mut (impl Write + Send),
    _columns: ColumnList,
    _fill: impl FnOnce(&mut BatchWriter<'_, CommandFailure>) -> Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    check()
}

/// Returns an error if this program cannot write Parquet; to be called before a file is created.
pub(crate) fn check() -> Result<(), CommandFailure> {
    Err(CommandFailure::Usage(
        "this program was built without Parquet; take --format csv, or install it with: cargo \
         install --path crates/ludion-cli --features parquet"
            .to_owned(),
    ))
}
