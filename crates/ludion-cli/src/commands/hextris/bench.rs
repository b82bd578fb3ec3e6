//! `ludion hextris bench`: what the solvers reach on the problems of a folder, beside what is
//! known of the contest's: its best team, a strong open solver, and the course's team.

use clap::Args;
use ludion::games::hextris::solver::{Effort, Method, Options};
use ludion::games::hextris::{Phrases, Problem};
use serde::{Deserialize, Serialize};

use super::clock::Watch;
use super::input::load_problem;
use super::solve::{Kind, mean, solve_watched};
use crate::Context;
use crate::failure::Failure;
use crate::output::Report;
use crate::table::figures;

/// Measure the solvers on a folder of problems
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris bench --problems problems -t 0.5
  ludion hextris bench --problems icfp2015 -t 20 --processor-time --json

Every file of the folder is solved by itself in the given time, with the 18 phrases of
the contest. Problems 0 to 24 are taken for those of the contest, for which the scores of
others are known.")]
pub(super) struct Bench {
    /// A folder with problems, whose names end with .json
    #[arg(long, value_name = "FOLDER")]
    problems: String,
    /// Seconds for each problem and solver
    #[arg(short = 't', long = "time", value_name = "SECONDS", default_value_t = 20.0)]
    seconds: f64,
    /// Megabytes of memory
    #[arg(short = 'm', long = "memory", value_name = "MEGABYTES", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(16..))]
    megabytes: u32,
    /// Count the work of the processor instead of the time that goes by: for a shared machine
    #[arg(long)]
    processor_time: bool,
}

/// What others have reached on a problem of the contest.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Anchor {
    id: u32,
    /// The solver of the course's team, in 20 seconds on two cores.
    course: u64,
    /// A strong open solver, likewise.
    open: u64,
    /// The best team of the contest, who had days.
    best: u64,
}

#[derive(Serialize)]
struct Answer {
    problems: Vec<Line>,
    /// The mean of beam / best.
    mean_ratio: Option<f64>,
    seconds: f64,
}

#[derive(Serialize)]
struct Line {
    problem: u32,
    baseline: u64,
    beam: u64,
    #[serde(flatten)]
    anchor: Option<Anchor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

impl Bench {
    pub(super) fn run(&self, context: &Context) -> Result<(), Failure> {
        if !(0.01..=1e6).contains(&self.seconds) {
            let said = format!("{} s is no time; it must be from 0.01 to 1e6", self.seconds);
            return Err(Failure::Usage(said));
        }
        let anchors: Vec<Anchor> = serde_json::from_str(include_str!("anchors.json"))
            .map_err(|error| Failure::Failed(format!("the scores of others: {error}")))?;
        let problems = self.load()?;
        let line = |problem: &Problem| {
            let anchor = anchors.iter().find(|anchor| anchor.id == problem.id()).copied();
            let baseline = self.score(context, problem, Method::Baseline(Default::default()));
            let beam = self.score(context, problem, Method::default());
            let ratio = anchor.map(|anchor| beam as f64 / anchor.best as f64);
            Line { problem: problem.id(), baseline, beam, anchor, ratio }
        };
        let lines: Vec<Line> = problems.iter().map(line).collect();
        let ratios: Vec<f64> = lines.iter().filter_map(|line| line.ratio).collect();
        let mean = (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64);
        context.output.report(&Answer { problems: lines, mean_ratio: mean, seconds: self.seconds })
    }

    fn load(&self) -> Result<Vec<Problem>, Failure> {
        let cannot = |error: std::io::Error| {
            Failure::Usage(format!("{} cannot be read: {error}", self.problems))
        };
        let mut problems = Vec::new();
        for entry in std::fs::read_dir(&self.problems).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let name = path.to_string_lossy();
            // Other lists in JSON, of solutions say, may lie beside the problems.
            if name.ends_with(".json") && is_problem(&path) {
                problems.push(load_problem(&name)?);
            }
        }
        if problems.is_empty() {
            let said = format!("{} holds no problem; a problem is a .json file", self.problems);
            return Err(Failure::Usage(said));
        }
        problems.sort_by_key(Problem::id);
        Ok(problems)
    }

    fn score(&self, context: &Context, problem: &Problem, method: Method) -> u64 {
        let watch = match self.processor_time {
            true => Watch::processor(context.threads),
            false => Watch::wall(),
        };
        let options = Options {
            method,
            effort: Effort::Time {
                clock: &|| watch.elapsed(),
                limit: std::time::Duration::from_secs_f64(self.seconds),
            },
            threads: context.threads,
            megabytes: self.megabytes as usize,
            seed: context.seed,
        };
        let wanted = !context.output.json;
        let problems = std::slice::from_ref(problem);
        let solved = solve_watched(problems, &Phrases::known(), &options, wanted);
        mean(0, problem, &solved)
    }
}

/// Whether a file holds a JSON object, as problems do, and no list.
fn is_problem(path: &std::path::Path) -> bool {
    let first = |bytes: Vec<u8>| bytes.into_iter().find(|byte| !byte.is_ascii_whitespace());
    std::fs::read(path).ok().and_then(first) == Some(b'{')
}

impl Report for Answer {
    fn text(&self) -> String {
        let head = [
            "problem",
            Kind::Baseline.name(),
            Kind::Beam.name(),
            "course",
            "open",
            "best",
            "beam/best",
        ];
        let row = |line: &Line| {
            let known = |score: fn(&Anchor) -> u64| {
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
        let mut text = figures(&head, self.problems.iter().map(row));
        if let Some(mean) = self.mean_ratio {
            text += &format!("\nbeam/best, mean over the problems: {mean:.3}\n");
        }
        text
    }
}
