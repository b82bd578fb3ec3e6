//! The value of a leaf: the only place where a simulation gets the reward that it backs up.
//!
//! A leaf is valued by a playout, or by an evaluator. A playout is won, drawn or lost, so its reward
//! is a whole number. The expected result of an evaluator is a fraction. The statistics of a node
//! count whole numbers in one 64-bit word, so an evaluation counts as [`EVALUATION_VISITS`] visits,
//! and its reward is rounded to a whole number of these. The selection formulas divide by the same
//! number, so that an evaluation weighs as much as a playout.
//!
//! An evaluator with a policy, such as a network, evaluates the leaves of a wave together. A leaf gets
//! its children at its first visit, with the policy as their priors.
//!
//! Whether a value is rounded up or down depends on the state's key: a state always has the same
//! value, on every thread, and the mean over many states has no bias.

use std::ops::Range;

use super::simulation::{SearchThread, SharedSearch};
use crate::evaluator::Evaluator;
use crate::game::{Game, Side, Status};
use crate::policy::{EncodedBatch, PolicyEvaluator, PolicyOutputs};
use crate::random::mix;
use crate::search::rewards::{RewardSum, SearchReward};

/// The binary logarithm of [`EVALUATION_VISITS`].
const EVALUATION_SHIFT: u32 = 6;
/// Number of visits that one evaluation counts as.
const EVALUATION_VISITS: u32 = 1 << EVALUATION_SHIFT;

/// How the leaves of the tree get their values.
pub(super) enum LeafEvaluation<'a, G: Game> {
    /// By a playout.
    Playout,
    /// By an evaluator, in a duel.
    Evaluator(&'a dyn Evaluator<G>),
    /// By an evaluator of values and policies, in a duel.
    Policy(&'a dyn PolicyEvaluator),
}

/// Buffers of one thread for the evaluation of leaves with a policy.
#[derive(Default)]
pub(super) struct PolicyBuffers {
    batch: EncodedBatch,
    outputs: PolicyOutputs,
    /// Indices of the simulations whose leaves are in the batch.
    simulations: Vec<usize>,
    /// Some states of a batch.
    rows: EncodedBatch,
}

impl<G: Game<Outcome: SearchReward>> LeafEvaluation<'_, G> {
    /// Returns the number of visits that one playout or evaluation counts as.
    #[inline]
    pub(super) fn visits_per_simulation(&self) -> u32 {
        1 << self.shift()
    }

    /// Returns the number of simulations that `visits` stand for.
    #[inline]
    pub(super) fn simulations(&self, visits: u32) -> u32 {
        visits >> self.shift()
    }

    #[inline]
    fn shift(&self) -> u32 {
        if self.is_random() { 0 } else { EVALUATION_SHIFT }
    }

    /// Returns whether several valuations of one leaf differ, so that more of them say more.
    #[inline]
    pub(super) fn is_random(&self) -> bool {
        matches!(self, LeafEvaluation::Playout)
    }
}

impl<G: Game<Outcome: SearchReward>> SearchThread<G> {
    /// Values the leaves of the first `wave` simulations that are not proven, one valuation each.
    #[inline]
    pub(super) fn value_leaves(&mut self, search: &SharedSearch<'_, G>, wave: usize) {
        if let LeafEvaluation::Policy(evaluator) = search.leaf {
            return self.evaluate_leaves(search, evaluator, wave);
        }
        let games = search.leaf.visits_per_simulation();
        for i in 0..wave {
            if self.simulations[i].rewards.is_none() {
                let first = self.leaf_reward(search, self.simulations[i].state.clone());
                self.simulations[i].rewards = Some(RewardSum { first, games });
            }
        }
    }

    /// Returns the reward of the first side for one valuation of the leaf `s`.
    #[inline]
    pub(super) fn leaf_reward(&mut self, search: &SharedSearch<'_, G>, s: G::State) -> i64 {
        match search.leaf {
            LeafEvaluation::Playout => self.playout(search, s),
            LeafEvaluation::Evaluator(evaluator) => {
                evaluated_reward(search.game, &s, || evaluator.expected_result(search.game, &s))
            }
            LeafEvaluation::Policy(evaluator) => evaluated_reward(search.game, &s, || {
                let turn = search.game.status(&s).turn().expect("the game is not over");
                self.policy.evaluate_one(search.game, evaluator, &s, turn, &[]).into()
            }),
        }
    }

