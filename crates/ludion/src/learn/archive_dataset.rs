//! From the bytes of an archive to a data set: games are labelled and split at random into games
//! to train on and games held back, and equal rows are merged within each part. Whole games are
//! held back, because rows of one game are not independent of each other.

use std::ops::ControlFlow;

use super::dataset::{Dataset, DatasetError, LabelledPosition, merge};
use super::labelling::{Labelling, LabellingError};
use crate::random::derive_seed;
use crate::registry::AnyGame;

/// What a data set takes from an archive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArchiveDatasetOptions {
    /// How moves or positions are labelled.
    pub labelling: Labelling,
    /// The number of games to read, from the first one; all where it is larger.
    pub games: u64,
    /// The share of games that is held back.
    pub held_back: f64,
    /// The seed of the split.
    pub seed: u64,
}

/// The rows of an archive: those to train on, then those held back.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchiveDataset {
    /// All rows.
    pub rows: Dataset,
    /// The number of rows to train on, which come first.
    pub training_rows: u32,
    /// The number of games to train on.
    pub training_games: u64,
    /// The number of games held back.
    pub held_back_games: u64,
}

/// Reasons why an archive gives no data set.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveDatasetError {
    /// The archive cannot be labelled.
    #[error(transparent)]
    Labelling(#[from] LabellingError),
    /// The labelled rows are no data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

/// Separates the seeds of the split from those of the training that follows.
const SPLIT: u64 = 10;

impl ArchiveDataset {
    /// Labels the games of an archive of `game` and splits them.
    ///
    /// # Errors
    /// When the bytes are no archive of this game, or the game cannot be labelled.
    pub fn read(
        game: &dyn AnyGame,
        bytes: &[u8],
        options: &ArchiveDatasetOptions,
    ) -> Result<Self, ArchiveDatasetError> {
        let mut parts: [Vec<LabelledPosition>; 2] = Default::default();
        let mut counts = [0_u64; 2];
        game.label_games(options.labelling, bytes, &mut |samples| {
            let number: u64 = counts.iter().sum();
            let drawn = derive_seed(options.seed, &[SPLIT, number]) as f64 / u64::MAX as f64;
            let part = usize::from(drawn < options.held_back);
            parts[part].extend(samples);
            counts[part] += 1;
            let enough = number + 1 == options.games;
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let [training, held_back] = parts.map(merge);
        let training_rows = training.len() as u32;
        let rows = Dataset::from_bits(options.labelling.width(), &[training, held_back].concat())?;
        let [training_games, held_back_games] = counts;
        Ok(ArchiveDataset { rows, training_rows, training_games, held_back_games })
    }

    /// Returns the numbers of the rows to train on and of the rows held back.
    #[must_use]
    pub fn split(&self) -> (Vec<u32>, Vec<u32>) {
        let all = self.rows.len() as u32;
        ((0..self.training_rows).collect(), (self.training_rows..all).collect())
    }
}
