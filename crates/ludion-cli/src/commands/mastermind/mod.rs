//! `ludion mastermind`: breaks codes by a strategy, by hand or with advice; and runs experiments
//! that find codes by cross-entropy. One file for each subcommand.

mod advise;
mod breaking;
mod cells;
mod chain;
mod games;
mod options;
pub(crate) mod play;
mod run;
mod sizes;
mod table;
mod trace;
mod tree;
mod trees;

use clap::{Args, Subcommand};

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Mastermind: break codes, get advice, or find codes by cross-entropy
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind play --pegs 4 --colours 10 --no-repeats
  ludion mastermind advise --asked 1122=1b1w
  ludion mastermind break                        the best way at 4 pegs of 6 colours
  ludion mastermind break --strategies           the strategies by name
  ludion mastermind run --pegs 6 --colours 10 --law mallows --secret 3-1-4-10-5-9
  ludion mastermind table --pegs 4,6 --colours 4,6,10 --runs 5 --plot table.svg
  ludion mastermind tree --pegs 3 --colours 4 --export tree.json
  ludion mastermind chain --pegs 4 --colours 6 --plot chain.png")]
pub(crate) struct MastermindArgs {
    #[command(subcommand)]
    what: MastermindCommand,
}

#[derive(Subcommand)]
enum MastermindCommand {
    Play(play::MastermindPlayArgs),
    Advise(advise::AdviseArgs),
    Break(breaking::BreakArgs),
    Run(run::MastermindRunArgs),
    Table(table::MastermindTableArgs),
    Tree(tree::TreeArgs),
    Chain(chain::ChainArgs),
}

impl MastermindArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.what {
            MastermindCommand::Play(command) => command.run(context),
            MastermindCommand::Advise(command) => command.run(context),
            MastermindCommand::Break(command) => command.run(context),
            MastermindCommand::Run(command) => command.run(context),
            MastermindCommand::Table(command) => command.run(context),
            MastermindCommand::Tree(command) => command.run(context),
            MastermindCommand::Chain(command) => command.run(context),
        }
    }
}
