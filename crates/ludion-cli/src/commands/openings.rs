//! `ludion openings`: makes files of balanced openings, and checks such files.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use ludion::arena::conditions::Opening;
use ludion::player::Budget;
use ludion_runs::openings::{self, MadeOpenings, OpeningMaker};
use ludion_store::{read_file_or_pipe, replace_file};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, plural};

/// Make or check a file of openings for matches
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion openings make connect4 -n 50 -o openings.txt
  ludion openings make othello --plies 8 --player \"deepening(depth=6)\" --balance 0.1
  ludion openings check connect4 openings.txt
  ludion match connect4 mcts uct --openings openings.txt -n 10 --budget 100sims")]
pub(crate) struct OpeningsArgs {
    #[command(subcommand)]
    action: OpeningsCommand,
}

#[derive(Subcommand)]
enum OpeningsCommand {
    Make(MakeArgs),
    Check(CheckArgs),
}

/// Draw random openings and keep those that a player judges as balanced
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion openings make connect4 -n 50 -o openings.txt
  ludion openings make othello --plies 8 --player \"deepening(depth=6)\" --balance 0.1

The same seed gives the same openings on any number of threads, unless the budget is in time.")]
struct MakeArgs {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// Number of openings
    #[arg(short = 'n', long, value_name = "OPENINGS", default_value_t = 20,
          value_parser = clap::value_parser!(u64).range(1..=openings::MAX_OPENINGS as u64))]
    count: u64,
    /// Random plies of each opening
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    /// The player that judges the positions
    #[arg(long, default_value = "mcts")]
    player: String,
    /// What the player may spend on a position
    #[arg(long, value_name = "BUDGET", default_value = "2000sims,100000nodes")]
    budget: Budget,
    /// Largest value of a balanced position for either side, from 0 to 1
    #[arg(long, value_name = "VALUE", default_value_t = 0.15, value_parser = balance)]
    balance: f64,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Check that every line of a file is an opening of a game
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion openings check connect4 openings.txt")]
struct CheckArgs {
    /// The game, such as connect4
    game: String,
    /// The file of openings
    file: PathBuf,
}

fn balance(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| "write a number from 0 to 1".to_owned())
}

/// The report of `openings make`.
#[derive(Serialize)]
struct MadeReport {
    game: String,
    player: String,
    seed: u64,
    #[serde(flatten)]
    made: MadeOpenings,
    /// The file that was written; `None` if the openings are printed.
    file: Option<String>,
}

/// The report of `openings check`.
#[derive(Serialize)]
struct CheckedReport {
    game: String,
    openings: usize,
    /// Number of openings whose position another one has as well.
    repeated: usize,
}

impl OpeningsArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        match &self.action {
            OpeningsCommand::Make(make) => make.run(context),
            OpeningsCommand::Check(check) => check.run(context),
        }
    }
}

impl MakeArgs {
    fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let maker = OpeningMaker {
            game: context.registry.game(&self.game)?,
            player: self.player.clone(),
            budget: self.budget,
            plies: self.plies,
            balance: self.balance,
            seed: context.seed,
        };
        let progress = context.progress("openings");
        let run = context.run_context();
        let made = maker.make(self.count as usize, run.threads, run.stop, &mut |found, drawn| {
            progress.update(found as u64, Some(self.count), || format!("{drawn} drawn"));
        });
        progress.finish();
        let made = made?;
        if made.openings.is_empty() {
            return Err(CommandFailure::Failed(format!(
                "none of {} random openings is balanced; try fewer --plies or a larger --balance",
                made.drawn
            )));
        }
        let report = MadeReport {
            game: maker.game.spec().to_owned(),
            player: self.player.clone(),
            seed: context.seed,
            made,
            file: self.output.as_ref().map(|path| path.display().to_string()),
        };
        if let Some(path) = &self.output {
            replace_file(path, report.lines().as_bytes()).map_err(|error| {
                CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
            })?;
        }
        context.output.report(&report)
    }
}

impl MadeReport {
    /// Returns the openings as lines of a file.
    fn lines(&self) -> String {
        let mut text = format!(
            "# {} of {}, judged by {}, seed {}\n",
            plural(self.made.openings.len() as u64, "opening"),
            self.game,
            self.player,
            self.seed
        );
        for opening in &self.made.openings {
            let line = openings::line(&Opening { start: None, moves: opening.moves.clone() });
            text += &format!("{line} # {:+.3}\n", opening.value.unwrap_or_default() + 0.0);
        }
        text
    }
}

impl CommandReport for MadeReport {
    fn text(&self) -> String {
        let Some(file) = &self.file else { return self.lines() };
        let few = match self.made.is_exhausted {
            true => format!("; no more of the {} positions are balanced", self.made.positions),
            false => String::new(),
        };
        format!(
            "{} of {} drawn are in {file}{few}\n",
            plural(self.made.openings.len() as u64, "opening"),
            self.made.drawn
        )
    }
}

impl CheckArgs {
    fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let name = self.file.display();
        let game = context.registry.game(&self.game)?;
        let bytes = read_file_or_pipe(&self.file, openings::MAX_FILE)
            .map_err(|error| CommandFailure::Usage(format!("{name} cannot be read: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| CommandFailure::Usage(format!("{name}: it is not valid UTF-8")))?;
        let openings = openings::parse(&*game, &text)
            .map_err(|error| CommandFailure::Usage(format!("{name}: {error}")))?;
        let mut states = std::collections::HashSet::new();
        for opening in &openings {
            let mut position = match &opening.start {
                Some(start) => game.read(start)?,
                None => game.start(),
            };
            position.play_line(&opening.moves.join(" "))?;
            states.insert(position.show());
        }
        context.output.report(&CheckedReport {
            game: game.spec().to_owned(),
            openings: openings.len(),
            repeated: openings.len() - states.len(),
        })
    }
}

impl CommandReport for CheckedReport {
    fn text(&self) -> String {
        let repeated = match self.repeated {
            0 => "no position twice".to_owned(),
            count => format!("{} lead to a position of another", plural(count as u64, "opening")),
        };
        format!("{} of {}, {repeated}\n", plural(self.openings as u64, "opening"), self.game)
    }
}
