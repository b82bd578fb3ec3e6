//! `ludion hextris tune`: the weights of the beam that score best, searched by a genetic
//! algorithm or by cross-entropy. A tuning is a study whose outputs are its generations; every
//! score of weights on a problem is kept besides, so that none is computed twice by anybody.

mod generations;
mod memory;
mod report;

use std::time::Instant;

use clap::Args;
use ludion::games::hextris::{PROBLEMS, Problem};
use ludion_runs::study::{self, Findings};
use ludion_runs::{RunContext, RunError};
use ludion_store::{JobOutput, RunId, RunState, Store, StoredRun, StudyPlan};

use super::input::load_problem;
use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::commands::tune::TuneMethod;
use crate::failure::CommandFailure;
use crate::output::plural;
use crate::plots::PlotArgs;
use crate::progress::ProgressLine;
use crate::runs::StoreArgs;
use crate::study::StudyRepeatReport;
use generations::{
    HextrisTuning, HextrisTuningSettings, NextStage, OnStageProgress, TunedGeneration,
    TuningProblemSpec,
};
use memory::KnownScores;
pub(crate) use memory::TRIALS;
use report::{HextrisTuningReport, TuningEffort};

/// Search the best weights of the solver
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris tune --train dot corner --held-out pair --generations 2 --states 2
  ludion hextris tune --train well --held-out pair --by cross-entropy --generations 2 --states 1

Weights are scored by what beams of a few states reach with them: move score, and what
the rows come down promise to spell; 100 % is what the default weights reach on the same
problem. Problems held out are looked at and never searched by: weights that are better
only where they were tuned are fitted to those problems. A line of the answer is the best
weights as `ludion hextris solve --weights FILE` reads them. Stopped runs go on with
`ludion run resume`.")]
pub(super) struct HextrisTuneArgs {
    /// Problems to tune on: files, or names of our own [default: every other one of our
    /// own but for the two largest]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<String>,
    /// Problems to hold out [default: the others of our own, but for
    /// the two largest]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    held_out: Vec<String>,
    /// How the best is searched
    #[arg(long, value_enum, default_value_t = TuneMethod::Genetic)]
    by: TuneMethod,
    /// Generations, at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    generations: u32,
    /// States that a beam goes on from at once
    #[arg(long, value_name = "N", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    states: u32,
    /// Games of a problem, those of its first seeds
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seeds: u32,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Tunings as runs of the store.
pub(super) const KIND: crate::study::StudyCommand = crate::study::StudyCommand {
    name: NAME,
    show,
    resume,
    repeat,
    lab: study::AnyStudyKind { name: NAME, resume: resume_in_lab, found },
};
const NAME: &str = "hextris tune";
/// Why there is no table of it.
const NO_ROWS: &str = "a tuning has no rows for a spreadsheet; ask for --json";

impl HextrisTuneArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let settings = self.settings(context.seed)?;
        // What is wrong with them is said before anything is kept.
        HextrisTuning::new(&context.run_context(), &settings, KnownScores::default())?;
        context.join(&self.cluster)?;
        let (trained, held) = (settings.train.len(), settings.held_out.len());
        let about = format!("{}, {held} held out", plural(trained as u64, "problem"));
        let jobs = settings.generations.into();
        let keeping =
            self.store.begin(&StudyPlan::new(NAME, about, jobs, settings.seed, &settings)?)?;
        tune(context, &self.store, &self.pictures, &settings, keeping)
    }

    fn settings(&self, seed: u64) -> Result<HextrisTuningSettings, CommandFailure> {
        let (train, held_out) = (entries(&self.train)?, entries(&self.held_out)?);
        if let Some(both) = train.iter().find(|one| same(&held_out, one)) {
            let said = format!("{} cannot be both trained on and held out", both.name);
            return Err(CommandFailure::Usage(said));
        }
        let train = or_ours(train, 0, &held_out)?;
        let held_out = or_ours(held_out, 1, &train)?;
        Ok(HextrisTuningSettings {
            by: self.by.into(),
            generations: self.generations,
            states: self.states as usize,
            seeds: self.seeds as usize,
            train,
            held_out,
            seed,
        })
    }
}

/// The most work of a problem that is tuned on unasked: with more one generation takes minutes.
const MAX_WORK: usize = 1_000_000;

