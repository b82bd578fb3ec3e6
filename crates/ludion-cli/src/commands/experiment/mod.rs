//! `ludion experiment`: the checkers study done again: random games, four ways to learn from
//! them, and what those are worth in play. It is a study whose outputs are its steps, trainings
//! and parts of matches, so that it is gone on with where it was left.

mod cells;
mod report;
mod steps;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use ludion_runs::Error;
use ludion_runs::study::Found;
use ludion_store::{Output, Run, RunId, State, Store, Study};

use crate::Context;
use crate::contest::StoreOption;
use crate::failure::Failure;
use crate::numbers::within;
use crate::pictures::Pictures;
use crate::study::{self, Beside, Repeated};
use cells::Settings;
use report::Answer;
use steps::{Laboratory, Step};

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
pub(crate) struct Experiment {
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
    pictures: Pictures,
    #[command(flatten)]
    store: StoreOption,
}

/// Experiments as runs of the store.
pub(crate) const KIND: study::Kind =
    study::Kind { name: NAME, show, resume, repeat, lab: study::looked_at(NAME, found) };
/// Why there is no table of it.
const NO_ROWS: &str = "an experiment has no rows for a spreadsheet; ask for --json";
const NAME: &str = "checkers experiment";

impl Experiment {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let settings = self.settings(context.seed)?;
        // What is wrong with them is said before anything is kept.
        Laboratory::new(context, &settings)?;
        let about = format!("{} games, matches of {}", settings.games, 2 * settings.pairs);
        let jobs = settings.steps().len() as u64;
        let keeping =
            self.store.begin(&Study::new(NAME, about, jobs, settings.seed, &settings)?)?;
        conduct(context, &self.store, &self.pictures, &settings, keeping, self.keep.as_ref())
    }

    fn settings(&self, seed: u64) -> Result<Settings, Failure> {
        let size = |given: Option<u64>, quick, usual| {
            given.unwrap_or(if self.quick { quick } else { usual })
        };
        let matches = size(self.matches, 100, 1000);
        if !matches.is_multiple_of(2) {
            let said = format!("--matches {matches} is odd; seats are swapped, so it must be even");
            return Err(Failure::Usage(said));
        }
        Ok(Settings {
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
    context: &Context,
    option: &StoreOption,
    pictures: &Pictures,
    settings: &Settings,
    mut keeping: Option<(Store, RunId)>,
    keep: Option<&PathBuf>,
) -> Result<(), Failure> {
    let (mut kept, mut lock) = (Vec::new(), None);
    if let Some((store, run)) = &mut keeping {
        lock = store.lock(*run)?;
        store.set_state(*run, State::Running)?;
        kept = store.outputs::<Step>(*run)?;
    }
    let began = Instant::now();
    let mut laboratory = Laboratory::new(context, settings)?;
    let (steps, complete) = follow(&mut laboratory, keeping.as_mut(), kept)?;
    let run = keeping.as_ref().map(|(_, run)| *run);
    if let Some((store, run)) = &mut keeping {
        store.set_state(*run, if complete { State::Finished } else { State::Stopped })?;
    }
    drop(lock);
    if let Some(folder) = keep {
        laboratory.write(folder)?;
    }
    let answer = Answer::new(run, settings, &steps, Some(began.elapsed().as_secs_f64()));
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
    laboratory: &mut Laboratory<'_>,
    mut keeping: Option<&mut (Store, RunId)>,
    kept: Vec<Output<Step>>,
) -> Result<(Vec<Step>, bool), Failure> {
    let mut steps: Vec<Step> = Vec::new();
    let mut kept = kept.into_iter().peekable();
    for number in 0..laboratory.steps() {
        let known = kept.next_if(|output| output.number == number).map(|output| output.value);
        let step = match known {
            Some(step) => step,
            None => {
                let began = Instant::now();
                let Some(value) = laboratory.step(number)? else { return Ok((steps, false)) };
                let output = Output { number, took: began.elapsed(), value };
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
fn stored(store: &Store, run: &Run<Study>) -> Result<Answer, Error> {
    let settings: Settings = run.plan.settings()?;
    let outputs = store.outputs::<Step>(run.id)?;
    let steps: Vec<Step> = outputs.into_iter().map(|output| output.value).collect();
    Ok(Answer::new(Some(run.id), &settings, &steps, None))
}

fn found(store: &Store, run: &Run<Study>) -> Result<Found, Error> {
    let answer = stored(store, run)?;
    Found::new(&answer, answer.picture())
}

fn show(context: &Context, beside: &Beside, store: &Store, run: Run<Study>) -> Result<(), Failure> {
    beside.sheet.refuse(NO_ROWS)?;
    let answer = stored(store, &run)?;
    beside.pictures.write(&answer.picture())?;
    context.output.report(&answer)
}

fn resume(
    context: &Context,
    option: &StoreOption,
    beside: &Beside,
    store: Store,
    run: Run<Study>,
) -> Result<(), Failure> {
    beside.sheet.refuse(NO_ROWS)?;
    let settings: Settings = run.plan.settings()?;
    conduct(context, option, &beside.pictures, &settings, Some((store, run.id)), None)
}

/// Does it again and compares every step.
fn repeat(context: &Context, store: &Store, run: Run<Study>) -> Result<(), Failure> {
    let settings: Settings = run.plan.settings()?;
    let kept = store.outputs::<Step>(run.id)?;
    let mut laboratory = Laboratory::new(context, &settings)?;
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
    context.output.report(&Repeated { run: run.id, identical, compared, different })
}
