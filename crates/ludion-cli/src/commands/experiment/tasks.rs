//! The work of the experiment, step by step. Games and models are kept in memory under the names
//! by which players ask for them; every step is a function of the settings and the steps before.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ludion::archive::file_format::{ArchiveRecord, BlockSource, file_header};
use ludion::arena::elo::GameCounts;
use ludion::arena::executor::{Executor, ThreadExecutor};
use ludion::arena::pair::{GameResult, GameSettings};
use ludion::arena::pairings::{PairJobs, PairSchedule};
use ludion::arena::plan::{MatchPlan, MatchTally, PlanKind};
use ludion::assets::Assets;
use ludion::learn::labelling::Labelling;
use ludion::player::Budget;
use ludion::random::derive_seed;
use ludion::registry::{AnyGame, SimulationSettings};
use ludion_train::{EpochReport, TrainingEnd, TrainingSpec};
use serde::{Deserialize, Serialize};

use super::players::{
    DATA, ExperimentSettings, ExperimentTask, GAME, LESSONS, OPPONENTS, StudyPlayer, model,
};
use crate::CommandContext;
use crate::commands::train::in_words;
use crate::commands::train::training_job::TrainingJob;
use crate::failure::CommandFailure;
use crate::progress::ProgressLine;
use crate::runs::interrupt;

/// What came of a step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TaskResult {
    Trained(TrainingResult),
    /// Games seen by the player of the cell.
    Played(GameCounts),
}

/// A training: its course, and the model as base64.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct TrainingResult {
    pub(super) rows: usize,
    pub(super) best: u32,
    pub(super) r2: Option<f64>,
    pub(super) curve: Vec<EpochReport>,
    model: String,
}

/// Files that are none.
type InMemoryAssets = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// Everything that steps need.
pub(super) struct ExperimentContext<'a> {
    context: &'a CommandContext,
    settings: &'a ExperimentSettings,
    game: Arc<dyn AnyGame>,
    files: InMemoryAssets,
    tasks: Vec<ExperimentTask>,
    cells: Vec<StudyPlayer>,
}

/// What seeds are derived for.
const GENERATE: u64 = 0;
const TRAIN: u64 = 1;
const PLAY: u64 = 2;

/// Games of a block.
const BLOCK: u64 = 2000;
/// Random plies before the players are asked.
const OPENING: u32 = 4;
/// Epochs without a better loss after which training ends.
const PATIENCE: u32 = 3;

impl<'a> ExperimentContext<'a> {
    /// Plays the random games.
    pub(super) fn new(
        context: &'a CommandContext,
        settings: &'a ExperimentSettings,
    ) -> Result<Self, CommandFailure> {
        let files = InMemoryAssets::default();
        let assets = Assets::new({
            let files = Arc::clone(&files);
            move |name| match lock(&files).get(name) {
                Some(bytes) => Ok(Arc::new(bytes.clone())),
                None => crate::assets::read(name),
            }
        });
        let game = context.registry.game_with(GAME, &assets)?;
        let laboratory = ExperimentContext {
            context,
            settings,
            game,
            files,
            tasks: settings.steps(),
            cells: settings.cells(),
        };
        laboratory.trainable()?;
        laboratory.generate()?;
        for cell in laboratory.cells.iter().filter(|cell| cell.learned.is_none()) {
            laboratory.game.player(&cell.player)?;
        }
        Ok(laboratory)
    }

    pub(super) fn steps(&self) -> u64 {
        self.tasks.len() as u64
    }

    fn seed(&self, part: u64) -> u64 {
        derive_seed(self.settings.seed, &[part])
    }

    fn generate(&self) -> Result<(), CommandFailure> {
        let random = || "random".to_owned();
        let cast = SimulationSettings {
            players: [random(), random()],
            budget: Budget::UNLIMITED,
            opening: 0,
        };
        let mut simulator = self.game.simulator(&cast)?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let seed = self.seed(GENERATE);
        let mut bytes = file_header(self.game.spec());
        bytes.extend(
            ArchiveRecord::Source(BlockSource { settings: cast, seed, version }).to_bytes(),
        );
        for first in (0..self.settings.games).step_by(BLOCK as usize) {
            let count = BLOCK.min(self.settings.games - first) as u32;
            bytes.extend(ArchiveRecord::Games(simulator.block(seed, first, count)?).to_bytes());
        }
        lock(&self.files).insert(DATA.to_owned(), bytes);
        Ok(())
    }

    /// Does a step; nothing where somebody asked to stop before its end.
    pub(super) fn step(&self, number: u64) -> Result<Option<TaskResult>, CommandFailure> {
        if interrupt::flag().load(Ordering::Relaxed) {
            return Ok(None);
        }
        match self.tasks[number as usize] {
            ExperimentTask::Train(lesson) => Ok(self.train(lesson)?.map(TaskResult::Trained)),
            ExperimentTask::Play { cell, opponent, first, pairs } => {
                let played = self.play(cell, opponent, first..first + pairs, number)?;
                Ok(played.map(TaskResult::Played))
            }
        }
    }

