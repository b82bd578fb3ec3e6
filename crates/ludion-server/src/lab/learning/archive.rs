//! Summaries of archives of games, and samples of their games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use ludion::registry::{AnyArchivedGame, Registry};
use ludion_store::{ArchiveFileReader, ArchiveRecord, BlockSource};
use serde::Serialize;

use super::spec;
use crate::lab::error::LabError;

/// The first bytes of an archive of any version.
pub(super) const MAGIC: &[u8] = b"Ludion games";

/// Summary of an archive.
#[derive(Clone, Serialize)]
pub(super) struct ArchiveSummary {
    game: String,
    games: u64,
    /// Bytes of an incomplete block at the end, which are ignored.
    torn: u64,
    /// The players and seeds of its blocks, in order.
    sources: Vec<BlockSource>,
    /// A player that uses the archive by nearest neighbours, where the game supports it.
    player: Option<String>,
}

/// The name of the nearest-neighbour player.
const NEIGHBOURS: &str = "knn";

/// Reads all records of an archive without replaying its games.
pub(super) fn about(registry: &Registry, path: &Path) -> Result<ArchiveSummary, String> {
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

/// Number of games that a sample counts and shows.
const COUNTED: u64 = 2000;
const SHOWN: usize = 10;

/// A sample of an archive's games.
#[derive(Serialize, Default)]
pub(crate) struct ArchiveSample {
    game: String,
    /// Number of counted games, from the first on.
    counted: u64,
    /// Shortest, mean and longest length in plies.
    plies: [f64; 3],
    /// Outcomes with their counts, the most frequent first.
    ends: Vec<(String, u64)>,
    games: Vec<SampledGame>,
}

/// One game of a sample.
#[derive(Serialize)]
struct SampledGame {
    number: u64,
    moves: String,
    plies: usize,
    outcome: String,
}

/// Statistics accumulated over games.
#[derive(Default)]
struct GameStatistics {
    number: u64,
    plies: Vec<usize>,
    ends: BTreeMap<String, u64>,
    games: Vec<SampledGame>,
}

impl GameStatistics {
    /// Counts a game, and returns whether to continue.
    fn take(&mut self, from: u64, replay: &dyn AnyArchivedGame) -> ControlFlow<()> {
        let (plies, number) = (replay.choices().len(), self.number);
        self.number += 1;
        if number < COUNTED {
            self.plies.push(plies);
            *self.ends.entry(replay.outcome().to_string()).or_default() += 1;
        }
        if number >= from && self.games.len() < SHOWN {
            let (moves, outcome) = (replay.moves().join(" "), replay.outcome().to_string());
            self.games.push(SampledGame { number, moves, plies, outcome });
        }
        let enough = self.number >= COUNTED && self.games.len() == SHOWN;
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

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

/// Counts an archive's first games and returns some games from number `from` on.
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
        // Blocks outside the sample are not decoded.
        let next = count.number + u64::from(block.count);
        if count.number >= COUNTED && next <= from {
            count.number = next;
            continue;
        }
        let mut enough = ControlFlow::Continue(());
        let read = game.each_game(&block, &mut |replay| {
            enough = count.take(from, replay);
            enough
        });
        read.map_err(|error| bad(&error))?;
        if enough.is_break() {
            break;
        }
    }
    if count.games.is_empty() && from > 0 {
        return Err(LabError::Unknown(format!("the archive has no game {from}")));
    }
    Ok(count.sample(game.spec().to_owned()))
}
