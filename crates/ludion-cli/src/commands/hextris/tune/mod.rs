//! `ludion hextris tune`: the weights of the beam that score best, searched by a genetic
//! algorithm or by cross-entropy. A tuning is a study whose outputs are its generations; every
//! score of weights on a problem is kept besides, so that none is computed twice by anybody.

mod course;
mod memory;
mod report;

use std::time::Instant;

use clap::Args;
use ludion::games::hextris::{PROBLEMS, Problem};
use ludion_runs::study::{self, Found};
use ludion_runs::{Error, Means};
use ludion_store::{Output, Run, RunId, State, Store, Study};

use super::input::load_problem;
use crate::Context;
use crate::cluster::ClusterOption;
use crate::commands::tune::By;
use crate::contest::StoreOption;
use crate::failure::Failure;
use crate::output::plural;
use crate::pictures::Pictures;
use crate::progress::Progress;
use crate::study::Repeated;
use course::{Course, Entry, Next, Settings, Step, Told};
use memory::Memory;
pub(crate) use memory::TRIALS;
use report::{Answer, Effort};

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
pub(super) struct Tune {
    /// Problems to tune on: files, or names of our own [default: every other one of our
    /// own but for the two largest]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<String>,
    /// Problems to hold out [default: the others of our own, but for
    /// the two largest]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    held_out: Vec<String>,
    /// How the best is searched
    #[arg(long, value_enum, default_value_t = By::Genetic)]
    by: By,
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
    pictures: Pictures,
    #[command(flatten)]
    store: StoreOption,
    #[command(flatten)]
    cluster: ClusterOption,
}

/// Tunings as runs of the store.
pub(super) const KIND: crate::study::Kind = crate::study::Kind {
    name: NAME,
    show,
    resume,
    repeat,
    lab: study::Kind { name: NAME, resume: resume_in_lab, found },
};
const NAME: &str = "hextris tune";
/// Why there is no table of it.
const NO_ROWS: &str = "a tuning has no rows for a spreadsheet; ask for --json";

impl Tune {
    pub(super) fn run(&self, context: &Context) -> Result<(), Failure> {
        let settings = self.settings(context.seed)?;
        // What is wrong with them is said before anything is kept.
        Course::new(&context.means(), &settings, Memory::default())?;
        context.join(&self.cluster)?;
        let (trained, held) = (settings.train.len(), settings.held_out.len());
        let about = format!("{}, {held} held out", plural(trained as u64, "problem"));
        let jobs = settings.generations.into();
        let keeping =
            self.store.begin(&Study::new(NAME, about, jobs, settings.seed, &settings)?)?;
        tune(context, &self.store, &self.pictures, &settings, keeping)
    }

