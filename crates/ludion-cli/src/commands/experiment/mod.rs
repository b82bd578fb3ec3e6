//! `ludion experiment`: the checkers study done again: random games, four ways to learn from
//! them, and what those are worth in play. It is a study whose outputs are its steps, trainings
//! and parts of matches, so that it is gone on with where it was left.

mod players;
mod report;
mod tasks;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use ludion_runs::RunError;
use ludion_runs::study::Findings;
use ludion_store::{JobOutput, RunId, RunState, Store, StoredRun, StudyPlan};

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::numbers::within;
use crate::plots::PlotArgs;
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles, StudyRepeatReport};
use players::ExperimentSettings;
use report::ExperimentReport;
use tasks::{ExperimentContext, TaskResult};

/// Do the checkers study again: learn from random games, and measure what it is worth
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion experiment --quick --matches 20
  ludion experiment --quick --games 500 --matches 20 --layers 16 --plot curves.svg --json

Random games are labelled by distance and by captures; each label is learned by the four
nearest neighbours and by a network; each player meets random and one ply of material, with
four random plies before and seats swapped. The study told the winner by the parity of a
game's length, which is wrong for every wipe-out: the rows with that mistake stand beside the
study's own figures. Stopped runs go on with `ludion run resume`.")]
pub(crate) struct ExperimentArgs {
    /// Random games to learn from [default: 50000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = within(10..=10_000_000))]
    games: Option<u64>,
    /// Games against each opponent, an even number [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = within(2..=10_000_000))]
    matches: Option<u64>,
    /// Passes of a training over the data, at most [default: 30]
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// Widths of the hidden layers
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_values_t = [64, 64, 32, 16])]
    layers: Vec<usize>,
    /// Small sizes for impatient people: 2000 games, matches of 100, 5 epochs
    #[arg(long)]
    quick: bool,
    /// The patterns that play too, one ply ahead: a model that `ludion learn` wrote [default:
    /// that which comes with the game]
    #[arg(long, value_name = "FILE")]
    patterns: Option<String>,
    /// Write the games and the models to this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
}

/// Experiments as runs of the store.
pub(crate) const KIND: study::StudyCommand =
    study::StudyCommand { name: NAME, show, resume, repeat, lab: study::looked_at(NAME, found) };
/// Why there is no table of it.
const NO_ROWS: &str = "an experiment has no rows for a spreadsheet; ask for --json";
const NAME: &str = "checkers experiment";

impl ExperimentArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let settings = self.settings(context.seed)?;
        // What is wrong with them is said before anything is kept.
        ExperimentContext::new(context, &settings)?;
        let about = format!("{} games, matches of {}", settings.games, 2 * settings.pairs);
        let jobs = settings.steps().len() as u64;
        let keeping =
            self.store.begin(&StudyPlan::new(NAME, about, jobs, settings.seed, &settings)?)?;
        conduct(context, &self.store, &self.pictures, &settings, keeping, self.keep.as_ref())
    }

    fn settings(&self, seed: u64) -> Result<ExperimentSettings, CommandFailure> {
        let size = |given: Option<u64>, quick, usual| {
            given.unwrap_or(if self.quick { quick } else { usual })
        };
        let matches = size(self.matches, 100, 1000);
        if !matches.is_multiple_of(2) {
            let said = format!("--matches {matches} is odd; seats are swapped, so it must be even");
            return Err(CommandFailure::Usage(said));
        }
        Ok(ExperimentSettings {
            games: size(self.games, 2000, 50_000),
            pairs: matches / 2,
            epochs: self.epochs.unwrap_or(if self.quick { 5 } else { 30 }),
            layers: self.layers.clone(),
            patterns: self.patterns.clone(),
            seed,
        })
    }
}

