//! `ludion hextris problems`: lists the built-in problems.

use clap::Args;
use ludion::games::hextris::ProblemSummary;
use ludion::games::hextris::problems::{NamedProblem, PROBLEMS};
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
    #[serde(flatten)]
    about: ProblemSummary,
    help: &'static str,
}

impl ProblemsArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let line = |named: &NamedProblem| {
            let NamedProblem { name, help, .. } = *named;
            ProblemLine { name, about: named.problem().summary(), help }
        };
        context.output.report(&ProblemsReport { problems: PROBLEMS.iter().map(line).collect() })
    }
}

impl CommandReport for ProblemsReport {
    fn text(&self) -> String {
        let row = |line: &ProblemLine| {
            let about = &line.about;
            vec![
                line.name.to_owned(),
                about.id.to_string(),
                format!("{}x{}", about.width, about.height),
                format!("{} of {}", about.source_length, about.units),
                line.help.to_owned(),
            ]
        };
        words(&["problem", "id", "board", "units", "what it shows"], self.problems.iter().map(row))
    }
}
