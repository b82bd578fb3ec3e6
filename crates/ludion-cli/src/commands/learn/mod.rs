//! `ludion learn`: learns patterns by self-play, round after round.

mod report;

use std::path::PathBuf;

use clap::Args;
use ludion::learn::patterns::MAX_PHASES;
use ludion_runs::studies::learning::{LearningRequest, PatternLearning};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::plots::{PlotArgs, in_folder};
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};

/// Learn to evaluate positions by self-play
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion learn tictactoe --rounds 2 --games 200 --pairs 20
  ludion learn checkers --rounds 2 --games 100 --depth 2 --pairs 5 --out checkers.lpat

A round is: games against itself, training on them, a match against the last generation;
a model that is not better is not kept. The first generation learns from random games and
has to beat a model that knows nothing. Every player with an evaluator uses the model by
its file: \"deepening(eval=patterns(checkers.lpat))\". Stopped runs are resumed with
`ludion run resume`.")]
pub(crate) struct LearnArgs {
    /// The game, which must have pieces on a board
    game: String,
    /// Number of rounds, each with self-play, training and matches
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.rounds,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Number of self-play games in each round
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.games,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(20..=10_000_000))]
    games: u32,
    /// Search depth in plies, in self-play and in the matches
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.depth,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Maximum number of random plies at the beginning of a self-play game
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.opening,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=200))]
    opening: u32,
    /// Number of pairs of games in a match, with seats swapped
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.pairs,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Number of last rounds whose games are used in a training
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.window,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100))]
    window: u32,
    /// Number of phases of the game, by number of pieces, each with its own weights
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.phases,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PHASES)))]
    phases: u32,
    /// Number of passes over the training examples
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.epochs,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Initial learning rate
    #[arg(long, value_name = "X", default_value_t = LearningRequest::DEFAULT.rate,
          allow_negative_numbers = true, value_parser = positive)]
    rate: f32,
    /// Share of the search value in a training target; the rest is the result of the game
    #[arg(long, value_name = "SHARE", default_value_t = LearningRequest::DEFAULT.trust,
          allow_negative_numbers = true, value_parser = share)]
    trust: f32,
    /// Write the best model to this file
    #[arg(long, value_name = "FILE", value_parser = writable)]
    out: Option<PathBuf>,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x: &f32| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "a number above 0 is allowed".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x: &f32| (0.0..=1.0).contains(x));
    number.ok_or_else(|| "0 to 1 is allowed".to_owned())
}

fn writable(text: &str) -> Result<PathBuf, String> {
    in_folder(PathBuf::from(text))
}

impl LearnArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let request = LearningRequest {
            game: self.game.clone(),
            rounds: self.rounds,
            games: self.games,
            depth: self.depth,
            opening: self.opening,
            pairs: self.pairs,
            window: self.window,
            phases: self.phases,
            epochs: self.epochs,
            rate: self.rate,
            trust: self.trust,
            out: self.out.clone(),
        };
        let files = OutputFiles::pictures(&self.pictures);
        study::start_and_report::<PatternLearning>(
            context,
            &self.store,
            &self.cluster,
            &files,
            request,
        )
    }
}