    /// Makes what came of a step known to the steps that follow.
    pub(super) fn take(&mut self, number: u64, step: &TaskResult) -> Result<(), CommandFailure> {
        if let (ExperimentTask::Train(lesson), TaskResult::Trained(lecture)) =
            (self.tasks[number as usize], step)
        {
            let bytes = STANDARD.decode(&lecture.model);
            let bytes =
                bytes.map_err(|error| CommandFailure::Failed(format!("a kept model: {error}")))?;
            lock(&self.files).insert(model(lesson), bytes);
        }
        Ok(())
    }

    fn spec(&self) -> TrainingSpec {
        TrainingSpec {
            hidden: self.settings.layers.clone(),
            epochs: self.settings.epochs,
            patience: Some(PATIENCE),
            seed: self.seed(TRAIN),
            ..TrainingSpec::default()
        }
    }

    /// Refuses settings that train nothing, before any work.
    fn trainable(&self) -> Result<(), CommandFailure> {
        ludion_train::Trainer::new(self.spec())?;
        Ok(())
    }

    fn train(&self, lesson: Labelling) -> Result<Option<TrainingResult>, CommandFailure> {
        let bytes = lock(&self.files).get(DATA).cloned().unwrap_or_default();
        let schooling = TrainingJob {
            game: &*self.game,
            bytes: &bytes,
            name: DATA,
            lesson,
            games: u64::MAX,
            spec: self.spec(),
        };
        let mut progress = ProgressLine::new(!self.context.output.json);
        let epochs = u64::from(self.settings.epochs);
        let schooled = schooling.train(|epoch| {
            let what = || format!("{} of {lesson}", in_words(epoch));
            progress.show(u64::from(epoch.number), epochs, what);
        });
        progress.clear();
        let trained = schooled?.trained;
        let outcome = trained.model.outcome();
        Ok((trained.finish != TrainingEnd::Stopped).then(|| TrainingResult {
            rows: outcome.rows,
            best: outcome.best,
            r2: outcome.r2,
            model: STANDARD.encode(trained.model.to_bytes()),
            curve: trained.curve,
        }))
    }

    fn play(
        &self,
        cell: usize,
        opponent: usize,
        pairs: std::ops::Range<u64>,
        number: u64,
    ) -> Result<Option<GameCounts>, CommandFailure> {
        let players = vec![self.cells[cell].player.clone(), OPPONENTS[opponent].to_owned()];
        let seed = derive_seed(self.seed(PLAY), &[cell as u64, opponent as u64]);
        let terms =
            GameSettings { budget: Budget::UNLIMITED, opening: OPENING, longest: 10_000, seed };
        let schedule = PairSchedule::duel(self.settings.pairs);
        let plan = MatchPlan::new(PlanKind::Match, self.game.spec(), players, schedule, terms);
        self.game.referee(&plan.players)?;
        let referee = || self.game.referee(&plan.players).expect("the same names made one before");
        let contest = PairJobs { plan: &plan, keep: false, referee: &referee };
        let mut ledger = MatchTally::new(&plan);
        let mut progress = ProgressLine::new(!self.context.output.json);
        let name = &self.cells[cell].name;
        let mut count = |n: u64, pair: [GameResult; 2]| {
            progress
                .show(number, self.steps(), || format!("steps, {name} v {}", OPPONENTS[opponent]));
            ledger.add(n, &pair)
        };
        let wanted = pairs.end - pairs.start;
        ThreadExecutor(self.context.threads).execute(
            &contest,
            &mut pairs.clone(),
            interrupt::flag(),
            &mut count,
        );
        progress.clear();
        Ok((ledger.pairs == wanted).then(|| ledger.standings.meetings[0].1.games))
    }

    /// Writes the games and the models that there are.
    pub(super) fn write(&self, folder: &Path) -> Result<(), CommandFailure> {
        let cannot = |error: std::io::Error| {
            CommandFailure::Failed(format!("{} cannot be written: {error}", folder.display()))
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let names = LESSONS.iter().map(|&lesson| model(lesson)).chain([DATA.to_owned()]);
        for name in names {
            if let Some(bytes) = lock(&self.files).get(&name) {
                std::fs::write(folder.join(&name), bytes).map_err(cannot)?;
            }
        }
        Ok(())
    }
}

/// Nobody leaves the files half written.
fn lock(files: &InMemoryAssets) -> std::sync::MutexGuard<'_, HashMap<String, Vec<u8>>> {
    files.lock().unwrap_or_else(PoisonError::into_inner)
}
