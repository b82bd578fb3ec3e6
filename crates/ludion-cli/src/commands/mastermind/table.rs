//! `ludion mastermind table`: runs many experiments for each number of pegs and of colours.

use clap::Args;
use ludion_runs::studies::mastermind::{MastermindTable, MastermindTableRequest};

use super::options::CrossEntropyArgs;
use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};

/// Run many experiments for each number of pegs and colours: iterations, failures, errors, times
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind table --pegs 4,6 --colours 4,6,10 --runs 5 --plot table.svg
  ludion mastermind table --pegs 4 --colours 4,6 --runs 3 --csv -")]
pub(super) struct MastermindTableArgs {
    /// Numbers of pegs (n), the rows
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
          default_values_t = [4, 6, 10, 15, 20, 30, 40])]
    pegs: Vec<usize>,
    /// Numbers of colours (m), the columns; distributions without repeats leave out those below the
    /// pegs
    #[arg(long, value_name = "M,M,..", value_delimiter = ',',
          default_values_t = [4, 6, 10, 15, 20, 30, 40])]
    colours: Vec<usize>,
    /// Number of experiments in every cell, each with its own secret
    #[arg(long, value_name = "N", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    #[command(flatten)]
    setup: CrossEntropyArgs,
    #[command(flatten)]
    beside: OutputFiles,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl MastermindTableArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let [pegs, colours] =
            [&self.pegs, &self.colours].map(|sizes| sizes.first().copied().unwrap_or_default());
        let request = MastermindTableRequest {
            settings: self.setup.settings(pegs, colours)?,
            pegs: self.pegs.clone(),
            colours: self.colours.clone(),
            runs: self.runs,
        };
        study::start_and_report::<MastermindTable>(
            context,
            &self.store,
            &self.cluster,
            &self.beside,
            request,
        )
    }
}
