//! The trainer: a network with the state of its optimiser, and epochs of shuffled batches.

use std::sync::atomic::{AtomicBool, Ordering};

use ludion_players::learn::dataset::shuffle;
use ludion_players::learn::linear::Matrix;
use ludion_players::learn::model::ModelError;
use ludion_players::learn::policy_value::{PolicyValueNetwork, PolicyValueParameters};
use ludion_players::random::Rng;
use serde::{Deserialize, Serialize};

use crate::adam::{AdamSlices, AdamStep, AdamStepSize, adam_step};

use super::gradient::{GradientPass, LossSums};
use super::options::PolicyValueOptions;
use super::samples::PolicyValueSamples;

/// The mean losses of samples, in nats. They call `ln`, whose last bit depends on the platform; weights
/// do not depend on them.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LossReport {
    /// The number of samples.
    pub samples: u64,
    /// The cross-entropy of the policy, over the samples that have a target of it; 0 if none has.
    pub policy: f64,
    /// The entropy of the targets of the policy, which `policy` cannot fall below.
    pub entropy: f64,
    /// The cross-entropy of win, draw and loss.
    pub value: f64,
}

/// Reasons why a training fails.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PolicyValueTrainError {
    /// A setting is outside its range.
    #[error("{name} is {value}; allowed is {allowed}")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// The value that is not allowed.
        value: f64,
        /// The values that are allowed, in words.
        allowed: &'static str,
    },
    /// The samples have other numbers of features or actions than the network.
    #[error(
        "the samples have {} features and {} actions; the network needs {} and {}",
        samples[0], samples[1], network[0], network[1]
    )]
    Shape {
        /// The numbers of features and of actions of the samples.
        samples: [usize; 2],
        /// The numbers of features and of actions of the network.
        network: [usize; 2],
    },
    /// There are no samples.
    #[error("there are no samples to train on")]
    Empty,
    /// The bytes of a training are not valid.
    #[error(transparent)]
    Checkpoint(#[from] ModelError),
    /// The loss or a weight is no longer finite; the trainer is as before the epoch.
    #[error("training diverged at step {step} at rate {rate}; a smaller rate may help")]
    Diverged {
        /// The number of steps at the end of the epoch.
        step: u64,
        /// The learning rate then.
        rate: f64,
    },
}

/// A network in training: weights, and the state of the optimiser, which goes on from one epoch to
/// the next.
#[derive(Clone, Debug)]
pub struct PolicyValueTrainer {
    options: PolicyValueOptions,
    state: TrainerState,
    pass: GradientPass,
}

/// All that changes in a training.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TrainerState {
    pub(super) weights: PolicyValueParameters,
    /// The running means of the gradient and of its square.
    pub(super) moments: [PolicyValueParameters; 2],
    /// The running means of the weights; without averaging the weights at the end of an epoch.
    pub(super) averages: PolicyValueParameters,
    pub(super) step_size: AdamStepSize,
    pub(super) steps: u64,
}

impl PolicyValueTrainer {
    /// Begins a training with a network, such as one of
    /// [`PolicyValueShape::random_network`](super::PolicyValueShape::random_network).
    ///
    /// # Errors
    /// When an option is outside its range.
    pub fn new(
        network: &PolicyValueNetwork,
        options: PolicyValueOptions,
    ) -> Result<Self, PolicyValueTrainError> {
        let weights = network.parameters().clone();
        let state = TrainerState {
            moments: [weights.zeros(), weights.zeros()],
            averages: weights.clone(),
            weights,
            step_size: AdamStepSize::default(),
            steps: 0,
        };
        Self::with_state(state, options)
    }

    /// Continues a training.
    pub(super) fn with_state(
        state: TrainerState,
        options: PolicyValueOptions,
    ) -> Result<Self, PolicyValueTrainError> {
        options.check()?;
        Ok(PolicyValueTrainer { options, pass: GradientPass::new(&state.weights), state })
    }

    /// Returns the trained network: the averages of the weights, or without averaging the weights.
    #[must_use]
    pub fn network(&self) -> PolicyValueNetwork {
        PolicyValueNetwork::try_from(&self.state.averages).expect("every epoch checks the weights")
    }

    /// Returns the number of steps since the training began.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Returns the settings.
    #[must_use]
    pub fn options(&self) -> &PolicyValueOptions {
        &self.options
    }

    /// Changes the settings from the next step on.
    ///
    /// # Errors
    /// When one is outside its range; then nothing changes.
    pub fn set_options(
        &mut self,
        options: PolicyValueOptions,
    ) -> Result<(), PolicyValueTrainError> {
        options.check()?;
        self.options = options;
        Ok(())
    }

    /// Returns all that changes in a training.
    pub(super) fn state(&self) -> &TrainerState {
        &self.state
    }

