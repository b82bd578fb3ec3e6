//! Inference of a network with policy and value, for one state or a batch.

use crate::learn::linear::{FloatBlock, Matrix, SparseRows};
use crate::learn::network::NetworkError;

use super::batch::PolicyValueBatch;
use super::parameters::{PolicyValueLayers, PolicyValueParameters};
use super::softmax::{WdlProbabilities, softmax};

/// The number of states that pass through the layers together: their outputs stay in the first-level
/// cache, and tiles of 6 and of 8 rows cover them.
const CHUNK: usize = 24;

/// A valid network with policy and value, for inference.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyValueNetwork {
    parameters: PolicyValueParameters,
}

/// Memory for the outputs of layers, reused from one evaluation to the next.
#[derive(Clone, Debug, Default)]
pub struct PolicyValueScratch {
    activations: Vec<Matrix>,
}

impl PolicyValueNetwork {
    /// Builds a network from its layers.
    pub fn new(layers: &PolicyValueLayers) -> Result<Self, NetworkError> {
        Ok(PolicyValueNetwork { parameters: PolicyValueParameters::new(layers)? })
    }

    /// Returns the weights and biases of all layers.
    #[must_use]
    pub fn layers(&self) -> PolicyValueLayers {
        self.parameters.layers()
    }

    /// Returns the weights and biases as padded matrices.
    #[must_use]
    pub fn parameters(&self) -> &PolicyValueParameters {
        &self.parameters
    }

    /// Returns the number of features of a state.
    #[must_use]
    pub fn features(&self) -> usize {
        self.parameters.features()
    }

    /// Returns the number of actions.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.parameters.actions()
    }

    /// Returns the widths of the layers of the trunk.
    #[must_use]
    pub fn hidden(&self) -> Vec<usize> {
        self.parameters.hidden()
    }

    /// Evaluates one state: returns the probabilities of its result and writes those of the legal
    /// actions to `priors`, in the order of `actions`.
    ///
    /// # Panics
    /// If a feature or an action does not exist, or there are not as many priors as actions.
    pub fn evaluate(
        &self,
        features: &[u32],
        actions: &[u32],
        scratch: &mut PolicyValueScratch,
        priors: &mut [f32],
    ) -> WdlProbabilities {
        let outputs = self.trunk(SparseRows::new(features, &[features.len()]), scratch);
        self.parameters.policy_logits(outputs.row_blocks(0), actions, priors);
        softmax(priors);
        self.value_of(outputs.row_blocks(0))
    }

    /// Returns the probabilities of the result of one state.
    ///
    /// # Panics
    /// If a feature does not exist.
    #[must_use]
    pub fn value(&self, features: &[u32], scratch: &mut PolicyValueScratch) -> WdlProbabilities {
        self.evaluate(features, &[], scratch, &mut [])
    }

    /// Evaluates all states of a batch, several at a time, and keeps the results in it. They are
    /// those of [`evaluate`](Self::evaluate), bit for bit.
    ///
    /// # Panics
    /// If a feature or an action does not exist.
    pub fn evaluate_batch(&self, batch: &mut PolicyValueBatch) {
        let PolicyValueBatch { features, actions, values, logits, priors, scratch, ends } = batch;
        values.clear();
        logits.resize(actions.items.len(), 0.0);
        for first in (0..features.len()).step_by(CHUNK) {
            let rows = first..features.len().min(first + CHUNK);
            ends.clear();
            let start = features.range(first).start;
            ends.extend(rows.clone().map(|row| features.range(row).end - start));
            let items = &features.items[start..features.range(rows.end - 1).end];
            let outputs = self.trunk(SparseRows::new(items, ends), scratch);
            for row in rows {
                let (outputs, legal) = (outputs.row_blocks(row - first), actions.range(row));
                let logits = &mut logits[legal.clone()];
                self.parameters.policy_logits(outputs, &actions.items[legal], logits);
                values.push(self.value_of(outputs));
            }
        }
        priors.clone_from(logits);
        for row in 0..actions.len() {
            softmax(&mut priors[actions.range(row)]);
        }
    }

    /// Computes the outputs of the trunk, a row for each state.
    fn trunk<'a>(&self, states: SparseRows<'_>, scratch: &'a mut PolicyValueScratch) -> &'a Matrix {
        let widths = scratch.activations.iter().map(Matrix::columns);
        if !widths.eq(self.parameters.trunk.iter().map(|layer| layer.weights.columns())) {
            scratch.activations = self.parameters.activations();
        }
        self.parameters.trunk_outputs(states, &mut scratch.activations);
        scratch.activations.last().expect("a trunk has layers")
    }

    fn value_of(&self, outputs: &[FloatBlock]) -> WdlProbabilities {
        WdlProbabilities::from_logits(self.parameters.value_logits(outputs))
    }
}

impl TryFrom<&PolicyValueParameters> for PolicyValueNetwork {
    type Error = NetworkError;

    fn try_from(parameters: &PolicyValueParameters) -> Result<Self, NetworkError> {
        PolicyValueNetwork::new(&parameters.layers())
    }
}
