//! `ludion hextris bench`: measures the solvers on a folder of problems and compares them with
//! known scores on the contest's problems: of its best team, of a strong open-source solver, and of
//! the team TaupeGoons. `--finals` measures them as the contest's finals did.

mod finals;

use std::io::{BufReader, Read};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use ludion::games::hextris::solver::{self, SolveBudget, SolveMethod, SolveOptions, SolveProgress};
use ludion::games::hextris::{Phrases, Problem};
use ludion_store::open_regular_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::clock::SolveClock;
use super::input::{PhraseArgs, load_problem};
use super::solve::{SolverKind, scores, time_to_work};
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};
use crate::progress::Progress;
use crate::runs::interrupt;
use crate::table::figures;

/// Measure the solvers on a folder of problems
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris bench --problems problems -t 0.5
  ludion hextris bench --problems icfp2015 -t 20 --processor-time --json
  ludion hextris bench --problems problems -t 0.5 -p ei! -p \"ia! ia!\"
  ludion hextris bench --problems icfp2015 --finals -t 60

Every file of the folder is solved by itself in the given time, with the 18 phrases of
the contest unless others are given. Problems 0 to 24 are taken for those of the contest,
for which the scores of others are known with the 18 phrases. The finals of the contest
had four lists of phrases and 300 s for each; a solution earned 100·(score/best)² points.")]
pub(super) struct HextrisBenchArgs {
    /// Folder with problems, files that end with .json
    #[arg(long, value_name = "FOLDER")]
    problems: String,
    /// Seconds to solve each problem with each solver [default: 20; with --finals 300]
    #[arg(short = 't', long = "time", value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Solve with each of the four phrase lists of the finals
    #[arg(long, conflicts_with_all = ["phrases", "no_phrases", "markdown"])]
    finals: bool,
    #[command(flatten)]
    phrases: PhraseArgs,
    /// Memory limit in megabytes
    #[arg(short = 'm', long = "memory", value_name = "MEGABYTES", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(64..))]
    megabytes: u32,
    /// Count CPU time instead of wall time, for a shared machine
    #[arg(long)]
    processor_time: bool,
    /// Write the table in Markdown, as in docs/hextris.md
    #[arg(long)]
    markdown: bool,
}

/// Known scores on a problem of the contest.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct ContestScores {
    id: u32,
    /// Score of the solver of the team TaupeGoons, in 20 seconds on two cores.
    course: u64,
    /// Score of a strong open-source solver by other authors, in 20 seconds on two cores. Its name
    /// was not recorded with the scores.
    open: u64,
    /// Score of the best team of the contest, which had days.
    best: u64,
}

#[derive(Serialize)]
struct HextrisBenchReport {
    problems: Vec<ProblemResult>,
    /// Mean over the problems of the beam solver's score divided by the best team's.
    mean_ratio: Option<f64>,
    seconds: f64,
    #[serde(skip)]
    markdown: bool,
}

