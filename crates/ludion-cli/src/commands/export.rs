//! `ludion export`: writes a run for other programs: a table as CSV or Parquet, the whole run as
//! JSON, or the games as text.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ludion_runs::columnar::BatchWriter;
use ludion_runs::export::{self, ExportRows as Table, OnExportedGame};
use ludion_runs::present_run;
use ludion_runs::records::{self, RecordStyle};
use ludion_runs::sgf;
use ludion_store::{RunId, Store, StoredGame, StoredRun};

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::parquet;
use crate::progress::Progress;
use crate::runs::StoreArgs;

/// Write a run for other programs
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion export 7 --format csv > games.csv
  ludion export 7 --format csv --table moves -o moves.csv
  ludion export 7 --format parquet --table moves -o moves.parquet
  ludion export 7 --format json | jq '.games[0].record.plies'
  ludion export 7 --format text | less
  ludion export 7 --format record -o games.record       # exact; ludion import reads it")]
pub(crate) struct ExportArgs {
    /// Number of the run, as listed by `ludion runs`
    id: RunId,
    /// csv and parquet: a table; json: the whole run; text: the games in a format like PGN, rounded
    /// for people; record: the same with all digits and the plan, which ludion import reads;
    /// sgf: games of Go, Gomoku and Hex as SGF, of Othello as GGF
    #[arg(long, value_enum)]
    format: ExportFormat,
    /// What one row of the table is
    #[arg(long, value_enum, default_value_t = ExportRows::Games)]
    table: ExportRows,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    Csv,
    Json,
    Parquet,
    Record,
    Sgf,
    Text,
}

/// What one row of an exported table is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportRows {
    /// One game
    Games,
    /// One move
    Moves,
}

impl From<ExportRows> for Table {
    fn from(rows: ExportRows) -> Self {
        match rows {
            ExportRows::Games => Table::Games,
            ExportRows::Moves => Table::Moves,
        }
    }
}

impl ExportArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        if self.format == ExportFormat::Parquet {
            parquet::check()?;
        }
        let store = self.store.existing()?;
        let run = present_run(&context.registry, store.run(self.id)?);
        // Rows on a terminal show by themselves how far the command is.
        let is_shown = self.output.is_none() && std::io::stdout().is_terminal();
        let progress = context.progress_unless(is_shown, "games");
        progress.update(0, Some(run.games), String::new);
        let Some(path) = &self.output else {
            return self.write(context, &store, &run, std::io::stdout(), &progress);
        };
        let cannot = |error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
        };
        let file = File::create(path).map_err(cannot)?;
        self.write(context, &store, &run, file, &progress)
    }

    fn write(
        &self,
        context: &CommandContext,
        store: &Store,
        run: &StoredRun,
        out: impl Write + Send,
        progress: &Progress,
    ) -> Result<(), CommandFailure> {
        let mut out = BufWriter::new(out);
        let on_game = &mut |games| progress.update(games, Some(run.games), String::new);
        let table = Table::from(self.table);
        match self.format {
            ExportFormat::Csv => export::csv(store, run, table, &mut out, on_game)?,
            ExportFormat::Parquet => {
                let fill = |rows: &mut BatchWriter<'_, CommandFailure>| {
                    table.fill(store, run, rows, on_game)
                };
                parquet::write(&mut out, table.columns(), fill)?;
            }
            ExportFormat::Json => export::json(store, run, &mut out, on_game)?,
            ExportFormat::Text | ExportFormat::Record => {
                let is_exact = self.format == ExportFormat::Record;
                let style = if is_exact { RecordStyle::Exact } else { RecordStyle::Readable };
                let write = |game: &StoredGame| Ok(records::text(run, game, style));
                games(store, run, write, &mut out, on_game)?;
            }
            ExportFormat::Sgf => {
                let rules = context.registry.game(&run.plan.game)?;
                let write = |game: &StoredGame| Ok(sgf::text(&*rules, run, game)?);
                games(store, run, write, &mut out, on_game)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

/// Writes all games of a run, each by `write`. Calls `on_game` after each game.
fn games(
    store: &Store,
    run: &StoredRun,
    write: impl Fn(&StoredGame) -> Result<String, CommandFailure>,
    out: &mut impl Write,
    on_game: OnExportedGame<'_>,
) -> Result<(), CommandFailure> {
    let mut games = 0;
    store.each_game::<CommandFailure>(run.id, |game| {
        out.write_all(write(&game)?.as_bytes())?;
        games += 1;
        on_game(games);
        Ok(())
    })
}
