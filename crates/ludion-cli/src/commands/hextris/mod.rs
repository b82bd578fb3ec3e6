//! `ludion hextris`: problems of hexagonal Tetris, their referee, solvers and tuning; one file for
//! each subcommand.

mod bench;
mod clock;
mod input;
mod leaderboard;
mod make;
mod problems;
mod replay;
mod score;
mod serve;
mod show;
pub(crate) mod solve;
mod submit;
mod team;
mod tune;

use clap::{Args, Subcommand};

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Problems and solutions of hexagonal Tetris: solve, score, replay, make
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion hextris problems                                   problems of our own
  ludion hextris show well                                  board and units
  ludion hextris make --width 12 --units 8 > mine.json      a new problem
  ludion hextris solve -f well -t 1 > solutions.json        play it well
  ludion hextris score --problem well solutions.json
  ludion hextris score --problem well -p ei! -p \"ia! ia!\" solutions.json
  ludion hextris replay --problem well solutions.json       unit by unit
  ludion hextris tune --train dot --held-out pair --generations 2 --states 1

A problem is a file in the format of the ICFP contest of 2015, or the name of one of
our own. Solutions are a list of {\"problemId\", \"seed\", \"tag\", \"solution\"}. To play
with the keys, or to let players play: ludion play \"hextris(well)\".")]
pub(crate) struct HextrisArgs {
    #[command(subcommand)]
    what: HextrisCommand,
}

#[derive(Subcommand)]
enum HextrisCommand {
    Problems(problems::ProblemsArgs),
    Show(show::HextrisShowArgs),
    Make(make::MakeArgs),
    Score(score::ScoreArgs),
    Replay(replay::ReplayArgs),
    Solve(solve::HextrisSolveArgs),
    Bench(bench::HextrisBenchArgs),
    Serve(serve::HextrisServeArgs),
    Team(team::TeamArgs),
    Submit(submit::SubmitArgs),
    Leaderboard(leaderboard::LeaderboardArgs),
    Tune(tune::HextrisTuneArgs),
}

impl HextrisArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.what {
            HextrisCommand::Problems(command) => command.run(context),
            HextrisCommand::Show(command) => command.run(context),
            HextrisCommand::Make(command) => command.run(context),
            HextrisCommand::Score(command) => command.run(context),
            HextrisCommand::Replay(command) => command.run(context),
            HextrisCommand::Solve(command) => command.run(context),
            HextrisCommand::Bench(command) => command.run(context),
            HextrisCommand::Serve(command) => command.run(context),
            HextrisCommand::Team(command) => command.run(context),
            HextrisCommand::Submit(command) => command.run(context),
            HextrisCommand::Leaderboard(command) => command.run(context),
            HextrisCommand::Tune(command) => command.run(context),
        }
    }
}