#[derive(Serialize)]
struct ProblemResult {
    problem: u32,
    baseline: u64,
    beam: u64,
    #[serde(flatten)]
    anchor: Option<ContestScores>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

impl HextrisBenchArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        time_to_work(self.seconds())?;
        if self.finals {
            return self.run_finals(context);
        }
        let phrases = self.phrases.read()?;
        // The scores of others are with the 18 phrases.
        let anchors: Vec<ContestScores> = match self.phrases.is_given() {
            true => Vec::new(),
            false => read_scores(include_str!("anchors.json"))?,
        };
        let problems = self.load()?;
        let stop = interrupt::flag();
        let (progress, solves) = (context.progress("solves").at_most(), 2 * problems.len() as u64);
        let what = format!("{} by two solvers", plural(problems.len() as u64, "problem"));
        self.announce(&progress, solves, &what);
        progress.update(0, Some(solves), String::new);
        let mut lines: Vec<ProblemResult> = Vec::new();
        for problem in &problems {
            let anchor = anchors.iter().find(|anchor| anchor.id == problem.id()).copied();
            let (done, id) = (2 * lines.len() as u64, problem.id());
            let method = SolveMethod::Baseline(Default::default());
            let baseline = self.score(context, problem, &phrases, method)?;
            progress.update(done + 1, Some(solves), || format!("problem {id}"));
            let beam = self.score(context, problem, &phrases, SolveMethod::default())?;
            progress.update(done + 2, Some(solves), || format!("problem {id}: {beam} points"));
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let ratio = anchor.map(|anchor| beam as f64 / anchor.best as f64);
            lines.push(ProblemResult { problem: id, baseline, beam, anchor, ratio });
        }
        progress.finish();
        let is_whole = lines.len() == problems.len();
        let ratios: Vec<f64> = lines.iter().filter_map(|line| line.ratio).collect();
        let (seconds, markdown) = (self.seconds(), self.markdown);
        context.output.report(&HextrisBenchReport {
            problems: lines,
            mean_ratio: mean(&ratios),
            seconds,
            markdown,
        })?;
        if is_whole { Ok(()) } else { Err(stopped()) }
    }

    fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(if self.finals { 300.0 } else { 20.0 })
    }

    /// Says beforehand how long `solves` solves of `what` take.
    fn announce(&self, progress: &Progress, solves: u64, what: &str) {
        let (whole, each) = (self.seconds() * solves as f64, self.seconds());
        let of = if self.processor_time { " of CPU time" } else { "" };
        let reason = format!("{what}, {each} s{of} each");
        progress.expect(Duration::try_from_secs_f64(whole).unwrap_or(Duration::MAX), reason);
    }

    fn load(&self) -> Result<Vec<Problem>, CommandFailure> {
        let cannot = |error: std::io::Error| {
            CommandFailure::Usage(format!("{} cannot be read: {error}", self.problems))
        };
        let mut problems = Vec::new();
        for entry in std::fs::read_dir(&self.problems).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let name = path.to_string_lossy();
            // The folder may contain other JSON files, such as solutions.
            if !name.ends_with(".json") {
                continue;
            }
            if std::fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() == 0) {
                return Err(CommandFailure::Usage(format!("{name} is empty; it is no problem")));
            }
            if is_problem(&path) {
                problems.push(load_problem(&name)?);
            }
        }
        if problems.is_empty() {
            let said = format!(
                "{} holds no problem; a problem is a .json file with an object",
                self.problems
            );
            return Err(CommandFailure::Usage(said));
        }
        problems.sort_by_key(Problem::id);
        Ok(problems)
    }

    fn score(
        &self,
        context: &CommandContext,
        problem: &Problem,
        phrases: &Phrases,
        method: SolveMethod,
    ) -> Result<u64, CommandFailure> {
        let (stop, limit) = (interrupt::flag(), time_to_work(self.seconds())?);
        let observer = match self.processor_time {
            true => SolveClock::processor(context.threads),
            false => SolveClock::wall(),
        };
        let options = SolveOptions {
            method,
            effort: SolveBudget::Time {
                // An interrupt is the end of the time.
                clock: &|| if stop.load(Ordering::Relaxed) { limit } else { observer.elapsed() },
                limit,
            },
            threads: context.threads,
            megabytes: self.megabytes as usize,
            seed: context.seed,
        };
        let problems = std::slice::from_ref(problem);
        let solved = solver::solve(problems, phrases, &options, &|_: SolveProgress| ());
        let scores = scores(&solved);
        Ok(problem.mean(|seed| scores.get(&(0, seed)).copied().unwrap_or(0)))
    }
}

/// Reads the scores of others from the JSON text of a file beside this one.
fn read_scores<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, CommandFailure> {
    serde_json::from_str(text)
        .map_err(|error| CommandFailure::Failed(format!("the scores of others: {error}")))
}

fn stopped() -> CommandFailure {
    CommandFailure::Stopped("stopped before the end".to_owned())
}

/// Returns the mean of some ratios; `None` if there are none.
fn mean(ratios: &[f64]) -> Option<f64> {
    (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
}

/// Formats rows as a Markdown table with right-aligned columns.
fn markdown(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let mut text = line(&head) + &"|--:".repeat(head.len()) + "|\n";
    text.extend(rows.map(|row| line(&row)));
    text
}

/// Returns whether a file contains a JSON object, as problem files do.
fn is_problem(path: &std::path::Path) -> bool {
    let Ok(file) = open_regular_file(path) else { return false };
    let mut bytes = BufReader::new(file).bytes().map_while(Result::ok);
    bytes.find(|byte| !byte.is_ascii_whitespace()) == Some(b'{')
}

impl CommandReport for HextrisBenchReport {
    fn text(&self) -> String {
        let head = [
            "problem",
            SolverKind::Baseline.name(),
            SolverKind::Beam.name(),
            "course",
            "open",
            "best",
            "beam/best",
        ];
        let row = |line: &ProblemResult| {
            let known = |score: fn(&ContestScores) -> u64| {
                line.anchor.as_ref().map_or(String::new(), |anchor| score(anchor).to_string())
            };
            vec![
                line.problem.to_string(),
                line.baseline.to_string(),
                line.beam.to_string(),
                known(|anchor| anchor.course),
                known(|anchor| anchor.open),
                known(|anchor| anchor.best),
                line.ratio.map_or(String::new(), |ratio| format!("{ratio:.3}")),
            ]
        };
        let mut text = if self.markdown {
            markdown(&head, self.problems.iter().map(row))
        } else {
            figures(&head, self.problems.iter().map(row))
        };
        if let Some(mean) = self.mean_ratio {
            text += &format!("\nbeam/best, mean over the problems: {mean:.3}\n");
        }
        text
    }
}
