//! `ludion checkers`: endgame tables of checkers, and tests of players against them.

mod endgames;
mod keeps_the_win;

use clap::{Args, Subcommand};

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Solve endgames of checkers, and test which players keep a won one
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion checkers endgames --pieces 5 --out five.endgames
  ludion checkers keeps-the-win --table five.endgames --player random
  ludion checkers keeps-the-win --table five.endgames --player \"alphabeta(depth=4, eval=material)\"
  ludion analyse checkers --player \"alphabeta(depth=4, eval=endgames(five.endgames, material))\"

Tables are for the simple rules: no kings, no draws, and no position comes twice; or with --rules
for the others, with draws and the number of moves to a win. Any player that takes an evaluator plays by a table
with eval=endgames(FILE, OTHER), where OTHER judges positions with more pieces.")]
pub(crate) struct CheckersArgs {
    #[command(subcommand)]
    what: CheckersCommand,
}

#[derive(Subcommand)]
enum CheckersCommand {
    Endgames(endgames::EndgamesArgs),
    KeepsTheWin(keeps_the_win::KeepsTheWinArgs),
}

impl CheckersArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.what {
            CheckersCommand::Endgames(command) => command.run(context),
            CheckersCommand::KeepsTheWin(command) => command.run(context),
        }
    }
}
