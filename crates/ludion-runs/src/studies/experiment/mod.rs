//! Checkers experiment: players that learn from random games by different labels and methods, and
//! matches that measure their strength. A record is the result of a task: one training, or part of
//! a match. The first stage trains the networks, the second plays all matches.

mod players;
mod report;
mod request;
mod stages;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ludion_players::archive::file_format::{ArchiveRecord, BlockSource, file_header};
use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::plan::PlayerFile;
use ludion_players::player::Budget;
use ludion_players::random::derive_seed;
use ludion_players::registry::{GeneratorSettings, Registry};
use ludion_store::{JobOutput, StudyPlan};
use ludion_train::{EpochReport, Trainer, TrainingSettings};
use serde::{Deserialize, Serialize};

use super::{OutputKey, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession};
use crate::cluster::Attachment;
use crate::plan_jobs::find_attachments;
use crate::{RunError, player_files};
pub use players::{CheckersExperimentSettings, ExperimentJob, ExperimentPlayer, LearningMethod};
use players::{DATA, GAME, LABELLINGS, OPPONENTS, model_name};
pub use report::{CheckersExperimentReport, ExperimentPlayerRow, OpponentScore};
pub use request::CheckersExperimentRequest;
pub use stages::{ExperimentStage, ExperimentStageSpec, ExperimentThreadState};

/// Result of a task of the experiment (a training, or a part of a match), stored as a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExperimentJobResult {
    /// Result of a training.
    Trained(ExperimentTrainingResult),
    /// Numbers of games that the player of the task won, drew and lost.
    Played(GameCounts),
}

/// Figures and model of a finished training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentTrainingResult {
    /// Number of training rows.
    pub rows: usize,
    /// Number of the epoch whose weights were kept.
    pub best: u32,
    /// R² (share of variance explained) on the validation games.
    pub r2: Option<f64>,
    /// Losses and R² after each epoch.
    pub curve: Vec<EpochReport>,
    /// Encoded model as base64.
    model: String,
}

impl ExperimentTrainingResult {
    fn model(&self) -> Result<Vec<u8>, RunError> {
        let bytes = STANDARD.decode(&self.model);
        bytes.map_err(|error| RunError::Failed(format!("a stored model does not read: {error}")))
    }
}

/// Indices with which the seeds of games, trainings and matches are derived from the seed of the
/// experiment.
const GAMES_SEED: u64 = 0;
const TRAINING_SEED: u64 = 1;
const MATCH_SEED: u64 = 2;

/// Number of games in a block of the archive of random games.
const BLOCK_GAMES: u64 = 2000;
/// Number of epochs without a better loss after which training ends.
const PATIENCE: u32 = 3;

impl CheckersExperimentSettings {
    /// Returns the training settings that all networks share.
    fn training(&self) -> TrainingSettings {
        TrainingSettings {
            hidden: self.layers.clone(),
            epochs: self.epochs,
            patience: Some(PATIENCE),
            seed: derive_seed(self.seed, &[TRAINING_SEED]),
            ..TrainingSettings::default()
        }
    }

    /// Returns the files that players read and that the experiment does not make itself.
    fn given_files(&self, registry: &Registry) -> Result<Vec<Attachment>, RunError> {
        let mut players = self.players();
        players.retain(|player| player.learned.is_none());
        find_attachments(registry, GAME, |game| {
            players.iter().try_for_each(|player| game.player(&player.player).map(drop))
        })
    }

    /// Plays the random games and returns them as an archive file; `None` if `stop` is set before the
    /// end.
    fn random_games(
        &self,
        registry: &Registry,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<u8>>, RunError> {
        let game = registry.game(GAME)?;
        let random = || "random".to_owned();
        let cast = GeneratorSettings {
            players: [random(), random()],
            budget: Budget::UNLIMITED,
            opening: 0,
        };
        let mut simulator = game.simulator(&cast)?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let seed = derive_seed(self.seed, &[GAMES_SEED]);
        let mut bytes = file_header(game.spec());
        bytes.extend(
            ArchiveRecord::Source(BlockSource { settings: cast, seed, version }).to_bytes(),
        );
        for first in (0..self.games).step_by(BLOCK_GAMES as usize) {
            let count = BLOCK_GAMES.min(self.games - first) as u32;
            let Some(block) = simulator.block_or_stop(seed, first, count, stop) else {
                return Ok(None);
            };
            let block = block.map_err(|error| RunError::Failed(error.to_string()))?;
            bytes.extend(ArchiveRecord::Games(block).to_bytes());
        }
        Ok(Some(bytes))
    }

    /// Returns the random games and the models trained so far, as file names with contents.
    ///
    /// # Errors
    /// When a stored model cannot be decoded.
    pub fn files(
        &self,
        registry: &Registry,
        records: &[JobOutput<ExperimentJobResult>],
    ) -> Result<Vec<(String, Vec<u8>)>, RunError> {
        let games = self.random_games(registry, &AtomicBool::new(false))?;
        let mut files = vec![(DATA.to_owned(), games.expect("nothing stops the games"))];
        for record in records {
            if let ExperimentJobResult::Trained(training) = &record.value
                && let Some(labelling) = LABELLINGS.get(record.number as usize)
            {
                files.push((model_name(*labelling), training.model()?));
            }
        }
        Ok(files)
    }
}

/// A stage of the experiment: training or matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExperimentStageKind {
    /// The trainings of the networks.
    Train,
    /// The matches against the opponents.
    Play,
}

