//! `ludion experiment`: runs the checkers experiment: players learn from random games in different
//! ways and are measured in matches.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use ludion_runs::studies::StudyOutcome;
use ludion_runs::studies::experiment::{
    CheckersExperiment, CheckersExperimentRequest, CheckersExperimentSettings,
};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::plots::PlotArgs;
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};

/// The checkers experiment: learn from random games, and measure the players in matches
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion experiment --quick --games 200 --matches 10 --layers 8
  ludion experiment --quick --games 500 --matches 20 --layers 16 --plot curves.svg --json

Random games are labelled by distance and by captures; each label is learned by the four
nearest neighbours and by a network; each player meets random and one ply of material, with
four random plies before and seats swapped. The original program (Deep Checker, 2021) told the
winner by the parity of a game's length, which is wrong for every wipe-out: the rows with
parity stand beside its published figures. A loser's move is labelled 0, as in the text of that
study (lost=zero, the default of knn and train); its program labelled it with the negative of a
winner's label (lost=negative). The row argmin plays the move of the lowest score, as the text
says. `ludion data scores` shows the learned tables h(c) and h(d). Stopped runs are resumed
with `ludion run resume`.")]
pub(crate) struct ExperimentArgs {
    /// Number of random games to learn from [default: 50000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = within(10..=10_000_000))]
    games: Option<u64>,
    /// Number of games against each opponent, which must be even [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = within(2..=10_000_000))]
    matches: Option<u64>,
    /// Maximum number of passes of a training over the data [default: 30]
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// Widths of the hidden layers
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_values_t = [64, 64, 32, 16])]
    layers: Vec<usize>,
    /// Use small defaults: 2000 games, matches of 100, 5 epochs
    #[arg(long)]
    quick: bool,
    /// Model of the player that searches one ply with patterns, as `ludion learn` wrote it
    /// [default: the model that comes with the game]
    #[arg(long, value_name = "FILE")]
    patterns: Option<String>,
    /// Write the random games and the trained models to this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl ExperimentArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let request = CheckersExperimentRequest {
            games: self.games,
            matches: self.matches,
            epochs: self.epochs,
            layers: Some(self.layers.clone()),
            quick: self.quick,
            patterns: self.patterns.clone(),
        };
        let (store, cluster) = (&self.store, &self.cluster);
        let (plan, run) = study::start::<CheckersExperiment>(context, store, cluster, request)?;
        if let Some(folder) = &self.keep {
            let settings: CheckersExperimentSettings = plan.settings()?;
            write(folder, settings.files(&context.registry, &run.records)?)?;
        }
        let files = OutputFiles::pictures(&self.pictures);
        let outcome = StudyOutcome::new::<CheckersExperiment>(&plan, &run)?;
        study::report(context, store, &files, &outcome)
    }
}

/// Writes files to a folder, which is created if necessary.
fn write(folder: &Path, files: Vec<(String, Vec<u8>)>) -> Result<(), CommandFailure> {
    let cannot = |error: std::io::Error| {
        CommandFailure::Failed(format!("{} cannot be written: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    files
        .into_iter()
        .try_for_each(|(name, bytes)| ludion_store::replace_file(&folder.join(name), &bytes))
        .map_err(cannot)
}
