//! Inference of multilayer perceptrons: dense layers with ReLU between them and a linear output.
//! The weights of one input are adjacent in memory, so that an input of bits costs one vector
//! addition for each set bit. Sums follow the order of the inputs (see [`linear`](super::linear)),
//! so bits, single rows and batches give identical results on every processor.

#![allow(
    clippy::needless_range_loop,
    reason = "adaptors of iterators are calls where a crate is compiled in several units"
)]

use super::linear::{
    FloatBlock, FloatVector, LANES, Matrix, VectorKernel, entries, multiply, run_widest,
};

/// The maximum width of a layer, in [`FloatBlock`]s, for which a forward pass needs no heap
/// allocation.
const MAX_STACK_BLOCKS: usize = 8;
/// The maximum number of inputs or outputs of a layer.
pub const MAX_WIDTH: usize = 1 << 16;
/// The maximum number of layers of a network.
pub const MAX_LAYERS: usize = 64;

/// The weights and biases of a dense layer.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// The number of inputs of the layer.
    pub inputs: usize,
    /// The number of outputs of the layer.
    pub outputs: usize,
    /// The weights: for each output those of all inputs, one output after the other.
    pub weights: Vec<f32>,
    /// The biases, one for each output.
    pub biases: Vec<f32>,
}

/// The name of a layer in errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerName {
    /// The layer with this number, counted from 1.
    Number(usize),
    /// The value head of a network with policy and value.
    Value,
    /// The policy head of a network with policy and value.
    Policy,
}

impl std::fmt::Display for LayerName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LayerName::Number(number) => write!(f, "layer {number}"),
            LayerName::Value => f.write_str("the value head"),
            LayerName::Policy => f.write_str("the policy head"),
        }
    }
}

/// Reasons why layers do not make a valid network.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The network has this number of layers, which is 0 or more than [`MAX_LAYERS`].
    #[error("a network of {0} layers; from 1 to {MAX_LAYERS} are allowed")]
    Count(usize),
    /// The number of inputs or outputs of a layer is 0 or more than [`MAX_WIDTH`].
    #[error("{layer} has {width} {side}; from 1 to {MAX_WIDTH} are allowed")]
    Width {
        /// The layer.
        layer: LayerName,
        /// The part of the layer that is wrong: inputs or outputs.
        side: &'static str,
        /// The number of inputs or outputs found.
        width: usize,
    },
    /// The number of weights or biases does not match the shape of the layer.
    #[error("{layer} has {got} {what}; its shape needs {wanted}")]
    Shape {
        /// The layer.
        layer: LayerName,
        /// The kind of parameters that do not match: weights or biases.
        what: &'static str,
        /// The number of weights or biases given.
        got: usize,
        /// The number of weights or biases that the shape of the layer needs.
        wanted: usize,
    },
    /// The number of inputs of a layer differs from the number of outputs of the previous one.
    #[error("{layer} has {inputs} inputs, but the previous layer has {before} outputs")]
    Chain {
        /// The layer.
        layer: LayerName,
        /// The number of inputs of this layer.
        inputs: usize,
        /// The number of outputs of the previous layer.
        before: usize,
    },
    /// The value head of a network with policy and value has this number of outputs.
    #[error("the value head has {0} outputs; 3 are needed, for win, draw and loss")]
    ValueOutputs(usize),
    /// A weight or bias is not finite.
    #[error("{what} {} of {layer} is {value}; finite numbers are allowed", at + 1)]
    NotFinite {
        /// The layer.
        layer: LayerName,
        /// The kind of the parameter: weight or bias.
        what: &'static str,
        /// The index of the parameter among the weights, or among the biases, of the layer, from 0.
        at: usize,
        /// The value of the parameter.
        value: f32,
    },
}

impl Layer {
    /// Checks the shape and the values of this layer. `before` is the number of outputs of the
    /// previous layer, if there is one.
    pub(in crate::learn) fn check(
        &self,
        layer: LayerName,
        before: Option<usize>,
    ) -> Result<(), NetworkError> {
        for (side, width) in [("inputs", self.inputs), ("outputs", self.outputs)] {
            if width == 0 || width > MAX_WIDTH {
                return Err(NetworkError::Width { layer, side, width });
            }
        }
        let wanted = [self.inputs * self.outputs, self.outputs];
        let given = [("weights", &self.weights), ("biases", &self.biases)];
        for ((what, values), wanted) in given.into_iter().zip(wanted) {
            if values.len() != wanted {
                return Err(NetworkError::Shape { layer, what, got: values.len(), wanted });
            }
        }
        for (what, values) in [("weight", &self.weights), ("bias", &self.biases)] {
            if let Some(at) = values.iter().position(|value| !value.is_finite()) {
                return Err(NetworkError::NotFinite { layer, what, at, value: values[at] });
            }
        }
        match before {
            Some(before) if before != self.inputs => {
                Err(NetworkError::Chain { layer, inputs: self.inputs, before })
            }
            _ => Ok(()),
        }
    }
}

