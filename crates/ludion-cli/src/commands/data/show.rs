//! `ludion data show`: prints games of an archive, move by move.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::OpenArchive;
use super::info::name;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::output::{CommandReport, QUIET, paint, plural};

/// Show games of a file, move by move
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion data show random.games
  ludion data show random.games --from 1000 -n 3
  ludion data show random.games -n 1 --json")]
pub(crate) struct DataShowArgs {
    /// The archive of games
    file: PathBuf,
    /// The first game to show, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = within(0..=u64::MAX))]
    from: u64,
    /// Number of games to show
    #[arg(short = 'n', long, value_name = "GAMES", default_value_t = 5,
          allow_negative_numbers = true, value_parser = within(0..=u64::MAX))]
    games: u64,
}

#[derive(Serialize)]
struct DataShowReport {
    game: String,
    games: Vec<ShownGame>,
}

/// One game in the report of `ludion data show`.
#[derive(Serialize)]
struct ShownGame {
    number: u64,
    moves: Vec<String>,
    outcome: String,
}

impl DataShowArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let mut reading = OpenArchive::open(context, &self.file)?;
        let mut games = Vec::new();
        reading.each_game(self.from, |_| {}, &mut |number, replay| {
            if games.len() as u64 == self.games {
                return Ok(ControlFlow::Break(()));
            }
            games.push(ShownGame {
                number,
                moves: replay.moves(),
                outcome: name(&replay.outcome()),
            });
            Ok(ControlFlow::Continue(()))
        })?;
        if games.is_empty() && self.games > 0 {
            return Err(reading.no_game(self.from));
        }
        context.output.report(&DataShowReport { game: reading.game.spec().to_owned(), games })
    }
}

impl CommandReport for DataShowReport {
    fn text(&self) -> String {
        let one = |game: &ShownGame| {
            let plies = plural(game.moves.len() as u64, "ply").replace("plys", "plies");
            let head = format!("game {}, {plies}, {}", game.number, game.outcome);
            format!("{}\n{}\n", paint(QUIET, &head), game.moves.join(" "))
        };
        self.games.iter().map(one).collect::<Vec<_>>().join("\n")
    }
}
