//! `ludion mastermind`: the riddle in the laboratory. One file a subcommand.

mod cells;
mod chain;
mod options;
mod run;
mod sheet;
mod table;
mod trace;

use clap::{Args, Subcommand};

use crate::Context;
use crate::failure::Failure;
use crate::study;

/// Mastermind: find hidden codes by cross-entropy, and see how
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind run --pegs 4 --colours 6
  ludion mastermind run --pegs 6 --colours 10 --law mallows --secret 3-1-4-10-5-9
  ludion mastermind run --pegs 10 --colours 15 --law permutation --csv - > trace.csv
  ludion mastermind table --pegs 4,6 --colours 4,6,10 --runs 5 --plot table.svg
  ludion mastermind chain --pegs 4 --colours 6 --plot chain.png")]
pub(crate) struct Mastermind {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Run(run::Run),
    Table(table::Table),
    Chain(chain::Chain),
}

/// The studies that runs of the store can be.
pub(crate) const RUN: study::Kind = study::Kind::of::<run::Single>();
pub(crate) const TABLE: study::Kind = study::Kind::of::<table::Grid>();

impl Mastermind {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.what {
            What::Run(command) => command.run(context),
            What::Table(command) => command.run(context),
            What::Chain(command) => command.run(context),
        }
    }
}
