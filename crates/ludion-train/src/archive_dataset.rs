//! Reads a dataset from the bytes of an archive: games are labelled and split at random into
//! training games and validation games, and equal rows are merged within each part. Whole games are
//! held back for validation, because rows of one game are not independent of each other.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ludion_players::erased::AnyGame;
use ludion_players::learn::dataset::{Dataset, DatasetError};
use ludion_players::learn::labelling::{Labelling, LabellingError};
use ludion_players::learn::rows::LabelledRows;
use ludion_players::random::derive_seed;

/// Options for reading a dataset from an archive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArchiveDatasetOptions {
    /// How the moves or positions of a game are labelled.
    pub labelling: Labelling,
    /// Maximum number of games to read, beginning with the first of the archive.
    pub games: u64,
    /// The share of games that is held back for validation, from 0 to 1.
    pub held_back: f64,
    /// The random seed of the split into training and validation games.
    pub seed: u64,
}

/// A dataset read from an archive, with its split into training and validation rows.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchiveDataset {
    /// All rows: the training rows, then the validation rows.
    pub rows: Dataset,
    /// Number of training rows, which come first.
    pub training_rows: u32,
    /// Number of training games.
    pub training_games: u64,
    /// Number of validation games.
    pub held_back_games: u64,
}

/// Reasons why no dataset can be read from an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveDatasetError {
    /// The games of the archive cannot be labelled.
    #[error(transparent)]
    Labelling(#[from] LabellingError),
    /// The labelled rows are not a valid dataset.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

/// The index from which the random seed of the split is derived; it differs from the indices that
/// the training uses with the same seed.
const SPLIT: u64 = 10;

impl ArchiveDataset {
    /// Labels the games of an archive of `game`, splits them and merges equal rows.
    ///
    /// # Errors
    /// When the bytes are no archive of this game, or the game cannot be labelled.
    pub fn read(
        game: &dyn AnyGame,
        bytes: &[u8],
        options: &ArchiveDatasetOptions,
    ) -> Result<Self, ArchiveDatasetError> {
        let never = AtomicBool::new(false);
        let dataset = ArchiveDataset::read_or_stop(game, bytes, options, &never, |_| ())?;
        Ok(dataset.expect("nothing stops the reading"))
    }

    /// Reads an archive like [`ArchiveDataset::read`]; returns `None` if `stop` is set before the
    /// end. Calls `on_game` after every game with the number of games read.
    ///
    /// # Errors
    /// As [`ArchiveDataset::read`].
    pub fn read_or_stop(
        game: &dyn AnyGame,
        bytes: &[u8],
        options: &ArchiveDatasetOptions,
        stop: &AtomicBool,
        mut on_game: impl FnMut(u64),
    ) -> Result<Option<Self>, ArchiveDatasetError> {
        let mut parts: [Option<LabelledRows>; 2] = Default::default();
        let mut counts = [0_u64; 2];
        game.label_games(options.labelling, bytes, &mut |rows| {
            let number: u64 = counts.iter().sum();
            let drawn = derive_seed(options.seed, &[SPLIT, number]) as f64 / u64::MAX as f64;
            let part = usize::from(drawn < options.held_back);
            let width = rows.rows().width();
            parts[part].get_or_insert_with(|| LabelledRows::new(width)).append(rows);
            counts[part] += 1;
            on_game(number + 1);
            let enough = number + 1 == options.games || stop.load(Ordering::Relaxed);
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let [training, held_back] = parts.map(|part| part.map(|rows| rows.merged()));
        let training_rows = training.as_ref().map_or(0, LabelledRows::len) as u32;
        let rows = match (training, held_back) {
            (Some(mut all), Some(held_back)) => {
                all.append(&held_back);
                all
            }
            (Some(all), None) | (None, Some(all)) => all,
            (None, None) => return Err(LabellingError::Empty.into()),
        };
        let rows = Dataset::from_bits(&rows)?;
        let [training_games, held_back_games] = counts;
        Ok(Some(ArchiveDataset { rows, training_rows, training_games, held_back_games }))
    }

    /// Returns the indices of the training rows and of the validation rows.
    #[must_use]
    pub fn split(&self) -> (Vec<u32>, Vec<u32>) {
        let all = self.rows.len() as u32;
        ((0..self.training_rows).collect(), (self.training_rows..all).collect())
    }
}