    fn settings(&self, seed: u64) -> Result<Settings, Failure> {
        let (train, held_out) = (entries(&self.train)?, entries(&self.held_out)?);
        if let Some(both) = train.iter().find(|one| same(&held_out, one)) {
            let said = format!("{} cannot be both trained on and held out", both.name);
            return Err(Failure::Usage(said));
        }
        let train = or_ours(train, 0, &held_out)?;
        let held_out = or_ours(held_out, 1, &train)?;
        Ok(Settings {
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
const MOST_WORK: usize = 1_000_000;

/// How much a game of a problem is to look through: cells of the board, again for every unit.
fn work(problem: &Problem) -> usize {
    problem.width() * problem.height() * problem.source_length()
}

/// Where nothing is given, one half of our own problems, but for `others` and the largest. Small
/// and large ones fall to either half, for they are in the order of size.
fn or_ours(given: Vec<Entry>, half: usize, others: &[Entry]) -> Result<Vec<Entry>, Failure> {
    if !given.is_empty() {
        return Ok(given);
    }
    let small = PROBLEMS.iter().filter(|named| work(&named.problem()) <= MOST_WORK);
    let ours = small.skip(half).step_by(2).map(|named| named.name.to_owned());
    let mut ours = entries(&ours.collect::<Vec<_>>())?;
    ours.retain(|one| !same(others, one));
    if ours.is_empty() {
        let said = "no problem of ours is left for both; name problems with --train and --held-out";
        return Err(Failure::Usage(said.to_owned()));
    }
    Ok(ours)
}

/// Whether a problem is among others, under whatever name.
fn same(entries: &[Entry], one: &Entry) -> bool {
    entries.iter().any(|entry| entry.problem == one.problem)
}

fn entries(names: &[String]) -> Result<Vec<Entry>, Failure> {
    let mut entries: Vec<Entry> = Vec::new();
    for name in names {
        let entry = Entry { name: name.clone(), problem: load_problem(name)?.draft().clone() };
        if same(&entries, &entry) {
            return Err(Failure::Usage(format!("{name} is given twice")));
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// Tunes, or goes on with it, and shows what was found.
fn tune(
    context: &Context,
    option: &StoreOption,
    pictures: &Pictures,
    settings: &Settings,
    keeping: Option<(Store, RunId)>,
) -> Result<(), Failure> {
    let run = keeping.as_ref().map(|(_, run)| *run);
    let began = Instant::now();
    let mut line = Line::new(context);
    let means = context.means();
    let done = conduct(&means, settings, keeping, &mut |done, total, what| {
        line.show(done, total, what);
    });
    line.0.clear();
    let Done { steps, complete, computed, known } = done?;
    let seconds = began.elapsed().as_secs_f64();
    let mut answer = Answer::new(run, settings, &steps, complete);
    answer.effort = Some(Effort { computed, known, seconds });
    pictures.write(&answer.picture())?;
    context.output.report(&answer)?;
    if complete {
        return Ok(());
    }
    let (done, total) = (steps.len(), settings.generations);
    Err(option.stopped(run, &format!("{done} of {total} generations")))
}

/// What came of a tuning as far as it went.
struct Done {
    steps: Vec<Step>,
    complete: bool,
    computed: u64,
    known: u64,
}

/// Goes as far as it can; what the store knows is not computed.
fn conduct(
    means: &Means<'_>,
    settings: &Settings,
    keeping: Option<(Store, RunId)>,
    told: Told<'_>,
) -> Result<Done, Error> {
    let (mut store, run) = keeping.unzip();
    let (mut kept, mut lock) = (Vec::new(), None);
    if let (Some(store), Some(run)) = (&mut store, run) {
        lock = store.lock(run)?;
        store.set_state(run, State::Running)?;
        kept = store.outputs::<Step>(run)?;
    }
    let mut course = Course::new(means, settings, Memory::new(store))?;
    let (steps, complete) = follow(&mut course, run, &kept, told)?;
    let Memory { mut store, computed, recalled: known, .. } = course.memory;
    if let (Some(store), Some(run)) = (&mut store, run) {
        store.set_state(run, if complete { State::Finished } else { State::Stopped })?;
    }
    drop(lock);
    Ok(Done { steps, complete, computed, known })
}

/// The line of progress.
struct Line(Progress);

impl Line {
    fn new(context: &Context) -> Self {
        Line(Progress::new(!context.output.json))
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
    course: &mut Course<'_>,
    run: Option<RunId>,
    kept: &[Output<Step>],
    told: Told<'_>,
) -> Result<(Vec<Step>, bool), Error> {
    let mut steps: Vec<Step> = Vec::new();
    loop {
        let began = Instant::now();
        let step = match course.step(told)? {
            Next::Generation(step) => step,
            Next::Stopped => return Ok((steps, false)),
            Next::Finished => return Ok((steps, true)),
        };
        let number = steps.len() as u64;
        match (kept.iter().find(|output| output.number == number), run) {
            (Some(known), Some(run)) if known.value != *step => {
                return Err(Error::Failed(format!(
                    "generation {} of run {run} comes out otherwise than it was kept, perhaps by \
                     another version; begin a new run",
                    number + 1
                )));
            }
            (None, Some(run)) => {
                let output = Output { number, took: began.elapsed(), value: &*step };
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
fn stored(store: &Store, run: &Run<Study>) -> Result<Answer, Error> {
    let settings: Settings = run.plan.settings()?;
    let outputs = store.outputs::<Step>(run.id)?;
    let steps: Vec<Step> = outputs.into_iter().map(|output| output.value).collect();
    Ok(Answer::new(Some(run.id), &settings, &steps, run.state == State::Finished))
}

fn show(
    context: &Context,
    beside: &crate::study::Beside,
    store: &Store,
    run: Run<Study>,
) -> Result<(), Failure> {
    beside.sheet.refuse(NO_ROWS)?;
    let answer = stored(store, &run)?;
    beside.pictures.write(&answer.picture())?;
    context.output.report(&answer)
}

fn found(store: &Store, run: &Run<Study>) -> Result<Found, Error> {
    let answer = stored(store, run)?;
    Found::new(&answer, answer.picture())
}

/// Goes on with it for those who see it in a browser.
fn resume_in_lab(
    means: &Means<'_>,
    store: Store,
    run: &Run<Study>,
    told: study::Told<'_>,
) -> Result<State, Error> {
    let settings: Settings = run.plan.settings()?;
    let done = conduct(means, &settings, Some((store, run.id)), &mut |done, total, what| {
        told(done, total, &|| what.to_owned());
    })?;
    Ok(if done.complete { State::Finished } else { State::Stopped })
}

fn resume(
    context: &Context,
    option: &StoreOption,
    beside: &crate::study::Beside,
    store: Store,
    run: Run<Study>,
) -> Result<(), Failure> {
    beside.sheet.refuse(NO_ROWS)?;
    let settings: Settings = run.plan.settings()?;
    tune(context, option, &beside.pictures, &settings, Some((store, run.id)))
}

/// Does it again, all scores computed anew.
fn repeat(context: &Context, store: &Store, run: Run<Study>) -> Result<(), Failure> {
    let settings: Settings = run.plan.settings()?;
    let kept = store.outputs::<Step>(run.id)?;
    let means = context.means();
    let mut line = Line::new(context);
    let mut course = Course::new(&means, &settings, Memory::default())?;
    let (mut compared, mut different) = (0, None);
    for output in &kept {
        let told = &mut |done, total, what: &str| line.show(done, total, what);
        let Next::Generation(step) = course.step(told)? else { break };
        compared += 1;
        if *step != output.value {
            different = Some(output.number);
            break;
        }
    }
    line.0.clear();
    let identical = different.is_none();
    context.output.report(&Repeated { run: run.id, identical, compared, different })
}
