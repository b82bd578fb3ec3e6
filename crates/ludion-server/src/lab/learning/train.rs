//! `POST /api/learning/train`: trains a network on an archive of the data folder, and streams its loss
//! epoch by epoch. The best weights so far are kept when the client disconnects or the time is over.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::response::IntoResponse;
use ludion_players::learn::labelling::Labelling;
use ludion_players::learn::labels::{Label, LoserLabel};
use ludion_players::registry::AnyGame;
use ludion_store::{ArchiveFileReader, read_regular_file, replace_file};
use ludion_train::{ArchiveTraining, ArchiveTrainingError, EpochReport, TrainingSettings};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::folder::NETWORK_EXTENSION;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::queued_task::{FinalEvent, QueueSlot, QueuedTask, error_event, result_event};
use crate::lab::runs::check_range;
use crate::lab::{LabState, SharedLabState};

/// A request for a training.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainRequest {
    /// Name of the archive in the data folder.
    data: String,
    /// What the network learns of a move or a board: `winloss`, `distance`, `captures` or `parity`.
    #[serde(default = "winloss")]
    label: String,
    /// Widths of the hidden layers.
    #[serde(default = "usual_layers")]
    layers: Vec<usize>,
    /// Maximum number of passes over the data.
    #[serde(default = "usual_epochs")]
    epochs: u32,
    #[serde(default = "one")]
    seed: u64,
    /// Name of the new file in the data folder.
    out: String,
}

fn winloss() -> String {
    Label::WinLoss.name().to_owned()
}

fn usual_layers() -> Vec<usize> {
    vec![64, 64, 32, 16]
}

fn usual_epochs() -> u32 {
    20
}

fn one() -> u64 {
    1
}

/// Size of the largest archive that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// Largest number of epochs.
const MAX_EPOCHS: u64 = 500;
/// Largest number of hidden layers, and of units in one.
const MAX_LAYERS: u64 = 8;
const MAX_WIDTH: u64 = 1024;

/// A training that is ready to begin.
struct PreparedTraining {
    game: Arc<dyn AnyGame>,
    archive: Vec<u8>,
    labelling: Labelling,
    settings: TrainingSettings,
    path: PathBuf,
    file: String,
}

/// What was trained.
#[derive(Serialize)]
struct TrainedNetwork {
    /// Name of the model in the data folder.
    file: String,
    game: String,
    /// Number of games that were read.
    games: u64,
    /// Number of epochs; `best` is the one whose weights were kept.
    epochs: u32,
    best: u32,
    /// The losses of all epochs.
    curve: Vec<EpochReport>,
    seconds: f64,
}

/// Serves `POST /api/learning/train`.
pub(crate) async fn train(
    State(lab): State<SharedLabState>,
    JsonBody(request): JsonBody<TrainRequest>,
) -> Result<impl IntoResponse, LabError> {
    let slot = QueueSlot::reserve(&lab)?;
    let prepared = lab.blocking(move |lab| request.prepare(lab)).await?;
    Ok(slot.run(lab, move |task| prepared.run(task)))
}

impl TrainRequest {
    fn prepare(self, lab: &LabState) -> Result<PreparedTraining, LabError> {
        check_range("epochs", self.epochs.into(), 1..=MAX_EPOCHS)?;
        check_range("the number of layers", self.layers.len() as u64, 1..=MAX_LAYERS)?;
        for &width in &self.layers {
            check_range("the width of a layer", width as u64, 1..=MAX_WIDTH)?;
        }
        let bad = |error: &dyn ToString| LabError::Bad(error.to_string());
        let label: Label = self.label.parse().map_err(|error| bad(&error))?;
        let path = lab.data.new_file(&self.out, NETWORK_EXTENSION)?;
        let data = lab.data.find(&self.data)?;
        let reader = ArchiveFileReader::open(&data).map_err(|error| bad(&error))?;
        let game = lab.registry.game(reader.game())?;
        let archive = read_regular_file(&data, MAX_BYTES).map_err(|error| bad(&error))?;
        let settings = TrainingSettings {
            hidden: self.layers,
            epochs: self.epochs,
            patience: Some(5),
            seed: self.seed,
            held_back: 0.1,
            ..TrainingSettings::default()
        };
        let labelling = Labelling { label, lost: LoserLabel::Zero };
        Ok(PreparedTraining { game, archive, labelling, settings, path, file: self.out })
    }
}

impl PreparedTraining {
    fn run(self, task: &QueuedTask<'_>) -> FinalEvent {
        match self.train(task) {
            Ok(report) => result_event("done", &report),
            Err(sentence) => error_event(sentence),
        }
    }

    fn train(self, task: &QueuedTask<'_>) -> Result<TrainedNetwork, String> {
        let (stop, epochs) = (AtomicBool::new(false), self.settings.epochs);
        let training = ArchiveTraining {
            game: &*self.game,
            archive: &self.archive,
            labelling: self.labelling,
            games: u64::MAX,
            spec: self.settings,
        };
        let on_game = |_| stop.store(task.is_over(), Ordering::Relaxed);
        let trained = training.train_or_stop(
            &stop,
            on_game,
            || (),
            |epoch| {
                task.events.try_send("epoch", &json!({ "epoch": epoch, "epochs": epochs }));
                if task.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        let trained = trained.map_err(|error| match error {
            ArchiveTrainingError::Archive(error) => error.to_string(),
            ArchiveTrainingError::Training(error) => error.to_string(),
        })?;
        let model = &trained.trained.model;
        let written = replace_file(&self.path, &model.to_bytes());
        written.map_err(|error| format!("{} cannot be written: {error}", self.file))?;
        let outcome = model.outcome();
        Ok(TrainedNetwork {
            file: self.file,
            game: model.spec().game.clone(),
            games: trained.games,
            epochs: outcome.epochs,
            best: outcome.best,
            curve: trained.trained.curve,
            seconds: task.elapsed().as_secs_f64(),
        })
    }
}
