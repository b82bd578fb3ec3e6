//! A trainable network: forward pass, backpropagation and optimiser step.
//!
//! With the inputs aₗ of layer l (a row for each sample of a batch) and the derivatives δₗ of the
//! loss with respect to its pre-activations, the gradient of its weights is aₗᵀ·δₗ, that of its
//! biases the sum of the rows of δₗ, and δₗ₋₁ = δₗ·Wₗᵀ where aₗ is positive (Rumelhart, Hinton &
//! Williams, 1986). All products are those of `ludion::learn::linear`, so the outputs equal those
//! of the finished network.

use ludion_players::learn::linear::{Matrix, multiply, multiply_transposed, sum_rows};
use ludion_players::learn::network::{Layer, relu, relu_derivative};
use ludion_players::random::Rng;

use crate::adam::{AdamMoments, AdamStepSize};

/// A layer of a network with the gradients and Adam moments of its parameters, and its activations.
#[derive(Clone, Debug)]
struct TrainableLayer {
    /// The weights: a row for each input, a column for each output.
    weights: Matrix,
    biases: Matrix,
    weight_gradient: Matrix,
    bias_gradient: Matrix,
    /// The transposed weights, which the backward pass computes: a row for each output.
    transposed: Matrix,
    weight_moments: AdamMoments,
    bias_moments: AdamMoments,
    /// The outputs of the layer for the current batch, one row per sample; after ReLU in hidden
    /// layers.
    activations: Matrix,
    /// The derivatives δ of the loss with respect to the pre-activations, one row per sample.
    deltas: Matrix,
}

impl TrainableLayer {
    /// Returns a layer with weights uniform within ±√(6/inputs) (He et al., 2015) and biases 0.
    fn new(inputs: usize, outputs: usize, rng: &mut Rng) -> Self {
        let mut weights = Matrix::zeros(inputs, outputs);
        let reach = (6.0 / inputs as f64).sqrt();
        for input in 0..inputs {
            for w in &mut weights.row_mut(input)[..outputs] {
                *w = ((2.0 * rng.unit() - 1.0) * reach) as f32;
            }
        }
        let biases = Matrix::zeros(1, outputs);
        TrainableLayer {
            weight_gradient: Matrix::zeros(inputs, outputs),
            bias_gradient: biases.clone(),
            transposed: Matrix::zeros(outputs, inputs),
            weight_moments: AdamMoments::new(weights.entries().len()),
            bias_moments: AdamMoments::new(biases.entries().len()),
            activations: Matrix::zeros(0, outputs),
            deltas: Matrix::zeros(0, outputs),
            weights,
            biases,
        }
    }

    /// Returns the weights and biases without the padding of the matrices.
    fn to_layer(&self) -> Layer {
        let (inputs, outputs) = (self.weights.rows(), self.weights.columns());
        let by_output = (0..outputs).flat_map(|o| (0..inputs).map(move |i| (o, i)));
        let weights = by_output.map(|(o, i)| self.weights.row(i)[o]).collect();
        Layer { inputs, outputs, weights, biases: self.biases.row(0)[..outputs].to_vec() }
    }
}

/// A trainable network with one output.
#[derive(Clone, Debug)]
pub(crate) struct TrainableNetwork {
    /// The inputs of the current batch, one row per sample; the caller fills them before `forward`.
    pub(crate) inputs: Matrix,
    layers: Vec<TrainableLayer>,
    step_size: AdamStepSize,
    /// The learning rate.
    rate: f64,
}

impl TrainableNetwork {
    /// Creates a network whose layers have these widths, from the inputs to the output, with random
    /// weights from `seed`. The bias of the output is `first_output`; `rate` is the learning rate.
    pub(crate) fn new(widths: &[usize], first_output: f32, rate: f64, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let layers = widths.windows(2).map(|pair| TrainableLayer::new(pair[0], pair[1], &mut rng));
        let mut layers: Vec<TrainableLayer> = layers.collect();
        layers.last_mut().expect("an output").biases.row_mut(0)[0] = first_output;
        TrainableNetwork {
            inputs: Matrix::zeros(0, widths[0]),
            layers,
            step_size: AdamStepSize::default(),
            rate,
        }
    }

    /// Computes the activations of all layers for the rows of `inputs`.
    pub(crate) fn forward(&mut self) {
        let last = self.layers.len() - 1;
        for at in 0..=last {
            let (before, here) = self.layers.split_at_mut(at);
            let inputs = before.last().map_or(&self.inputs, |layer| &layer.activations);
            let TrainableLayer { weights, biases, activations, .. } = &mut here[0];
            multiply(inputs, weights, Some(biases.row_blocks(0)), activations);
            if at < last {
                relu(activations.entries_mut());
            }
        }
    }

    /// Returns the output of the network for a row of the batch, as computed by `forward`.
    pub(crate) fn output(&self, row: usize) -> f32 {
        self.layers.last().expect("an output").activations.row(row)[0]
    }

