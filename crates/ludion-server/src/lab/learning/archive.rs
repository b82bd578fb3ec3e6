//! Summaries of archives of games, and samples of their games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use ludion_players::registry::{AnyDecodedGame, Registry};
use ludion_store::{ArchiveFileReader, ArchiveRecord, BlockSource};
use serde::Serialize;

use super::spec;
use crate::lab::error::LabError;

/// The first bytes of an archive of any version.
pub(super) const MAGIC: &[u8] = b"Ludion games";

/// Summary of an archive: its game, number of games and sources.
#[derive(Clone, Serialize)]
pub(super) struct ArchiveSummary {
    /// The spec of the archived game.
    game: String,
    /// Number of games in the archive.
    games: u64,
    /// Number of bytes of an incomplete block at the end, which are ignored.
    torn: u64,
    /// The players and seeds of the archive's blocks, in order.
    sources: Vec<BlockSource>,
    /// The spec of a nearest-neighbour player that uses the archive, where the game has one.
    player: Option<String>,
}

/// The name of the nearest-neighbour player.
const NEIGHBOURS: &str = "knn";

/// Summarises an archive: reads all its records without replaying the games.
pub(super) fn summarise(registry: &Registry, path: &Path) -> Result<ArchiveSummary, String> {
    let mut reader = ArchiveFileReader::open(path).map_err(|error| error.to_string())?;
    let (mut games, mut sources) = (0, Vec::new());
    while let Some(item) = reader.next_item().map_err(|error| error.to_string())? {
        match item {
            ArchiveRecord::Source(source) => sources.push(source),
            ArchiveRecord::Games(block) => games += u64::from(block.count),
        }
    }
    let game = reader.game().to_owned();
    let entry = registry.entry(&game).map_err(|error| error.to_string())?;
    let knows = games > 0 && entry.players().iter().any(|player| player.name == NEIGHBOURS);
    let name = path.to_str().filter(|_| knows);
    let player = name.map(|name| spec(NEIGHBOURS, &[("data", name)]).to_string());
    Ok(ArchiveSummary { game, games, torn: reader.truncated_bytes(), sources, player })
}

/// Number of games, from the first on, over which a sample computes its statistics.
const MAX_COUNTED: u64 = 2000;
/// Number of games that a sample lists with their moves.
const MAX_SHOWN: usize = 10;

/// Statistics of the first games of an archive, and some games with their moves.
#[derive(Serialize, Default)]
pub(crate) struct ArchiveSample {
    game: String,
    /// Number of games in the statistics.
    counted: u64,
    /// Shortest, mean and longest length of a game in plies.
    plies: [f64; 3],
    /// Outcomes in words with the number of games that ended so, the most frequent first.
    ends: Vec<(String, u64)>,
    games: Vec<SampledGame>,
}

/// One game of a sample.
#[derive(Serialize)]
struct SampledGame {
    /// Number of the game in the archive, from 0.
    number: u64,
    /// The moves, separated by spaces.
    moves: String,
    plies: usize,
    outcome: String,
}

/// Accumulates a sample game by game.
#[derive(Default)]
struct GameStatistics {
    /// Number of games read so far.
    number: u64,
    /// Lengths of the counted games.
    plies: Vec<usize>,
    ends: BTreeMap<String, u64>,
    games: Vec<SampledGame>,
}

impl GameStatistics {
    /// Adds the next game; breaks when the sample is complete. Games are listed from number `from`
    /// on.
    fn take(&mut self, from: u64, replay: &dyn AnyDecodedGame) -> ControlFlow<()> {
        let (plies, number) = (replay.choices().len(), self.number);
        self.number += 1;
        if number < MAX_COUNTED {
            self.plies.push(plies);
            *self.ends.entry(replay.outcome().to_string()).or_default() += 1;
        }
        if number >= from && self.games.len() < MAX_SHOWN {
            let (moves, outcome) = (replay.moves().join(" "), replay.outcome().to_string());
            self.games.push(SampledGame { number, moves, plies, outcome });
        }
        let is_enough = self.number >= MAX_COUNTED && self.games.len() == MAX_SHOWN;
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns the sample of the games added so far.
    fn sample(self, game: String) -> ArchiveSample {
        let (least, most) = (self.plies.iter().min(), self.plies.iter().max());
        let mean = self.plies.iter().sum::<usize>() as f64 / self.plies.len().max(1) as f64;
        let end = |end: Option<&usize>| end.map_or(0.0, |&plies| plies as f64);
        let mut ends: Vec<(String, u64)> = self.ends.into_iter().collect();
        ends.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let (counted, plies) = (self.plies.len() as u64, [end(least), mean, end(most)]);
        ArchiveSample { game, counted, plies, ends, games: self.games }
    }
}

/// Returns statistics of an archive's first games, and lists some games from number `from` on.
pub(super) fn sample(
    registry: &Registry,
    path: &Path,
    from: u64,
) -> Result<ArchiveSample, LabError> {
    let bad = |error: &dyn ToString| LabError::Bad(error.to_string());
    let mut reader = ArchiveFileReader::open(path).map_err(|error| bad(&error))?;
    let game = registry.game(reader.game())?;
    let mut count = GameStatistics::default();
    while let Some(item) = reader.next_item().map_err(|error| bad(&error))? {
        let ArchiveRecord::Games(block) = item else { continue };
        // Blocks that contain no game of the sample are not decoded.
        let next = count.number + u64::from(block.count);
        if count.number >= MAX_COUNTED && next <= from {
            count.number = next;
            continue;
        }
        let mut flow = ControlFlow::Continue(());
        let read = game.each_game(&block, &mut |replay| {
            flow = count.take(from, replay);
            flow
        });
        read.map_err(|error| bad(&error))?;
        if flow.is_break() {
            break;
        }
    }
    if count.games.is_empty() && from > 0 {
        return Err(LabError::Unknown(format!("the archive has no game {from}")));
    }
    Ok(count.sample(game.spec().to_owned()))
}
