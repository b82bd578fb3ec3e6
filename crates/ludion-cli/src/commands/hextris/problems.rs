//! `ludion hextris problems`: lists the built-in problems.

use clap::Args;
use ludion::games::hextris::PROBLEMS;
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::table::words;

/// List the built-in problems
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris problems
  ludion hextris problems --json")]
pub(super) struct ProblemsArgs {}

#[derive(Serialize)]
struct ProblemsReport {
    problems: Vec<ProblemLine>,
}

#[derive(Serialize)]
struct ProblemLine {
    name: &'static str,
    id: u32,
    width: usize,
    height: usize,
    units: usize,
    source_length: usize,
    seeds: Vec<u32>,
    help: &'static str,
}

impl ProblemsArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let line = |named: &ludion::games::hextris::problems::NamedProblem| {
            let problem = named.problem();
            ProblemLine {
                name: named.name,
                id: problem.id(),
                width: problem.width(),
                height: problem.height(),
                units: problem.units().len(),
                source_length: problem.source_length(),
                seeds: problem.seeds().to_vec(),
                help: named.help,
            }
        };
        context.output.report(&ProblemsReport { problems: PROBLEMS.iter().map(line).collect() })
    }
}

impl CommandReport for ProblemsReport {
    fn text(&self) -> String {
        let row = |line: &ProblemLine| {
            vec![
                line.name.to_owned(),
                line.id.to_string(),
                format!("{}x{}", line.width, line.height),
                format!("{} of {}", line.source_length, line.units),
                line.help.to_owned(),
            ]
        };
        words(&["problem", "id", "board", "units", "what it shows"], self.problems.iter().map(row))
    }
}
