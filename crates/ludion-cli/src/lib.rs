//! The program `ludion` as a library: [`run`] is the whole command line for any registry, so that a
//! program with its own games needs one line for it.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     ludion_cli::run(ludion::registry::standard())
//! }
//! ```
//!
//! Each subcommand is a file or folder of `commands`. Positions are drawn in `draw`, reports are
//! written in `output`, failures in `failure`.

mod affinity;
mod assets;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(not(feature = "cluster"))]
#[path = "no_cluster.rs"]
mod cluster;
mod commands;
mod csv_args;
mod draw;
pub mod embedded;
mod failure;
mod hub;
mod keyboard;
mod numbers;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
mod plots;
mod position_args;
mod progress;
mod runs;
mod seats;
mod study;
mod table;
mod token_args;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use affinity::CorePinning;
use clap::builder::FalseyValueParser;
use clap::{Args, ColorChoice, Parser};
use ludion::assets::Assets;
use ludion::registry::Registry;
use ludion_runs::cluster::Cluster;
use ludion_runs::{JobGate, RunContext};

use cluster::{ClusterArgs, Coordinator};
use commands::{Command, LabArgs};
use failure::CommandFailure;
pub use hub::CheckersHubNotation;
use output::Output;
use progress::{Progress, ProgressMode};
use runs::interrupt;

/// Version that workers and coordinators must share and with which runs are stored: the package
/// version with a hash of the sources that affect results.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("LUDION_STAMP"));

/// A laboratory for players of games: play, search, learn, measure
///
/// Without a command the laboratory opens in a browser, as with `ludion lab`.
#[derive(Parser)]
#[command(name = "ludion", version = VERSION, after_help = EXAMPLES)]
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
  ludion count hexapawn --json          solve a small game, the report as JSON

A game or a player is a name, with values in parentheses that replace its
defaults: \"matches(21, misere)\", \"minimax(depth=6)\".";

/// Options of every command.
#[derive(Args)]
#[command(next_help_heading = "Options of every command")]
struct GlobalArgs {
    /// Write the report as one JSON object; an error is one as well, on standard error
    #[arg(long, global = true)]
    json: bool,
    /// Seed of all random numbers
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads to use [default: as many as the machine has cores]
    #[arg(long, global = true, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep every thread that plays games on a core of its own, with the bots that it starts
    #[arg(long, global = true)]
    affinity: bool,
    /// Do not tell on standard error how long the work takes and how far it is
    #[arg(long, global = true, env = "LUDION_QUIET", hide_env_values = true,
          value_parser = FalseyValueParser::new())]
    quiet: bool,
    /// When to use colour; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

/// Registry, output and global options, as every command gets them.
struct CommandContext {
    registry: Arc<Registry>,
    output: Output,
    seed: u64,
    threads: usize,
    /// Keeps the threads of runs on cores of their own, if the user wants that.
    cores: Option<CorePinning>,
    /// Where commands report their progress.
    progress_mode: ProgressMode,
    /// The cluster that runs the jobs, once a command has connected to it.
    cluster: OnceLock<Coordinator>,
}

impl CommandContext {
    /// Connects to the cluster if the option names one; its workers then run the jobs of all runs.
    fn join(&self, option: &ClusterArgs) -> Result<(), CommandFailure> {
        if let Some(cluster) = option.connect()? {
            self.cluster.get_or_init(|| cluster);
        }
        Ok(())
    }

    /// Begins to report the progress of work that is counted in `unit`, a plural noun.
    fn progress(&self, unit: &'static str) -> Progress {
        Progress::new(self.progress_mode, unit)
    }

    /// Writes a sentence about the work to standard error, unless the user wants none.
    fn say(&self, sentence: &str) {
        self.progress("").say(sentence);
    }

    /// Begins to report progress unless the command shows its results on a terminal while it works.
    fn progress_unless(&self, is_shown: bool, unit: &'static str) -> Progress {
        Progress::new(if is_shown { ProgressMode::Silent } else { self.progress_mode }, unit)
    }