    /// Evaluates the leaves of the first `wave` simulations that are not proven together, and adds
    /// the children of those that have listed them.
    pub(super) fn evaluate_leaves(
        &mut self,
        search: &SharedSearch<'_, G>,
        evaluator: &dyn PolicyEvaluator,
        wave: usize,
    ) {
        let (g, games) = (search.game, search.leaf.visits_per_simulation());
        let PolicyBuffers { batch, outputs, simulations, .. } = &mut self.policy;
        batch.clear();
        outputs.clear();
        simulations.clear();
        for (i, simulation) in self.simulations[..wave].iter_mut().enumerate() {
            if simulation.rewards.is_some() {
                continue;
            }
            match g.status(&simulation.state) {
                Status::Turn(turn) => {
                    batch.push(g, &simulation.state, turn, &simulation.children.moves);
                    simulations.push(i);
                }
                Status::Over(end) => {
                    let first = end.points() * i64::from(games);
                    simulation.rewards = Some(RewardSum { first, games });
                }
            }
        }
        evaluator.evaluate(batch, outputs);
        let mut priors = outputs.priors.as_slice();
        for (&i, &value) in simulations.iter().zip(&outputs.values) {
            let simulation = &mut self.simulations[i];
            let first = evaluated_reward(g, &simulation.state, || value.into());
            simulation.rewards = Some(RewardSum { first, games });
            let (own, rest) = priors.split_at(simulation.children.moves.len());
            priors = rest;
            search.add_evaluated_children(simulation, own, &mut self.cursor);
        }
    }
}

impl PolicyBuffers {
    /// Evaluates one state; returns its value. Afterwards [`PolicyBuffers::priors`] are those of
    /// `moves`.
    pub(super) fn evaluate_one<G: Game>(
        &mut self,
        g: &G,
        evaluator: &dyn PolicyEvaluator,
        s: &G::State,
        turn: Side,
        moves: &[G::Move],
    ) -> f32 {
        self.batch.clear();
        self.outputs.clear();
        self.batch.push(g, s, turn, moves);
        evaluator.evaluate(&self.batch, &mut self.outputs);
        self.outputs.values[0]
    }

    /// Appends the evaluations of these states of a batch to `out`.
    pub(super) fn evaluate_rows(
        &mut self,
        evaluator: &dyn PolicyEvaluator,
        batch: &EncodedBatch,
        rows: Range<usize>,
        out: &mut PolicyOutputs,
    ) {
        self.rows.clear();
        rows.for_each(|row| self.rows.push_encoded(batch.features(row), batch.actions(row)));
        evaluator.evaluate(&self.rows, out);
    }

    /// Returns the priors of the last evaluation.
    pub(super) fn priors(&self) -> &[f32] {
        &self.outputs.priors
    }
}

/// Returns the reward of the first side, from 0 to twice [`EVALUATION_VISITS`], for the expected
/// result of `s` for the side to move, or for its result if the game is over.
#[inline]
fn evaluated_reward<G: Game<Outcome: SearchReward>>(
    g: &G,
    s: &G::State,
    expected_result: impl FnOnce() -> f64,
) -> i64 {
    let visits = f64::from(EVALUATION_VISITS);
    let turn = match g.status(s) {
        Status::Over(end) => return end.points() * i64::from(EVALUATION_VISITS),
        Status::Turn(turn) => turn,
    };
    let expected = expected_result().clamp(-1.0, 1.0);
    let first = if turn == Side::First { expected } else { -expected };
    let threshold = (mix(g.key(s)) >> 11) as f64 / (1u64 << 53) as f64;
    (visits * (1.0 + first) + threshold).floor().min(2.0 * visits) as i64
}