/// The weights and biases of a layer as padded matrices, ready for vector kernels.
#[derive(Clone, PartialEq, Debug)]
pub struct PackedLayer {
    /// The weights, with a row for each input and a column for each output.
    pub weights: Matrix,
    /// The biases as a matrix of one row.
    pub biases: Matrix,
}

/// A valid multilayer perceptron: the shapes of its layers match and all parameters are finite.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    layers: Vec<PackedLayer>,
}

impl Network {
    /// Builds a network from its layers, the first one first.
    pub fn new(layers: &[Layer]) -> Result<Self, NetworkError> {
        if layers.is_empty() || layers.len() > MAX_LAYERS {
            return Err(NetworkError::Count(layers.len()));
        }
        for (i, layer) in layers.iter().enumerate() {
            let before = i.checked_sub(1).map(|before| layers[before].outputs);
            layer.check(LayerName::Number(i + 1), before)?;
        }
        Ok(Network { layers: layers.iter().map(PackedLayer::new).collect() })
    }

    /// Returns the number of inputs of the first layer.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.layers[0].weights.rows()
    }

    /// Returns the number of outputs of the last layer.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.last().weights.columns()
    }

    /// Returns the number of inputs of the network, then the number of outputs of each layer, such
    /// as 64, 64, 32, 1.
    #[must_use]
    pub fn widths(&self) -> Vec<usize> {
        let outputs = self.layers.iter().map(|layer| layer.weights.columns());
        std::iter::once(self.inputs()).chain(outputs).collect()
    }

    /// Returns the weights and biases of all layers.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        self.layers.iter().map(PackedLayer::to_layer).collect()
    }

    fn last(&self) -> &PackedLayer {
        self.layers.last().expect("a network has layers")
    }

    /// Computes the first output of the network for inputs of 0 and 1, a row of bits: bit i % 64 of
    /// the word i / 64 is input i.
    ///
    /// # Panics
    /// When a bit beyond the number of inputs is set.
    #[must_use]
    #[inline]
    pub fn value(&self, bits: &[u64]) -> f32 {
        let widest = self.layers.iter().map(|layer| layer.weights.width() / LANES).max();
        if widest.is_some_and(|blocks| blocks <= MAX_STACK_BLOCKS) {
            let mut memory = [[FloatBlock::default(); MAX_STACK_BLOCKS]; 2];
            let [current, other] = &mut memory;
            run_widest(ForwardPass { network: self, bits, current, other })
        } else {
            let blocks = widest.expect("a network has layers");
            let (mut current, mut other) =
                (vec![FloatBlock::default(); blocks], vec![FloatBlock::default(); blocks]);
            run_widest(ForwardPass {
                network: self,
                bits,
                current: &mut current,
                other: &mut other,
            })
        }
    }

    /// Computes the outputs for a batch: a row of outputs for each row of inputs.
    #[must_use]
    pub fn forward(&self, inputs: &Matrix) -> Matrix {
        let mut current: Option<Matrix> = None;
        for (i, layer) in self.layers.iter().enumerate() {
            let mut next = Matrix::zeros(inputs.rows(), layer.weights.columns());
            let start = Some(layer.biases.row_blocks(0));
            multiply(current.as_ref().unwrap_or(inputs), &layer.weights, start, &mut next);
            if i + 1 < self.layers.len() {
                relu(next.entries_mut());
            }
            current = Some(next);
        }
        current.expect("a network has layers")
    }
}

/// Applies ReLU: values that are not positive become 0.
pub fn relu(values: &mut [f32]) {
    for x in values {
        *x = if *x > 0.0 { *x } else { 0.0 };
    }
}

/// Applies the derivative of ReLU: `deltas` become 0 where the outputs of ReLU are 0.
pub fn relu_derivative(deltas: &mut [f32], outputs: &[f32]) {
    let outputs = &outputs[..deltas.len()];
    for (i, delta) in deltas.iter_mut().enumerate() {
        *delta = if outputs[i] > 0.0 { *delta } else { 0.0 };
    }
}

impl PackedLayer {
    /// Packs the weights and biases of a valid layer.
    #[must_use]
    pub fn new(layer: &Layer) -> Self {
        let mut weights = Matrix::zeros(layer.inputs, layer.outputs);
        for input in 0..layer.inputs {
            let row = weights.row_mut(input);
            for (output, w) in row[..layer.outputs].iter_mut().enumerate() {
                *w = layer.weights[output * layer.inputs + input];
            }
        }
        let mut biases = Matrix::zeros(1, layer.outputs);
        biases.row_mut(0)[..layer.outputs].copy_from_slice(&layer.biases);
        PackedLayer { weights, biases }
    }

    /// Returns the weights and biases without padding.
    #[must_use]
    pub fn to_layer(&self) -> Layer {
        let (inputs, outputs) = (self.weights.rows(), self.weights.columns());
        let by_output = (0..outputs).flat_map(|o| (0..inputs).map(move |i| (o, i)));
        let weights = by_output.map(|(o, i)| self.weights.row(i)[o]).collect();
        let biases = self.biases.row(0)[..outputs].to_vec();
        Layer { inputs, outputs, weights, biases }
    }
}