/// How much a game of a problem is to look through: cells of the board, again for every unit.
fn work(problem: &Problem) -> usize {
    problem.width() * problem.height() * problem.source_length()
}

/// Where nothing is given, one half of our own problems, but for `others` and the largest. Small
/// and large ones fall to either half, for they are in the order of size.
fn or_ours(
    given: Vec<TuningProblemSpec>,
    half: usize,
    others: &[TuningProblemSpec],
) -> Result<Vec<TuningProblemSpec>, CommandFailure> {
    if !given.is_empty() {
        return Ok(given);
    }
    let small = PROBLEMS.iter().filter(|named| work(&named.problem()) <= MAX_WORK);
    let ours = small.skip(half).step_by(2).map(|named| named.name.to_owned());
    let mut ours = entries(&ours.collect::<Vec<_>>())?;
    ours.retain(|one| !same(others, one));
    if ours.is_empty() {
        let said = "no problem of ours is left for both; name problems with --train and --held-out";
        return Err(CommandFailure::Usage(said.to_owned()));
    }
    Ok(ours)
}

/// Whether a problem is among others, under whatever name.
fn same(entries: &[TuningProblemSpec], one: &TuningProblemSpec) -> bool {
    entries.iter().any(|entry| entry.problem == one.problem)
}

fn entries(names: &[String]) -> Result<Vec<TuningProblemSpec>, CommandFailure> {
    let mut entries: Vec<TuningProblemSpec> = Vec::new();
    for name in names {
        let entry =
            TuningProblemSpec { name: name.clone(), problem: load_problem(name)?.json().clone() };
        if same(&entries, &entry) {
            return Err(CommandFailure::Usage(format!("{name} is given twice")));
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// Tunes, or goes on with it, and shows what was found.
fn tune(
    context: &CommandContext,
    option: &StoreArgs,
    pictures: &PlotArgs,
    settings: &HextrisTuningSettings,
    keeping: Option<(Store, RunId)>,
) -> Result<(), CommandFailure> {
    let run = keeping.as_ref().map(|(_, run)| *run);
    let began = Instant::now();
    let mut line = TuningProgressLine::new(context);
    let run_context = context.run_context();
    let done = conduct(&run_context, settings, keeping, &mut |done, total, what| {
        line.show(done, total, what);
    });
    line.0.clear();
    let TuningProgress { steps, complete, computed, known } = done?;
    let seconds = began.elapsed().as_secs_f64();
    let mut answer = HextrisTuningReport::new(run, settings, &steps, complete);
    answer.effort = Some(TuningEffort { computed, known, seconds });
    pictures.write(&answer.picture())?;
    context.output.report(&answer)?;
    if complete {
        return Ok(());
    }
    let (done, total) = (steps.len(), settings.generations);
    Err(option.stopped(run, &format!("{done} of {total} generations")))
}

/// What came of a tuning as far as it went.
struct TuningProgress {
    steps: Vec<TunedGeneration>,
    complete: bool,
    computed: u64,
    known: u64,
}

/// Goes as far as it can; what the store knows is not computed.
fn conduct(
    run_context: &RunContext<'_>,
    settings: &HextrisTuningSettings,
    keeping: Option<(Store, RunId)>,
    told: OnStageProgress<'_>,
) -> Result<TuningProgress, RunError> {
    let (mut store, run) = keeping.unzip();
    let (mut kept, mut lock) = (Vec::new(), None);
    if let (Some(store), Some(run)) = (&mut store, run) {
        lock = store.lock(run)?;
        store.set_state(run, RunState::Running)?;
        kept = store.outputs::<TunedGeneration>(run)?;
    }
    let mut course = HextrisTuning::new(run_context, settings, KnownScores::new(store))?;
    let (steps, complete) = follow(&mut course, run, &kept, told)?;
    let KnownScores { mut store, computed, recalled: known, .. } = course.memory;
    if let (Some(store), Some(run)) = (&mut store, run) {
        store.set_state(run, if complete { RunState::Finished } else { RunState::Stopped })?;
    }
    drop(lock);
    Ok(TuningProgress { steps, complete, computed, known })
}

/// The line of progress.
struct TuningProgressLine(ProgressLine);

impl TuningProgressLine {
    fn new(context: &CommandContext) -> Self {
        TuningProgressLine(ProgressLine::new(!context.output.json))
    }

    fn show(&mut self, done: u64, total: u64, what: &str) {
        // Every generation has its own time left.
        if done == 1 {
            self.0.restart();
        }
        self.0.show(done, total, || what.to_owned());
    }
}

/// Goes as far as it can and keeps every generation that is not kept yet. Says whether it came
/// to the end.
fn follow(
    course: &mut HextrisTuning<'_>,
    run: Option<RunId>,
    kept: &[JobOutput<TunedGeneration>],
    told: OnStageProgress<'_>,
) -> Result<(Vec<TunedGeneration>, bool), RunError> {
    let mut steps: Vec<TunedGeneration> = Vec::new();
    loop {
        let began = Instant::now();
        let step = match course.step(told)? {
            NextStage::Generation(step) => step,
            NextStage::Stopped => return Ok((steps, false)),
            NextStage::Finished => return Ok((steps, true)),
        };
        let number = steps.len() as u64;
        match (kept.iter().find(|output| output.number == number), run) {
            (Some(known), Some(run)) if known.value != *step => {
                return Err(RunError::Failed(format!(
                    "generation {} of run {run} comes out otherwise than it was kept, perhaps by \
                     another version; begin a new run",
                    number + 1
                )));
            }
            (None, Some(run)) => {
                let output = JobOutput { number, took: began.elapsed(), value: &*step };
                if let Some(store) = &mut course.memory.store {
                    store.keep_outputs(run, [&output])?;
                }
            }
            _ => {}
        }
        steps.push(*step);
    }
}

/// What the store knows of a tuning.
fn stored(store: &Store, run: &StoredRun<StudyPlan>) -> Result<HextrisTuningReport, RunError> {
    let settings: HextrisTuningSettings = run.plan.settings()?;
    let outputs = store.outputs::<TunedGeneration>(run.id)?;
    let steps: Vec<TunedGeneration> = outputs.into_iter().map(|output| output.value).collect();
    Ok(HextrisTuningReport::new(Some(run.id), &settings, &steps, run.state == RunState::Finished))
}

fn show(
    context: &CommandContext,
    beside: &crate::study::OutputFiles,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    beside.sheet.refuse(NO_ROWS)?;
    let answer = stored(store, &run)?;
    beside.pictures.write(&answer.picture())?;
    context.output.report(&answer)
}

fn found(store: &Store, run: &StoredRun<StudyPlan>) -> Result<Findings, RunError> {
    let answer = stored(store, run)?;
    Findings::new(&answer, answer.picture())
}

/// Goes on with it for those who see it in a browser.
fn resume_in_lab(
    run_context: &RunContext<'_>,
    store: Store,
    run: &StoredRun<StudyPlan>,
    told: study::OnProgress<'_>,
) -> Result<RunState, RunError> {
    let settings: HextrisTuningSettings = run.plan.settings()?;
    let done = conduct(run_context, &settings, Some((store, run.id)), &mut |done, total, what| {
        told(done, total, &|| what.to_owned());
    })?;
    Ok(if done.complete { RunState::Finished } else { RunState::Stopped })
}

fn resume(
    context: &CommandContext,
    option: &StoreArgs,
    beside: &crate::study::OutputFiles,
    store: Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    beside.sheet.refuse(NO_ROWS)?;
    let settings: HextrisTuningSettings = run.plan.settings()?;
    tune(context, option, &beside.pictures, &settings, Some((store, run.id)))
}

/// Does it again, all scores computed anew.
fn repeat(
    context: &CommandContext,
    store: &Store,
    run: StoredRun<StudyPlan>,
) -> Result<(), CommandFailure> {
    let settings: HextrisTuningSettings = run.plan.settings()?;
    let kept = store.outputs::<TunedGeneration>(run.id)?;
    let run_context = context.run_context();
    let mut line = TuningProgressLine::new(context);
    let mut course = HextrisTuning::new(&run_context, &settings, KnownScores::default())?;
    let (mut compared, mut different) = (0, None);
    for output in &kept {
        let told = &mut |done, total, what: &str| line.show(done, total, what);
        let NextStage::Generation(step) = course.step(told)? else { break };
        compared += 1;
        if *step != output.value {
            different = Some(output.number);
            break;
        }
    }
    line.0.clear();
    let identical = different.is_none();
    context.output.report(&StudyRepeatReport { run: run.id, identical, compared, different })
}
