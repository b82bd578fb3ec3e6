//! Type-erased self-play of networks, for any game of two sides.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    SelfPlayOptions, SelfPlayRecord, SelfPlayRecordError, SelfPlaySample, SelfPlayer,
    for_each_sample,
};
use crate::encoding::EncodingShape;
use crate::game::Game;
use crate::learn::policy_value::{NetworkEvaluator, NetworkInputs};
use crate::outcome::Duel;

/// Plays and replays self-play games of one game. Type-erased: hides the type of the game.
pub trait AnyNetworkLearner: Send + Sync {
    /// Returns the encoding of states and moves.
    fn encoding(&self) -> EncodingShape;

    /// Plays the self-play games with these numbers. A game depends only on the network, the options,
    /// the seed and its number. Returns `None` if `stop` is set before the end.
    fn play(
        &self,
        evaluator: &NetworkEvaluator,
        options: &SelfPlayOptions,
        seed: u64,
        numbers: Range<u64>,
        stop: &AtomicBool,
    ) -> Option<Vec<SelfPlayRecord>>;

    /// Replays a game and calls `visit` for each sample, as [`for_each_sample`] does.
    ///
    /// # Errors
    /// When a move is not legal, or a policy does not fit the legal moves.
    fn for_each_sample(
        &self,
        inputs: &NetworkInputs,
        record: &SelfPlayRecord,
        trust: f32,
        visit: &mut dyn FnMut(SelfPlaySample<'_>),
    ) -> Result<(), SelfPlayRecordError>;
}

/// Plays and replays self-play games of the game `G`.
pub struct NetworkLearner<G>(Arc<G>);

impl<G: Game<Outcome = Duel>> NetworkLearner<G> {
    /// Creates a learner for `game`.
    #[must_use]
    pub fn new(game: Arc<G>) -> Self {
        NetworkLearner(game)
    }
}

impl<G: Game<Outcome = Duel>> AnyNetworkLearner for NetworkLearner<G> {
    fn encoding(&self) -> EncodingShape {
        self.0.encoding()
    }

    fn play(
        &self,
        evaluator: &NetworkEvaluator,
        options: &SelfPlayOptions,
        seed: u64,
        numbers: Range<u64>,
        stop: &AtomicBool,
    ) -> Option<Vec<SelfPlayRecord>> {
        let games = SelfPlayer::new(&*self.0, evaluator, *options, seed).play(numbers, stop);
        // Rules that fail stop the run and end their games, which then do not count.
        games.filter(|_| !stop.load(Ordering::Relaxed))
    }

    fn for_each_sample(
        &self,
        inputs: &NetworkInputs,
        record: &SelfPlayRecord,
        trust: f32,
        visit: &mut dyn FnMut(SelfPlaySample<'_>),
    ) -> Result<(), SelfPlayRecordError> {
        for_each_sample(&*self.0, inputs, record, trust, visit)
    }
}
