//! Training on an archive of games: the archive becomes a dataset, and a network is trained on it.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::archive_dataset::{ArchiveDataset, ArchiveDatasetError, ArchiveDatasetOptions};
use ludion_players::learn::labelling::Labelling;
use ludion_players::registry::AnyGame;

use crate::{EpochReport, TrainError, TrainedModel, Trainer, TrainingSettings};

/// A request to train a network on an archive of games.
pub struct ArchiveTraining<'a> {
    /// The game of the archive.
    pub game: &'a dyn AnyGame,
    /// The content of the archive file.
    pub archive: &'a [u8],
    /// The labelling: which rows with which targets are made from the positions of a game.
    pub labelling: Labelling,
    /// Maximum number of games to read, from the start of the archive.
    pub games: u64,
    /// The settings of the training. Their `game` and `labels` are ignored: the fields `game` and
    /// `labelling` replace them.
    pub spec: TrainingSettings,
}

/// The result of training a network on an archive.
pub struct ArchiveTrained {
    /// The trained network and its learning curve.
    pub trained: TrainedModel,
    /// Number of games read from the archive, including those held back.
    pub games: u64,
    /// Number of games held back for validation.
    pub held_back_games: u64,
}

/// Reasons why training on an archive fails.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveTrainingError {
    /// No dataset can be made from the archive.
    #[error(transparent)]
    Archive(#[from] ArchiveDatasetError),
    /// Training on the dataset fails.
    #[error(transparent)]
    Training(#[from] TrainError),
}

impl ArchiveTraining<'_> {
    /// Returns the settings of the training with the game and the labelling, as the trained model
    /// stores them.
    #[must_use]
    pub fn full_spec(&self) -> TrainingSettings {
        TrainingSettings {
            game: self.game.spec().to_owned(),
            labels: self.labelling.to_string(),
            ..self.spec.clone()
        }
    }

    /// Trains the network. `on_epoch` is called after every epoch and can stop the training, which
    /// then returns the best weights so far.
    ///
    /// # Errors
    /// When a setting is not allowed, no dataset can be made from the archive, or the loss
    /// diverges.
    pub fn train(
        &self,
        on_epoch: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<ArchiveTrained, ArchiveTrainingError> {
        self.train_with_progress(|| (), on_epoch)
    }

    /// Trains the network as [`train`](ArchiveTraining::train) does, and calls `on_read` when the
    /// dataset is made and the first epoch begins.
    ///
    /// # Errors
    /// As [`train`](ArchiveTraining::train).
    pub fn train_with_progress(
        &self,
        on_read: impl FnOnce(),
        on_epoch: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<ArchiveTrained, ArchiveTrainingError> {
        self.train_or_stop(&AtomicBool::new(false), |_| (), on_read, on_epoch)
    }

    /// Trains the network as [`train_with_progress`](ArchiveTraining::train_with_progress) does,
    /// until `stop` is set, also within an epoch; the result then has the best weights so far. Calls
    /// `on_game` after every game that is read with the number of games so far.
    ///
    /// # Errors
    /// As [`train`](ArchiveTraining::train), and when `stop` is set before the end of the first
    /// epoch.
    pub fn train_or_stop(
        &self,
        stop: &AtomicBool,
        on_game: impl FnMut(u64),
        on_read: impl FnOnce(),
        on_epoch: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<ArchiveTrained, ArchiveTrainingError> {
        let trainer = Trainer::new(self.full_spec())?;
        let options = ArchiveDatasetOptions {
            labelling: self.labelling,
            games: self.games,
            held_back: self.spec.held_back,
            seed: self.spec.seed,
        };
        let data = ArchiveDataset::read_or_stop(self.game, self.archive, &options, stop, on_game)?;
        let data = data.ok_or(TrainError::Stopped)?;
        on_read();
        let trained = trainer.train_on_or_stop(&data.rows, data.split(), stop, on_epoch)?;
        let held_back_games = data.held_back_games;
        Ok(ArchiveTrained {
            trained,
            games: data.training_games + held_back_games,
            held_back_games,
        })
    }
}