    /// Trains on all samples once, in an order drawn from `seed`. Returns `None` if `stop` is set
    /// before the end; then the trainer is as before.
    pub fn train_epoch(
        &mut self,
        samples: &PolicyValueSamples,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<LossReport>, PolicyValueTrainError> {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        shuffle(&mut order, &mut Rng::new(seed));
        self.train_on(samples, &order, stop)
    }

    /// Trains on the samples with these indices, in their order. The losses of a sample are those
    /// before the step with its batch. Returns `None` if `stop` is set before the end; then the
    /// trainer is as before.
    ///
    /// # Panics
    /// If there is no sample with one of the indices.
    pub fn train_on(
        &mut self,
        samples: &PolicyValueSamples,
        indices: &[u32],
        stop: &AtomicBool,
    ) -> Result<Option<LossReport>, PolicyValueTrainError> {
        self.check_samples(samples, indices)?;
        let before = self.state.clone();
        let mut sums = LossSums::default();
        for batch in indices.chunks(self.options.batch) {
            if stop.load(Ordering::Relaxed) {
                self.state = before;
                return Ok(None);
            }
            self.pass.run(&self.state.weights, samples, batch, &self.options, &mut sums);
            self.state.step(&self.pass.gradient, &self.options);
        }
        if self.options.averaging == 0.0 {
            self.state.averages.clone_from(&self.state.weights);
        }
        let report = sums.report();
        if report.policy.is_finite() && report.value.is_finite() && self.state.is_finite() {
            return Ok(Some(report));
        }
        let step = self.state.steps;
        self.state = before;
        Err(PolicyValueTrainError::Diverged { step, rate: self.options.rate.at(step - 1) })
    }

    /// Returns the mean losses of [`network`](Self::network) on all samples, without training.
    pub fn measure(
        &mut self,
        samples: &PolicyValueSamples,
    ) -> Result<LossReport, PolicyValueTrainError> {
        let indices: Vec<u32> = (0..samples.len() as u32).collect();
        self.check_samples(samples, &indices)?;
        let mut sums = LossSums::default();
        for batch in indices.chunks(self.options.batch) {
            self.pass.measure(&self.state.averages, samples, batch, &mut sums);
        }
        Ok(sums.report())
    }

    /// Checks that there are samples, and that they fit the network.
    fn check_samples(
        &self,
        samples: &PolicyValueSamples,
        indices: &[u32],
    ) -> Result<(), PolicyValueTrainError> {
        let weights = &self.state.weights;
        let network = [weights.features(), weights.actions()];
        let samples = [samples.features(), samples.actions()];
        if samples != network {
            return Err(PolicyValueTrainError::Shape { samples, network });
        }
        if indices.is_empty() { Err(PolicyValueTrainError::Empty) } else { Ok(()) }
    }
}

impl TrainerState {
    /// Updates all parameters by one step of Adam, and moves their averages towards them.
    fn step(&mut self, gradient: &PolicyValueParameters, options: &PolicyValueOptions) {
        let rate = options.rate.at(self.steps);
        let step_size = self.step_size.advance(rate);
        self.steps += 1;
        // The first averages are over few steps, so that the initial weights are soon forgotten.
        let few = (self.steps + 1) as f64 / (self.steps + 10) as f64;
        let averaging = options.averaging.min(few) as f32;
        let kept = (1.0 - rate * options.weight_decay) as f32;
        let [means, squares] = &mut self.moments;
        let moments = means.matrices_mut().zip(squares.matrices_mut());
        let weights = self.weights.matrices_mut().zip(gradient.matrices());
        let parts = weights.zip(moments).zip(self.averages.matrices_mut());
        // Weights and biases alternate; only weights decay.
        for ((((weights, gradient), (means, squares)), averages), kept) in
            parts.zip([kept, 1.0].into_iter().cycle())
        {
            let is_averaged = options.averaging > 0.0;
            let slices = AdamSlices {
                parameters: weights.entries_mut(),
                gradient: gradient.entries(),
                moments: [means.entries_mut(), squares.entries_mut()],
                averages: if is_averaged { averages.entries_mut() } else { &mut [] },
            };
            adam_step(slices, AdamStep { step_size, kept, averaging });
        }
    }

    /// Returns the weights, the two moments and the averages.
    fn parts(&self) -> [&PolicyValueParameters; 4] {
        let [means, squares] = &self.moments;
        [&self.weights, means, squares, &self.averages]
    }

    /// Returns whether all numbers are finite.
    fn is_finite(&self) -> bool {
        let mut matrices = self.parts().into_iter().flat_map(PolicyValueParameters::matrices);
        matrices.all(|matrix| matrix.entries().iter().all(|x| x.is_finite()))
    }

    /// Returns whether all parts have the same shape, and the moments and powers are possible.
    pub(super) fn is_consistent(&self) -> bool {
        let shape = |part: &PolicyValueParameters| (part.features(), part.actions(), part.hidden());
        let mut squares = self.moments[1].matrices().flat_map(Matrix::entries);
        self.parts().into_iter().all(|part| shape(part) == shape(&self.weights))
            && squares.all(|&square| square >= 0.0)
            && self.step_size.beta_powers.iter().all(|power| (0.0..=1.0).contains(power))
    }
}
