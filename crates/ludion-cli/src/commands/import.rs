//! `ludion import`: reads games from a file of records and stores them as a run.

use std::path::PathBuf;

use clap::Args;
use ludion_runs::records;
use ludion_store::{RunId, read_file_or_pipe};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::runs::StoreArgs;

/// Store the games of a file of records as a run
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion export 7 --format record -o games.record
  ludion import games.record                            # the same games as a new run

The file has the games one after the other, each with tags in brackets and its moves:

  [Game \"connect4\"]
  [First \"Ada\"]
  [Second \"Blaise\"]
  [Result \"1-0\"]

  1. 4 {+0.125 0.2s 1000n} 2. 3 3. 4 4. 3 5. 4 6. 3 7. 4 1-0

What stands in braces is the value, time and nodes of a move and may be left out. Every game is
played by the rules. Games of two players are stored in pairs with seats swapped, as those of a
match are. Files of Go, Gomoku and Hex in SGF and of Othello in GGF are read, too.")]
pub(crate) struct ImportArgs {
    /// The file to read, or a pipe
    file: PathBuf,
    #[command(flatten)]
    store: StoreArgs,
}

/// The report of an import.
#[derive(Serialize)]
struct ImportReport {
    /// Number of the new run.
    run: RunId,
    /// The spec of the game.
    game: String,
    /// The players.
    players: Vec<String>,
    /// Number of stored games.
    games: usize,
    /// Number of games without a partner, which are not stored.
    left_out: usize,
}

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

impl ImportArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let name = self.file.display();
        let bytes = read_file_or_pipe(&self.file, MAX_BYTES)
            .map_err(|error| CommandFailure::Usage(format!("{name} cannot be read: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| CommandFailure::Usage(format!("{name}: it is not valid UTF-8")))?;
        let wrong =
            |error: ludion_runs::RunError| CommandFailure::Usage(format!("{name}: {error}"));
        let read = records::read(&context.registry, &text).map_err(wrong)?;
        if read.pairs.is_empty() {
            let message = format!("{name}: no two games of the same players have swapped seats");
            return Err(CommandFailure::Usage(message));
        }
        let mut store = self.store.open()?.ok_or_else(|| {
            CommandFailure::Usage("an import needs a store; leave out --no-store".to_owned())
        })?;
        let run = records::store(&context.registry, &mut store, &read).map_err(wrong)?;
        context.output.report(&ImportReport {
            run,
            game: read.plan.game.clone(),
            players: (0..read.plan.players.len())
                .map(|i| read.plan.player_name(i).to_owned())
                .collect(),
            games: 2 * read.pairs.len(),
            left_out: read.left_out,
        })
    }
}

impl CommandReport for ImportReport {
    fn text(&self) -> String {
        let left_out = match self.left_out {
            0 => String::new(),
            count => format!(
                "{} without a partner with seats swapped {} left out\n",
                plural(count as u64, "game"),
                if count == 1 { "is" } else { "are" }
            ),
        };
        format!(
            "{} of {} between {} are run {}; look at it with: ludion run show {}\n{left_out}",
            plural(self.games as u64, "game"),
            self.game,
            self.players.join(", "),
            self.run,
            self.run
        )
    }
}
