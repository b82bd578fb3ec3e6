//! `ludion generate`: plays millions of games and appends them to an archive, some bytes a game. A job
//! is a block of games; blocks are played on threads or a cluster and written in their order.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use ludion::archive::{AnySimulator, GameBlock};
use ludion::arena::executor::JobSet;
use ludion::assets::Assets;
use ludion::player::Budget;
use ludion::registry::{AnyGame, Registry, SimulationSettings};
use ludion_runs::RunError;
use ludion_runs::cluster::{Attachment, JobSpec};
use ludion_runs::plan_jobs::find_attachments;
use ludion_runs::remote::{self, JobHandler, OpenedJobSet, RemoteJobSet};
use ludion_store::{ArchiveFileWriter, BlockSource};
use serde::{Deserialize, Serialize};

use crate::CommandContext;
use crate::cluster::ClusterArgs;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, QUIET, paint, plural, rate};
use crate::progress::ProgressLine;

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
pub(crate) struct GenerateArgs {
    /// The game, such as checkers or "connect4(8, 7)"
    game: String,
    /// How many games to play
    #[arg(short = 'n', long, value_name = "GAMES",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    games: u64,
    /// The player; given twice, the first side and the second [default: random]
    #[arg(long, value_name = "PLAYER")]
    player: Vec<String>,
    /// Random plies before the players move
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
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
    /// Number of the first new game among those of its source.
    first: u64,
    games: u64,
    bytes: u64,
    bytes_per_game: f64,
    /// Bytes of an incomplete block that were cut off the file.
    cut: u64,
    seconds: f64,
    games_per_second: f64,
}

/// Games in a block.
const BLOCK: u64 = 2000;

/// Blocks of games as jobs.
struct BlockJobs {
    game: Arc<dyn AnyGame>,
    written: GenerateSpec,
    /// Models and data files that workers need.
    attachments: Vec<Attachment>,
}

/// The serialised job set.
#[derive(Serialize, Deserialize)]
struct GenerateSpec {
    game: String,
    cast: SimulationSettings,
    seed: u64,
    first: u64,
    games: u64,
}

impl GenerateSpec {
    fn jobs(&self) -> u64 {
        self.games.div_ceil(BLOCK)
    }

    /// Returns the first game of a block and the number of its games.
    fn block(&self, number: u64) -> (u64, u32) {
        let before = number * BLOCK;
        (self.first + before, BLOCK.min(self.games.saturating_sub(before)) as u32)
    }
}

/// The moves of a block, or why a player gave none.
type BlockResult = Result<Vec<u8>, String>;

impl JobSet for BlockJobs {
    type Worker = Box<dyn AnySimulator>;
    type Output = BlockResult;

    fn worker(&self) -> Box<dyn AnySimulator> {
        self.game.simulator(&self.written.cast).expect("the same names made one before")
    }

    fn job(&self, simulator: &mut Box<dyn AnySimulator>, number: u64) -> BlockResult {
        let (first, count) = self.written.block(number);
        let block = simulator.block(self.written.seed, first, count);
        block.map(|block| block.digits).map_err(|refusal| refusal.to_string())
    }
}

const KIND: &str = "generate";
/// Handler with which workers play blocks of games.
pub(crate) const BLOCKS: JobHandler = JobHandler { kind: KIND, open };

fn open(
    registry: &Registry,
    assets: &Assets,
    spec: &[u8],
) -> Result<Arc<dyn OpenedJobSet>, RunError> {
    let written: GenerateSpec = remote::decode_spec(spec)?;
    let game = registry.game_with(&written.game, assets)?;
    game.simulator(&written.cast)?;
    let blocks = BlockJobs { game, written, attachments: Vec::new() };
    Ok(remote::opened_job_set_unless(blocks, |digits| digits.as_ref().err().cloned()))
}

impl RemoteJobSet for BlockJobs {
    fn job_spec(&self) -> Result<JobSpec, RunError> {
        let GenerateSpec { game, cast, games, .. } = &self.written;
        let [first, second] = &cast.players;
        Ok(JobSpec {
            kind: KIND.to_owned(),
            about: format!("{games} games of {game} by {first} and {second}"),
            jobs: self.written.jobs(),
            done: 0,
            spec: remote::encode_spec(&self.written)?,
            attachments: self.attachments.clone(),
        })
    }

    /// Whether the moves are those of the right number of complete games.
    fn accepts(&self, number: u64, digits: &BlockResult) -> bool {
        let (first, count) = self.written.block(number);
        let Ok(digits) = digits.clone() else { return false };
        self.game
            .each_game(&GameBlock { first, count, digits }, &mut |_| ControlFlow::Continue(()))
            .is_ok()
    }
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
        let attachments = match context.run_context().cluster {
            None => Vec::new(),
            Some(_) => find_attachments(&context.registry, game.spec(), |game| {
                game.simulator(&source.settings).map(drop)
            })?,
        };
        let written = GenerateSpec {
            game: game.spec().to_owned(),
            cast: source.settings.clone(),
            seed: context.seed,
            first,
            games: self.games,
        };
        let blocks = BlockJobs { game: Arc::clone(&game), written, attachments };
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

    /// Returns the players as canonical specs.
    fn cast(&self, game: &dyn AnyGame) -> Result<SimulationSettings, CommandFailure> {
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
        let spec = |text| Ok::<_, CommandFailure>(game.player(text)?.spec().to_owned());
        let players = [spec(first)?, spec(second)?];
        Ok(SimulationSettings {
            players,
            budget: self.budget.unwrap_or_default(),
            opening: self.opening,
        })
    }

    fn write(
        &self,
        context: &CommandContext,
        blocks: &BlockJobs,
        writer: &mut ArchiveFileWriter,
    ) -> Result<(), CommandFailure> {
        let mut progress = ProgressLine::new(!context.output.json);
        let mut failure = None;
        let first = blocks.written.first;
        let mut sink = |number: u64, digits: BlockResult| {
            let (first_of, count) = blocks.written.block(number);
            let block = digits.map(|digits| GameBlock { first: first_of, count, digits });
            let pushed = block.map_err(CommandFailure::Failed).and_then(|b| Ok(writer.push(b)?));
            progress.show(writer.next_game() - first, self.games, || "games".to_owned());
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let jobs = &mut (0..blocks.written.jobs());
        let done = remote::execute(&context.run_context(), blocks, 0, jobs, &mut sink);
        progress.clear();
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
