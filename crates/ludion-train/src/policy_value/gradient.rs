//! The loss of a batch and its gradient, by backpropagation (see `backprop.rs`).
//!
//! The derivative of a cross-entropy with respect to the logits is the softmax minus the target. In
//! the policy head only rows of legal actions have a gradient, in the first layer only rows of active
//! features.

use ludion_players::learn::linear::{
    Matrix, SparseRows, add_row_combination, add_to_rows, multiply, multiply_sparse_transposed,
    multiply_transposed, sum_rows,
};
use ludion_players::learn::network::relu_derivative;
use ludion_players::learn::policy_value::{PolicyValueParameters, softmax};

use super::options::PolicyValueOptions;
use super::samples::{PolicyValueSample, PolicyValueSamples};
use super::trainer::LossReport;

/// Memory for the gradient of a batch and what leads to it.
#[derive(Clone, Debug)]
pub(super) struct GradientPass {
    /// The gradient of the mean loss of the last batch.
    pub(super) gradient: PolicyValueParameters,
    /// The active features of the batch, state after state, and where each state ends.
    features: Vec<u32>,
    ends: Vec<usize>,
    /// The outputs of the layers of the trunk, a row for each state.
    activations: Vec<Matrix>,
    /// The derivatives of the loss with respect to the pre-activations of the trunk.
    deltas: Vec<Matrix>,
    /// The transposed weights of the layers of the trunk after the first.
    transposed: Vec<Matrix>,
    /// The legal actions of a state.
    actions: Vec<u32>,
    /// The logits of these actions, then their probabilities, then the derivatives of the loss with
    /// respect to the logits.
    logits: Vec<f32>,
}

impl GradientPass {
    /// Creates the memory for networks of the shape of `parameters`.
    pub(super) fn new(parameters: &PolicyValueParameters) -> Self {
        let transposed = parameters.trunk[1..].iter();
        GradientPass {
            gradient: parameters.zeros(),
            features: vec![],
            ends: vec![],
            activations: parameters.activations(),
            deltas: parameters.activations(),
            transposed: transposed
                .map(|layer| Matrix::zeros(layer.weights.columns(), layer.weights.rows()))
                .collect(),
            actions: vec![],
            logits: vec![],
        }
    }

    /// Computes the outputs of the trunk for the samples with these indices.
    fn forward(
        &mut self,
        parameters: &PolicyValueParameters,
        samples: &PolicyValueSamples,
        batch: &[u32],
    ) {
        self.features.clear();
        self.ends.clear();
        for &index in batch {
            let sample = samples.get(index as usize);
            self.features.extend(sample.features.iter().map(|&feature| u32::from(feature)));
            self.ends.push(self.features.len());
        }
        let states = SparseRows::new(&self.features, &self.ends);
        parameters.trunk_outputs(states, &mut self.activations);
    }

    /// Adds the losses of the samples with these indices to `report`.
    pub(super) fn measure(
        &mut self,
        parameters: &PolicyValueParameters,
        samples: &PolicyValueSamples,
        batch: &[u32],
        report: &mut LossSums,
    ) {
        self.forward(parameters, samples, batch);
        for (row, &index) in batch.iter().enumerate() {
            self.probabilities(parameters, row, samples.get(index as usize), report);
        }
    }

    /// Computes the gradient of the mean loss of the samples with these indices, and adds their
    /// losses to `report`.
    pub(super) fn run(
        &mut self,
        parameters: &PolicyValueParameters,
        samples: &PolicyValueSamples,
        batch: &[u32],
        options: &PolicyValueOptions,
        report: &mut LossSums,
    ) {
        self.forward(parameters, samples, batch);
        for head in [&mut self.gradient.value, &mut self.gradient.policy] {
            head.weights.entries_mut().fill(0.0);
            head.biases.entries_mut().fill(0.0);
        }
        let last = self.deltas.last_mut().expect("a trunk has layers");
        last.set_rows(batch.len());
        last.entries_mut().fill(0.0);
        for (row, &index) in batch.iter().enumerate() {
            let sample = samples.get(index as usize);
            let value = self.probabilities(parameters, row, sample, report);
            self.heads(parameters, row, sample, value, options, batch.len());
        }
        self.trunk(parameters);
    }

