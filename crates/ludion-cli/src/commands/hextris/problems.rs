//! `ludion hextris problems`: the problems that come with the program.

use clap::Args;
use ludion::games::hextris::PROBLEMS;
use serde::Serialize;

use crate::Context;
use crate::failure::Failure;
use crate::output::Report;
use crate::table::words;

/// List the problems of our own
#[derive(Args)]
pub(super) struct Problems {}

#[derive(Serialize)]
struct Answer {
    problems: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    id: u32,
    width: usize,
    height: usize,
    units: usize,
    source_length: usize,
    seeds: Vec<u32>,
    help: &'static str,
}

impl Problems {
    pub(super) fn run(&self, context: &Context) -> Result<(), Failure> {
        let line = |named: &ludion::games::hextris::problems::Named| {
            let problem = named.problem();
            Line {
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
        context.output.report(&Answer { problems: PROBLEMS.iter().map(line).collect() })
    }
}

impl Report for Answer {
    fn text(&self) -> String {
        let row = |line: &Line| {
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
