//! `ludion export`: a run for other programs: tables as CSV or Parquet, everything as JSON, or
//! the games as text to read.

mod table;
mod text;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ludion_store::{Run, RunId, Store};

use crate::Context;
use crate::columnar::{self, Sheet};
use crate::contest::StoreOption;
use crate::failure::Failure;

/// Write a run for other programs
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion export 7 --format csv > games.csv
  ludion export 7 --format csv --table moves -o moves.csv
  ludion export 7 --format parquet --table moves -o moves.parquet
  ludion export 7 --format json | jq '.games[0].record.plies'
  ludion export 7 --format text | less")]
pub(crate) struct Export {
    /// The number of the run, as `ludion runs` gives it
    id: RunId,
    /// csv and parquet: a table; json: everything; text: the games to read, much like PGN
    #[arg(long, value_enum)]
    format: Format,
    /// What a row of a table is
    #[arg(long, value_enum, default_value_t = Rows::Games)]
    table: Rows,
    /// The file to write; standard output when not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    store: StoreOption,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Json,
    Parquet,
    Text,
}

/// What a row of a table is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// One game
    Games,
    /// One move
    Moves,
}

impl Export {
    pub(crate) fn run(&self, _context: &Context) -> Result<(), Failure> {
        let store = self.store.existing()?;
        let run = store.run(self.id)?;
        let Some(path) = &self.output else {
            return self.write(&store, &run, std::io::stdout());
        };
        let cannot =
            |error| Failure::Failed(format!("{} cannot be written: {error}", path.display()));
        let file = File::create(path).map_err(cannot)?;
        self.write(&store, &run, file)
    }

    fn write(&self, store: &Store, run: &Run, out: impl Write + Send) -> Result<(), Failure> {
        let mut out = BufWriter::new(out);
        let columns = table::columns(self.table);
        let fill = |sheet: &mut Sheet<'_>| table::fill(store, run, self.table, sheet);
        match self.format {
            Format::Csv => columnar::csv(&mut out, columns, fill)?,
            Format::Parquet => columnar::parquet(&mut out, columns, fill)?,
            Format::Json => json(store, run, &mut out)?,
            Format::Text => text::write(store, run, &mut out)?,
        }
        out.flush()?;
        Ok(())
    }
}

/// One object: the run, and all its games.
fn json(store: &Store, run: &Run, out: &mut impl Write) -> Result<(), Failure> {
    let text = |value: Result<String, serde_json::Error>| {
        value.map_err(|error| Failure::Failed(format!("the answer is no JSON: {error}")))
    };
    write!(out, "{{\"run\":{},\"games\":[", text(serde_json::to_string(run))?)?;
    let mut comma = "";
    store.each_game::<Failure>(run.id, |game| {
        write!(out, "{comma}{}", text(serde_json::to_string(&game))?)?;
        comma = ",";
        Ok(())
    })?;
    writeln!(out, "]}}")?;
    Ok(())
}
