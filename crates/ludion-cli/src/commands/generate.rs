//! `ludion generate`: games by the million, played by anybody, kept in an archive of some bytes a
//! game. A job is a block of games; blocks are played on all threads and written in their order.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use ludion::archive::{Block, Simulate};
use ludion::arena::executor::{Executor, Threads, Work};
use ludion::player::{Budget, Refusal};
use ludion::registry::{AnyGame, Cast};
use ludion_store::{ArchiveWriter, Source};
use serde::Serialize;

use crate::Context;
use crate::contest::interrupt;
use crate::failure::Failure;
use crate::output::{QUIET, Report, paint, plural, rate};
use crate::progress::Progress;

/// Play games by the million and keep them in a file
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion generate connect4 -n 1000000 --out random.games
  ludion generate connect4 -n 1000 --player \"mcts(sims=200)\" --opening 4 --out strong.games
  ludion generate tictactoe -n 500 --player \"minimax(depth=9)\" --player random --out mixed.games

A file that is there already gets more games: those of the same players and seed go on where
they ended, so that no game is played twice. The same seed gives the same games on any number of
threads, unless the budget is in time. What is done when the program is killed stays.")]
pub(crate) struct Generate {
    /// The game, such as checkers or "connect4(8, 7)"
    game: String,
    /// How many games to play
    #[arg(short = 'n', long, value_name = "GAMES",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    games: u64,
    /// Who plays; given twice, the first side and the second [default: random]
    #[arg(long, value_name = "PLAYER")]
    player: Vec<String>,
    /// Random plies before the players are asked
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    opening: u32,
    /// What a player may spend on a move, such as 100ms or 5000sims [default: what its
    /// parameters say]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<Budget>,
    /// The file to write or to add to
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// What was done.
#[derive(Serialize)]
struct Answer {
    game: String,
    players: [String; 2],
    seed: u64,
    file: PathBuf,
    /// The number of the first new game among those of its source.
    first: u64,
    games: u64,
    bytes: u64,
    bytes_per_game: f64,
    /// Bytes of a torn block that were cut off the file.
    cut: u64,
    seconds: f64,
    games_per_second: f64,
}

/// Games of a block.
const BLOCK: u64 = 2000;

/// Blocks of games as jobs.
struct Blocks<'a> {
    game: &'a dyn AnyGame,
    cast: &'a Cast,
    seed: u64,
    games: std::ops::Range<u64>,
}

impl Work for Blocks<'_> {
    type Worker = Box<dyn Simulate>;
    type Output = Result<Block, Refusal>;

    fn worker(&self) -> Box<dyn Simulate> {
        self.game.simulator(self.cast).expect("the same names made one before")
    }

    fn job(&self, simulator: &mut Box<dyn Simulate>, number: u64) -> Result<Block, Refusal> {
        let first = self.games.start + number * BLOCK;
        let count = BLOCK.min(self.games.end - first) as u32;
        simulator.block(self.seed, first, count)
    }
}

impl Generate {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let game = context.registry.game(&self.game)?;
        let cast = self.cast(&*game)?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let source = Source { cast, seed: context.seed, version };
        let mut writer = ArchiveWriter::append(&self.out, game.spec(), &source)?;
        let began = Instant::now();
        let before = size(&self.out)?;
        let (first, cut) = (writer.next_game(), writer.cut());
        let blocks = Blocks {
            game: &*game,
            cast: &source.cast,
            seed: context.seed,
            games: first..first + self.games,
        };
        let written = self.write(context, &blocks, &mut writer);
        let games = writer.next_game() - first;
        writer.close()?;
        written?;
        let seconds = began.elapsed().as_secs_f64();
        let bytes = size(&self.out)? - before;
        context.output.report(&Answer {
            game: game.spec().to_owned(),
            players: source.cast.players,
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
            games if games < self.games => Err(Failure::Stopped(format!(
                "stopped after {games} of {} games, which are kept",
                self.games
            ))),
            _ => Ok(()),
        }
    }

    /// The players by the shortest texts that name them.
    fn cast(&self, game: &dyn AnyGame) -> Result<Cast, Failure> {
        let [first, second] = match self.player.as_slice() {
            [] => ["random", "random"],
            [both] => [both.as_str(); 2],
            [first, second] => [first.as_str(), second.as_str()],
            more => {
                let count = more.len();
                return Err(Failure::Usage(format!("a game has two sides, not {count} players")));
            }
        };
        let spec = |text| Ok::<_, Failure>(game.player(text)?.spec().to_owned());
        let players = [spec(first)?, spec(second)?];
        Ok(Cast { players, budget: self.budget.unwrap_or_default(), opening: self.opening })
    }

    fn write(
        &self,
        context: &Context,
        blocks: &Blocks<'_>,
        writer: &mut ArchiveWriter,
    ) -> Result<(), Failure> {
        let mut progress = Progress::new(!context.output.json);
        let mut failure = None;
        let first = blocks.games.start;
        let mut sink = |_: u64, block: Result<Block, Refusal>| {
            let pushed = block.map_err(Failure::from).and_then(|b| Ok(writer.push(b)?));
            progress.show(writer.next_game() - first, self.games, || "games".to_owned());
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let jobs = &mut (0..self.games.div_ceil(BLOCK));
        Threads(context.threads).execute(blocks, jobs, interrupt::flag(), &mut sink);
        progress.clear();
        failure.map_or(Ok(()), Err)
    }
}

fn size(path: &Path) -> Result<u64, Failure> {
    let cannot = |error| Failure::Failed(format!("{} cannot be used: {error}", path.display()));
    Ok(std::fs::metadata(path).map_err(cannot)?.len())
}

impl Report for Answer {
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
