//! `ludion data info`: what an archive holds, every game of it read.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use ludion::archive::{Block, BlockError};
use ludion::arena::executor::{Executor, Threads, Work};
use ludion::outcome::AnyOutcome;
use ludion::registry::{AnyGame, AnyReplay};
use ludion_store::{Item, Source};
use serde::Serialize;

use super::Reading;
use crate::Context;
use crate::contest::interrupt;
use crate::failure::Failure;
use crate::output::{LOUD, QUIET, Report, paint, plural};
use crate::progress::Progress;
use crate::table::figures;

/// Say what a file of games holds, having read all of it
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion data info random.games
  ludion data info random.games --json")]
pub(crate) struct Info {
    /// The file
    file: PathBuf,
}

/// What was found.
#[derive(Serialize)]
struct Answer {
    file: PathBuf,
    game: String,
    bytes: u64,
    games: u64,
    bytes_per_game: f64,
    /// Bytes of a torn block at the end, which are not read.
    torn: u64,
    plies: Plies,
    /// Bits that the choices of a game hold, as they could have been any.
    bits_per_game: f64,
    ends: Vec<End>,
    sources: Vec<Source>,
}

#[derive(Serialize, Default)]
struct Plies {
    mean: f64,
    least: u64,
    most: u64,
}

/// How often a game ended so.
#[derive(Serialize)]
struct End {
    outcome: String,
    games: u64,
    share: f64,
}

/// What is counted game by game.
#[derive(Default)]
struct Count {
    games: u64,
    plies: u64,
    least: Option<u64>,
    most: u64,
    bits: f64,
    ends: HashMap<AnyOutcome, u64>,
}

/// Blocks that are read before they are counted, for every thread.
const BLOCKS: usize = 16;

/// Points are many; more kinds of ends than this are not listed one by one.
const MOST_ENDS: usize = 8;

impl Count {
    fn add(&mut self, replay: &dyn AnyReplay, logarithms: &mut Vec<f64>) {
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

    fn merge(&mut self, other: Count) {
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

/// Blocks whose games are counted, one a job.
struct Counting<'a> {
    game: &'a dyn AnyGame,
    blocks: &'a [Block],
}

impl Work for Counting<'_> {
    type Worker = Vec<f64>;
    type Output = Result<Count, BlockError>;

    /// The binary logarithms of small numbers.
    fn worker(&self) -> Vec<f64> {
        Vec::new()
    }

    fn job(&self, logarithms: &mut Vec<f64>, number: u64) -> Result<Count, BlockError> {
        let mut count = Count::default();
        self.game.each_game(&self.blocks[number as usize], &mut |replay| {
            count.add(replay, logarithms);
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }
}

impl Info {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let mut reading = Reading::open(context, &self.file)?;
        let (mut count, mut sources) = (Count::default(), Vec::new());
        let mut progress = Progress::new(!context.output.json);
        let mut more = true;
        while more {
            let mut blocks = Vec::new();
            while more && blocks.len() < BLOCKS * context.threads {
                match reading.reader.next_item()? {
                    Some(Item::Source(source)) => sources.push(source),
                    Some(Item::Games(block)) => blocks.push(block),
                    None => more = false,
                }
            }
            for part in self.count(context, &*reading.game, &blocks)? {
                count.merge(part);
            }
            progress.show(count.games, count.games, || "games read".to_owned());
        }
        progress.clear();
        let (bytes, torn) = (reading.reader.length(), reading.reader.torn());
        let game = reading.game.spec().to_owned();
        context.output.report(&self.answer(game, bytes, torn, count, sources))
    }

    /// Counts the games of some blocks on all threads, block by block.
    fn count(
        &self,
        context: &Context,
        game: &dyn AnyGame,
        blocks: &[Block],
    ) -> Result<Vec<Count>, Failure> {
        let mut counts: Vec<Option<Result<Count, BlockError>>> = Vec::new();
        counts.resize_with(blocks.len(), || None);
        let mut sink = |number: u64, count| {
            counts[number as usize] = Some(count);
            ControlFlow::Continue(())
        };
        let (work, jobs) = (Counting { game, blocks }, &mut (0..blocks.len() as u64));
        Threads(context.threads).execute(&work, jobs, interrupt::flag(), &mut sink);
        let wrong = |error| Failure::Failed(format!("{}: {error}", self.file.display()));
        let stopped = || Failure::Stopped("stopped before all games were read".to_owned());
        counts.into_iter().map(|count| count.ok_or_else(stopped)?.map_err(wrong)).collect()
    }

    fn answer(
        &self,
        game: String,
        bytes: u64,
        torn: u64,
        count: Count,
        sources: Vec<Source>,
    ) -> Answer {
        let games = count.games.max(1) as f64;
        let mut ends: Vec<End> = count
            .ends
            .into_iter()
            .map(|(end, n)| End { outcome: name(&end), games: n, share: n as f64 / games })
            .collect();
        ends.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.outcome.cmp(&b.outcome)));
        Answer {
            file: self.file.clone(),
            game,
            bytes,
            games: count.games,
            bytes_per_game: bytes as f64 / games,
            torn,
            plies: Plies {
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

/// An outcome in a few words.
pub(super) fn name(outcome: &AnyOutcome) -> String {
    outcome.to_string()
}

impl Report for Answer {
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
        let Plies { mean, least, most } = self.plies;
        text += &format!("{mean:.2} plies a game, {least} to {most}\n");
        if self.torn > 0 {
            let torn = plural(self.torn, "byte");
            text += &format!("the last block is torn: {torn} not read, `generate` cuts them off\n");
        }
        let rows = self.ends.iter().take(MOST_ENDS).map(|end| {
            vec![end.outcome.clone(), end.games.to_string(), format!("{:.2} %", 100.0 * end.share)]
        });
        text += &format!("\n{}", figures(&["end", "games", "share"], rows));
        for source in &self.sources {
            let [first, second] = &source.cast.players;
            let about = format!(
                "by {first} and {second}, seed {}, {} random, version {}",
                source.seed,
                plural(source.cast.opening.into(), "ply").replace("plys", "plies"),
                source.version
            );
            text += &format!("{}\n", paint(QUIET, &about));
        }
        text
    }
}
