//! A network as an evaluator for searches.

use std::cell::RefCell;
use std::sync::Arc;

use super::{PolicyValueBatch, PolicyValueNetwork};
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side};
use crate::policy::{EncodedBatch, PolicyEvaluator, PolicyOutputs};

/// Evaluates states with a network: values for every search, policies for those that use them.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<PolicyValueNetwork>,
}

impl NetworkEvaluator {
    /// Creates an evaluator for games whose features and actions `network` has.
    #[must_use]
    pub fn new(network: Arc<PolicyValueNetwork>) -> Self {
        NetworkEvaluator { network }
    }
}

thread_local! {
    /// The buffers of this thread, which are used for one evaluation at a time.
    static BUFFERS: RefCell<(PolicyValueBatch, Vec<u32>)> = RefCell::default();
}

impl PolicyEvaluator for NetworkEvaluator {
    fn evaluate(&self, states: &EncodedBatch, out: &mut PolicyOutputs) {
        BUFFERS.with_borrow_mut(|(batch, _)| {
            batch.clear();
            for i in 0..states.len() {
                batch.push(states.features(i), states.actions(i));
            }
            self.network.evaluate_batch(batch);
            for i in 0..states.len() {
                out.values.push(batch.value(i).expected_result());
                out.priors.extend_from_slice(batch.priors(i));
            }
        });
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator {
    fn value(&self, g: &G, s: &G::State) -> i32 {
        let most = f64::from(WIN - 1);
        (self.expected_result(g, s) * most) as i32
    }

    fn expected_result(&self, g: &G, s: &G::State) -> f64 {
        BUFFERS.with_borrow_mut(|(batch, features)| {
            let turn = g.status(s).turn().unwrap_or(Side::First);
            batch.clear();
            features.clear();
            g.features(s, turn, features);
            batch.push(features, &[]);
            self.network.evaluate_batch(batch);
            batch.value(0).expected_result().into()
        })
    }

    fn as_policy(&self) -> Option<&dyn PolicyEvaluator> {
        Some(self)
    }
}