/// Does what is missing and shows everything.
fn conduct(
    context: &CommandContext,
    option: &StoreArgs,
    pictures: &PlotArgs,
    settings: &ExperimentSettings,
    mut keeping: Option<(Store, RunId)>,
    keep: Option<&PathBuf>,
) -> Result<(), CommandFailure> {
    let (mut kept, mut lock) = (Vec::new(), None);
    if let Some((store, run)) = &mut keeping {
        lock = store.lock(*run)?;
        store.set_state(*run, RunState::Running)?;
        kept = store.outputs::<TaskResult>(*run)?;
    }
    let began = Instant::now();
    let mut laboratory = ExperimentContext::new(context, settings)?;
    let (steps, complete) = follow(&mut laboratory, keeping.as_mut(), kept)?;
    let run = keeping.as_ref().map(|(_, run)| *run);
    if let Some((store, run)) = &mut keeping {
        store.set_state(*run, if complete { RunState::Finished } else { RunState::Stopped })?;
    }
    drop(lock);
    if let Some(folder) = keep {
        laboratory.write(folder)?;
    }
    let answer = ExperimentReport::new(run, settings, &steps, Some(began.elapsed().as_secs_f64()));
    pictures.write(&answer.picture())?;
    context.output.report(&answer)?;
    if complete {
        return Ok(());
    }
    let (done, all) = (steps.len(), settings.steps().len());
    Err(option.stopped(run, &format!("{done} of {all} steps")))
}

/// Goes as far as it can and keeps every step that is not kept yet. Says whether it came to the
/// end.
fn follow(
    laboratory: &mut ExperimentContext<'_>,
    mut keeping: Option<&mut (Store, RunId)>,
    kept: Vec<JobOutput<TaskResult>>,
) -> Result<(Vec<TaskResult>, bool), CommandFailure> {
    let mut steps: Vec<TaskResult> = Vec::new();
    let mut kept = kept.into_iter().peekable();
    for number in 0..laboratory.steps() {
        let known = kept.next_if(|output| output.number == number).map(|output| output.value);
        let step = match known {
            Some(step) => step,
            None => {
                let began = Instant::now();
                let Some(value) = laboratory.step(number)? else { return Ok((steps, false)) };
                let output = JobOutput { number, took: began.elapsed(), value };
                if let Some((store, run)) = keeping.as_deref_mut() {
                    store.keep_outputs(*run, [&output])?;
                }
                output.value
            }
        };
        laboratory.take(number, &step)?;
        steps.push(step);
    }
    Ok((steps, true))
}

/// What the store knows of an experiment.
fn stored(store: &Store, run: &StoredRun<StudyPlan>) -> Result<ExperimentReport, RunError> {
    let settings: ExperimentSettings = run.plan.settings()?;
    let outputs = store.outputs::<TaskResult>(run.id)?;
    let steps: Vec<TaskResult> = outputs.into_iter().map(|output| output.value).collect();
    Ok(ExperimentReport::new(Some(run.id), &settings, &steps, None))
}

fn found(store: &Store, run: &StoredRun<StudyPlan>) -> Result<Findings, RunError> {
    let answer = stored(store, run)?;
    Findings::new(&answer, answer.picture())
}

fn show(
    context: &CommandContext,
    beside: &OutputFiles,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    beside.sheet.refuse(NO_ROWS)?;
    let answer = stored(store, &run)?;
    beside.pictures.write(&answer.picture())?;
    context.output.report(&answer)
}

fn resume(
    context: &CommandContext,
    option: &StoreArgs,
    beside: &OutputFiles,
    store: Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    beside.sheet.refuse(NO_ROWS)?;
    let settings: ExperimentSettings = run.plan.settings()?;
    conduct(context, option, &beside.pictures, &settings, Some((store, run.id)), None)
}

/// Does it again and compares every step.
fn repeat(
    context: &CommandContext,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    let settings: ExperimentSettings = run.plan.settings()?;
    let kept = store.outputs::<TaskResult>(run.id)?;
    let mut laboratory = ExperimentContext::new(context, &settings)?;
    let (mut compared, mut different) = (0, None);
    for output in &kept {
        let Some(step) = laboratory.step(output.number)? else { break };
        compared += 1;
        if step != output.value {
            different = Some(output.number);
            break;
        }
        laboratory.take(output.number, &step)?;
    }
    let identical = different.is_none();
    context.output.report(&StudyRepeatReport { run: run.id, identical, compared, different })
}
