//! The program `ludion` as a library: [`run`] gives the whole command line to any registry,
//! so that a game of one's own has it all by one line.
//!
//! ```no_run
//! use ludion::registry::Registry;
//!
//! fn main() -> std::process::ExitCode {
//!     ludion_cli::run(Registry::standard())
//! }
//! ```
//!
//! Each subcommand is one file of `commands`; what they draw is in `draw`, where their
//! answers go in `output`, how they end when something is wrong in `failure`.

mod assets;
mod cluster;
mod commands;
mod csv_args;
mod draw;
mod failure;
mod keyboard;
mod numbers;
mod output;
mod parquet;
mod plots;
mod position_args;
mod progress;
mod runs;
mod seats;
mod study;
mod table;

use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use clap::{Args, ColorChoice, Parser};
use ludion::assets::Assets;
use ludion::registry::Registry;
use ludion_cluster::Coordinator;
use ludion_runs::RunContext;
use ludion_runs::cluster::Cluster;

use cluster::ClusterArgs;
use commands::Command;
use failure::CommandFailure;
use output::Output;
use runs::interrupt;

/// A laboratory for players of games: play, search, learn, measure
///
/// Without a command the laboratory opens in a browser, as with `ludion lab`.
#[derive(Parser)]
#[command(name = "ludion", version = cluster::VERSION, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  ludion                                opens the laboratory in a browser
  ludion games                          every game with its parameters
  ludion play connect4                  play Connect Four against the computer
  ludion show tictactoe --moves b2,a1   look at a position
  ludion perft connect4 8               count lines of eight moves
  ludion count hexapawn --json          solve a small game, for a machine to read

A game or a player is a name, with values in parentheses where the defaults
will not do: \"matches(21, misere)\", \"minimax(depth=6)\".";

/// What every command takes.
#[derive(Args)]
#[command(next_help_heading = "Options of every command")]
struct GlobalArgs {
    /// Answer with one JSON object, for machines
    #[arg(long, global = true)]
    json: bool,
    /// What all randomness is drawn from
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads to count with; as many as the machine has cores when not given
    #[arg(long, global = true, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// When to use colour; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

/// What every command has at hand.
struct CommandContext {
    registry: Arc<Registry>,
    output: Output,
    seed: u64,
    threads: usize,
    /// Others who do the jobs of runs, where a command was told of any.
    cluster: OnceLock<Coordinator>,
}

impl CommandContext {
    /// Has the jobs of runs done by others, where the option names any.
    fn join(&self, option: &ClusterArgs) -> Result<(), CommandFailure> {
        if let Some(cluster) = option.connect()? {
            self.cluster.get_or_init(|| cluster);
        }
        Ok(())
    }

    /// What runs are conducted with: they stop when somebody presses Ctrl-C.
    fn run_context(&self) -> RunContext<'_> {
        let stop = interrupt::flag();
        let cluster = self.cluster.get().map(|cluster| cluster as &dyn Cluster);
        RunContext { registry: &self.registry, threads: self.threads, stop, gate: None, cluster }
    }
}

/// Runs the command that the program's arguments ask for, with the games of `registry`, at
/// each of which the player `bot` may sit. It is to be called before anything else: a
/// process that looks after a bot is this program started again.
///
/// The exit code is 0 for success, 1 for failure and 2 for wrong usage, of which standard
/// error has a sentence.
#[must_use]
pub fn run(registry: Registry) -> ExitCode {
    #[cfg(unix)]
    ludion_bot::supervise_if_asked();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Whoever closed the pipe does not want the help.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    output::use_colour(cli.global.color);
    perform(cli, registry).map_or_else(CommandFailure::report, |()| ExitCode::SUCCESS)
}

/// The solver of hexagonal Tetris with the command line of the contest, which gave the phrases
/// of power, if any, by `-p`.
#[derive(Parser)]
#[command(name = "play_icfp2015", version, arg_required_else_help = true)]
struct Icfp2015Args {
    #[command(flatten)]
    task: commands::hextris::solve::ContestArgs,
}

/// Runs the program `play_icfp2015`: problems solved in the time given, the solutions as JSON on
/// standard output and nothing else. Without `-p` no phrase has power.
#[must_use]
pub fn play_icfp2015() -> ExitCode {
    let cli = match Icfp2015Args::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let solved = cli.task.solve_as_in_the_contest(cores());
    solved.map_or_else(CommandFailure::report, |()| ExitCode::SUCCESS)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn perform(cli: Cli, registry: Registry) -> Result<(), CommandFailure> {
    let registry = registry.with_assets(Assets::new(assets::read));
    // Whoever asks for nothing is shown everything.
    let lab = || Cli::parse_from(["ludion", "lab"]).command;
    let command = cli.command.or_else(lab).expect("lab is a command");
    #[cfg(unix)]
    let registry = match &command {
        // Somebody else's run starts no program here unasked.
        Command::Worker(worker) if !worker.allow_bots => registry,
        _ => registry.with_text_player(ludion_bot::bot()),
    };
    command.run(&CommandContext {
        registry: Arc::new(registry),
        output: Output { json: cli.global.json },
        seed: cli.global.seed,
        threads: cli.global.threads.map_or_else(cores, usize::from),
        cluster: OnceLock::new(),
    })
}

#[cfg(test)]
mod tests;
