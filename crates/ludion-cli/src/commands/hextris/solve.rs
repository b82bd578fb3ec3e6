//! `ludion hextris solve`: solves problems within a time limit, with the arguments and the output
//! that the contest required. `play_icfp2015` is the same program under the contest's name.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ludion::games::hextris::solver::baseline::BaselineWeights;
use ludion::games::hextris::solver::evaluation::BoardWeights;
use ludion::games::hextris::solver::{self, SolveBudget, SolveMethod, SolveOptions, SolvedGame};
use ludion::games::hextris::{HextrisSolution, Phrases, Problem};

use super::clock::SolveClock;
use super::input::{load_problems, read};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{LOUD, Output, paint};
use crate::progress::{Progress, ProgressMode};
use crate::runs::interrupt;
use crate::table::figures;

/// Solve problems
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris solve -f well -t 0.5
  ludion hextris solve -f dot -f corner -t 1 -c 2 -m 256 -p ei! -p \"ia! ia!\"
  ludion hextris solve -f rubble -t 1 --solver baseline --json

The solutions go to standard output as the contest wanted them, and a table of their
scores to the terminal, unless --json asks for the solutions alone. The phrases are the
18 of the contest when none is given. The time is for all
problems together and is kept with 0.2 s to spare; Ctrl-C ends it earlier with what was
found. Phrases beyond the 64th, or beyond 4096 characters together, score but are not
looked for. Weights are a JSON object with the
numbers that differ from the defaults.")]
pub(super) struct HextrisSolveArgs {
    #[command(flatten)]
    task: ContestArgs,
    /// Use no phrases of power, so that only moves score
    #[arg(long, conflicts_with = "phrases")]
    no_phrases: bool,
    /// Which solver to use
    #[arg(long, value_enum, default_value_t = SolverKind::Beam)]
    solver: SolverKind,
    /// A file with weights for the solver
    #[arg(long, value_name = "FILE")]
    weights: Option<String>,
}

/// Arguments that the contest required.
#[derive(Args)]
pub(crate) struct ContestArgs {
    /// Problems: files, - for standard input, or names of built-in ones
    #[arg(short = 'f', long = "problem", value_name = "FILE", required = true, num_args = 1..)]
    problems: Vec<String>,
    /// Seconds for all problems together
    #[arg(
        short = 't',
        long = "time",
        value_name = "SECONDS",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    seconds: f64,
    /// Memory limit in megabytes
    #[arg(short = 'm', long = "memory", value_name = "MEGABYTES", default_value_t = 1024,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(64..))]
    megabytes: u32,
    /// Number of cores to use [default: all]
    #[arg(short = 'c', long = "cores", value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores: Option<u16>,
    /// A phrase of power, which scores points when a solution spells it
    #[arg(short = 'p', long = "phrase", value_name = "PHRASE")]
    phrases: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SolverKind {
    /// Place each unit at the best place by six features, as the team TaupeGoons did
    Baseline,
    /// Beam search over placements, then a search for moves that spell phrases
    Beam,
}

impl SolverKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            SolverKind::Baseline => "baseline",
            SolverKind::Beam => "beam",
        }
    }

    /// Returns the solver with the weights in the JSON text `weights`, or with its usual weights.
    fn method(self, weights: Option<&str>) -> Result<SolveMethod, serde_json::Error> {
        Ok(match (self, weights) {
            (SolverKind::Baseline, None) => SolveMethod::Baseline(BaselineWeights::default()),
            (SolverKind::Beam, None) => SolveMethod::default(),
            (SolverKind::Baseline, Some(text)) => {
                SolveMethod::Baseline(serde_json::from_str::<BaselineWeights>(text)?)
            }
            (SolverKind::Beam, Some(text)) => {
                SolveMethod::Beam(serde_json::from_str::<BoardWeights>(text)?)
            }
        })
    }
}

impl HextrisSolveArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let method = match &self.weights {
            None => self.solver.method(None),
            Some(file) => self.solver.method(Some(&read(file)?)),
        };
        let named = |error| {
            let file = self.weights.as_deref().unwrap_or_default();
            CommandFailure::Usage(format!("{file}: {error}"))
        };
        let method = method.map_err(named)?;
        let phrases = match &self.task.phrases[..] {
            [] if self.no_phrases => Phrases::none(),
            [] => Phrases::known(),
            phrases => read_phrases(phrases)?,
        };
        let (progress, threads) = (context.progress("games"), context.threads);
        self.task.solve(&context.output, progress, threads, context.seed, &phrases, method)
    }
}

fn read_phrases(phrases: &[String]) -> Result<Phrases, CommandFailure> {
    Phrases::new(phrases).map_err(|error| CommandFailure::Usage(error.to_string()))
}

