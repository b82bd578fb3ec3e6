//! Evaluators that estimate a value and a policy for many states at once, such as networks.
//!
//! They see states and moves in their [encoding](crate::encoding), not the game, so that one
//! evaluator type serves every game.

use std::sync::Arc;

use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side};

/// Encoded states with their legal moves, to be evaluated together.
#[derive(Clone, Default, Debug)]
pub struct EncodedBatch {
    features: Vec<u32>,
    actions: Vec<u32>,
    /// The ends of the features and of the actions of each state.
    ends: Vec<(usize, usize)>,
}

impl EncodedBatch {
    /// Removes all states and keeps the memory.
    pub fn clear(&mut self) {
        self.features.clear();
        self.actions.clear();
        self.ends.clear();
    }

    /// Returns the number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a state in which `turn` is to move. `moves` are its legal moves, or empty if only its
    /// value is wanted.
    pub fn push<G: Game>(&mut self, g: &G, s: &G::State, turn: Side, moves: &[G::Move]) {
        g.features(s, turn, &mut self.features);
        if !moves.is_empty() {
            g.actions(s, moves, &mut self.actions);
        }
        self.ends.push((self.features.len(), self.actions.len()));
    }

    /// Adds a state that is encoded already.
    pub fn push_encoded(&mut self, features: &[u32], actions: &[u32]) {
        self.features.extend_from_slice(features);
        self.actions.extend_from_slice(actions);
        self.ends.push((self.features.len(), self.actions.len()));
    }

    /// Returns the features of state number `i`.
    #[must_use]
    pub fn features(&self, i: usize) -> &[u32] {
        &self.features[self.start(i).0..self.ends[i].0]
    }

    /// Returns the actions of state number `i`.
    #[must_use]
    pub fn actions(&self, i: usize) -> &[u32] {
        &self.actions[self.start(i).1..self.ends[i].1]
    }

    fn start(&self, i: usize) -> (usize, usize) {
        if i == 0 { (0, 0) } else { self.ends[i - 1] }
    }
}

/// The evaluations of the states of an [`EncodedBatch`].
#[derive(Clone, Default, Debug)]
pub struct PolicyOutputs {
    /// The expected result of each state for the side to move, from −1 (loss) to 1 (win).
    pub values: Vec<f32>,
    /// The probabilities of all actions, one state after the other; those of one state add up to 1.
    pub priors: Vec<f32>,
}

impl PolicyOutputs {
    /// Removes all evaluations and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.priors.clear();
    }
}

/// Estimates values and policies of encoded states, many at a time.
pub trait PolicyEvaluator: Send + Sync {
    /// Appends a value for each state of `batch` and a prior for each of its actions to `out`. The
    /// result for a state does not depend on the other states of the batch.
    fn evaluate(&self, batch: &EncodedBatch, out: &mut PolicyOutputs);
}

/// Evaluates the states of a game one by one with an evaluator of encoded states.
pub struct EncodedEvaluator(pub Arc<dyn PolicyEvaluator>);

impl<G: Game> Evaluator<G> for EncodedEvaluator {
    fn value(&self, g: &G, s: &G::State) -> i32 {
        (self.expected_result(g, s).clamp(-1.0, 1.0) * f64::from(WIN - 1)) as i32
    }

    fn expected_result(&self, g: &G, s: &G::State) -> f64 {
        let (mut batch, mut out) = (EncodedBatch::default(), PolicyOutputs::default());
        batch.push(g, s, g.status(s).turn().unwrap_or(Side::First), &[]);
        self.0.evaluate(&batch, &mut out);
        out.values[0].into()
    }

    fn as_policy(&self) -> Option<&dyn PolicyEvaluator> {
        Some(&*self.0)
    }
}
