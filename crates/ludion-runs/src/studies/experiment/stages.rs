//! The jobs of the experiment: trainings of networks, and parts of matches.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ludion_players::arena::pair::{AnyReferee, GameSettings};
use ludion_players::arena::pairings::PairSchedule;
use ludion_players::arena::plan::{GamesPlan, PlanKind, PlanTally};
use ludion_players::assets::{Assets, SharedBytes};
use ludion_players::learn::labelling::Labelling;
use ludion_players::learn::model::NetworkModel;
use ludion_players::player::Budget;
use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyGame, Registry};
use ludion_train::{ArchiveTraining, ArchiveTrainingError, TrainError, TrainingEnd};
use serde::{Deserialize, Serialize};

use super::players::{DATA, GAME, LABELLINGS, OPPONENTS};
use super::{
    CheckersExperimentSettings, ExperimentJob, ExperimentJobResult, ExperimentPlayer,
    ExperimentStageKind, ExperimentTrainingResult, MATCH_SEED,
};
use crate::RunError;
use crate::studies::{JobFailure, Stage};

/// Number of random plies at the beginning of each game of a match.
const OPENING: u32 = 4;

/// Spec of a stage, as sent to workers. The random games are attached; for matches, also the
/// models.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentStageSpec {
    /// Settings of the experiment.
    pub settings: CheckersExperimentSettings,
    /// Which of the two stages it is.
    pub part: ExperimentStageKind,
}

/// An opened stage of the experiment.
pub struct ExperimentStage {
    settings: CheckersExperimentSettings,
    players: Vec<ExperimentPlayer>,
    /// The tasks of this stage, indexed by job number.
    tasks: Vec<ExperimentJob>,
    /// The game, whose players find the attached models.
    game: Arc<dyn AnyGame>,
    archive: SharedBytes,
}

/// State that a thread keeps from job to job: the indices of player and opponent of its last match,
/// and the referee that plays with them.
pub struct ExperimentThreadState(Option<([usize; 2], Box<dyn AnyReferee>)>);

impl ExperimentStage {
    fn training(&self, labelling: Labelling) -> ArchiveTraining<'_> {
        ArchiveTraining {
            game: &*self.game,
            archive: (*self.archive).as_ref(),
            labelling,
            games: u64::MAX,
            spec: self.settings.training(),
        }
    }

    fn train(
        &self,
        labelling: Labelling,
        stop: &AtomicBool,
    ) -> Result<ExperimentTrainingResult, JobFailure> {
        let training = self.training(labelling);
        let trained = training.train_or_stop(stop, |_| (), || (), |_| ControlFlow::Continue(()));
        let trained = match trained {
            Ok(trained) => trained.trained,
            Err(ArchiveTrainingError::Training(TrainError::Stopped)) => {
                return Err(JobFailure::Stopped);
            }
            Err(error) => return Err(JobFailure::Failed(error.to_string())),
        };
        if trained.finish == TrainingEnd::Stopped {
            return Err(JobFailure::Stopped);
        }
        let outcome = trained.model.outcome();
        Ok(ExperimentTrainingResult {
            rows: outcome.rows,
            best: outcome.best,
            r2: outcome.r2,
            model: STANDARD.encode(trained.model.to_bytes()),
            curve: trained.curve,
        })
    }

    fn plan(&self, player: usize, opponent: usize) -> GamesPlan {
        let players = vec![self.players[player].player.clone(), OPPONENTS[opponent].to_owned()];
        let seed = derive_seed(self.settings.seed, &[MATCH_SEED]);
        let seed = derive_seed(seed, &[player as u64, opponent as u64]);
        let terms =
            GameSettings { budget: Budget::UNLIMITED, opening: OPENING, longest: 10_000, seed };
        let schedule = PairSchedule::duel(self.settings.pairs);
        GamesPlan::new(PlanKind::Match, self.game.spec(), players, schedule, terms)
    }

    /// Returns whether the training result has a model with the settings and figures expected for
    /// these labels.
    fn is_trained(&self, labelling: Labelling, training: &ExperimentTrainingResult) -> bool {
        let model = training.model().ok().and_then(|bytes| NetworkModel::from_bytes(&bytes).ok());
        model.is_some_and(|model| {
            let outcome = model.outcome();
            *model.spec() == self.training(labelling).full_spec()
                && (training.rows, training.best) == (outcome.rows, outcome.best)
                && training.curve.len() == outcome.epochs as usize
        })
    }
}

impl Stage for ExperimentStage {
    type Spec = ExperimentStageSpec;
    type Worker = ExperimentThreadState;
    type Output = ExperimentJobResult;

    fn open(
        registry: &Registry,
        assets: &Assets,
        spec: ExperimentStageSpec,
    ) -> Result<Self, RunError> {
        let ExperimentStageSpec { settings, part } = spec;
        let game = registry.game_with(GAME, assets)?;
        let mut tasks = settings.tasks();
        let plays = tasks.split_off(LABELLINGS.len());
        let players = settings.players();
        let archive = assets.fetch(DATA).map_err(RunError::Failed)?;
        let tasks = match part {
            ExperimentStageKind::Train => tasks,
            ExperimentStageKind::Play => {
                for player in &players {
                    game.player(&player.player)?;
                }
                plays
            }
        };
        Ok(ExperimentStage { settings, players, tasks, game, archive })
    }

    fn worker(&self) -> ExperimentThreadState {
        ExperimentThreadState(None)
    }

    fn job(
        &self,
        ExperimentThreadState(current): &mut ExperimentThreadState,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<ExperimentJobResult, JobFailure> {
        let (player, opponent, first, pairs) = match self.tasks[number as usize] {
            ExperimentJob::Train(labelling) => {
                return self.train(labelling, stop).map(ExperimentJobResult::Trained);
            }
            ExperimentJob::Play { player, opponent, first, pairs } => {
                (player, opponent, first, pairs)
            }
        };
        let plan = self.plan(player, opponent);
        if current.as_ref().is_none_or(|(players, _)| *players != [player, opponent]) {
            let referee = self.game.referee(&plan.players);
            *current = Some(([player, opponent], referee.expect("these players were made before")));
        }
        let (_, referee) = current.as_mut().expect("it was made above");
        let mut tally = PlanTally::new(&plan);
        for pair in first..first + pairs {
            let number = plan.schedule.pair(pair);
            let played = referee.play_pair_or_stop(&plan.terms, number, false, stop);
            let _ = tally.add(pair, &played.ok_or(JobFailure::Stopped)?);
        }
        Ok(ExperimentJobResult::Played(tally.standings.meetings[0].1.games))
    }

    fn accepts(&self, number: u64, output: &ExperimentJobResult) -> bool {
        match (self.tasks[number as usize], output) {
            (ExperimentJob::Train(labelling), ExperimentJobResult::Trained(training)) => {
                self.is_trained(labelling, training)
            }
            (ExperimentJob::Play { pairs, .. }, ExperimentJobResult::Played(games)) => {
                games.total() == 2 * pairs
            }
            _ => false,
        }
    }
}
