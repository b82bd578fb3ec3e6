//! A network as an evaluator for searches.

use std::cell::RefCell;
use std::sync::Arc;

use super::{NetworkInputs, PolicyValueBatch, PolicyValueNetwork};
use crate::evaluator::{Evaluator, WIN};
use crate::game::{Game, Side};
use crate::policy::{EncodedBatch, PolicyEvaluator, PolicyOutputs};

/// Evaluates states with a network: values for every search, policies for those that use them.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<PolicyValueNetwork>,
    inputs: Arc<NetworkInputs>,
}

/// Buffers of one thread.
#[derive(Default)]
struct EvaluatorBuffers {
    batch: PolicyValueBatch,
    features: Vec<u32>,
    contents: Vec<u16>,
    active: Vec<u32>,
}

impl NetworkEvaluator {
    /// Creates an evaluator for states whose features `inputs` turns into the inputs of `network`.
    ///
    /// # Panics
    /// When the network has another number of inputs or actions.
    #[must_use]
    pub fn new(network: Arc<PolicyValueNetwork>, inputs: Arc<NetworkInputs>) -> Self {
        assert_eq!(network.features(), inputs.count(), "the inputs of the network");
        assert_eq!(network.actions(), inputs.shape().actions, "the actions of the network");
        NetworkEvaluator { network, inputs }
    }

    /// Returns the inputs of the network.
    #[must_use]
    pub fn inputs(&self) -> &NetworkInputs {
        &self.inputs
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &PolicyValueNetwork {
        &self.network
    }
}

thread_local! {
    /// The buffers of this thread, which are used for one evaluation at a time.
    static BUFFERS: RefCell<EvaluatorBuffers> = RefCell::default();
}

impl PolicyEvaluator for NetworkEvaluator {
    fn evaluate(&self, states: &EncodedBatch, out: &mut PolicyOutputs) {
        BUFFERS.with_borrow_mut(|EvaluatorBuffers { batch, contents, active, .. }| {
            batch.clear();
            for i in 0..states.len() {
                self.inputs.activate(states.features(i), contents, active);
                batch.push(active, states.actions(i));
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
        BUFFERS.with_borrow_mut(|EvaluatorBuffers { batch, features, contents, active }| {
            let turn = g.status(s).turn().unwrap_or(Side::First);
            batch.clear();
            features.clear();
            g.features(s, turn, features);
            self.inputs.activate(features, contents, active);
            batch.push(active, &[]);
            self.network.evaluate_batch(batch);
            batch.value(0).expected_result().into()
        })
    }

    fn as_policy(&self) -> Option<&dyn PolicyEvaluator> {
        Some(self)
    }
}
