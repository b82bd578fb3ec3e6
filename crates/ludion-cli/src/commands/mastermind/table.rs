//! `ludion mastermind table`: the study's tables, a cell for each number of pegs and of colours,
//! each with many runs on all threads, kept and resumed as other studies are.

use clap::Args;
use ludion::arena::executor::JobSet;
use ludion::random::derive_seed;
use ludion::riddles::mastermind::experiment::{
    CrossEntropyExperiment, ExperimentOutcome, ExperimentSettings, ExperimentSettingsError,
};
use ludion_runs::RunError;
use ludion_runs::study::{Findings, StudyKind, StudyProgress};
use ludion_store::{JobOutput, StudyPlan};
use serde::{Deserialize, Serialize};

use super::cells::{ExperimentTableReport, TableCell};
use super::options::CrossEntropyArgs;
use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::plural;
use crate::runs::StoreArgs;
use crate::study::{OutputFiles, PrintStudy, conduct};

/// Run the experiment many times at every size: iterations, failures, errors, times
#[derive(Args)]
pub(super) struct MastermindTableArgs {
    /// Numbers of pegs (n), the rows
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
          default_values_t = [4, 6, 10, 15, 20, 30, 40])]
    pegs: Vec<usize>,
    /// Numbers of colours (m), the columns; laws without repeats leave out those below the pegs
    #[arg(long, value_name = "M,M,..", value_delimiter = ',',
          default_values_t = [4, 6, 10, 15, 20, 30, 40])]
    colours: Vec<usize>,
    /// Runs in every cell, each with a secret of its own
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
        let (all_pegs, all_colours) = (once(&self.pegs), once(&self.colours));
        let mut cells = Vec::new();
        for &pegs in &all_pegs {
            for &colours in &all_colours {
                let settings = self.setup.settings(pegs, colours)?;
                if settings.distribution.repeats() || colours >= pegs {
                    cells.push(settings);
                }
            }
        }
        let Some(first) = cells.first() else {
            return Err(CommandFailure::Usage(
                "no cell has at least as many colours as pegs, which this law needs".to_owned(),
            ));
        };
        let list = |sizes: &[usize]| sizes.iter().map(ToString::to_string).collect::<Vec<_>>();
        let sizes = format!("{} × {}", list(&all_pegs).join(","), list(&all_colours).join(","));
        let about =
            format!("{sizes} by {}, {}", first.distribution.name(), plural(self.runs, "run"));
        let jobs = cells.len() as u64 * self.runs;
        let grid = ExperimentTable { runs: self.runs, cells, seed: context.seed };
        let study = StudyPlan::new(ExperimentTable::KIND, about, jobs, context.seed, &grid)?;
        context.join(&self.cluster)?;
        conduct(context, &self.store, &study, |grid: &ExperimentTable, conducted| {
            grid.show(context, &self.beside, conducted)
        })
    }
}

/// The sizes in their order, none of them twice.
fn once(sizes: &[usize]) -> Vec<usize> {
    let again = |i: usize| sizes[..i].contains(&sizes[i]);
    (0..sizes.len()).filter(|&i| !again(i)).map(|i| sizes[i]).collect()
}

/// The cells and how often each is run.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ExperimentTable {
    runs: u64,
    cells: Vec<ExperimentSettings>,
    seed: u64,
}

impl ExperimentTable {
    /// The experiment of a job. Its seed does not depend on which other cells there are.
    fn experiment(&self, number: u64) -> Result<CrossEntropyExperiment, ExperimentSettingsError> {
        let settings = self.cells[(number / self.runs) as usize].clone();
        let place = [settings.pegs as u64, settings.colours as u64, number % self.runs];
        CrossEntropyExperiment::new(settings, None, derive_seed(self.seed, &place))
    }

    fn answer(&self, conducted: &StudyProgress<ExperimentOutcome>) -> ExperimentTableReport {
        let cell = |(i, settings): (usize, &ExperimentSettings)| {
            let range = i as u64 * self.runs..(i as u64 + 1) * self.runs;
            let outputs: Vec<&JobOutput<ExperimentOutcome>> =
                conducted.outputs.iter().filter(|output| range.contains(&output.number)).collect();
            TableCell::of(settings, &outputs)
        };
        ExperimentTableReport {
            run: conducted.run,
            complete: conducted.complete,
            runs: self.runs,
            seed: self.seed,
            settings: self.cells[0].clone(),
            cells: self.cells.iter().enumerate().map(cell).collect(),
            seconds: conducted.seconds,
        }
    }
}

impl JobSet for ExperimentTable {
    type Worker = ();
    type Output = ExperimentOutcome;

    fn worker(&self) {}

    fn job(&self, (): &mut (), number: u64) -> ExperimentOutcome {
        let experiment = self.experiment(number).expect("settings that were checked before");
        experiment.run(false, |_| ()).outcome
    }
}

impl StudyKind for ExperimentTable {
    const KIND: &'static str = "mastermind table";

    fn of(study: &StudyPlan) -> Result<Self, RunError> {
        let grid: ExperimentTable = study.settings()?;
        if study.jobs == 0 || study.jobs != grid.cells.len() as u64 * grid.runs {
            return Err(RunError::Failed("the store has a table without its runs".to_owned()));
        }
        for cell in 0..grid.cells.len() as u64 {
            grid.experiment(cell * grid.runs)
                .map_err(|error| RunError::Wrong(error.to_string()))?;
        }
        Ok(grid)
    }

    fn live(&self, outputs: &[JobOutput<ExperimentOutcome>]) -> String {
        let wrong = outputs.iter().filter(|output| !output.value.found).count();
        let last = outputs.last().map_or(0, |output| output.number / self.runs);
        let ExperimentSettings { pegs, colours, .. } = &self.cells[last as usize];
        format!("{pegs} pegs, {colours} colours, {wrong} wrong so far")
    }

    fn found(&self, conducted: &StudyProgress<ExperimentOutcome>) -> Result<Findings, RunError> {
        let answer = self.answer(conducted);
        Findings::new(&answer, answer.picture())
    }
}

impl PrintStudy for ExperimentTable {
    fn show(
        &self,
        context: &CommandContext,
        beside: &OutputFiles,
        conducted: &StudyProgress<ExperimentOutcome>,
    ) -> Result<(), CommandFailure> {
        let answer = self.answer(conducted);
        beside.pictures.write(&answer.picture())?;
        beside.sheet.write(
            &context.output,
            TableCell::HEAD,
            answer.cells.iter().map(TableCell::row),
        )?;
        if beside.sheet.is_answer() { Ok(()) } else { context.output.report(&answer) }
    }
}
