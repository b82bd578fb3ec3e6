//! `ludion hextris make`: generates a problem from a seed, as JSON.

use clap::Args;
use ludion::games::hextris::JsonProblem;
use ludion::games::hextris::random_problem::{RandomProblemOptions, random_problem};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;

/// Make a new problem, in the format of the contest
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris make --width 12 --height 20 --units 8 > mine.json
  ludion hextris make --max-cells 5 --density 0.4 --seed 7")]
pub(super) struct MakeArgs {
    /// Number of the problem
    #[arg(long, value_name = "N", default_value_t = 2001)]
    id: u32,
    /// Number of columns of the board
    #[arg(long, value_name = "N", default_value_t = 10)]
    width: usize,
    /// Number of rows of the board
    #[arg(long, value_name = "N", default_value_t = 15)]
    height: usize,
    /// Number of different units; the problem has fewer if not enough units of the given sizes exist
    #[arg(long, value_name = "N", default_value_t = 6)]
    units: usize,
    /// Smallest number of cells of a unit
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_cells: usize,
    /// Largest number of cells of a unit
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_cells: usize,
    /// Probability that a cell of the lower half of the board is full at the start
    #[arg(long, value_name = "CHANCE", default_value_t = 0.0)]
    density: f64,
    /// Number of units in a game
    #[arg(long, value_name = "N", default_value_t = 100)]
    length: usize,
    /// Number of seeds, each of which gives a game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: usize,
}

#[derive(Serialize)]
#[serde(transparent)]
struct MakeReport<'a>(&'a JsonProblem);

impl MakeArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let wish = RandomProblemOptions {
            id: self.id,
            width: self.width,
            height: self.height,
            kinds: self.units,
            cells: (self.min_cells, self.max_cells),
            density: self.density,
            source_length: self.length,
            seeds: self.seeds,
        };
        let problem = random_problem(&wish, context.seed)
            .map_err(|error| CommandFailure::Usage(error.to_string()))?;
        context.output.report(&MakeReport(problem.json()))
    }
}

impl CommandReport for MakeReport<'_> {
    /// Returns the problem as a JSON file, the same as with `--json`.
    fn text(&self) -> String {
        serde_json::to_string(self.0).expect("a problem is plain data") + "\n"
    }
}
