//! The weights and biases of a network with policy and value, and its forward pass, which inference
//! and training share.

use crate::learn::linear::{FloatBlock, Matrix, SparseRows};
use crate::learn::linear::{multiply, multiply_row, multiply_sparse, row_products};
use crate::learn::model::ModelError;
use crate::learn::network::{Layer, LayerName, MAX_LAYERS, NetworkError, PackedLayer, relu};
use crate::learn::tensor_file::TensorFile;

/// The layers of a network with policy and value.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyValueLayers {
    /// The layers of the trunk; the inputs of the first one are the features.
    pub trunk: Vec<Layer>,
    /// The value head, whose outputs are the logits of win, draw and loss.
    pub value: Layer,
    /// The policy head, whose outputs are the logits of the actions.
    pub policy: Layer,
}

impl PolicyValueLayers {
    /// Returns all layers: the trunk, the value head, the policy head.
    pub fn iter(&self) -> impl Iterator<Item = &Layer> {
        self.trunk.iter().chain([&self.value, &self.policy])
    }

    /// Returns all layers for writing, in the same order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Layer> {
        self.trunk.iter_mut().chain([&mut self.value, &mut self.policy])
    }

    /// Returns all layers with their names in files: `trunk.N`, `value` and `policy`, after a prefix.
    #[must_use]
    pub fn named(&self, prefix: &str) -> Vec<(String, &Layer)> {
        let trunk = (0..self.trunk.len()).map(|at| format!("{prefix}trunk.{at}"));
        let heads = ["value", "policy"].map(|name| format!("{prefix}{name}"));
        trunk.chain(heads).zip(self.iter()).collect()
    }

    /// Reads the layers with these names from a file.
    pub fn read(file: &TensorFile<'_>, prefix: &str) -> Result<Self, ModelError> {
        let trunk = (0..).map(|at| format!("{prefix}trunk.{at}"));
        let count = trunk.clone().take_while(|name| file.has_layer(name)).count();
        if count > MAX_LAYERS {
            return Err(NetworkError::Count(count).into());
        }
        // Without layers the error is that the first one is missing.
        let trunk = trunk.take(count.max(1)).map(|name| file.layer(&name));
        Ok(PolicyValueLayers {
            trunk: trunk.collect::<Result<_, _>>()?,
            value: file.layer(&format!("{prefix}value"))?,
            policy: file.layer(&format!("{prefix}policy"))?,
        })
    }
}

/// The valid layers of a network with policy and value as padded matrices; also the container of
/// numbers that belong to its weights, such as gradients.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyValueParameters {
    /// The layers of the trunk: a row of weights for each input.
    pub trunk: Vec<PackedLayer>,
    /// The value head: a row of weights for each output.
    pub value: PackedLayer,
    /// The policy head: a row of weights for each action.
    pub policy: PackedLayer,
}

impl PolicyValueParameters {
    /// Checks layers and packs them.
    pub fn new(layers: &PolicyValueLayers) -> Result<Self, NetworkError> {
        let PolicyValueLayers { trunk, value, policy } = layers;
        if trunk.is_empty() || trunk.len() > MAX_LAYERS {
            return Err(NetworkError::Count(trunk.len()));
        }
        let mut before = None;
        for (i, layer) in trunk.iter().enumerate() {
            layer.check(LayerName::Number(i + 1), before)?;
            before = Some(layer.outputs);
        }
        value.check(LayerName::Value, before)?;
        policy.check(LayerName::Policy, before)?;
        if value.outputs != 3 {
            return Err(NetworkError::ValueOutputs(value.outputs));
        }
        Ok(PolicyValueParameters {
            trunk: trunk.iter().map(PackedLayer::new).collect(),
            value: pack_by_output(value),
            policy: pack_by_output(policy),
        })
    }

    /// Returns the layers without padding.
    #[must_use]
    pub fn layers(&self) -> PolicyValueLayers {
        PolicyValueLayers {
            trunk: self.trunk.iter().map(PackedLayer::to_layer).collect(),
            value: unpack_by_output(&self.value),
            policy: unpack_by_output(&self.policy),
        }
    }

    /// Returns parameters of the same shape that are all 0.
    #[must_use]
    pub fn zeros(&self) -> Self {
        let mut zeros = self.clone();
        zeros.matrices_mut().for_each(|matrix| matrix.entries_mut().fill(0.0));
        zeros
    }

