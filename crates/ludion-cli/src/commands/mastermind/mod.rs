//! `ludion mastermind`: codes that are broken by a strategy, by you, or by both of you.

mod advise;
mod breaking;
mod games;
mod play;
mod sizes;
mod trees;

use clap::{Args, Subcommand};

use crate::Context;
use crate::failure::Failure;

/// Break codes: let a strategy do it, do it yourself, or be advised
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind break                        the best way at 4 pegs of 6 colours
  ludion mastermind break --strategies           the strategies by name
  ludion mastermind play --pegs 4 --colours 10 --no-repeats
  ludion mastermind advise --asked 1122=1b1w")]
pub(crate) struct Mastermind {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Break(breaking::Break),
    Play(play::Play),
    Advise(advise::Advise),
}

impl Mastermind {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.what {
            What::Break(command) => command.run(context),
            What::Play(command) => command.run(context),
            What::Advise(command) => command.run(context),
        }
    }
}