impl ContestArgs {
    /// Solves with the phrases of `-p` only, as in the contest, and prints only JSON.
    pub(crate) fn solve_as_in_the_contest(&self, threads: usize) -> Result<(), CommandFailure> {
        let phrases = read_phrases(&self.phrases)?;
        let (output, progress) =
            (Output { json: true, captured: None }, Progress::new(ProgressMode::Silent, ""));
        self.solve(&output, progress, threads, 1, &phrases, SolveMethod::default())
    }

    fn solve(
        &self,
        output: &Output,
        progress: Progress,
        threads: usize,
        seed: u64,
        phrases: &Phrases,
        method: SolveMethod,
    ) -> Result<(), CommandFailure> {
        let observer = SolveClock::wall();
        let limit = time_to_work(self.seconds)?;
        let problems = load_problems(&self.problems.iter().collect::<Vec<_>>())?;
        // After Ctrl-C the clock shows that the time is over, so that the best solutions so far are
        // printed.
        interrupt::announce("the best solutions so far are written".to_owned());
        let stop = interrupt::flag();
        let clock = || if stop.load(Ordering::Relaxed) { limit } else { observer.elapsed() };
        let options = SolveOptions {
            method,
            effort: SolveBudget::Time { clock: &clock, limit },
            threads: self.cores.map_or(threads, usize::from),
            megabytes: self.megabytes as usize,
            seed,
        };
        let whole = Duration::from_secs_f64(self.seconds);
        let progress = match method {
            SolveMethod::Beam(_) => {
                progress.lasts(whole, "the time of -t for all problems");
                progress
            }
            // This solver ends when it has played every game once.
            SolveMethod::Baseline(_) => {
                let progress = progress.at_most();
                progress.expect(whole, "the time of -t for all problems");
                progress
            }
        };
        progress.begin("searching");
        let solved = solver::solve(&problems, phrases, &options, &|seen: solver::SolveProgress| {
            let points = || format!("{} points", seen.score);
            progress.update(seen.done as u64, Some(seen.games as u64), points);
        });
        progress.finish();
        let tag = match method {
            SolveMethod::Baseline(_) => SolverKind::Baseline.name(),
            SolveMethod::Beam(_) => SolverKind::Beam.name(),
        };
        output.write(&(solutions_json(&problems, &solved, tag)? + "\n"))?;
        if !output.json && std::io::stderr().is_terminal() {
            anstream::eprint!("{}", table(&problems, &solved));
        }
        match stop.load(Ordering::Relaxed) {
            true => Err(CommandFailure::Stopped(
                "stopped before the time was over; the best solutions so far are written"
                    .to_owned(),
            )),
            false => Ok(()),
        }
    }
}

/// Returns the time for solving: `seconds` minus about 0.25 s for output; if `seconds` is below
/// 0.5, half of it.
pub(super) fn time_to_work(seconds: f64) -> Result<Duration, CommandFailure> {
    if !(0.01..=1e6).contains(&seconds) {
        return Err(CommandFailure::Usage(format!(
            "{seconds} s is no time; it must be from 0.01 to 1e6"
        )));
    }
    Ok(Duration::from_secs_f64((0.995 * seconds - 0.25).max(0.5 * seconds.min(0.5))))
}

/// Returns the solutions as a JSON list in the format of the contest.
fn solutions_json(
    problems: &[Problem],
    solved: &[SolvedGame],
    tag: &str,
) -> Result<String, CommandFailure> {
    let solution = |solved: &SolvedGame| HextrisSolution {
        problem_id: problems[solved.problem].id(),
        seed: solved.seed,
        tag: Some(format!("ludion {tag}")),
        solution: solved.commands.clone(),
    };
    let list: Vec<HextrisSolution> = solved.iter().map(solution).collect();
    serde_json::to_string(&list)
        .map_err(|error| CommandFailure::Failed(format!("the answer is no JSON: {error}")))
}

fn table(problems: &[Problem], solved: &[SolvedGame]) -> String {
    let head = ["problem", "seed", "status", "score", "moves", "power", "phrases", "locked"];
    let row = |solved: &SolvedGame| {
        let (problem, v) = (&problems[solved.problem], &solved.verdict);
        vec![
            problem.id().to_string(),
            solved.seed.to_string(),
            v.status.name().to_owned(),
            v.score.to_string(),
            v.move_score.to_string(),
            v.power_score.to_string(),
            v.phrases.len().to_string(),
            format!("{}/{}", v.locked, problem.source_length()),
        ]
    };
    let mut text = figures(&head, solved.iter().map(row)) + "\n";
    let scores = scores(solved);
    for (number, problem) in problems.iter().enumerate() {
        let score = problem.mean(|seed| scores.get(&(number, seed)).copied().unwrap_or(0));
        let score = paint(LOUD, &score.to_string());
        text += &format!("problem {}: {score}\n", problem.id());
    }
    text
}

/// Returns the score of every solved game, by the index of its problem and its seed.
pub(super) fn scores(solved: &[SolvedGame]) -> HashMap<(usize, u32), u64> {
    solved.iter().map(|one| ((one.problem, one.seed), one.verdict.score)).collect()
}
