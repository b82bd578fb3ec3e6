//! `ludion export`: a run for other programs: tables as CSV or Parquet, everything as JSON, or
//! the games as text to read.

mod text;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ludion_runs::columnar::Sheet;
use ludion_runs::export::{self, Rows as Table};
use ludion_store::{Run, RunId, Store};

use crate::Context;
use crate::contest::StoreOption;
use crate::failure::Failure;
use crate::parquet;

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

impl From<Rows> for Table {
    fn from(rows: Rows) -> Self {
        match rows {
            Rows::Games => Table::Games,
            Rows::Moves => Table::Moves,
        }
    }
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
        let table = Table::from(self.table);
        match self.format {
            Format::Csv => export::csv(store, run, table, &mut out)?,
            Format::Parquet => {
                let fill = |sheet: &mut Sheet<'_, Failure>| table.fill(store, run, sheet);
                parquet::write(&mut out, table.columns(), fill)?;
            }
            Format::Json => export::json(store, run, &mut out)?,
            Format::Text => text::write(store, run, &mut out)?,
        }
        out.flush()?;
        Ok(())
    }
}
