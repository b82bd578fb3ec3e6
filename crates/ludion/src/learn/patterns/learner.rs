//! Learning without the type of the game: what the command line holds. Games of self-play are
//! jobs for any number of threads; training goes in the order of the games.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::self_play::{Playing, play};
use super::training::{Trained, Training};
use super::{FileError, Model, Patterns, Record, RecordError};
use crate::grid::Grid;
use crate::outcome::Duel;
use crate::search::table::Table;

/// What learning was asked for, but for how long.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// Parts of the game with weights of their own.
    pub phases: u32,
    /// Plies looked ahead in self-play.
    pub depth: u32,
    /// Random plies at the beginning of a game, at most.
    pub opening: u32,
    /// Plies after which a game is drawn.
    pub longest: usize,
    /// How weights are trained.
    pub training: Training,
}

/// Learning patterns for one game, its type forgotten.
pub trait Learning: Send + Sync {
    /// A model that knows nothing.
    fn blank(&self, phases: u32) -> Model;

    /// Reads a model of this game.
    ///
    /// # Errors
    /// When the bytes are none.
    fn read(&self, bytes: &[u8]) -> Result<Model, FileError>;

    /// One thread's games of `model` against itself; game `number` is a function of the
    /// model, the terms, the seed and the number.
    fn self_play(&self, model: &Model, terms: &Terms, seed: u64) -> Box<dyn FnMut(u64) -> Record>;

    /// Trains the model on games.
    ///
    /// # Errors
    /// When a move of a game is not legal.
    fn train(
        &self,
        model: &mut Model,
        games: &mut dyn Iterator<Item = &Record>,
        training: &Training,
        seed: u64,
    ) -> Result<Trained, RecordError>;
}

/// Learning patterns for games of one type.
pub struct Learner<G> {
    game: Arc<G>,
    spec: String,
}

impl<G: Grid<Outcome = Duel>> Learner<G> {
    /// Learns the game that `spec` names.
    #[must_use]
    pub fn new(game: Arc<G>, spec: &str) -> Self {
        Learner { game, spec: spec.to_owned() }
    }
}

/// Megabytes of memory for a game of shallow searches.
const MEGABYTES: usize = 1;

impl<G: Grid<Outcome = Duel>> Learning for Learner<G> {
    fn blank(&self, phases: u32) -> Model {
        Model::blank(&*self.game, &self.spec, phases)
    }

    fn read(&self, bytes: &[u8]) -> Result<Model, FileError> {
        Model::read(bytes, &*self.game, &self.spec)
    }

    fn self_play(&self, model: &Model, terms: &Terms, seed: u64) -> Box<dyn FnMut(u64) -> Record> {
        let judge = (!model.is_blank()).then(|| Patterns::new(model));
        let Terms { depth, opening, longest, .. } = *terms;
        let playing = Playing { depth, opening, longest, seed };
        let (game, table) = (Arc::clone(&self.game), Table::growing(MEGABYTES));
        Box::new(move |number| play(&*game, judge.as_ref(), &playing, &table, number))
    }

    fn train(
        &self,
        model: &mut Model,
        games: &mut dyn Iterator<Item = &Record>,
        training: &Training,
        seed: u64,
    ) -> Result<Trained, RecordError> {
        model.train(&*self.game, games, training, seed)
    }
}