/// The kernel of a forward pass for an input of bits. The two buffers are as wide as the widest
/// layer and hold the outputs of alternate layers.
struct ForwardPass<'a> {
    network: &'a Network,
    bits: &'a [u64],
    current: &'a mut [FloatBlock],
    other: &'a mut [FloatBlock],
}

impl VectorKernel for ForwardPass<'_> {
    type Result = f32;

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) -> f32 {
        let (mut current, mut other) = (self.current, self.other);
        // SAFETY: the caller guarantees the features of `V`.
        unsafe {
            let (first, rest) = self.network.layers.split_first().expect("a network has layers");
            strips::<V>(first, current, !rest.is_empty(), BitInputs(self.bits));
            for (i, layer) in rest.iter().enumerate() {
                let inputs = &entries(current)[..layer.weights.rows()];
                strips::<V>(layer, other, i + 1 < rest.len(), RealInputs(inputs));
                std::mem::swap(&mut current, &mut other);
            }
        }
        current[0].0[0]
    }
}

/// The inputs of a layer, either bits or real numbers.
trait LayerInputs: Copy {
    /// Adds the inputs, multiplied by their weights in `w`, to `sums`, which are `N` blocks of
    /// outputs beginning with block `column`.
    ///
    /// # Safety
    /// The processor must have the features of `V`.
    unsafe fn add<V: FloatVector, const N: usize>(
        self,
        w: &Matrix,
        column: usize,
        sums: &mut [V; N],
    );
}

/// Inputs of 0 and 1: bit i % 64 of the word i / 64 is input i.
#[derive(Clone, Copy)]
struct BitInputs<'a>(&'a [u64]);

/// Inputs that are real numbers, such as the outputs of the previous layer.
#[derive(Clone, Copy)]
struct RealInputs<'a>(&'a [f32]);

impl LayerInputs for BitInputs<'_> {
    #[inline(always)]
    unsafe fn add<V: FloatVector, const N: usize>(
        self,
        w: &Matrix,
        column: usize,
        sums: &mut [V; N],
    ) {
        for (i, &word) in self.0.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let row = w.row_blocks(64 * i + left.trailing_zeros() as usize);
                let blocks = &row[column..][..N];
                for j in 0..N {
                    // SAFETY: the caller guarantees the features of `V`.
                    sums[j] = unsafe { sums[j].add(V::load(&blocks[j])) };
                }
                left &= left - 1;
            }
        }
    }
}

impl LayerInputs for RealInputs<'_> {
    #[inline(always)]
    unsafe fn add<V: FloatVector, const N: usize>(
        self,
        w: &Matrix,
        column: usize,
        sums: &mut [V; N],
    ) {
        for (i, &x) in self.0.iter().enumerate() {
            let blocks = &w.row_blocks(i)[column..][..N];
            for j in 0..N {
                // SAFETY: the caller guarantees the features of `V`.
                sums[j] = unsafe { sums[j].fma(x, V::load(&blocks[j])) };
            }
        }
    }
}

/// Computes all outputs of one layer for one row of inputs, as many blocks at a time as the
/// registers hold.
///
/// # Safety
/// The processor must have the features of `V`.
#[inline(always)]
unsafe fn strips<V: FloatVector>(
    layer: &PackedLayer,
    out: &mut [FloatBlock],
    hidden: bool,
    inputs: impl LayerInputs,
) {
    let blocks = layer.weights.width() / LANES;
    let mut column = 0;
    // SAFETY: the caller guarantees the features of `V`.
    unsafe {
        while column + 4 <= blocks {
            strip::<V, 4>(layer, column, out, hidden, inputs);
            column += 4;
        }
        while column + 2 <= blocks {
            strip::<V, 2>(layer, column, out, hidden, inputs);
            column += 2;
        }
        if column < blocks {
            strip::<V, 1>(layer, column, out, hidden, inputs);
        }
    }
}

/// Computes `N` blocks of outputs of one layer, beginning with block `column`.
///
/// # Safety
/// The processor must have the features of `V`.
#[inline(always)]
unsafe fn strip<V: FloatVector, const N: usize>(
    layer: &PackedLayer,
    column: usize,
    out: &mut [FloatBlock],
    hidden: bool,
    inputs: impl LayerInputs,
) {
    let biases = &layer.biases.row_blocks(0)[column..][..N];
    // SAFETY: the caller guarantees the features of `V`.
    unsafe {
        let mut sums = [V::load(&biases[0]); N];
        for j in 1..N {
            sums[j] = V::load(&biases[j]);
        }
        inputs.add(&layer.weights, column, &mut sums);
        let out = &mut out[column..][..N];
        for j in 0..N {
            let sum = if hidden { sums[j].relu() } else { sums[j] };
            sum.store(&mut out[j]);
        }
    }
}

#[cfg(test)]
mod tests;
