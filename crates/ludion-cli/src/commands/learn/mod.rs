//! `ludion learn`: patterns learned from games against oneself, round after round. A learning
//! is a study whose outputs are its generations; games and models are kept besides, so that a
//! stopped run goes on where it was.

mod memory;
mod report;
mod rounds;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use ludion::learn::patterns::{LearningOptions, MAX_PHASES, PatternTrainingOptions};
use ludion_runs::RunError;
use ludion_runs::study::Findings;
use ludion_store::{JobOutput, RunId, RunState, Store, StoredRun, StudyPlan};

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::plural;
use crate::plots::{PlotArgs, in_folder};
use crate::runs::StoreArgs;
use crate::study::{self, StudyRepeatReport};
use memory::KnownOutputs;
use report::LearningReport;
use rounds::{LearnedGeneration, LearningRun, LearningSettings, NextStage};

/// Learn to judge positions from games against oneself
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion learn tictactoe --rounds 2 --games 200 --pairs 20
  ludion learn checkers --rounds 2 --games 100 --depth 2 --pairs 5 --out checkers.lpat

A round is: games against itself, training on them, a match against the last generation;
what is not better is not kept. The first generation learns from random games, so nothing
is known beforehand, and has to beat what knows nothing. Every player with an evaluator uses
what was learned by its file: \"deepening(eval=patterns(checkers.lpat))\". Stopped runs go on
with `ludion run resume`.")]
pub(crate) struct LearnArgs {
    /// The game, one of pieces on a board
    game: String,
    /// Rounds of self-play, training and match
    #[arg(long, value_name = "N", default_value_t = 6,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Games against itself, each round
    #[arg(long, value_name = "N", default_value_t = 20_000,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(20..=10_000_000))]
    games: u32,
    /// Plies looked ahead in these games and in the matches
    #[arg(long, value_name = "N", default_value_t = 4,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Random plies at the beginning of a game against itself, at most
    #[arg(long, value_name = "N", default_value_t = 12,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=200))]
    opening: u32,
    /// Pairs of games of a match, with seats swapped
    #[arg(long, value_name = "N", default_value_t = 100,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Rounds whose games are trained on
    #[arg(long, value_name = "N", default_value_t = 3,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100))]
    window: u32,
    /// Parts of the game, by number of pieces, with weights of their own
    #[arg(long, value_name = "N", default_value_t = 1,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PHASES)))]
    phases: u32,
    /// How often every position is trained on
    #[arg(long, value_name = "N", default_value_t = PatternTrainingOptions::default().epochs,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// The step of training
    #[arg(long, value_name = "X", default_value_t = PatternTrainingOptions::default().rate,
          allow_negative_numbers = true, value_parser = positive)]
    rate: f32,
    /// What the search thought, as a share of what is learned; the rest is how games ended
    #[arg(long, value_name = "SHARE", default_value_t = PatternTrainingOptions::default().trust,
          allow_negative_numbers = true, value_parser = share)]
    trust: f32,
    /// Write the model to this file
    #[arg(long, value_name = "FILE", value_parser = writable)]
    out: Option<PathBuf>,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
}

/// Learning as runs of the store.
pub(super) const KIND: study::StudyCommand =
    study::StudyCommand { name: NAME, show, resume, repeat, lab: study::looked_at(NAME, found) };
/// Why a learning is no sheet of figures.
const NO_ROWS: &str = "a learning has no rows for a spreadsheet; ask for --json";
const NAME: &str = "learn";
/// Plies after which a game is drawn.
const LONGEST: usize = 400;

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x: &f32| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "a number above 0 is allowed".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x: &f32| (0.0..=1.0).contains(x));
    number.ok_or_else(|| "0 to 1 is allowed".to_owned())
}

fn writable(text: &str) -> Result<PathBuf, String> {
    in_folder(PathBuf::from(text))
}

impl LearnArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let settings = self.settings(context)?;
        // What is wrong with them is said before anything is kept.
        LearningRun::new(context, &settings, KnownOutputs::default())?;
        let about = format!("{}, {}", settings.game, plural(settings.rounds.into(), "round"));
        let jobs = settings.rounds.into();
        let keeping =
            self.store.begin(&StudyPlan::new(NAME, about, jobs, settings.seed, &settings)?)?;
        learn(context, &self.store, &self.pictures, &settings, keeping)
    }

    fn settings(&self, context: &CommandContext) -> Result<LearningSettings, CommandFailure> {
        let training =
            PatternTrainingOptions { rate: self.rate, epochs: self.epochs, trust: self.trust };
        Ok(LearningSettings {
            game: context.registry.game(&self.game)?.spec().to_owned(),
            rounds: self.rounds,
            games: self.games.into(),
            pairs: self.pairs.into(),
            window: self.window,
            terms: LearningOptions {
                phases: self.phases,
                depth: self.depth,
                opening: self.opening,
                longest: LONGEST,
                training,
            },
            seed: context.seed,
            out: self.out.as_ref().map(std::path::absolute).transpose().map_err(|error| {
                CommandFailure::Usage(format!("the path of the model does not read: {error}"))
            })?,
        })
    }
}

