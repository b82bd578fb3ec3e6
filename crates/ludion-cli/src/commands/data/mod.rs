//! `ludion data`: shows, scores and exports archives of games, and imports games from other programs.

mod export;
mod import;
mod info;
mod pdn;
mod scores;
mod show;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use ludion::game::Game;
use ludion::games::checkers::Checkers;
use ludion::registry::{AnyDecodedGame, AnyGame};
use ludion_store::{ArchiveFileReader, ArchiveRecord, BlockSource};

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Inspect files of games that `generate` wrote, export and import games
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion generate connect4 -n 1000 --out random.games
  ludion data info random.games
  ludion data show random.games --from 10 -n 3
  ludion data export random.games --format csv -n 100 > games.csv
  ludion data export random.games --format parquet --table states -n 1000 -o states.parquet
  ludion generate \"checkers(english)\" -n 100 --out english.games
  ludion data export english.games --format pdn -o english.pdn
  ludion data import english.pdn --out again.games --positions positions.csv")]
pub(crate) struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(Subcommand)]
enum DataCommand {
    Info(info::DataInfoArgs),
    Show(show::DataShowArgs),
    Scores(scores::DataScoresArgs),
    Export(export::DataExportArgs),
    Import(import::DataImportArgs),
}

impl DataArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.command {
            DataCommand::Info(command) => command.run(context),
            DataCommand::Show(command) => command.run(context),
            DataCommand::Scores(command) => command.run(context),
            DataCommand::Export(command) => command.run(context),
            DataCommand::Import(command) => command.run(context),
        }
    }
}

/// Returns the rules of a checkers game without kings on 32 squares, whose boards are two words of 32
/// bits; `None` for other games.
fn checkers_of_men(spec: &str) -> Option<Checkers> {
    Checkers::named(spec).filter(|g| {
        let shape = g.encoding();
        shape.planes == 2 && shape.cells() == 32
    })
}

/// Callback for a game with its number in the file; returns whether to continue.
type VisitGame<'a> =
    dyn FnMut(u64, &dyn AnyDecodedGame) -> Result<ControlFlow<()>, CommandFailure> + 'a;

/// An archive file that is being read, with its game.
struct OpenArchive {
    path: PathBuf,
    game: Arc<dyn AnyGame>,
    reader: ArchiveFileReader,
}

impl OpenArchive {
    fn open(context: &CommandContext, path: &Path) -> Result<Self, CommandFailure> {
        let reader = ArchiveFileReader::open(path)?;
        let game = context.registry.game(reader.game())?;
        Ok(OpenArchive { path: path.to_owned(), game, reader })
    }

    /// Returns the number of games in the archive by the headers of its blocks, at most about
    /// `limit`; of a damaged archive those before the damage.
    fn count_games(&self, limit: u64) -> u64 {
        let Ok(mut reader) = ArchiveFileReader::open(&self.path) else { return 0 };
        let mut games = 0;
        while games < limit
            && let Ok(Some(item)) = reader.next_item()
        {
            if let ArchiveRecord::Games(block) = item {
                games += u64::from(block.count);
            }
        }
        games
    }

    /// Returns the error that the archive has no game with the number `from`.
    fn no_game(&self, from: u64) -> CommandFailure {
        CommandFailure::Usage(format!("{} has no game {from}", self.path.display()))
    }

    /// Calls `visit` for every game from number `from` on, until `visit` returns `Break`. Before
    /// the games of each source (the players, seed and version that produced them), calls `source`
    /// with it.
    fn each_game(
        &mut self,
        from: u64,
        mut source: impl FnMut(&BlockSource),
        visit: &mut VisitGame<'_>,
    ) -> Result<(), CommandFailure> {
        let mut next = 0;
        while let Some(item) = self.reader.next_item()? {
            let block = match item {
                ArchiveRecord::Source(found) => {
                    source(&found);
                    continue;
                }
                ArchiveRecord::Games(block) => block,
            };
            let first = next;
            next += u64::from(block.count);
            if next <= from {
                continue;
            }
            let (mut number, mut done) = (first, Ok(ControlFlow::Continue(())));
            let read = self.game.each_game(&block, &mut |replay| {
                if number >= from {
                    done = visit(number, replay);
                }
                number += 1;
                match done {
                    Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            });
            let place = || format!("{}, after game {number}", self.path.display());
            read.map_err(|error| CommandFailure::Failed(format!("{}: {error}", place())))?;
            if done?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
