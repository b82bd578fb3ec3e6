//! The settings of a training of networks with policy and value.

use serde::{Deserialize, Serialize};

use super::trainer::PolicyValueTrainError;

/// The settings of a training. The same settings, samples and seeds give the same weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyValueOptions {
    /// The number of samples per step.
    pub batch: usize,
    /// The learning rate of each step.
    pub rate: LearningRate,
    /// The decoupled weight decay: each step multiplies weights by 1 − rate·decay. Biases do not
    /// decay.
    pub weight_decay: f64,
    /// The weight of the policy in the loss.
    pub policy_weight: f64,
    /// The weight of win, draw and loss in the loss.
    pub value_weight: f64,
    /// The share of the old average that each step keeps when it averages the weights, such as 0.999;
    /// 0 for no averaging. The trained network has the averages.
    pub averaging: f64,
}

/// A learning rate that rises from 0 to `first` in `warm_up` steps, then falls on a line to `last`,
/// which it reaches after `steps` steps and keeps.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearningRate {
    /// The highest rate.
    pub first: f64,
    /// The rate at the end.
    pub last: f64,
    /// The number of steps in which the rate rises.
    pub warm_up: u64,
    /// The number of steps after which the rate is `last`.
    pub steps: u64,
}

impl Default for PolicyValueOptions {
    fn default() -> Self {
        PolicyValueOptions {
            batch: 256,
            rate: LearningRate::default(),
            weight_decay: 1e-2,
            policy_weight: 1.0,
            value_weight: 1.0,
            averaging: 0.0,
        }
    }
}

impl Default for LearningRate {
    fn default() -> Self {
        LearningRate::constant(1e-3)
    }
}

impl LearningRate {
    /// Returns a rate that is the same for all steps.
    #[must_use]
    pub fn constant(rate: f64) -> Self {
        LearningRate { first: rate, last: rate, warm_up: 0, steps: 0 }
    }

    /// Returns the rate of a step, counted from 0.
    #[must_use]
    pub fn at(&self, step: u64) -> f64 {
        let LearningRate { first, last, warm_up, steps } = *self;
        if step < warm_up {
            first * (step + 1) as f64 / (warm_up + 1) as f64
        } else if step < steps {
            first + (last - first) * (step - warm_up) as f64 / (steps - warm_up) as f64
        } else {
            last
        }
    }
}

impl PolicyValueOptions {
    /// Checks that all settings are in their ranges.
    pub(super) fn check(&self) -> Result<(), PolicyValueTrainError> {
        let LearningRate { first, last, .. } = self.rate;
        let rates = "more than 0, up to 1";
        let weights = "a finite number from 0";
        let is_rate = |rate: f64| rate > 0.0 && rate <= 1.0;
        let is_weight = |weight: f64| weight.is_finite() && weight >= 0.0;
        let checks = [
            ("batch", self.batch as f64, (1..=1 << 20).contains(&self.batch), "from 1 to 1048576"),
            ("rate.first", first, is_rate(first), rates),
            ("rate.last", last, is_rate(last), rates),
            (
                "weight_decay",
                self.weight_decay,
                (0.0..=1.0).contains(&self.weight_decay),
                "from 0 to 1",
            ),
            ("policy_weight", self.policy_weight, is_weight(self.policy_weight), weights),
            ("value_weight", self.value_weight, is_weight(self.value_weight), weights),
            (
                "averaging",
                self.averaging,
                (0.0..1.0).contains(&self.averaging),
                "from 0 to less than 1",
            ),
        ];
        match checks.into_iter().find(|(_, _, is_allowed, _)| !is_allowed) {
            Some((name, value, _, allowed)) => {
                Err(PolicyValueTrainError::Setting { name, value, allowed })
            }
            None => Ok(()),
        }
    }
}
