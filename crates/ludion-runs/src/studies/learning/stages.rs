//! Stages of a round: self-play of a model, and a match of two players. Outputs are bytes: encoded
//! [`SelfPlayGame`]s, or for a match one byte for each game, twice the score of the new model.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludion_players::arena::pair::{AnyReferee, GameSettings, PairId};
use ludion_players::assets::Assets;
use ludion_players::learn::patterns::{
    AnyLearner, LearningOptions, PatternModel, PatternTrainingOptions, SelfPlayFn, SelfPlayGame,
    SelfPlayGameError,
};
use ludion_players::registry::{AnyGame, Registry};
use serde::{Deserialize, Serialize};

use crate::RunError;
use crate::cluster::Attachment;
use crate::studies::{JobFailure, Stage};

/// Maximum number of games in a self-play job.
pub(super) const SELF_PLAY_JOB_GAMES: u64 = 50;
/// Maximum number of pairs in a job of a match.
pub(super) const MATCH_JOB_PAIRS: u64 = 5;

/// Names of attached models: the model of self-play, and the new and the last model of a match.
pub(super) const PLAYER: &str = "player";
pub(super) const NEW: &str = "new";
pub(super) const LAST: &str = "last";

/// Encodes a model as an attachment.
pub(super) fn model(name: &str, model: &PatternModel) -> Attachment {
    Attachment { name: name.to_owned(), bytes: Arc::new(model.write()) }
}

/// Returns the pattern learner of a game, or an error if the game has none.
pub(super) fn learner_of(registry: &Registry, game: &str) -> Result<Box<dyn AnyLearner>, RunError> {
    registry.game(game)?.learner().ok_or_else(|| {
        let only = "only games of pieces on a board are, such as connect4 and checkers";
        RunError::Wrong(format!("{game} is not learned by patterns: {only}"))
    })
}

/// Decodes self-play games that were encoded one after the other.
pub(super) fn read_games(mut bytes: &[u8]) -> Result<Vec<SelfPlayGame>, SelfPlayGameError> {
    let mut games = Vec::new();
    while !bytes.is_empty() {
        games.push(SelfPlayGame::take(&mut bytes)?);
    }
    Ok(games)
}

/// Spec of a stage: everything that its jobs depend on, except the attached models.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum LearningStageSpec {
    /// Self-play of the attached model.
    SelfPlay {
        /// Spec of the game.
        game: String,
        /// Options of self-play, such as search depth and random plies.
        terms: LearningOptions,
        /// Number of self-play games in the stage.
        games: u64,
        /// Seed from which the seed of each game is derived.
        seed: u64,
    },
    /// A match of two players that use the attached models.
    Match {
        /// Spec of the game.
        game: String,
        /// Specs of the two players, the one with the new model first.
        players: [String; 2],
        /// Budget, opening, length limit and seed that all games share.
        terms: GameSettings,
        /// Number of pairs in the match.
        pairs: u64,
    },
}

/// An opened stage with its models.
pub enum LearningStage {
    /// Self-play of a model.
    SelfPlay {
        /// Learner of the game, which plays the games.
        learner: Box<dyn AnyLearner>,
        /// Model that plays against itself.
        model: PatternModel,
        /// Options of self-play, such as search depth and random plies.
        terms: LearningOptions,
        /// Number of self-play games in the stage.
        games: u64,
        /// Seed from which the seed of each game is derived.
        seed: u64,
    },
    /// A match of two players.
    Match {
        /// The game, whose players find the attached models.
        game: Arc<dyn AnyGame>,
        /// Specs of the two players, the one with the new model first.
        players: [String; 2],
        /// Budget, opening, length limit and seed that all games share.
        terms: GameSettings,
        /// Number of pairs in the match.
        pairs: u64,
    },
}

/// State that a thread keeps from job to job.
pub enum LearningThreadState {
    /// Function that plays the self-play game with the given number.
    SelfPlay(SelfPlayFn),
    /// Referee that plays pairs of games.
    Match(Box<dyn AnyReferee>),
}

/// Returns the numbers of the games or pairs of a job: `size` of them, fewer in the last job.
fn numbers(job: u64, size: u64, total: u64) -> std::ops::Range<u64> {
    job * size..((job + 1) * size).min(total)
}

impl Stage for LearningStage {
    type Spec = LearningStageSpec;
    type Worker = LearningThreadState;
    type Output = Vec<u8>;

    fn open(
        registry: &Registry,
        assets: &Assets,
        spec: LearningStageSpec,
    ) -> Result<Self, RunError> {
        Ok(match spec {
            LearningStageSpec::SelfPlay { game, terms, games, seed } => {
                let learner = learner_of(registry, &game)?;
                let bytes = assets.fetch(PLAYER).map_err(RunError::Failed)?;
                let model = learner.read((*bytes).as_ref());
                let model = model.map_err(|error| RunError::Failed(error.to_string()))?;
                LearningStage::SelfPlay { learner, model, terms, games, seed }
            }
            LearningStageSpec::Match { game, players, terms, pairs } => {
                let game = registry.game_with(&game, assets)?;
                game.referee(&players)?;
                LearningStage::Match { game, players, terms, pairs }
            }
        })
    }

    fn worker(&self) -> LearningThreadState {
        match self {
            LearningStage::SelfPlay { learner, model, terms, seed, .. } => {
                LearningThreadState::SelfPlay(learner.self_play(model, terms, *seed))
            }
            LearningStage::Match { game, players, .. } => {
                let referee = game.referee(players);
                LearningThreadState::Match(referee.expect("these players were made before"))
            }
        }
    }

    fn job(
        &self,
        worker: &mut LearningThreadState,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, JobFailure> {
        match (self, worker) {
            (LearningStage::SelfPlay { games, .. }, LearningThreadState::SelfPlay(play)) => {
                let mut bytes = Vec::new();
                for game in numbers(number, SELF_PLAY_JOB_GAMES, *games) {
                    play(game, stop).ok_or(JobFailure::Stopped)?.write(&mut bytes);
                }
                Ok(bytes)
            }
            (LearningStage::Match { terms, pairs, .. }, LearningThreadState::Match(referee)) => {
                let mut scores = Vec::new();
                for number in numbers(number, MATCH_JOB_PAIRS, *pairs) {
                    let pair = PairId { players: [0, 1], number };
                    let played = referee.play_pair_or_stop(terms, pair, false, stop);
                    let played = played.ok_or(JobFailure::Stopped)?;
                    scores.extend(played.map(|game| (2.0 * game.score(0)) as u8));
                }
                Ok(scores)
            }
            _ => unreachable!("a worker is of the stage that made it"),
        }
    }

    fn accepts(&self, number: u64, output: &Vec<u8>) -> bool {
        match self {
            LearningStage::SelfPlay { learner, games, terms, .. } => {
                let wanted = numbers(number, SELF_PLAY_JOB_GAMES, *games).count();
                let Ok(games) = read_games(output) else { return false };
                // Training for zero epochs only replays the games, which detects illegal moves.
                let training = PatternTrainingOptions { epochs: 0, ..terms.training };
                let mut model = learner.blank(1);
                let replayed = learner.train(&mut model, &mut games.iter(), &training, 0);
                games.len() == wanted && replayed.is_ok()
            }
            LearningStage::Match { pairs, .. } => {
                let wanted = 2 * numbers(number, MATCH_JOB_PAIRS, *pairs).count();
                output.len() == wanted && output.iter().all(|&halves| halves <= 2)
            }
        }
    }
}
