//! A multilayer perceptron, for use only: dense layers with ReLU between them and a linear
//! output. Weights are kept by input, `y ← bias + Σ x·w[x]`, so that an input of bits costs one
//! addition of vectors for each bit set. Sums go in the order of the inputs (see
//! [`linear`](super::linear)): bits, single rows and batches give the same numbers on every
//! machine.

use super::linear::{
    FloatBlock, FloatVector, LANES, Matrix, VectorKernel, entries, multiply, with_vectors,
};

/// Networks up to this width are worked out without memory from the heap.
const NARROW: usize = 8;
/// The most entries of a layer's side.
pub const MAX_WIDTH: usize = 1 << 16;
/// The most layers.
pub const MAX_LAYERS: usize = 64;

/// A dense layer as data.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// For every output its weights by input, one output after the other.
    pub weights: Vec<f32>,
    /// One for every output.
    pub biases: Vec<f32>,
}

/// Why layers make no network.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// No layer at all, or too many.
    #[error("a network of {0} layers; from 1 to {MAX_LAYERS} are allowed")]
    Count(usize),
    /// A side of a layer that is empty or too wide.
    #[error("layer {layer} has {width} {side}; from 1 to {MAX_WIDTH} are allowed")]
    Width {
        /// Which layer, from 1.
        layer: usize,
        /// Inputs or outputs.
        side: &'static str,
        /// How many.
        width: usize,
    },
    /// Weights or biases that do not fill the layer.
    #[error("layer {layer} has {got} {what}; its shape asks for {wanted}")]
    Shape {
        /// Which layer, from 1.
        layer: usize,
        /// Weights or biases.
        what: &'static str,
        /// How many there are.
        got: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// Layers that do not follow on each other.
    #[error("layer {layer} takes {inputs} inputs, but the layer before it gives {before}")]
    Chain {
        /// Which layer, from 1.
        layer: usize,
        /// Its inputs.
        inputs: usize,
        /// The outputs of the layer before.
        before: usize,
    },
    /// A weight that is no number.
    #[error("{what} {} of layer {layer} is {value}; finite numbers are allowed", at + 1)]
    NotFinite {
        /// Which layer, from 1.
        layer: usize,
        /// Weight or bias.
        what: &'static str,
        /// Which of them, from 0.
        at: usize,
        /// What it is.
        value: f32,
    },
}

impl Layer {
    fn check(&self, layer: usize) -> Result<(), NetworkError> {
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
        Ok(())
    }
}

/// A layer as it is worked with.
#[derive(Clone, PartialEq, Debug)]
struct PackedLayer {
    /// A row for every input.
    weights: Matrix,
    /// One row.
    biases: Matrix,
}

/// A network that makes sense: its layers fit each other and its weights are numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    layers: Vec<PackedLayer>,
}

impl Network {
    /// The network of these layers.
    pub fn new(layers: &[Layer]) -> Result<Self, NetworkError> {
        if layers.is_empty() || layers.len() > MAX_LAYERS {
            return Err(NetworkError::Count(layers.len()));
        }
        for (i, layer) in layers.iter().enumerate() {
            layer.check(i + 1)?;
            if i > 0 && layers[i - 1].outputs != layer.inputs {
                let (inputs, before) = (layer.inputs, layers[i - 1].outputs);
                return Err(NetworkError::Chain { layer: i + 1, inputs, before });
            }
        }
        Ok(Network { layers: layers.iter().map(PackedLayer::new).collect() })
    }

    /// Inputs of the first layer.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.layers[0].weights.rows()
    }

    /// Outputs of the last layer.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.last().weights.columns()
    }

    /// The width of every layer, the inputs first: 64, 64, 32, 1, say.
    #[must_use]
    pub fn widths(&self) -> Vec<usize> {
        let outputs = self.layers.iter().map(|layer| layer.weights.columns());
        std::iter::once(self.inputs()).chain(outputs).collect()
    }

    /// The layers as data.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        self.layers.iter().map(PackedLayer::data).collect()
    }

    fn last(&self) -> &PackedLayer {
        self.layers.last().expect("a network has layers")
    }

    /// The first output for an input of bits, bit i being input i. Bits beyond the inputs of
    /// the network count nothing.
    #[must_use]
    #[inline]
    pub fn value(&self, bits: u128) -> f32 {
        let inputs = self.inputs();
        let bits = if inputs < 128 { bits & ((1 << inputs) - 1) } else { bits };
        let widest = self.layers.iter().map(|layer| layer.weights.width() / LANES).max();
        if widest.is_some_and(|blocks| blocks <= NARROW) {
            let mut memory = [[FloatBlock::default(); NARROW]; 2];
            let [here, there] = &mut memory;
            with_vectors(ForwardPass { network: self, bits, here, there })
        } else {
            let blocks = widest.expect("a network has layers");
            let (mut here, mut there) =
                (vec![FloatBlock::default(); blocks], vec![FloatBlock::default(); blocks]);
            with_vectors(ForwardPass { network: self, bits, here: &mut here, there: &mut there })
        }
    }

    /// The outputs for rows of real inputs, a row each; `inputs` has as many columns as the
    /// network has inputs.
    #[must_use]
    pub fn outputs_of(&self, inputs: &Matrix) -> Matrix {
        let mut here: Option<Matrix> = None;
        for (i, layer) in self.layers.iter().enumerate() {
            let mut next = Matrix::zeros(inputs.rows(), layer.weights.columns());
            let start = Some(layer.biases.row_blocks(0));
            multiply(here.as_ref().unwrap_or(inputs), &layer.weights, start, &mut next);
            if i + 1 < self.layers.len() {
                relu(next.entries_mut());
            }
            here = Some(next);
        }
        here.expect("a network has layers")
    }
}

