//! Archives of games: who played them and how many there are, and a look at some of them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use ludion::registry::{AnyArchivedGame, Registry};
use ludion_store::{ArchiveFileReader, ArchiveRecord, BlockSource};
use serde::Serialize;

use super::spec;
use crate::lab::error::LabError;

/// The first bytes of an archive of any format.
pub(super) const MAGIC: &[u8] = b"Ludion games";

/// What an archive holds.
#[derive(Clone, Serialize)]
pub(super) struct ArchiveSummary {
    game: String,
    games: u64,
    /// Bytes of a torn block at the end, which are not read.
    torn: u64,
    /// Who played, one after the other.
    sources: Vec<BlockSource>,
    /// Who thinks by the games that are most alike, where a player of this game can.
    player: Option<String>,
}

/// The player that asks the nearest neighbours.
const NEIGHBOURS: &str = "knn";

/// Reads an archive from its beginning to its end, without playing its games.
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

/// Games that are counted for a look, and those that are shown.
const COUNTED: u64 = 2000;
const SHOWN: usize = 10;

/// Some games of an archive.
#[derive(Serialize, Default)]
pub(crate) struct ArchiveSample {
    game: String,
    /// How many games were counted, from the first on.
    counted: u64,
    /// Plies of the shortest, of all on average, and of the longest.
    plies: [f64; 3],
    /// How they ended, the most frequent end first.
    ends: Vec<(String, u64)>,
    games: Vec<SampledGame>,
}

/// One game.
#[derive(Serialize)]
struct SampledGame {
    number: u64,
    moves: String,
    plies: usize,
    outcome: String,
}

/// What is counted game by game.
#[derive(Default)]
struct GameStatistics {
    number: u64,
    plies: Vec<usize>,
    ends: BTreeMap<String, u64>,
    games: Vec<SampledGame>,
}

impl GameStatistics {
    /// Takes a game; whether more are wanted.
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

/// Looks into an archive: counts its first games and shows some from number `from` on.
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
        // Blocks that nobody wants are not played.
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
