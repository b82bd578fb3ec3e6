//! `ludion data info`: shows statistics of an archive.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use ludion::archive::{BlockError, GameBlock};
use ludion::arena::executor::{Executor, JobSet, ThreadExecutor};
use ludion::outcome::AnyOutcome;
use ludion::registry::{AnyDecodedGame, AnyGame};
use ludion_store::{ArchiveRecord, BlockSource};
use serde::Serialize;

use super::OpenArchive;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::runs::interrupt;
use crate::table::figures;

/// Print statistics of a file of games
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion data info random.games
  ludion data info random.games --json")]
pub(crate) struct DataInfoArgs {
    /// The archive of games
    file: PathBuf,
}

/// Statistics of an archive.
#[derive(Serialize)]
struct ArchiveReport {
    file: PathBuf,
    game: String,
    bytes: u64,
    games: u64,
    bytes_per_game: f64,
    /// Number of bytes of an incomplete block at the end of the file, which are ignored.
    torn: u64,
    plies: PlyRange,
    /// Mean information content of a game's moves in bits, if all legal moves are equally likely.
    bits_per_game: f64,
    ends: Vec<OutcomeShare>,
    sources: Vec<BlockSource>,
}

#[derive(Serialize, Default)]
struct PlyRange {
    mean: f64,
    least: u64,
    most: u64,
}

/// Number and share of games with one outcome.
#[derive(Serialize)]
struct OutcomeShare {
    outcome: String,
    games: u64,
    share: f64,
}

/// Statistics summed over games.
#[derive(Default)]
struct GameStatistics {
    games: u64,
    plies: u64,
    least: Option<u64>,
    most: u64,
    bits: f64,
    ends: HashMap<AnyOutcome, u64>,
}

/// Number of blocks, for each thread, that are read before their statistics are computed.
const BLOCKS: usize = 16;

/// Number of different outcomes that are listed, the most frequent first.
const MAX_ENDS: usize = 8;

impl GameStatistics {
    fn add(&mut self, replay: &dyn AnyDecodedGame, logarithms: &mut Vec<f64>) {
        let plies = replay.choices().len() as u64;
        self.games += 1;
        self.plies += plies;
        self.least = Some(self.least.map_or(plies, |least| least.min(plies)));
        self.most = self.most.max(plies);
        for &(_, among) in replay.choices() {
            while logarithms.len() <= among as usize {
                logarithms.push((logarithms.len() as f64).log2());
            }
            self.bits += logarithms[among as usize];
        }
        *self.ends.entry(replay.outcome()).or_default() += 1;
    }

    fn merge(&mut self, other: GameStatistics) {
        self.games += other.games;
        self.plies += other.plies;
        self.least = [self.least, other.least].into_iter().flatten().min();
        self.most = self.most.max(other.most);
        self.bits += other.bits;
        for (end, games) in other.ends {
            *self.ends.entry(end).or_default() += games;
        }
    }
}

/// Job set in which every job computes the statistics of one block of an archive.
struct StatisticsJobs<'a> {
    game: &'a dyn AnyGame,
    blocks: &'a [GameBlock],
}