/// The checkers experiment while it runs.
pub struct CheckersExperiment {
    settings: CheckersExperimentSettings,
    tasks: Vec<ExperimentJob>,
    players: Vec<ExperimentPlayer>,
    /// Models that players read and that the experiment does not train itself.
    assets: Vec<Attachment>,
    /// The archive of random games and the models trained so far.
    files: Vec<Attachment>,
    part: Option<ExperimentStageKind>,
}

impl CheckersExperiment {
    /// Returns the number of the first task of the current stage.
    fn first_task(&self) -> usize {
        match self.part {
            None | Some(ExperimentStageKind::Train) => 0,
            Some(ExperimentStageKind::Play) => LABELLINGS.len(),
        }
    }

    fn request(&self, part: ExperimentStageKind) -> StageRequest<ExperimentStageSpec> {
        let attachments = match part {
            ExperimentStageKind::Train => self.files.clone(),
            ExperimentStageKind::Play => [&self.files[..], &self.assets].concat(),
        };
        let jobs = match part {
            ExperimentStageKind::Train => LABELLINGS.len(),
            ExperimentStageKind::Play => self.tasks.len() - LABELLINGS.len(),
        };
        let spec = ExperimentStageSpec { settings: self.settings.clone(), part };
        StageRequest { spec, jobs: jobs as u64, attachments }
    }
}

impl Study for CheckersExperiment {
    const KIND: &'static str = "checkers experiment";
    const UNIT: &'static str = "steps";

    type Request = CheckersExperimentRequest;
    type Settings = CheckersExperimentSettings;
    type Stage = ExperimentStage;
    type Record = ExperimentJobResult;
    type Report = CheckersExperimentReport;

    fn settings(
        registry: &Registry,
        request: CheckersExperimentRequest,
        seed: u64,
    ) -> Result<CheckersExperimentSettings, RunError> {
        let mut settings = request.settings(seed)?;
        let file = |Attachment { name, bytes }: Attachment| PlayerFile {
            checksum: player_files::checksum(&bytes),
            name,
        };
        settings.files = settings.given_files(registry)?.into_iter().map(file).collect();
        Ok(settings)
    }

    fn plan(settings: &CheckersExperimentSettings) -> Result<StudyPlan, RunError> {
        let about = format!("{} games, matches of {}", settings.games, 2 * settings.pairs);
        let records = settings.tasks().len() as u64;
        Ok(StudyPlan::new(Self::KIND, about, records, settings.seed, settings)?)
    }

    fn total_jobs(settings: &CheckersExperimentSettings) -> u64 {
        // Generating a block of the archive is about as much work as playing a part of a match.
        settings.tasks().len() as u64 + settings.games.div_ceil(BLOCK_GAMES)
    }

    fn new(registry: &Registry, settings: CheckersExperimentSettings) -> Result<Self, RunError> {
        Trainer::new(settings.training()).map_err(|error| RunError::Wrong(error.to_string()))?;
        player_files::check_files(registry, &settings.files)?;
        Ok(CheckersExperiment {
            tasks: settings.tasks(),
            players: settings.players(),
            assets: settings.given_files(registry)?,
            settings,
            files: Vec::new(),
            part: None,
        })
    }

    fn next_stage(
        &mut self,
        registry: &Registry,
        _memory: &mut StudySession<ExperimentJobResult>,
        stop: &AtomicBool,
    ) -> Result<Option<StageRequest<ExperimentStageSpec>>, RunError> {
        let part = match self.part {
            None => ExperimentStageKind::Train,
            Some(ExperimentStageKind::Train) => ExperimentStageKind::Play,
            Some(ExperimentStageKind::Play) => return Ok(None),
        };
        self.part = Some(part);
        if self.files.is_empty() {
            let Some(games) = self.settings.random_games(registry, stop)? else { return Ok(None) };
            self.files.push(Attachment { name: DATA.to_owned(), bytes: Arc::new(games) });
        }
        Ok(Some(self.request(part)))
    }

    fn output_key(&self, job: u64, _version: &str) -> OutputKey {
        OutputKey::Record(self.first_task() as u64 + job)
    }

    fn store_output(output: &ExperimentJobResult) -> StoredJobOutput<ExperimentJobResult> {
        StoredJobOutput::Record(output.clone())
    }

    fn load_output(stored: StoredJobOutput<ExperimentJobResult>) -> Option<ExperimentJobResult> {
        match stored {
            StoredJobOutput::Record(result) => Some(result),
            StoredJobOutput::Cached(_) => None,
        }
    }

    fn finish_stage(
        &mut self,
        outputs: Vec<ExperimentJobResult>,
        _memory: &mut StudySession<ExperimentJobResult>,
    ) -> Result<Option<(u64, ExperimentJobResult)>, RunError> {
        for (labelling, output) in LABELLINGS.iter().zip(&outputs) {
            if let ExperimentJobResult::Trained(training) = output {
                let bytes = Arc::new(training.model()?);
                self.files.push(Attachment { name: model_name(*labelling), bytes });
            }
        }
        Ok(None)
    }

    fn status(&self, outputs: &[JobOutput<ExperimentJobResult>]) -> String {
        let last = outputs.last().map_or(0, |output| output.number as usize);
        match self.tasks[self.first_task() + last] {
            ExperimentJob::Train(_) => "networks trained".to_owned(),
            ExperimentJob::Play { player, opponent, .. } => {
                let name = &self.players[player].name;
                format!("parts of matches, {name} against {}", OPPONENTS[opponent])
            }
        }
    }

    fn report(
        settings: &CheckersExperimentSettings,
        run: &StudyRecords<ExperimentJobResult>,
    ) -> Result<CheckersExperimentReport, RunError> {
        Ok(CheckersExperimentReport::new(settings, run))
    }
}
