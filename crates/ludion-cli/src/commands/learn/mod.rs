//! `ludion learn`: learns a network or patterns by self-play, round after round.

mod network_report;
mod report;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ludion::learn::patterns::MAX_PHASES;
use ludion::learn::tensor_file::WeightFormat;
use ludion::registry::AnyGame;
use ludion_runs::studies::learning::{LearningRequest, PatternLearning};
use ludion_runs::studies::network_learning::{NetworkLearning, NetworkLearningRequest};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::plots::{PlotArgs, in_folder};
use crate::runs::StoreArgs;
use crate::study::{self, OutputFiles};

/// The widths of hidden layers, given in one word such as 128-64.
#[derive(Clone)]
struct LayerWidths(Vec<usize>);

/// What `ludion learn` trains.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearningMethod {
    /// A network with policy and value, for every game of two sides
    Net,
    /// Weights of patterns of cells, for games of pieces on a board
    Patterns,
}

/// The format of weights in a file.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FileWeights {
    /// Floats of 32 bits
    F32,
    /// Floats of 16 bits: half the size
    F16,
    /// Integers of 8 bits: a quarter of the size
    I8,
}

impl FileWeights {
    fn format(self) -> WeightFormat {
        match self {
            FileWeights::F32 => WeightFormat::F32,
            FileWeights::F16 => WeightFormat::F16,
            FileWeights::I8 => WeightFormat::I8,
        }
    }
}

/// Learn to play a game by self-play
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion learn tictactoe --rounds 2 --games 100 --pairs 5 --positions 10
  ludion learn hexapawn --rounds 4 --games 100 --pairs 5 --positions 10 --out h.net
  ludion learn checkers --method patterns --rounds 2 --games 100 --depth 2 --pairs 5 --out c.lpat

A network: a round is games against itself and training on the games of the last rounds. Every
--check rounds a sequential test against the last network that was kept decides whether the new
one is kept; matches against other players and, where it can, the exact solver judge it. Use it
by its file: \"mcts(eval=net(h.net))\", \"deepening(eval=net(h.net))\", \"policy(h.net)\". Without
--rounds learning ends when the solver solved all positions of two checks in a row, and the
network, with search and alone, kept all their values. The defaults suit games of the size of
Connect Four.

Patterns: a round is games against itself, training on them, a match against the last generation;
a model that is not better is not kept. The first generation learns from random games and has to
beat a model that knows nothing. Use it by its file: \"deepening(eval=patterns(c.lpat))\".

