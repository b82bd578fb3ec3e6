//! `ludion generate`: plays millions of games and appends them to an archive, using a few bytes for
//! each. A job is a block of games; blocks are played on threads or a cluster and written in order.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use ludion::archive::GameBlock;
use ludion::player::Budget;
use ludion::registry::{AnyGame, GeneratorSettings};
use ludion_runs::block_jobs::{BlockJobs, BlockOutput, BlockSpec};
use ludion_runs::remote;
use ludion_runs::setup::MAX_OPENING;
use ludion_store::{ArchiveFileWriter, BlockSource};
use serde::Serialize;

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, QUIET, paint, plural, rate};
use crate::runs::{ExpectedTime, interrupt};

/// Play games by the million and keep them in a file
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion generate connect4 -n 100000 --out random.games
  ludion generate connect4 -n 1000 --player \"mcts(sims=200)\" --opening 4 --out strong.games
  ludion generate tictactoe -n 500 --player \"alphabeta(depth=9)\" --player random --out mixed.games

A file that is there already gets more games: those of the same players and seed go on where
they ended, so that no game is played twice. The same seed gives the same games on any number of
threads, unless the budget is in time. What is done when the program is killed stays.")]
pub(crate) struct GenerateArgs {
    /// The game, such as checkers or "connect4(8, 7)"
    game: String,
    /// How many games to play
    #[arg(short = 'n', long, value_name = "GAMES",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    games: u64,
    /// The player of both sides; given twice, of the first and the second side [default: random]
    #[arg(long, value_name = "PLAYER")]
    player: Vec<String>,
    /// Random plies before the players move
    #[arg(long, value_name = "PLIES", default_value_t = 0, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_OPENING)))]
    opening: u32,
    /// A player's budget for a move, such as 100ms or 5000sims [default: from its parameters]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<Budget>,
    /// The file to write or to append to
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Report of the games that were played.
#[derive(Serialize)]
struct GenerateReport {
    game: String,
    players: [String; 2],
    seed: u64,
    file: PathBuf,
    /// Index, from 0, of the first game that this command added, counted among all games of the
    /// file's last source (players, settings and seed).
    first: u64,
    games: u64,
    bytes: u64,
    bytes_per_game: f64,
    /// Number of bytes of an incomplete block that were removed from the end of the file.
    cut: u64,
    seconds: f64,
    games_per_second: f64,
}

impl GenerateArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let game = context.registry.game(&self.game)?;
        let cast = self.cast(&*game)?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let source = BlockSource { settings: cast, seed: context.seed, version };
        let mut writer = ArchiveFileWriter::append(&self.out, game.spec(), &source)?;
        let began = Instant::now();
        let before = size(&self.out)?;
        let (first, cut) = (writer.next_game(), writer.removed_bytes());
        context.join(&self.cluster)?;
        let spec = BlockSpec {
            game: game.spec().to_owned(),
            cast: source.settings.clone(),
            seed: context.seed,
            first,
            games: self.games,
        };
        let is_remote = context.run_context().cluster.is_some();
        let blocks = BlockJobs::new(&context.registry, spec, is_remote)?;
        interrupt::announce(
            "blocks of games under way are dropped, and those written stay".to_owned(),
        );
        let written = self.write(context, &blocks, &mut writer);
        let games = writer.next_game() - first;
        writer.close()?;
        written?;
        let seconds = began.elapsed().as_secs_f64();
        let bytes = size(&self.out)? - before;
        context.output.report(&GenerateReport {
            game: game.spec().to_owned(),
            players: source.settings.players,
            seed: context.seed,
            file: self.out.clone(),
            first,
            games,
            bytes,
            bytes_per_game: bytes as f64 / games.max(1) as f64,
            cut,
            seconds,
            games_per_second: games as f64 / seconds.max(1e-9),
        })?;
        match games {
            games if games < self.games => Err(CommandFailure::Stopped(format!(
                "stopped after {games} of {} games, which are kept",
                self.games
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the players as specs under the budget, with budget and opening.
    fn cast(&self, game: &dyn AnyGame) -> Result<GeneratorSettings, CommandFailure> {
        let [first, second] = match self.player.as_slice() {
            [] => ["random", "random"],
            [both] => [both.as_str(); 2],
            [first, second] => [first.as_str(), second.as_str()],
            more => {
                let count = more.len();
                return Err(CommandFailure::Usage(format!(
                    "a game has two sides, not {count} players"
                )));
            }
        };
        let budget = self.budget.unwrap_or_default();
        let spec = |text| {
            game.player(text)?;
            Ok::<_, CommandFailure>(game.effective_player(text, &budget)?.spec)
        };
        let players = [spec(first)?, spec(second)?];
        Ok(GeneratorSettings { players, budget, opening: self.opening })
    }

    fn write(
        &self,
        context: &CommandContext,
        blocks: &BlockJobs,
        writer: &mut ArchiveFileWriter,
    ) -> Result<(), CommandFailure> {
        let progress = context.progress("games");
        let (spec, threads) = (&blocks.spec, context.threads);
        let expected = match context.cluster.get() {
            // How many threads the workers have is not known here.
            Some(_) => None,
            None => {
                let game = context.registry.game(&spec.game)?;
                let budget = spec.cast.budget;
                ExpectedTime::of_games(&*game, budget, spec.games, spec.blocks(), threads)
            }
        };
        if let Some(expected) = &expected {
            progress.expect(expected.time, expected);
        }
        progress.update(0, Some(self.games), String::new);
        let mut failure = None;
        let first = blocks.spec.first;
        let mut sink = |number: u64, digits: BlockOutput| {
            let (first_of, count) = blocks.spec.block(number);
            let block = digits.map(|digits| GameBlock { first: first_of, count, digits });
            let pushed = block.map_err(CommandFailure::Failed).and_then(|b| Ok(writer.push(b)?));
            progress.update(writer.next_game() - first, Some(self.games), String::new);
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let jobs = &mut (0..blocks.spec.blocks());
        let done = remote::execute(&context.run_context(), blocks, 0, jobs, &mut sink);
        progress.finish();
        failure.map_or(Ok(()), Err)?;
        Ok(done?)
    }
}

fn size(path: &Path) -> Result<u64, CommandFailure> {
    let cannot =
        |error| CommandFailure::Failed(format!("{} cannot be used: {error}", path.display()));
    Ok(std::fs::metadata(path).map_err(cannot)?.len())
}

impl CommandReport for GenerateReport {
    fn text(&self) -> String {
        let [first, second] = &self.players;
        let who = if first == second { first.clone() } else { format!("{first} and {second}") };
        let cut = match self.cut {
            0 => String::new(),
            bytes => format!("A torn block of {} was cut off first.\n", plural(bytes, "byte")),
        };
        let about = format!(
            "{} in {:.1} s, {}; {:.1} bytes a game, seed {}, from game {} on",
            plural(self.games, "game"),
            self.seconds,
            rate(self.games_per_second),
            self.bytes_per_game,
            self.seed,
            self.first
        );
        format!(
            "{cut}{} by {who}: {} added to {}\n{}\n",
            self.game,
            plural(self.games, "game"),
            self.file.display(),
            paint(QUIET, &about)
        )
    }
}