/// What is not positive becomes 0.
pub fn relu(values: &mut [f32]) {
    for x in values {
        *x = if *x > 0.0 { *x } else { 0.0 };
    }
}

impl PackedLayer {
    fn new(layer: &Layer) -> Self {
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

    fn data(&self) -> Layer {
        let (inputs, outputs) = (self.weights.rows(), self.weights.columns());
        let by_output = (0..outputs).flat_map(|o| (0..inputs).map(move |i| (o, i)));
        let weights = by_output.map(|(o, i)| self.weights.row(i)[o]).collect();
        let biases = self.biases.row(0)[..outputs].to_vec();
        Layer { inputs, outputs, weights, biases }
    }
}

/// One pass for an input of bits; `here` and `there` are as wide as the widest layer.
struct ForwardPass<'a> {
    network: &'a Network,
    bits: u128,
    here: &'a mut [FloatBlock],
    there: &'a mut [FloatBlock],
}

impl VectorKernel for ForwardPass<'_> {
    type Result = f32;

    #[inline(always)]
    unsafe fn run<V: FloatVector>(self) -> f32 {
        let (mut here, mut there) = (self.here, self.there);
        // SAFETY: the features of `V` are there.
        unsafe {
            let (first, rest) = self.network.layers.split_first().expect("a network has layers");
            strips::<V>(first, here, !rest.is_empty(), BitInputs(self.bits));
            for (i, layer) in rest.iter().enumerate() {
                let inputs = &entries(here)[..layer.weights.rows()];
                strips::<V>(layer, there, i + 1 < rest.len(), RealInputs(inputs));
                std::mem::swap(&mut here, &mut there);
            }
        }
        here[0].0[0]
    }
}

/// What a layer sums over.
trait LayerInputs: Copy {
    /// Adds the weights of `N` blocks from `column` to `sums`.
    ///
    /// # Safety
    /// The features of `V` must be there.
    unsafe fn add<V: FloatVector, const N: usize>(
        self,
        w: &Matrix,
        column: usize,
        sums: &mut [V; N],
    );
}

#[derive(Clone, Copy)]
struct BitInputs(u128);

#[derive(Clone, Copy)]
struct RealInputs<'a>(&'a [f32]);

impl LayerInputs for BitInputs {
    #[inline(always)]
    unsafe fn add<V: FloatVector, const N: usize>(
        self,
        w: &Matrix,
        column: usize,
        sums: &mut [V; N],
    ) {
        for (half, first) in [(self.0 as u64, 0), ((self.0 >> 64) as u64, 64)] {
            let mut left = half;
            while left != 0 {
                let row = w.row_blocks(first + left.trailing_zeros() as usize);
                for (sum, block) in sums.iter_mut().zip(&row[column..][..N]) {
                    // SAFETY: the features of `V` are there.
                    *sum = unsafe { sum.add(V::load(block)) };
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
            for (sum, block) in sums.iter_mut().zip(&w.row_blocks(i)[column..][..N]) {
                // SAFETY: the features of `V` are there.
                *sum = unsafe { sum.fma(x, V::load(block)) };
            }
        }
    }
}

/// One layer for one row of inputs, in strips as wide as the registers allow.
///
/// # Safety
/// The features of `V` must be there.
#[inline(always)]
unsafe fn strips<V: FloatVector>(
    layer: &PackedLayer,
    out: &mut [FloatBlock],
    hidden: bool,
    inputs: impl LayerInputs,
) {
    let blocks = layer.weights.width() / LANES;
    let mut column = 0;
    // SAFETY: the features of `V` are there.
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

/// # Safety
/// The features of `V` must be there.
#[inline(always)]
unsafe fn strip<V: FloatVector, const N: usize>(
    layer: &PackedLayer,
    column: usize,
    out: &mut [FloatBlock],
    hidden: bool,
    inputs: impl LayerInputs,
) {
    let biases = &layer.biases.row_blocks(0)[column..][..N];
    // SAFETY: the features of `V` are there.
    unsafe {
        let mut sums = [V::load(&biases[0]); N];
        for (sum, block) in sums.iter_mut().zip(biases) {
            *sum = V::load(block);
        }
        inputs.add(&layer.weights, column, &mut sums);
        for (out, &sum) in out[column..][..N].iter_mut().zip(&sums) {
            let sum = if hidden { sum.relu() } else { sum };
            sum.store(out);
        }
    }
}

#[cfg(test)]
mod tests;
