//! Training on an archive of games: the archive becomes a data set, the data set a model.

use std::ops::ControlFlow;

use ludion::learn::archive_dataset::{ArchiveDataset, ArchiveDatasetError, ArchiveDatasetOptions};
use ludion::learn::labelling::Labelling;
use ludion::registry::AnyGame;

use crate::{EpochReport, TrainError, TrainedModel, Trainer, TrainingSpec};

/// A network to be trained on an archive of games.
pub struct ArchiveTraining<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The bytes of the archive.
    pub archive: &'a [u8],
    /// How moves or positions are labelled.
    pub labelling: Labelling,
    /// The number of games to read, from the first one; all where it is larger.
    pub games: u64,
    /// The training. Its `game` and `labels` are replaced by those above.
    pub spec: TrainingSpec,
}

/// A network that was trained on an archive.
pub struct ArchiveTrained {
    /// The network and its learning curve.
    pub trained: TrainedModel,
    /// The number of games in the data set, those held back included.
    pub games: u64,
    /// The number of games held back.
    pub held_back_games: u64,
}

/// Reasons why no network is trained on an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveTrainingError {
    /// The archive gives no data set.
    #[error(transparent)]
    Archive(#[from] ArchiveDatasetError),
    /// The training fails.
    #[error(transparent)]
    Training(#[from] TrainError),
}

impl ArchiveTraining<'_> {
    /// Returns the whole spec of the training, as the model will have it.
    #[must_use]
    pub fn full_spec(&self) -> TrainingSpec {
        TrainingSpec {
            game: self.game.spec().to_owned(),
            labels: self.labelling.to_string(),
            ..self.spec.clone()
        }
    }

    /// Trains the network. `on_epoch` is called after every epoch and can end the training, which
    /// then returns the best weights so far.
    ///
    /// # Errors
    /// When the spec is not allowed, the archive does not fit the game, or the loss diverges.
    pub fn train(
        &self,
        on_epoch: impl FnMut(&EpochReport) -> ControlFlow<()>,
    ) -> Result<ArchiveTrained, ArchiveTrainingError> {
        let trainer = Trainer::new(self.full_spec())?;
        let options = ArchiveDatasetOptions {
            labelling: self.labelling,
            games: self.games,
            held_back: self.spec.held_back,
            seed: self.spec.seed,
        };
        let data = ArchiveDataset::read(self.game, self.archive, &options)?;
        let trained = trainer.train_on(&data.rows, data.split(), on_epoch)?;
        let held_back_games = data.held_back_games;
        Ok(ArchiveTrained {
            trained,
            games: data.training_games + held_back_games,
            held_back_games,
        })
    }
}
