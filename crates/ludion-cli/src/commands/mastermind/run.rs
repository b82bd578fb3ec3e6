//! `ludion mastermind run`: runs one experiment and shows every iteration when it is done.

use std::io::IsTerminal;
use std::time::Instant;

use clap::Args;
use ludion_runs::studies::mastermind::{MastermindExperiment, MastermindExperimentRequest};
use ludion_runs::studies::{self, Study};
use ludion_store::JobOutput;

use super::options::CrossEntropyArgs;
use super::trace::{head, line, outcome};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};

/// Find one hidden code by cross-entropy, showing every iteration
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind run --pegs 6 --colours 10 --law mallows --secret 3-1-4-10-5-9
  ludion mastermind run --json")]
pub(super) struct MastermindRunArgs {
    /// Number of pegs of a code (n)
    #[arg(long, value_name = "N", default_value_t = 4)]
    pegs: usize,
    /// Number of colours that a peg can have (m)
    #[arg(long, value_name = "M", default_value_t = 6)]
    colours: usize,
    #[command(flatten)]
    setup: CrossEntropyArgs,
    /// The hidden code, such as 1123 or 3-1-12 [default: drawn from the seed]
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,
    /// Keep the distribution of every iteration instead of only the last
    #[arg(long)]
    tables: bool,
    #[command(flatten)]
    beside: OutputFiles,
    #[command(flatten)]
    store: StoreArgs,
}

impl MastermindRunArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let request = MastermindExperimentRequest {
            settings: self.setup.settings(self.pegs, self.colours)?,
            secret: self.secret.clone(),
            tables: self.tables,
        };
        let settings = MastermindExperiment::settings(&context.registry, request, context.seed)?;
        let plan = MastermindExperiment::plan(&settings)?;
        let is_live =
            !context.output.json && !self.beside.csv.is_answer() && std::io::stdout().is_terminal();
        let began = Instant::now();
        let mut written = Ok(());
        let mut show = |text: String| {
            if is_live && written.is_ok() {
                written = context.output.write(&text);
            }
        };
        let rules = settings.rules()?;
        show(head(settings.experiment_settings()));
        let most = u64::from(settings.experiment_settings().iterations);
        let progress = context.progress_unless(is_live, "iterations").at_most();
        progress.update(0, Some(most), String::new);
        let mut iterations = 0;
        let trace = settings.trace(|step| {
            show(line(&rules, step));
            iterations += 1;
            progress.update(iterations, Some(most), String::new);
        })?;
        progress.finish();
        written?;
        let record = JobOutput { number: 0, took: began.elapsed(), value: trace };
        let store = self.store.open()?;
        let run = studies::store_finished::<MastermindExperiment>(&plan, store, vec![record])?;
        let report = MastermindExperiment::report(&settings, &run)?;
        let text = || if is_live { outcome(&report) } else { report.text() };
        study::write_with(context, &self.beside, &report, text)
    }
}
