//! A network while it is trained: forward, backward, and a step.
//!
//! With activations aₗ (a row for each sample of a batch) and slopes δₗ of the loss at the sums of
//! layer l: the gradient of its weights is aₗᵀ·δₗ, that of its biases the sum of the rows of δₗ,
//! and δₗ₋₁ = δₗ·Wₗᵀ wherever aₗ is positive (Rumelhart, Hinton & Williams, 1986). All products
//! are those of `ludion::learn::linear`, so the outputs are those of the finished network.

use ludion::learn::linear::{Matrix, multiply, multiply_transposed};
use ludion::learn::network::{Layer, relu};
use ludion::random::Rng;

use crate::adam::{AdamMoments, AdamSteps};

/// A layer with all that its training needs.
#[derive(Clone, Debug)]
struct TrainableLayer {
    /// A row for every input, and one of biases.
    weights: Matrix,
    biases: Matrix,
    weight_gradient: Matrix,
    bias_gradient: Matrix,
    /// The weights with a row for every output.
    turned: Matrix,
    weight_moments: AdamMoments,
    bias_moments: AdamMoments,
    /// What it gives for the batch, after ReLU where there is one.
    activations: Matrix,
    /// The slopes of the loss at its sums.
    slopes: Matrix,
}

impl TrainableLayer {
    /// Weights uniform within ±√(6/inputs) (He and others, 2015), biases 0.
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
            turned: Matrix::zeros(outputs, inputs),
            weight_moments: AdamMoments::new(weights.entries().len()),
            bias_moments: AdamMoments::new(biases.entries().len()),
            activations: Matrix::zeros(0, outputs),
            slopes: Matrix::zeros(0, outputs),
            weights,
            biases,
        }
    }

    fn sum_slopes(&mut self) {
        let sums = self.bias_gradient.row_mut(0);
        sums.fill(0.0);
        for row in 0..self.slopes.rows() {
            for (sum, slope) in sums.iter_mut().zip(self.slopes.row(row)) {
                *sum += slope;
            }
        }
    }

    fn data(&self) -> Layer {
        let (inputs, outputs) = (self.weights.rows(), self.weights.columns());
        let by_output = (0..outputs).flat_map(|o| (0..inputs).map(move |i| (o, i)));
        let weights = by_output.map(|(o, i)| self.weights.row(i)[o]).collect();
        Layer { inputs, outputs, weights, biases: self.biases.row(0)[..outputs].to_vec() }
    }
}

/// A network with one output, while it is trained.
#[derive(Clone, Debug)]
pub(crate) struct TrainablePerceptron {
    /// The rows of a batch; whoever asks for outputs fills them.
    pub(crate) inputs: Matrix,
    layers: Vec<TrainableLayer>,
    clock: AdamSteps,
}

impl TrainablePerceptron {
    /// The weights of the seed, the last bias `first_output`.
    pub(crate) fn new(widths: &[usize], first_output: f32, rate: f64, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let layers = widths.windows(2).map(|pair| TrainableLayer::new(pair[0], pair[1], &mut rng));
        let mut layers: Vec<TrainableLayer> = layers.collect();
        layers.last_mut().expect("an output").biases.row_mut(0)[0] = first_output;
        TrainablePerceptron {
            inputs: Matrix::zeros(0, widths[0]),
            layers,
            clock: AdamSteps::new(rate),
        }
    }

    /// Works out the outputs of the rows of `inputs`.
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

    /// The output of a row, after `forward`.
    pub(crate) fn output(&self, row: usize) -> f32 {
        self.layers.last().expect("an output").activations.row(row)[0]
    }

    /// Works out all gradients, given the slope of the loss at the output of every row.
    pub(crate) fn backward(&mut self, slope: impl Fn(usize, f32) -> f32) {
        let rows = self.inputs.rows();
        let end = self.layers.last_mut().expect("an output");
        end.slopes.set_rows(rows);
        for row in 0..rows {
            end.slopes.row_mut(row)[0] = slope(row, end.activations.row(row)[0]);
        }
        for at in (0..self.layers.len()).rev() {
            let (before, here) = self.layers.split_at_mut(at);
            let here = &mut here[0];
            here.sum_slopes();
            let Some(below) = before.last_mut() else {
                multiply_transposed(&self.inputs, &here.slopes, &mut here.weight_gradient);
                return;
            };
            multiply_transposed(&below.activations, &here.slopes, &mut here.weight_gradient);
            here.weights.transpose_into(&mut here.turned);
            multiply(&here.slopes, &here.turned, None, &mut below.slopes);
            let active = below.activations.entries();
            for (slope, &active) in below.slopes.entries_mut().iter_mut().zip(active) {
                *slope = if active > 0.0 { *slope } else { 0.0 };
            }
        }
    }

    /// Moves all weights against their gradients.
    pub(crate) fn step(&mut self) {
        let length = self.clock.tick();
        for layer in &mut self.layers {
            let gradient = layer.weight_gradient.entries();
            layer.weight_moments.step(layer.weights.entries_mut(), gradient, length);
            let gradient = layer.bias_gradient.entries();
            layer.bias_moments.step(layer.biases.entries_mut(), gradient, length);
        }
    }

    /// The layers as data.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        self.layers.iter().map(TrainableLayer::data).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::{loss, slope};
    use ludion::learn::model::LossFunction;
    use ludion::learn::network::Network;

    const WIDTHS: [usize; 4] = [7, 19, 5, 1];
    const ROWS: usize = 23;

    /// A batch with its targets, some bits and some reals.
    fn batch() -> (TrainablePerceptron, Vec<f32>) {
        let mut rng = Rng::new(8);
        let mut net = TrainablePerceptron::new(&WIDTHS, 0.3, 0.01, 4);
        net.inputs.set_rows(ROWS);
        for row in 0..ROWS {
            for (i, x) in net.inputs.row_mut(row)[..7].iter_mut().enumerate() {
                *x = if i < 3 { rng.below(2) as f32 } else { rng.unit() as f32 * 2.0 - 1.0 };
            }
        }
        (net, (0..ROWS).map(|_| rng.unit() as f32).collect())
    }

    /// The mean loss by the definition, in double precision.
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
    fn gradients_are_those_of_finite_differences() {
        const STEP: f64 = 1e-6;
        for kind in [LossFunction::Squares, LossFunction::Logistic] {
            let (mut net, targets) = batch();
            net.forward();
            let each = |row: usize, output: f32| {
                slope(kind, output.into(), targets[row].into()) as f32 / ROWS as f32
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
            assert!(large > 100, "only {large} gradients are large enough to tell");
        }
    }

    #[test]
    fn outputs_in_training_are_those_of_the_finished_network_bit_for_bit() {
        let (mut net, targets) = batch();
        for _ in 0..5 {
            net.forward();
            net.backward(|row, output| output - targets[row]);
            net.step();
        }
        net.forward();
        let outputs = Network::new(&net.layers()).unwrap().outputs_of(&net.inputs);
        for row in 0..ROWS {
            assert_eq!(net.output(row).to_bits(), outputs.row(row)[0].to_bits());
        }
    }
}