impl JobSet for StatisticsJobs<'_> {
    type Worker = Vec<f64>;
    type Output = Result<GameStatistics, BlockError>;

    /// Returns a cache of binary logarithms of small numbers, filled when needed.
    fn worker(&self) -> Vec<f64> {
        Vec::new()
    }

    fn job(
        &self,
        logarithms: &mut Vec<f64>,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<Self::Output> {
        let mut count = GameStatistics::default();
        let read = self.game.each_game(&self.blocks[number as usize], &mut |replay| {
            count.add(replay, logarithms);
            match stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        (!stop.load(Ordering::Relaxed)).then(|| read.map(|()| count))
    }
}

impl DataInfoArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let mut reading = OpenArchive::open(context, &self.file)?;
        let (mut count, mut sources) = (GameStatistics::default(), Vec::new());
        let progress = context.progress("bytes");
        progress.update(0, Some(reading.reader.length()), String::new);
        let mut more = true;
        while more {
            let mut blocks = Vec::new();
            while more && blocks.len() < BLOCKS * context.threads {
                match reading.reader.next_item()? {
                    Some(ArchiveRecord::Source(source)) => sources.push(source),
                    Some(ArchiveRecord::Games(block)) => blocks.push(block),
                    None => more = false,
                }
            }
            for part in self.count(context, &*reading.game, &blocks)? {
                count.merge(part);
            }
            let (position, length) = (reading.reader.position(), reading.reader.length());
            progress.update(position, Some(length), || plural(count.games, "game"));
        }
        progress.finish();
        let (bytes, torn) = (reading.reader.length(), reading.reader.truncated_bytes());
        let game = reading.game.spec().to_owned();
        context.output.report(&self.answer(game, bytes, torn, count, sources))
    }

    /// Computes the statistics of each of the given blocks, on all threads.
    fn count(
        &self,
        context: &CommandContext,
        game: &dyn AnyGame,
        blocks: &[GameBlock],
    ) -> Result<Vec<GameStatistics>, CommandFailure> {
        let mut counts: Vec<Option<Result<GameStatistics, BlockError>>> = Vec::new();
        counts.resize_with(blocks.len(), || None);
        let mut sink = |number: u64, count| {
            counts[number as usize] = Some(count);
            ControlFlow::Continue(())
        };
        let (work, jobs) = (StatisticsJobs { game, blocks }, &mut (0..blocks.len() as u64));
        ThreadExecutor(context.threads).execute(&work, jobs, interrupt::flag(), &mut sink)?;
        let wrong = |error| CommandFailure::Failed(format!("{}: {error}", self.file.display()));
        let stopped = || CommandFailure::Stopped("stopped before all games were read".to_owned());
        counts.into_iter().map(|count| count.ok_or_else(stopped)?.map_err(wrong)).collect()
    }

    fn answer(
        &self,
        game: String,
        bytes: u64,
        torn: u64,
        count: GameStatistics,
        sources: Vec<BlockSource>,
    ) -> ArchiveReport {
        let games = count.games.max(1) as f64;
        let mut ends: Vec<OutcomeShare> = count
            .ends
            .into_iter()
            .map(|(end, n)| OutcomeShare { outcome: name(&end), games: n, share: n as f64 / games })
            .collect();
        ends.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.outcome.cmp(&b.outcome)));
        ArchiveReport {
            file: self.file.clone(),
            game,
            bytes,
            games: count.games,
            bytes_per_game: bytes as f64 / games,
            torn,
            plies: PlyRange {
                mean: count.plies as f64 / games,
                least: count.least.unwrap_or(0),
                most: count.most,
            },
            bits_per_game: count.bits / games,
            ends,
            sources,
        }
    }
}

/// Formats an outcome, such as `first wins`.
pub(super) fn name(outcome: &AnyOutcome) -> String {
    outcome.to_string()
}

impl CommandReport for ArchiveReport {
    fn text(&self) -> String {
        let head =
            format!("{}: {} of {}", self.file.display(), plural(self.games, "game"), self.game);
        let mut text = format!("{}\n", paint(LOUD, &head));
        text += &format!(
            "{} in all, {:.2} a game; the choices hold {:.2}\n",
            plural(self.bytes, "byte"),
            self.bytes_per_game,
            self.bits_per_game / 8.0
        );
        let PlyRange { mean, least, most } = self.plies;
        text += &format!("{mean:.2} plies a game, {least} to {most}\n");
        if self.torn > 0 {
            let torn = plural(self.torn, "byte");
            text += &format!("the last block is torn: {torn} not read, `generate` cuts them off\n");
        }
        let rows = self.ends.iter().take(MAX_ENDS).map(|end| {
            vec![end.outcome.clone(), end.games.to_string(), format!("{:.2} %", 100.0 * end.share)]
        });
        text += &format!("\n{}", figures(&["end", "games", "share"], rows));
        for source in &self.sources {
            let [first, second] = &source.settings.players;
            let about = format!(
                "by {first} and {second}, seed {}, {} random, version {}",
                source.seed,
                plural(source.settings.opening.into(), "ply").replace("plys", "plies"),
                source.version
            );
            text += &format!("{}\n", paint(QUIET, &about));
        }
        text
    }
}