    /// Returns the resources of a run; Ctrl-C sets its stop flag.
    fn run_context(&self) -> RunContext<'_> {
        let stop = interrupt::flag();
        let cluster = self.cluster.get().map(|cluster| cluster as &dyn Cluster);
        let gate = self.cores.as_ref().map(|cores| cores as &dyn JobGate);
        RunContext { registry: &self.registry, threads: self.threads, stop, gate, cluster }
    }
}

/// Runs the command that the program's arguments name, with the games of `registry` and, for each
/// of them, the player `bot`. It must be called before anything else in `main`, because this
/// program starts itself again as the supervisor process of a bot.
///
/// The exit code is 0 for success, 1 for failure, 2 for wrong usage, 130 after Ctrl-C, 143 after
/// SIGTERM and 129 after SIGHUP. Except for success, there is a message on standard error, with `--json` a
/// JSON object. `run repeat` and `store check` also have exit codes for what they find, see `failure`.
#[must_use]
pub fn run(registry: Registry) -> ExitCode {
    #[cfg(unix)]
    ludion_bot::supervise_if_asked();
    ExitCode::from(run_with_args(registry, std::env::args_os().collect()))
}

/// Runs the command that `args` name, the first of which is the name of the program, as [`run`] does,
/// and returns the exit code.
#[must_use]
pub fn run_with_args(registry: Registry, args: Vec<OsString>) -> u8 {
    let json = usage::wants_json(args.iter().cloned());
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage::report(&error, json),
    };
    output::use_colour(cli.global.color);
    // A program without the cluster takes all arguments of `worker` and `cluster` as one list.
    let json = cli.global.json || json;
    let progress_mode = ProgressMode::of_standard_error(cli.global.quiet);
    let output = Output { json: cli.global.json, captured: None };
    let done = execute(cli, registry, output, progress_mode);
    done.map_or_else(|failure| failure.report(json), |()| failure::SUCCESS)
}

/// Returns the models and data files that players load: the name of each is the path of a file.
#[must_use]
pub fn file_assets() -> Assets {
    Assets::new(assets::read)
}

/// The solver of hexagonal Tetris with the command line of the ICFP 2015 contest, which passes the
/// phrases of power, if any, by `-p`.
#[derive(Parser)]
#[command(name = "play_icfp2015", version, arg_required_else_help = true)]
struct Icfp2015Args {
    #[command(flatten)]
    task: commands::hextris::solve::ContestArgs,
}

/// Runs the program `play_icfp2015`: solves problems in the time given and writes the solutions as
/// JSON to standard output, and nothing else. Without `-p` no phrase has power.
#[must_use]
pub fn play_icfp2015() -> ExitCode {
    let cli = match Icfp2015Args::try_parse() {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(usage::report(&error, false)),
    };
    let solved = cli.task.solve_as_in_the_contest(cores());
    ExitCode::from(solved.map_or_else(|failure| failure.report(false), |()| failure::SUCCESS))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn execute(
    cli: Cli,
    registry: Registry,
    output: Output,
    progress_mode: ProgressMode,
) -> Result<(), CommandFailure> {
    let registry = registry.with_assets(file_assets());
    let command = match cli.command {
        Some(command) => command,
        None => Command::Lab(LabArgs::from_env()?),
    };
    #[cfg(unix)]
    let registry = match &command {
        // Runs of other machines may start programs here only if the user allowed it.
        #[cfg(feature = "cluster")]
        Command::Worker(worker) if !worker.allow_bots => registry,
        _ => registry.with_text_player(ludion_bot::bot_with_hub(Arc::new(CheckersHubNotation))),
    };
    let threads = cli.global.threads.map_or_else(cores, usize::from);
    let cores = cli.global.affinity.then(|| CorePinning::new(threads)).transpose()?;
    command.run(&CommandContext {
        registry: Arc::new(registry),
        output,
        seed: cli.global.seed,
        threads,
        cores,
        progress_mode,
        cluster: OnceLock::new(),
    })
}

#[cfg(test)]
mod tests;