Stopped runs are resumed with `ludion run resume`.")]
pub(crate) struct LearnArgs {
    /// The game: any game of two sides; for patterns one with pieces on a board
    game: String,
    /// What to learn [default: the method of the ending of --out or of the other options; otherwise
    /// patterns in checkers, a network elsewhere]
    #[arg(long, value_enum)]
    method: Option<LearningMethod>,
    /// Number of rounds, each with self-play and training [default: up to 100, fewer if the game is
    /// learned before; patterns: 6, with kings 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: Option<u32>,
    /// Number of self-play games in each round [default: up to 2000, fewer if games are long; patterns:
    /// 20000, with kings 12000]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(20..=10_000_000))]
    games: Option<u32>,
    /// Maximum number of pairs of games in a match, with seats swapped
    #[arg(long, value_name = "N", default_value_t = LearningRequest::DEFAULT.pairs,
          allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Number of last rounds whose games are used in a training [default: 20; patterns: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    window: Option<u32>,
    /// Share of the search value in a training target, the rest is the result [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share)]
    trust: Option<f32>,
    /// Initial learning rate [default: 0.001; patterns: 0.05]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = positive)]
    rate: Option<f32>,
    /// Write the best network or model to this file [default: the game with .net or .lpat in this
    /// folder, such as connect4.net]
    #[arg(long, value_name = "FILE", value_parser = writable)]
    out: Option<PathBuf>,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    patterns: PatternArgs,
    #[command(flatten)]
    pictures: PlotArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Options of networks alone.
#[derive(Args)]
#[command(next_help_heading = "Options of networks")]
struct NetworkArgs {
    /// Number of simulations of a full search in self-play [default: 100]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(2..=100_000))]
    sims: Option<u32>,
    /// How often a sample is used in trainings, on average [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    uses: Option<u32>,
    /// Widths of the hidden layers, such as 64-32 [default: 48-32]
    #[arg(long, value_name = "WIDTHS", value_parser = widths)]
    hidden: Option<LayerWidths>,
    /// Inputs: cells, lines4, blocks3x2 or lines4+blocks3x2 [default: lines on boards, else cells]
    #[arg(long, value_name = "INPUTS")]
    inputs: Option<String>,
    /// Number of rounds between two checks [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    check: Option<u32>,
    /// Number of simulations of a move in the matches of a check [default: 200]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    match_sims: Option<u32>,
    /// Format of the weights in the file of --out [default: f32]
    #[arg(long, value_enum)]
    weights: Option<FileWeights>,
    /// Number of random positions that the exact solver judges in a check [default: 200]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=100_000))]
    positions: Option<u32>,
}

/// Options of patterns alone.
#[derive(Args)]
#[command(next_help_heading = "Options of patterns")]
struct PatternArgs {
    /// Search depth in plies, in self-play and in the matches [default: 4, or 2000 nodes with kings]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: Option<u32>,
    /// Search selectively with this number of nodes instead, in self-play and in the matches
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "depth",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: Option<u64>,
    /// Maximum number of random plies at the beginning of a self-play game [default: 12]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=200))]
    opening: Option<u32>,
    /// Number of phases of the game, by number of pieces, each with its own weights [default: 1,
    /// with kings 4]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PHASES)))]
    phases: Option<u32>,
    /// Number of passes over the training examples [default: 4, with kings 6]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: Option<u32>,
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

fn widths(text: &str) -> Result<LayerWidths, String> {
    let widths: Option<Vec<usize>> = text.split('-').map(|width| width.parse().ok()).collect();
    let widths = widths.filter(|widths| widths.iter().all(|width| (1..=4096).contains(width)));
    let sentence = || "numbers from 1 to 4096 are allowed, such as 128-64".to_owned();
    widths.map(LayerWidths).ok_or_else(sentence)
}

impl LearnArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let files = OutputFiles::pictures(&self.pictures);
        let (store, cluster) = (&self.store, &self.cluster);
        let game = context.registry.game(&self.game)?;
        let method = self.method(&*game)?;
        let out = Some(self.out.clone().unwrap_or_else(|| self.free_file(method)));
        match method {
            LearningMethod::Net => study::start_and_report::<NetworkLearning>(
                context,
                store,
                cluster,
                &files,
                NetworkLearningRequest { out, ..self.network_request() },
            ),
            LearningMethod::Patterns => study::start_and_report::<PatternLearning>(
                context,
                store,
                cluster,
                &files,
                LearningRequest { out, ..self.pattern_request(&*game) },
            ),
        }
    }

    /// Returns the file that is written if none is given: the first one named after the game, such as
    /// `connect4-8-7.net` or `connect4-8-7-2.net`, that does not exist in the current folder.
    fn free_file(&self, method: LearningMethod) -> PathBuf {
        let words = self.game.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let name = words.collect::<Vec<_>>().join("-").to_lowercase();
        let ending = match method {
            LearningMethod::Net => "net",
            LearningMethod::Patterns => "lpat",
        };
        let numbered = (2..).map(|number| format!("{name}-{number}.{ending}"));
        let mut files = std::iter::once(format!("{name}.{ending}")).chain(numbered);
        let free = files.find(|file| !Path::new(file).exists());
        PathBuf::from(free.expect("some number is free"))
    }

    /// Returns the method that is given, the one that the other options or the ending of the file stand
    /// for, that of the game otherwise. An option of the other method is an error.
    fn method(&self, game: &dyn AnyGame) -> Result<LearningMethod, CommandFailure> {
        let ending = self.out.as_ref().and_then(|out| out.extension()).and_then(|end| end.to_str());
        let NetworkArgs { sims, uses, hidden, inputs, check, match_sims, weights, positions } =
            &self.network;
        let PatternArgs { depth, nodes, opening, phases, epochs } = &self.patterns;
        let network = [
            ("--sims", sims.is_some()),
            ("--uses", uses.is_some()),
            ("--hidden", hidden.is_some()),
            ("--inputs", inputs.is_some()),
            ("--check", check.is_some()),
            ("--match-sims", match_sims.is_some()),
            ("--weights", weights.is_some()),
            ("--positions", positions.is_some()),
        ];
        let patterns = [
            ("--depth", depth.is_some()),
            ("--nodes", nodes.is_some()),
            ("--opening", opening.is_some()),
            ("--phases", phases.is_some()),
            ("--epochs", epochs.is_some()),
        ];
        let is_given = |options: &[(&str, bool)]| options.iter().any(|(_, given)| *given);
        let default = match (ending, is_given(&network), is_given(&patterns)) {
            (Some("lpat"), ..) => LearningMethod::Patterns,
            (Some("net"), ..) => LearningMethod::Net,
            (_, false, true) => LearningMethod::Patterns,
            (_, true, _) => LearningMethod::Net,
            _ if game.learns_patterns_best() => LearningMethod::Patterns,
            _ => LearningMethod::Net,
        };
        let method = self.method.unwrap_or(default);
        let (others, owner): (&[(&str, bool)], _) = match method {
            LearningMethod::Net => (&patterns, "patterns"),
            LearningMethod::Patterns => (&network, "net"),
        };
        match others.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(CommandFailure::Usage(format!(
                "{option} is an option of --method {owner}; leave it out or choose that method"
            ))),
            None => Ok(method),
        }
    }

