//! `ludion data`: archives of games looked into: what they hold, single games, and tables of them
//! for other programs; and games of other programs brought in.

mod export;
mod import;
mod info;
mod pdn;
mod show;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use ludion::registry::{AnyGame, AnyReplay};
use ludion_store::{ArchiveReader, Item, Source};

use crate::Context;
use crate::failure::Failure;

/// Look into files of games that `generate` wrote, and bring in others
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion generate connect4 -n 1000 --out random.games
  ludion data info random.games
  ludion data show random.games --from 10 -n 3
  ludion data export random.games --format csv -n 100 > games.csv
  ludion data export random.games --format parquet --table states -o states.parquet
  ludion generate \"checkers(english)\" -n 100 --out english.games
  ludion data export english.games --format pdn -o english.pdn
  ludion data import english.pdn --out again.games --positions positions.csv")]
pub(crate) struct Data {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Info),
    Show(show::Show),
    Export(export::Export),
    Import(import::Import),
}

impl Data {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.command {
            Command::Info(command) => command.run(context),
            Command::Show(command) => command.run(context),
            Command::Export(command) => command.run(context),
            Command::Import(command) => command.run(context),
        }
    }
}

/// Takes games with their numbers in the file; says whether to go on.
type Visit<'a> = dyn FnMut(u64, &dyn AnyReplay) -> Result<ControlFlow<()>, Failure> + 'a;

/// An archive that is read from its beginning, with its game.
struct Reading {
    path: PathBuf,
    game: Arc<dyn AnyGame>,
    reader: ArchiveReader,
}

impl Reading {
    fn open(context: &Context, path: &Path) -> Result<Self, Failure> {
        let reader = ArchiveReader::open(path)?;
        let game = context.registry.game(reader.game())?;
        Ok(Reading { path: path.to_owned(), game, reader })
    }

    /// Why nothing can be shown from number `from` on.
    fn no_game(&self, from: u64) -> Failure {
        Failure::Usage(format!("{} has no game {from}", self.path.display()))
    }

    /// Shows every game from number `from` of the file on, until `visit` breaks off; `source` is
    /// told of every new source.
    fn each_game(
        &mut self,
        from: u64,
        mut source: impl FnMut(&Source),
        visit: &mut Visit<'_>,
    ) -> Result<(), Failure> {
        let mut next = 0;
        while let Some(item) = self.reader.next_item()? {
            let block = match item {
                Item::Source(found) => {
                    source(&found);
                    continue;
                }
                Item::Games(block) => block,
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
            read.map_err(|error| Failure::Failed(format!("{}: {error}", place())))?;
            if done?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