    /// Computes the gradients of all weights and biases. `derivative` returns the derivative of the
    /// loss with respect to the output, given the index of a row of the batch and its output.
    pub(crate) fn backward(&mut self, derivative: impl Fn(usize, f32) -> f32) {
        let rows = self.inputs.rows();
        let end = self.layers.last_mut().expect("an output");
        end.deltas.set_rows(rows);
        for row in 0..rows {
            end.deltas.row_mut(row)[0] = derivative(row, end.activations.row(row)[0]);
        }
        for at in (0..self.layers.len()).rev() {
            let (before, here) = self.layers.split_at_mut(at);
            let here = &mut here[0];
            sum_rows(&here.deltas, &mut here.bias_gradient);
            let Some(below) = before.last_mut() else {
                multiply_transposed(&self.inputs, &here.deltas, &mut here.weight_gradient);
                return;
            };
            multiply_transposed(&below.activations, &here.deltas, &mut here.weight_gradient);
            here.weights.transpose_into(&mut here.transposed);
            multiply(&here.deltas, &here.transposed, None, &mut below.deltas);
            relu_derivative(below.deltas.entries_mut(), below.activations.entries());
        }
    }

    /// Updates all weights and biases by one step of Adam with the gradients of `backward`.
    pub(crate) fn step(&mut self) {
        let step_size = self.step_size.advance(self.rate);
        for layer in &mut self.layers {
            let gradient = layer.weight_gradient.entries();
            layer.weight_moments.step(layer.weights.entries_mut(), gradient, step_size);
            let gradient = layer.bias_gradient.entries();
            layer.bias_moments.step(layer.biases.entries_mut(), gradient, step_size);
        }
    }

    /// Returns the weights and biases of all layers.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        self.layers.iter().map(TrainableLayer::to_layer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::{derivative, loss};
    use ludion_players::learn::model::LossFunction;
    use ludion_players::learn::network::Network;

    const WIDTHS: [usize; 4] = [7, 19, 5, 1];
    const ROWS: usize = 23;

    /// Returns a network whose inputs are a random batch of bits and real numbers, and random
    /// targets for the batch.
    fn batch() -> (TrainableNetwork, Vec<f32>) {
        let mut rng = Rng::new(8);
        let mut net = TrainableNetwork::new(&WIDTHS, 0.3, 0.01, 4);
        net.inputs.set_rows(ROWS);
        for row in 0..ROWS {
            for (i, x) in net.inputs.row_mut(row)[..7].iter_mut().enumerate() {
                *x = if i < 3 { rng.below(2) as f32 } else { rng.unit() as f32 * 2.0 - 1.0 };
            }
        }
        (net, (0..ROWS).map(|_| rng.unit() as f32).collect())
    }

    /// Computes the mean loss of a batch directly from its definition, in double precision.
    fn naive(
        layers: &[(Vec<f64>, Vec<f64>)],
        inputs: &Matrix,
        targets: &[f32],
        kind: LossFunction,
    ) -> f64 {
        let each = targets.iter().enumerate().map(|(row, &target)| {
            let mut here: Vec<f64> = inputs.row(row)[..7].iter().map(|&x| x.into()).collect();
            for (at, (weights, biases)) in layers.iter().enumerate() {
                let sums = weights.chunks(here.len()).zip(biases).map(|(row, bias)| {
                    bias + row.iter().zip(&here).map(|(w, x)| w * x).sum::<f64>()
                });
                let last = at + 1 == layers.len();
                here = sums.map(|y| if last { y } else { y.max(0.0) }).collect();
            }
            loss(kind, here[0], target.into())
        });
        each.sum::<f64>() / targets.len() as f64
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        const STEP: f64 = 1e-6;
        for kind in [LossFunction::Squares, LossFunction::Logistic] {
            let (mut net, targets) = batch();
            net.forward();
            let each = |row: usize, output: f32| {
                derivative(kind, output.into(), targets[row].into()) as f32 / ROWS as f32
            };
            net.backward(each);
            let doubles = |values: &[f32]| values.iter().map(|&x| f64::from(x)).collect();
            let mut layers: Vec<(Vec<f64>, Vec<f64>)> =
                net.layers().iter().map(|l| (doubles(&l.weights), doubles(&l.biases))).collect();
            let mut large = 0;
            for at in 0..layers.len() {
                let (inputs, outputs) = (WIDTHS[at], WIDTHS[at + 1]);
                for index in 0..inputs * outputs + outputs {
                    let mut difference = [STEP, -STEP].map(|step| {
                        let (weights, biases) = &mut layers[at];
                        let p = weights.iter_mut().chain(biases).nth(index).unwrap();
                        let before = *p;
                        *p += step;
                        let moved = naive(&layers, &net.inputs, &targets, kind);
                        let (weights, biases) = &mut layers[at];
                        *weights.iter_mut().chain(biases).nth(index).unwrap() = before;
                        moved
                    });
                    difference[0] = (difference[0] - difference[1]) / (2.0 * STEP);
                    let trained = &net.layers[at];
                    let found = if index < inputs * outputs {
                        trained.weight_gradient.row(index % inputs)[index / inputs]
                    } else {
                        trained.bias_gradient.row(0)[index - inputs * outputs]
                    };
                    let gap = (f64::from(found) - difference[0]).abs();
                    assert!(gap < 1e-5, "{kind:?}, layer {at}, {index}: {found}, {difference:?}");
                    large += usize::from(difference[0].abs() > 1e-3);
                }
            }
            assert!(large > 100, "only {large} gradients are large enough for the test");
        }
    }

    #[test]
    fn outputs_in_training_equal_those_of_the_finished_network_bit_for_bit() {
        let (mut net, targets) = batch();
        for _ in 0..5 {
            net.forward();
            net.backward(|row, output| output - targets[row]);
            net.step();
        }
        net.forward();
        let outputs = Network::new(&net.layers()).unwrap().forward(&net.inputs);
        for row in 0..ROWS {
            assert_eq!(net.output(row).to_bits(), outputs.row(row)[0].to_bits());
        }
    }
}