/// Learns, or goes on with it; what the store knows is not done again.
fn learn(
    context: &CommandContext,
    option: &StoreArgs,
    pictures: &PlotArgs,
    settings: &LearningSettings,
    keeping: Option<(Store, RunId)>,
) -> Result<(), CommandFailure> {
    let (mut store, run) = keeping.unzip();
    let (mut kept, mut lock) = (Vec::new(), None);
    if let (Some(store), Some(run)) = (&mut store, run) {
        lock = store.lock(run)?;
        store.set_state(run, RunState::Running)?;
        kept = store.outputs::<LearnedGeneration>(run)?;
    }
    let began = Instant::now();
    let mut course = LearningRun::new(context, settings, KnownOutputs::new(store))?;
    let (steps, complete) = follow(&mut course, run, &kept)?;
    if let (Some(store), Some(run)) = (&mut course.memory.store, run) {
        store.set_state(run, if complete { RunState::Finished } else { RunState::Stopped })?;
    }
    drop(lock);
    let mut answer = LearningReport::new(run, settings, &steps, complete);
    answer.seconds = Some(began.elapsed().as_secs_f64());
    pictures.write(&answer.picture())?;
    context.output.report(&answer)?;
    if complete {
        return Ok(());
    }
    Err(option.stopped(run, &format!("{} of {} rounds", steps.len(), settings.rounds)))
}

/// Goes as far as it can, keeps every generation that is not kept yet, and writes the model
/// after each that is better. Says whether it came to the end.
fn follow(
    course: &mut LearningRun<'_>,
    run: Option<RunId>,
    kept: &[JobOutput<LearnedGeneration>],
) -> Result<(Vec<LearnedGeneration>, bool), CommandFailure> {
    let mut steps: Vec<LearnedGeneration> = Vec::new();
    loop {
        let began = Instant::now();
        let number = steps.len() as u64;
        let known = kept.iter().find(|output| output.number == number).map(|known| &known.value);
        let step = match course.step(known)? {
            NextStage::Generation(step) => step,
            NextStage::Stopped => return Ok((steps, false)),
            NextStage::Finished => return Ok((steps, true)),
        };
        if let (None, Some(run), Some(store)) = (known, run, &mut course.memory.store) {
            let output = JobOutput { number, took: began.elapsed(), value: &*step };
            store.keep_outputs(run, [&output])?;
        }
        if let Some(out) = course.settings.out.as_deref().filter(|_| step.kept) {
            write(out, &course.bytes())?;
        }
        steps.push(*step);
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), CommandFailure> {
    std::fs::write(path, bytes).map_err(|error| {
        CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
    })
}

fn show(
    context: &CommandContext,
    beside: &study::OutputFiles,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    beside.sheet.refuse(NO_ROWS)?;
    let answer = stored(store, &run)?;
    beside.pictures.write(&answer.picture())?;
    context.output.report(&answer)
}

/// What the store knows of a learning.
fn stored(store: &Store, run: &StoredRun<StudyPlan>) -> Result<LearningReport, RunError> {
    let settings: LearningSettings = run.plan.settings()?;
    let outputs = store.outputs::<LearnedGeneration>(run.id)?;
    let steps: Vec<LearnedGeneration> = outputs.into_iter().map(|output| output.value).collect();
    Ok(LearningReport::new(Some(run.id), &settings, &steps, run.state == RunState::Finished))
}

fn found(store: &Store, run: &StoredRun<StudyPlan>) -> Result<Findings, RunError> {
    let answer = stored(store, run)?;
    Findings::new(&answer, answer.picture())
}

fn resume(
    context: &CommandContext,
    option: &StoreArgs,
    beside: &study::OutputFiles,
    store: Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    beside.sheet.refuse(NO_ROWS)?;
    let settings: LearningSettings = run.plan.settings()?;
    learn(context, option, &beside.pictures, &settings, Some((store, run.id)))
}

/// Does it again, all games played anew.
fn repeat(
    context: &CommandContext,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    let settings: LearningSettings = run.plan.settings()?;
    let kept = store.outputs::<LearnedGeneration>(run.id)?;
    let mut course = LearningRun::new(context, &settings, KnownOutputs::default())?;
    let (mut compared, mut different) = (0, None);
    for output in &kept {
        let NextStage::Generation(step) = course.step(None)? else { break };
        compared += 1;
        if *step != output.value {
            different = Some(output.number);
            break;
        }
    }
    let identical = different.is_none();
    context.output.report(&StudyRepeatReport { run: run.id, identical, compared, different })
}
