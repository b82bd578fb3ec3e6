//! Type-erased pattern learning: self-play and training for any game on a grid. Self-play games can
//! run on any number of threads; training depends only on the order of the games.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::evaluator::{CLEAR_ADVANTAGE, value_from_log_odds};
use super::self_play::{SelfPlayOptions, play_or_stop};
use super::training::{PatternTrainingOptions, PatternTrainingReport};
use super::{
    PatternEvaluator, PatternFileError, PatternModel, SelfPlayGame, SelfPlayGameError, UNIT,
};
use crate::evaluator::Evaluator;
use crate::grid::GridGame;
use crate::outcome::Duel;
use crate::search::transposition_table::TranspositionTable;

/// The settings of self-play and training of patterns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningOptions {
    /// The number of phases of a game. The number of pieces on the board decides the phase of a
    /// state, and each phase has its own weights.
    pub phases: u32,
    /// The depth of exact searches in self-play, in plies.
    pub depth: u32,
    /// The number of nodes of selective searches in self-play; `None` for exact searches to `depth`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The maximum number of random plies at the beginning of a self-play game.
    pub opening: u32,
    /// The number of plies after which an unfinished self-play game is drawn.
    pub longest: usize,
    /// The settings of the training after each round of self-play.
    pub training: PatternTrainingOptions,
}

/// Function that plays the self-play game of a given number; `None` if the flag is set before its
/// end.
pub type SelfPlayFn = Box<dyn FnMut(u64, &AtomicBool) -> Option<SelfPlayGame>>;

/// Learns patterns for one game. Type-erased: hides the type of the game.
pub trait AnyLearner: Send + Sync {
    /// Returns whether models of this game are balanced: they have the knowledge of
    /// [`GridGame::balance`].
    fn is_balanced(&self) -> bool;

    /// Returns a model of this game in which all weights are 0.
    fn blank(&self, phases: u32) -> PatternModel;

    /// Parses a model file of this game.
    ///
    /// # Errors
    /// When the bytes are not a valid model of this game.
    fn read(&self, bytes: &[u8]) -> Result<PatternModel, PatternFileError>;

    /// Returns a function that plays the self-play game of a given number, for use on one thread. A
    /// game depends only on the model, the options, the seed and its number.
    fn self_play(&self, model: &PatternModel, options: &LearningOptions, seed: u64) -> SelfPlayFn;

    /// Trains the model on self-play games. Returns `None` if `stop` is set before the end; the
    /// model is then as before.
    ///
    /// # Errors
    /// When a move of a game is not legal.
    fn train_or_stop(
        &self,
        model: &mut PatternModel,
        games: &mut dyn Iterator<Item = &SelfPlayGame>,
        training: &PatternTrainingOptions,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<PatternTrainingReport>, SelfPlayGameError>;

    /// Trains the model on self-play games.
    ///
    /// # Errors
    /// When a move of a game is not legal.
    fn train(
        &self,
        model: &mut PatternModel,
        games: &mut dyn Iterator<Item = &SelfPlayGame>,
        training: &PatternTrainingOptions,
        seed: u64,
    ) -> Result<PatternTrainingReport, SelfPlayGameError> {
        let never = AtomicBool::new(false);
        let report = self.train_or_stop(model, games, training, seed, &never)?;
        Ok(report.expect("nothing stops the training"))
    }
}

/// Learns patterns for one game of type `G`.
pub struct PatternLearner<G> {
    game: Arc<G>,
    spec: String,
}

impl<G: GridGame<Outcome = Duel>> PatternLearner<G> {
    /// Creates a learner for `game`, whose spec is `spec`.
    #[must_use]
    pub fn new(game: Arc<G>, spec: &str) -> Self {
        PatternLearner { game, spec: spec.to_owned() }
    }
}

/// The evaluator that plays the first games, with values on the scale of patterns, so that training
/// can mix them into its targets: a clear advantage has the odds that patterns give it.
struct ScaledTeacher<G: GridGame>(Arc<dyn Evaluator<G>>);

impl<G: GridGame> Evaluator<G> for ScaledTeacher<G> {
    fn value(&self, g: &G, s: &G::State) -> i32 {
        let advantages = self.0.value(g, s) as f32 / self.0.unit() as f32;
        value_from_log_odds((advantages * CLEAR_ADVANTAGE / UNIT) as i32)
    }
}

/// The size of each thread's transposition table in self-play, in megabytes; small, because
/// searches are shallow.
const TABLE_MEGABYTES: usize = 1;

impl<G: GridGame<Outcome = Duel>> AnyLearner for PatternLearner<G> {
    fn is_balanced(&self) -> bool {
        self.game.board().balance_features.is_some()
    }

    fn blank(&self, phases: u32) -> PatternModel {
        PatternModel::blank(&*self.game, &self.spec, phases)
    }

    fn read(&self, bytes: &[u8]) -> Result<PatternModel, PatternFileError> {
        PatternModel::read(bytes, &*self.game, &self.spec)
    }

    fn self_play(&self, model: &PatternModel, options: &LearningOptions, seed: u64) -> SelfPlayFn {
        let evaluator = match model.is_blank() {
            false => Some(Arc::new(PatternEvaluator::new(model)) as Arc<dyn Evaluator<G>>),
            true => self.game.first_teacher().map(|own| Arc::new(ScaledTeacher(own)) as _),
        };
        let LearningOptions { depth, nodes, opening, longest, .. } = *options;
        let self_play = SelfPlayOptions { depth, nodes, opening, longest, seed };
        let (game, table) = (Arc::clone(&self.game), TranspositionTable::growing(TABLE_MEGABYTES));
        Box::new(move |number, stop| {
            play_or_stop(&*game, evaluator.as_deref(), &self_play, &table, number, stop)
        })
    }

    fn train_or_stop(
        &self,
        model: &mut PatternModel,
        games: &mut dyn Iterator<Item = &SelfPlayGame>,
        training: &PatternTrainingOptions,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<PatternTrainingReport>, SelfPlayGameError> {
        model.train_or_stop(&*self.game, games, training, seed, stop)
    }
}
