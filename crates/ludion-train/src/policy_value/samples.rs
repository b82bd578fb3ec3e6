//! Samples for the training of networks with policy and value, in a compact container.

use std::ops::Range;

use ludion_players::learn::network::MAX_WIDTH;

/// A state with its targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyValueSample<'a> {
    /// The active features, ascending.
    pub features: &'a [u16],
    /// The legal actions; empty if the sample has no target of the policy.
    pub actions: &'a [u16],
    /// The target probabilities of the legal actions.
    pub probabilities: &'a [f32],
    /// The target probabilities of win, draw and loss for the side to move.
    pub wdl: [f32; 3],
    /// The weight of the sample in the loss.
    pub weight: f32,
    /// The entropy of the target of the policy, which is the lowest possible loss.
    pub entropy: f32,
}

/// Reasons why a sample is refused.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SampleError {
    /// A feature or action of the sample does not exist.
    #[error("a sample has {what} {number}; there are {count}, counted from 0")]
    Number {
        /// The kind of the number: feature or action.
        what: &'static str,
        /// The number.
        number: u32,
        /// How many features or actions there are.
        count: usize,
    },
    /// The features are not ascending: this one follows one that is not smaller.
    #[error("feature {0} of a sample is out of order; they must be ascending")]
    Order(u32),
    /// The numbers of a target are negative or not finite, or all are 0.
    #[error(
        "the target of the {what} is {value}; at least one part must be positive, none negative"
    )]
    Target {
        /// The target: policy or value.
        what: &'static str,
        /// The target as text.
        value: String,
    },
    /// The weight is negative or not finite.
    #[error("the weight of a sample is {0}; it must be a finite number from 0")]
    Weight(f32),
}

/// Samples in the order in which they were added. They take about 100 bytes each for Connect Four.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyValueSamples {
    feature_count: usize,
    action_count: usize,
    features: Vec<u16>,
    feature_ends: Vec<usize>,
    actions: Vec<u16>,
    probabilities: Vec<f32>,
    action_ends: Vec<usize>,
    wdl: Vec<[f32; 3]>,
    weights: Vec<f32>,
    entropies: Vec<f32>,
}

impl PolicyValueSamples {
    /// Returns an empty container for states with these numbers of features and actions.
    ///
    /// # Panics
    /// If one of them is 0 or more than [`MAX_WIDTH`].
    #[must_use]
    pub fn new(features: usize, actions: usize) -> Self {
        for count in [features, actions] {
            assert!((1..=MAX_WIDTH).contains(&count), "from 1 to {MAX_WIDTH} features and actions");
        }
        PolicyValueSamples {
            feature_count: features,
            action_count: actions,
            features: vec![],
            feature_ends: vec![],
            actions: vec![],
            probabilities: vec![],
            action_ends: vec![],
            wdl: vec![],
            weights: vec![],
            entropies: vec![],
        }
    }

    /// Adds a sample: its active features, ascending; all legal actions with their targets, those of
    /// target 0 included, or none if there is no target of the policy; the targets of win, draw and
    /// loss; and its weight. Targets are probabilities, or other numbers in proportion to them, such
    /// as visits.
    pub fn push(
        &mut self,
        features: &[u32],
        policy: &[(u32, f32)],
        wdl: [f32; 3],
        weight: f32,
    ) -> Result<(), SampleError> {
        check_numbers("feature", features.iter().copied(), self.feature_count)?;
        check_numbers("action", policy.iter().map(|(action, _)| *action), self.action_count)?;
        if let Some(pair) = features.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(SampleError::Order(pair[1]));
        }
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(SampleError::Weight(weight));
        }
        let wdl_sum = positive_sum("value", &wdl)?;
        if !policy.is_empty() {
            let sum = positive_sum("policy", policy.iter().map(|(_, target)| target))?;
            let targets = policy.iter().map(|(_, target)| (f64::from(*target) / sum) as f32);
            self.probabilities.extend(targets);
        }
        let targets = &self.probabilities[self.actions.len()..];
        self.entropies.push(entropy(targets));
        self.actions.extend(policy.iter().map(|(action, _)| *action as u16));
        self.action_ends.push(self.actions.len());
        self.features.extend(features.iter().map(|feature| *feature as u16));
        self.feature_ends.push(self.features.len());
        self.wdl.push(wdl.map(|target| (f64::from(target) / wdl_sum) as f32));
        self.weights.push(weight);
        Ok(())
    }

    /// Returns the number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Returns the number of features of a state.
    #[must_use]
    pub fn features(&self) -> usize {
        self.feature_count
    }

    /// Returns the number of actions.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.action_count
    }

    /// Returns the sample with this index; the oldest has index 0.
    ///
    /// # Panics
    /// If there is no such sample.
    #[must_use]
    pub fn get(&self, index: usize) -> PolicyValueSample<'_> {
        let legal = range(&self.action_ends, index);
        PolicyValueSample {
            features: &self.features[range(&self.feature_ends, index)],
            actions: &self.actions[legal.clone()],
            probabilities: &self.probabilities[legal],
            wdl: self.wdl[index],
            weight: self.weights[index],
            entropy: self.entropies[index],
        }
    }

    /// Removes all samples.
    pub fn clear(&mut self) {
        self.drop_oldest(self.len());
    }

    /// Removes the oldest samples, `count` of them or all if there are fewer.
    pub fn drop_oldest(&mut self, count: usize) {
        let count = count.min(self.len());
        drop_lists(&mut self.feature_ends, count, |items| drop(self.features.drain(..items)));
        drop_lists(&mut self.action_ends, count, |items| {
            self.actions.drain(..items);
            self.probabilities.drain(..items);
        });
        self.wdl.drain(..count);
        self.weights.drain(..count);
        self.entropies.drain(..count);
    }
}

/// Returns where the list with this index is, given the ends of all lists.
fn range(ends: &[usize], index: usize) -> Range<usize> {
    index.checked_sub(1).map_or(0, |before| ends[before])..ends[index]
}

/// Removes the first `count` of some lists by their ends; `drop_items` removes that many items.
fn drop_lists(ends: &mut Vec<usize>, count: usize, drop_items: impl FnOnce(usize)) {
    let items = count.checked_sub(1).map_or(0, |last| ends[last]);
    drop_items(items);
    ends.drain(..count);
    ends.iter_mut().for_each(|end| *end -= items);
}

/// Checks that all numbers are below `count`.
fn check_numbers(
    what: &'static str,
    mut numbers: impl Iterator<Item = u32>,
    count: usize,
) -> Result<(), SampleError> {
    match numbers.find(|&number| number as usize >= count) {
        Some(number) => Err(SampleError::Number { what, number, count }),
        None => Ok(()),
    }
}

/// Returns the sum of the parts of a target, which must be positive and without negative parts.
fn positive_sum<'a>(
    what: &'static str,
    parts: impl IntoIterator<Item = &'a f32> + Clone,
) -> Result<f64, SampleError> {
    let mut sum = 0.0;
    let mut is_valid = true;
    for &part in parts.clone() {
        is_valid &= part.is_finite() && part >= 0.0;
        sum += f64::from(part);
    }
    if is_valid && sum > 0.0 {
        return Ok(sum);
    }
    let value = format!("{:?}", parts.into_iter().collect::<Vec<_>>());
    Err(SampleError::Target { what, value })
}

/// Returns the entropy of a distribution in nats.
fn entropy(probabilities: &[f32]) -> f32 {
    let terms = probabilities.iter().filter(|p| **p > 0.0).map(|&p| {
        let p = f64::from(p);
        -p * p.ln()
    });
    terms.sum::<f64>() as f32
}