    fn network_request(&self) -> NetworkLearningRequest {
        let default = NetworkLearningRequest::default();
        let NetworkArgs { sims, uses, hidden, inputs, check, match_sims, weights, positions } =
            &self.network;
        NetworkLearningRequest {
            game: self.game.clone(),
            rounds: self.rounds.or(default.rounds),
            games: self.games.or(default.games),
            check: check.unwrap_or(default.check),
            pairs: self.pairs,
            match_sims: match_sims.unwrap_or(default.match_sims),
            positions: positions.unwrap_or(default.positions),
            window: self.window.unwrap_or(default.window),
            uses: uses.unwrap_or(default.uses),
            sims: sims.unwrap_or(default.sims),
            hidden: hidden.as_ref().map_or(default.hidden, |widths| widths.0.clone()),
            inputs: inputs.clone(),
            rate: self.rate.map_or(default.rate, f64::from),
            trust: self.trust.unwrap_or(default.trust),
            weights: weights.map_or(default.weights, FileWeights::format),
            ..default
        }
    }

    fn pattern_request(&self, game: &dyn AnyGame) -> LearningRequest {
        let default = LearningRequest::default_for(game);
        let PatternArgs { depth, nodes, opening, phases, epochs } = &self.patterns;
        LearningRequest {
            game: self.game.clone(),
            rounds: self.rounds.unwrap_or(default.rounds),
            games: self.games.unwrap_or(default.games),
            depth: depth.unwrap_or(default.depth),
            nodes: nodes.or(default.nodes.filter(|_| depth.is_none())),
            opening: opening.unwrap_or(default.opening),
            pairs: self.pairs,
            window: self.window.unwrap_or(default.window),
            phases: phases.unwrap_or(default.phases),
            epochs: epochs.unwrap_or(default.epochs),
            rate: self.rate.unwrap_or(default.rate),
            trust: self.trust.unwrap_or(default.trust),
            ..default
        }
    }
}