    /// Computes the logits and probabilities of both heads for one row: those of the policy are kept
    /// in `logits`, those of win, draw and loss are returned. Adds the losses to `report`.
    fn probabilities(
        &mut self,
        parameters: &PolicyValueParameters,
        row: usize,
        sample: PolicyValueSample<'_>,
        report: &mut LossSums,
    ) -> [f32; 3] {
        let outputs = self.activations.last().expect("a trunk has layers").row_blocks(row);
        let mut value = parameters.value_logits(outputs);
        let weight = f64::from(sample.weight);
        report.samples += 1;
        report.value_weight += weight;
        report.value += weight * softmax_loss(&mut value, &sample.wdl);
        self.actions.clear();
        self.actions.extend(sample.actions.iter().map(|&action| u32::from(action)));
        self.logits.resize(sample.actions.len(), 0.0);
        if !self.actions.is_empty() {
            parameters.policy_logits(outputs, &self.actions, &mut self.logits);
            report.policy_weight += weight;
            report.policy += weight * softmax_loss(&mut self.logits, sample.probabilities);
            report.entropy += weight * f64::from(sample.entropy);
        }
        value
    }

    /// Adds the gradient of one row with respect to the heads, and computes that with respect to the
    /// outputs of the trunk.
    fn heads(
        &mut self,
        parameters: &PolicyValueParameters,
        row: usize,
        sample: PolicyValueSample<'_>,
        mut value: [f32; 3],
        options: &PolicyValueOptions,
        rows: usize,
    ) {
        let share = f64::from(sample.weight) / rows as f64;
        subtract_targets(&mut value, &sample.wdl, share * options.value_weight);
        subtract_targets(&mut self.logits, sample.probabilities, share * options.policy_weight);
        let outputs = self.activations.last().expect("a trunk has layers").row_blocks(row);
        let deltas = self.deltas.last_mut().expect("a trunk has layers").row_blocks_mut(row);
        let gradient = &mut self.gradient;
        let heads = [
            (&parameters.value, &mut gradient.value, &value[..], &[0, 1, 2][..]),
            (&parameters.policy, &mut gradient.policy, &self.logits[..], &self.actions[..]),
        ];
        for (head, gradient, factors, rows) in heads {
            add_row_combination(factors, &head.weights, rows, deltas);
            add_to_rows(factors, outputs, &mut gradient.weights, rows);
            let biases = gradient.biases.row_mut(0);
            for (&row, factor) in rows.iter().zip(factors) {
                biases[row as usize] += factor;
            }
        }
    }

    /// Computes the gradient of the trunk from that with respect to its outputs.
    fn trunk(&mut self, parameters: &PolicyValueParameters) {
        for at in (0..parameters.trunk.len()).rev() {
            let gradient = &mut self.gradient.trunk[at];
            let (below, here) = self.deltas.split_at_mut(at);
            let deltas = &mut here[0];
            relu_derivative(deltas.entries_mut(), self.activations[at].entries());
            sum_rows(deltas, &mut gradient.biases);
            let Some(below) = below.last_mut() else {
                let states = SparseRows::new(&self.features, &self.ends);
                return multiply_sparse_transposed(states, deltas, &mut gradient.weights);
            };
            multiply_transposed(&self.activations[at - 1], deltas, &mut gradient.weights);
            let transposed = &mut self.transposed[at - 1];
            parameters.trunk[at].weights.transpose_into(transposed);
            multiply(deltas, transposed, None, below);
        }
    }
}

/// Sums of losses and weights of samples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LossSums {
    samples: u64,
    policy: f64,
    entropy: f64,
    policy_weight: f64,
    value: f64,
    value_weight: f64,
}

impl LossSums {
    /// Returns the means.
    pub(super) fn report(&self) -> LossReport {
        let mean = |sum: f64, weight: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        LossReport {
            samples: self.samples,
            policy: mean(self.policy, self.policy_weight),
            entropy: mean(self.entropy, self.policy_weight),
            value: mean(self.value, self.value_weight),
        }
    }
}

/// Replaces probabilities by the derivatives of the cross-entropy with respect to the logits, times
/// a factor.
fn subtract_targets(probabilities: &mut [f32], targets: &[f32], factor: f64) {
    for (p, target) in probabilities.iter_mut().zip(targets) {
        *p = (*p - target) * factor as f32;
    }
}

/// Replaces logits by probabilities and returns the cross-entropy with the targets, which sum to 1:
/// the logarithm of the sum of the exponentials, minus the mean logit of the targets.
fn softmax_loss(logits: &mut [f32], targets: &[f32]) -> f64 {
    let terms = logits.iter().zip(targets);
    let mean: f64 = terms.map(|(&logit, &target)| f64::from(logit) * f64::from(target)).sum();
    let (highest, logit) =
        logits.iter().copied().enumerate().fold((0, f32::NEG_INFINITY), |best, (at, logit)| {
            if logit > best.1 { (at, logit) } else { best }
        });
    softmax(logits);
    f64::from(logit) - f64::from(logits[highest]).ln() - mean
}
