//! `ludion hextris`: hexagonal Tetris beyond single positions. Problems of our own, new ones,
//! the referee of solutions, the solvers and their tuning; one file a subcommand.

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

use crate::Context;
use crate::failure::Failure;
use crate::study;

/// Tunings as runs of the store.
pub(crate) const TUNE: study::Kind = tune::KIND;
pub(crate) use tune::TRIALS;

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
pub(crate) struct Hextris {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Problems(problems::Problems),
    Show(show::Show),
    Make(make::Make),
    Score(score::Score),
    Replay(replay::Replay),
    Solve(solve::Solve),
    Bench(bench::Bench),
    Serve(serve::Serve),
    Team(team::Team),
    Submit(submit::Submit),
    Leaderboard(leaderboard::Leaderboard),
    Tune(tune::Tune),
}

impl Hextris {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.what {
            What::Problems(command) => command.run(context),
            What::Show(command) => command.run(context),
            What::Make(command) => command.run(context),
            What::Score(command) => command.run(context),
            What::Replay(command) => command.run(context),
            What::Solve(command) => command.run(context),
            What::Bench(command) => command.run(context),
            What::Serve(command) => command.run(context),
            What::Team(command) => command.run(context),
            What::Submit(command) => command.run(context),
            What::Leaderboard(command) => command.run(context),
            What::Tune(command) => command.run(context),
        }
    }
}
