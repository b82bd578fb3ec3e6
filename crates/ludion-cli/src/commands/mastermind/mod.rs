//! `ludion mastermind`: codes that are broken by a strategy, by you, or by both of you; and the
//! laboratory in which codes are found by cross-entropy. One file a subcommand.

mod advise;
mod breaking;
mod cells;
mod chain;
mod games;
mod options;
mod play;
mod run;
mod sizes;
mod table;
mod trace;
mod trees;

use clap::{Args, Subcommand};
use ludion_runs::away::Trade;

use crate::Context;
use crate::failure::Failure;
use crate::study;

/// Mastermind: break codes, be advised, or find them by cross-entropy and see how
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind play --pegs 4 --colours 10 --no-repeats
  ludion mastermind advise --asked 1122=1b1w
  ludion mastermind break                        the best way at 4 pegs of 6 colours
  ludion mastermind break --strategies           the strategies by name
  ludion mastermind run --pegs 6 --colours 10 --law mallows --secret 3-1-4-10-5-9
  ludion mastermind table --pegs 4,6 --colours 4,6,10 --runs 5 --plot table.svg
  ludion mastermind chain --pegs 4 --colours 6 --plot chain.png")]
pub(crate) struct Mastermind {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Play(play::Play),
    Advise(advise::Advise),
    Break(breaking::Break),
    Run(run::Run),
    Table(table::Table),
    Chain(chain::Chain),
}

/// The studies that runs of the store can be.
pub(crate) const RUN: study::Kind = study::Kind::of::<run::Single>();
pub(crate) const TABLE: study::Kind = study::Kind::of::<table::Grid>();
/// How others do the runs of a table.
pub(crate) const TABLE_ELSEWHERE: Trade = ludion_runs::study::trade::<table::Grid>();

impl Mastermind {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.what {
            What::Play(command) => command.run(context),
            What::Advise(command) => command.run(context),
            What::Break(command) => command.run(context),
            What::Run(command) => command.run(context),
            What::Table(command) => command.run(context),
            What::Chain(command) => command.run(context),
        }
    }
}
