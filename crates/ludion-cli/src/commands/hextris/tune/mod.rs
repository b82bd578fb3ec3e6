//! `ludion hextris tune`: searches the weights of a solver that score best, by a genetic algorithm or
//! by cross-entropy.

mod report;

use clap::Args;
use ludion_runs::studies::hextris_tuning::{
    HextrisTuning, HextrisTuningRequest, NamedJsonProblem, TunedSolver, TuningProblemRequest,
};

use super::input::load_problem;
use super::solve::SolverKind;
use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::commands::tune::TuneMethod;
use crate::failure::CommandFailure;
use crate::plots::PlotArgs;
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};

/// Search the best weights of a solver
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris tune --train dot corner --held-out pair --generations 2 --states 2
  ludion hextris tune --train well --held-out pair --by cross-entropy --generations 2 --states 1
  ludion hextris tune --solver baseline --train dot corner --held-out pair --generations 2

The weights of the solver beam are scored by what beams of a few states reach with them:
move score, and what the rows come down promise to spell. Those of baseline are scored by
whole games, with the 18 phrases of the contest. 100 % is what the default weights reach on
the same problem. Problems held out are scored and never searched by: weights that are better
only where they were tuned are fitted to those problems. One line of the report is the best
weights as `ludion hextris solve --solver SOLVER --weights FILE` reads them. Stopped runs are resumed with
`ludion run resume`.")]
pub(super) struct HextrisTuneArgs {
    /// The solver whose weights are tuned
    #[arg(long, value_enum, default_value_t = SolverKind::Beam)]
    solver: SolverKind,
    /// Problems to tune on: files, or names of built-in ones [default: every second built-in one,
    /// without the two largest]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    train: Vec<String>,
    /// Problems that are scored but not tuned on [default: the other built-in ones, without the two
    /// largest]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    held_out: Vec<String>,
    /// Search method
    #[arg(long, value_enum, default_value_t = TuneMethod::Genetic)]
    by: TuneMethod,
    /// Maximum number of generations
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    generations: u32,
    /// Number of states that each beam keeps, with the solver beam [default: 16]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    states: Option<u32>,
    /// Number of games of each problem, one for each of its first seeds
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

impl HextrisTuneArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let request = HextrisTuningRequest {
            train: problems(&self.train)?,
            held_out: problems(&self.held_out)?,
            solver: match self.solver {
                SolverKind::Baseline => TunedSolver::Baseline,
                SolverKind::Beam => TunedSolver::Beam,
            },
            by: self.by.into(),
            generations: self.generations,
            states: self.states,
            seeds: self.seeds,
        };
        let files = OutputFiles::pictures(&self.pictures);
        study::start_and_report::<HextrisTuning>(
            context,
            &self.store,
            &self.cluster,
            &files,
            request,
        )
    }
}

/// Loads problems from files, or built-in ones by name.
fn problems(names: &[String]) -> Result<Vec<TuningProblemRequest>, CommandFailure> {
    let read = |name: &String| {
        let problem = load_problem(name)?.json().clone();
        let spec = NamedJsonProblem { name: name.clone(), problem };
        Ok(TuningProblemRequest::Whole(Box::new(spec)))
    };
    names.iter().map(read).collect()
}
