//! Learning without the type of the game: what the command line holds. Games of self-play are
//! jobs for any number of threads; training goes in the order of the games.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::self_play::{SelfPlayOptions, play};
use super::training::{PatternTraining, TrainedPatterns};
use super::{PatternEvaluator, PatternFileError, PatternModel, SelfPlayGame, SelfPlayGameError};
use crate::grid::GridGame;
use crate::outcome::Duel;
use crate::search::transposition_table::TranspositionTable;

/// What learning was asked for, but for how long.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningOptions {
    /// Parts of the game with weights of their own.
    pub phases: u32,
    /// Plies looked ahead in self-play.
    pub depth: u32,
    /// Random plies at the beginning of a game, at most.
    pub opening: u32,
    /// Plies after which a game is drawn.
    pub longest: usize,
    /// How weights are trained.
    pub training: PatternTraining,
}

/// Learning patterns for one game, its type forgotten.
pub trait AnyLearner: Send + Sync {
    /// A model that knows nothing.
    fn blank(&self, phases: u32) -> PatternModel;

    /// Reads a model of this game.
    ///
    /// # Errors
    /// When the bytes are none.
    fn read(&self, bytes: &[u8]) -> Result<PatternModel, PatternFileError>;

    /// One thread's games of `model` against itself; game `number` is a function of the
    /// model, the terms, the seed and the number.
    fn self_play(
        &self,
        model: &PatternModel,
        terms: &LearningOptions,
        seed: u64,
    ) -> Box<dyn FnMut(u64) -> SelfPlayGame>;

    /// Trains the model on games.
    ///
    /// # Errors
    /// When a move of a game is not legal.
    fn train(
        &self,
        model: &mut PatternModel,
        games: &mut dyn Iterator<Item = &SelfPlayGame>,
        training: &PatternTraining,
        seed: u64,
    ) -> Result<TrainedPatterns, SelfPlayGameError>;
}

/// Learning patterns for games of one type.
pub struct PatternLearner<G> {
    game: Arc<G>,
    spec: String,
}

impl<G: GridGame<Outcome = Duel>> PatternLearner<G> {
    /// Learns the game that `spec` names.
    #[must_use]
    pub fn new(game: Arc<G>, spec: &str) -> Self {
        PatternLearner { game, spec: spec.to_owned() }
    }
}

/// Megabytes of memory for a game of shallow searches.
const MEGABYTES: usize = 1;

impl<G: GridGame<Outcome = Duel>> AnyLearner for PatternLearner<G> {
    fn blank(&self, phases: u32) -> PatternModel {
        PatternModel::blank(&*self.game, &self.spec, phases)
    }

    fn read(&self, bytes: &[u8]) -> Result<PatternModel, PatternFileError> {
        PatternModel::read(bytes, &*self.game, &self.spec)
    }

    fn self_play(
        &self,
        model: &PatternModel,
        terms: &LearningOptions,
        seed: u64,
    ) -> Box<dyn FnMut(u64) -> SelfPlayGame> {
        let judge = (!model.is_blank()).then(|| PatternEvaluator::new(model));
        let LearningOptions { depth, opening, longest, .. } = *terms;
        let playing = SelfPlayOptions { depth, opening, longest, seed };
        let (game, table) = (Arc::clone(&self.game), TranspositionTable::growing(MEGABYTES));
        Box::new(move |number| play(&*game, judge.as_ref(), &playing, &table, number))
    }

    fn train(
        &self,
        model: &mut PatternModel,
        games: &mut dyn Iterator<Item = &SelfPlayGame>,
        training: &PatternTraining,
        seed: u64,
    ) -> Result<TrainedPatterns, SelfPlayGameError> {
        model.train(&*self.game, games, training, seed)
    }
}