    /// Returns the number of features, the inputs of the first layer.
    #[must_use]
    pub fn features(&self) -> usize {
        self.trunk[0].weights.rows()
    }

    /// Returns the number of actions.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.policy.weights.rows()
    }

    /// Returns the widths of the layers of the trunk.
    #[must_use]
    pub fn hidden(&self) -> Vec<usize> {
        self.trunk.iter().map(|layer| layer.weights.columns()).collect()
    }

    /// Returns all matrices: weights and biases of the trunk, the value head and the policy head.
    pub fn matrices(&self) -> impl Iterator<Item = &Matrix> {
        let layers = self.trunk.iter().chain([&self.value, &self.policy]);
        layers.flat_map(|layer| [&layer.weights, &layer.biases])
    }

    /// Returns all matrices for writing, in the same order.
    pub fn matrices_mut(&mut self) -> impl Iterator<Item = &mut Matrix> {
        let layers = self.trunk.iter_mut().chain([&mut self.value, &mut self.policy]);
        layers.flat_map(|layer| [&mut layer.weights, &mut layer.biases])
    }

    /// Returns matrices for the outputs of the layers of the trunk, without rows.
    #[must_use]
    pub fn activations(&self) -> Vec<Matrix> {
        self.hidden().into_iter().map(|width| Matrix::zeros(0, width)).collect()
    }

    /// Computes the outputs of all layers of the trunk, after ReLU: a row for each state, given by
    /// its active features.
    ///
    /// # Panics
    /// If a feature does not exist, or `activations` are those of another shape.
    pub fn trunk_outputs(&self, states: SparseRows<'_>, activations: &mut [Matrix]) {
        assert_eq!(activations.len(), self.trunk.len(), "a matrix for each layer");
        for (at, PackedLayer { weights, biases }) in self.trunk.iter().enumerate() {
            let (before, here) = activations.split_at_mut(at);
            let (start, outputs) = (biases.row_blocks(0), &mut here[0]);
            match before.last() {
                None => multiply_sparse(states, weights, start, outputs),
                Some(inputs) if states.rows() == 1 => {
                    outputs.set_rows(1);
                    multiply_row(inputs.row_blocks(0), weights, start, outputs.row_blocks_mut(0));
                }
                Some(inputs) => multiply(inputs, weights, Some(start), outputs),
            }
            relu(outputs.entries_mut());
        }
    }

    /// Computes the logits of win, draw and loss from a row of outputs of the trunk.
    #[must_use]
    pub fn value_logits(&self, outputs: &[FloatBlock]) -> [f32; 3] {
        let mut logits = [0.0; 3];
        head_logits(&self.value, outputs, &[0, 1, 2], &mut logits);
        logits
    }

    /// Computes the logits of some actions from a row of outputs of the trunk.
    ///
    /// # Panics
    /// If an action does not exist, or there are not as many logits as actions.
    pub fn policy_logits(&self, outputs: &[FloatBlock], actions: &[u32], logits: &mut [f32]) {
        head_logits(&self.policy, outputs, actions, logits);
    }
}

/// Computes some logits of a head.
fn head_logits(head: &PackedLayer, outputs: &[FloatBlock], rows: &[u32], logits: &mut [f32]) {
    row_products(outputs, &head.weights, rows, logits);
    let biases = head.biases.row(0);
    for (logit, &row) in logits.iter_mut().zip(rows) {
        *logit += biases[row as usize];
    }
}

/// Packs a layer with a row of weights for each output.
fn pack_by_output(layer: &Layer) -> PackedLayer {
    let mut weights = Matrix::zeros(layer.outputs, layer.inputs);
    for (output, row) in layer.weights.chunks(layer.inputs).enumerate() {
        weights.row_mut(output)[..layer.inputs].copy_from_slice(row);
    }
    let mut biases = Matrix::zeros(1, layer.outputs);
    biases.row_mut(0)[..layer.outputs].copy_from_slice(&layer.biases);
    PackedLayer { weights, biases }
}

/// Returns the layer of matrices with a row of weights for each output.
fn unpack_by_output(PackedLayer { weights, biases }: &PackedLayer) -> Layer {
    let (inputs, outputs) = (weights.columns(), weights.rows());
    let rows = (0..outputs).flat_map(|output| &weights.row(output)[..inputs]);
    Layer {
        inputs,
        outputs,
        weights: rows.copied().collect(),
        biases: biases.row(0)[..outputs].to_vec(),
    }
}
