//! Datasets: rows of up to 128 bits or any number of real features, with a target and a weight.
//!
//! Rows with equal bits can be merged to one row with their weighted mean target and the sum of
//! their weights, which does not change the least-squares solution.

use crate::random::Rng;

/// A sample: a position or move as bits, with the target to predict and a weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LabelledSample {
    /// The features of the position or move, one per bit.
    pub bits: u128,
    /// The value that a model should predict for the sample.
    pub target: f64,
    /// The weight of the sample in training.
    pub weight: f64,
}

impl LabelledSample {
    /// Returns a sample of weight 1.
    #[must_use]
    pub fn new(bits: u128, target: f64) -> Self {
        LabelledSample { bits, target, weight: 1.0 }
    }
}

/// Merges samples with equal bits into one with their weighted mean target and total weight, and
/// sorts by bits. Weights must be positive.
#[must_use]
pub fn merge(mut samples: Vec<LabelledSample>) -> Vec<LabelledSample> {
    // A stable sort, so that equal samples are summed in the order given.
    samples.sort_by_key(|sample| sample.bits);
    let merged = samples.chunk_by(|a, b| a.bits == b.bits).map(|equal| {
        let weight: f64 = equal.iter().map(|sample| sample.weight).sum();
        let sum: f64 = equal.iter().map(|sample| sample.target * sample.weight).sum();
        LabelledSample { bits: equal[0].bits, target: sum / weight, weight }
    });
    merged.collect()
}

/// The features of all rows of a dataset.
#[derive(Clone, PartialEq, Debug)]
enum RowFeatures {
    /// One word per row; bit i is feature i.
    Bits(Vec<u128>),
    /// All features as numbers, row after row.
    Reals(Vec<f32>),
}

/// Reasons why features, targets and weights are not a valid dataset.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum DatasetError {
    /// This number of features per row is not allowed; the second field says whether the features
    /// are bits.
    #[error("rows of {0} features; from 1 to {most} are allowed", most = if *.1 { "128 bits" } else { "65536" })]
    Width(usize, bool),
    /// The number of feature values is not the number of targets times the features per row.
    #[error("{features} features for {rows} targets; {width} are needed for each")]
    Shape {
        /// The total number of feature values given.
        features: usize,
        /// The number of targets given, one per row.
        rows: usize,
        /// The number of features per row.
        width: usize,
    },
    /// The number of weights does not match the number of rows.
    #[error("{weights} weights for {rows} rows; one is needed for each")]
    Weights {
        /// The number of weights given.
        weights: usize,
        /// The number of rows given.
        rows: usize,
    },
    /// A row has a bit set that is not one of its features.
    #[error("row {} has bits beyond its {width} features", row + 1)]
    Beyond {
        /// The index of the row, from 0.
        row: usize,
        /// The number of features per row.
        width: usize,
    },
    /// A value is not finite, or a weight is not positive.
    #[error("the {what} of row {} is {value}; {allowed} are allowed", row + 1)]
    Value {
        /// The kind of invalid value: feature, target or weight.
        what: &'static str,
        /// The index of the row, from 0.
        row: usize,
        /// The invalid value.
        value: f64,
        /// The values that are allowed, in words.
        allowed: &'static str,
    },
}

/// Rows of features, each with a target and a weight; all numbers are finite.
#[derive(Clone, PartialEq, Debug)]
pub struct Dataset {
    width: usize,
    features: RowFeatures,
    targets: Vec<f32>,
    weights: Vec<f32>,
}

impl Dataset {
    /// Creates a dataset from samples of `width` bits, in the order given.
    pub fn from_bits(width: usize, samples: &[LabelledSample]) -> Result<Self, DatasetError> {
        if !(1..=128).contains(&width) {
            return Err(DatasetError::Width(width, true));
        }
        let beyond = |sample: &LabelledSample| sample.bits & !(u128::MAX >> (128 - width)) != 0;
        if let Some(row) = samples.iter().position(beyond) {
            return Err(DatasetError::Beyond { row, width });
        }
        let features = RowFeatures::Bits(samples.iter().map(|sample| sample.bits).collect());
        let targets = samples.iter().map(|sample| sample.target as f32).collect();
        let weights = samples.iter().map(|sample| sample.weight as f32).collect();
        Dataset { width, features, targets, weights }.checked()
    }

    /// Creates a dataset from rows of `width` real features; `features` has one row after the
    /// other. Without `weights` all rows have weight 1.
    pub fn from_reals(
        width: usize,
        features: Vec<f32>,
        targets: Vec<f32>,
        weights: Option<Vec<f32>>,
    ) -> Result<Self, DatasetError> {
        if !(1..=super::network::MAX_WIDTH).contains(&width) {
            return Err(DatasetError::Width(width, false));
        }
        let rows = targets.len();
        if features.len() != rows * width {
            return Err(DatasetError::Shape { features: features.len(), rows, width });
        }
        if let Some(at) = features.iter().position(|x| !x.is_finite()) {
            let (row, value) = (at / width, f64::from(features[at]));
            let (what, allowed) = ("features", "finite numbers");
            return Err(DatasetError::Value { what, row, value, allowed });
        }
        let weights = weights.unwrap_or_else(|| vec![1.0; rows]);
        Dataset { width, features: RowFeatures::Reals(features), targets, weights }.checked()
    }

    /// Checks that all features, targets and weights are valid, and returns the dataset unchanged.
    fn checked(self) -> Result<Self, DatasetError> {
        let (weights, rows) = (self.weights.len(), self.targets.len());
        if weights != rows {
            return Err(DatasetError::Weights { weights, rows });
        }
        let invalid = |what, row: usize, value: f32, allowed| {
            Err(DatasetError::Value { what, row, value: f64::from(value), allowed })
        };
        if let Some(row) = self.targets.iter().position(|t| !t.is_finite()) {
            return invalid("target", row, self.targets[row], "finite numbers");
        }
        if let Some(row) = self.weights.iter().position(|w| !(w.is_finite() && *w > 0.0)) {
            return invalid("weight", row, self.weights[row], "positive numbers");
        }
        Ok(self)
    }

    /// Returns the number of rows of the dataset.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether the dataset has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the number of features per row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the target of a row.
    #[must_use]
    pub fn target(&self, row: usize) -> f32 {
        self.targets[row]
    }

    /// Returns the weight of a row.
    #[must_use]
    pub fn weight(&self, row: usize) -> f32 {
        self.weights[row]
    }

    /// Writes the features of a row to the beginning of `out`; bits become 0 or 1.
    #[inline]
    pub fn write_features(&self, row: usize, out: &mut [f32]) {
        let out = &mut out[..self.width];
        match &self.features {
            RowFeatures::Bits(words) => write_bits(words[row], out),
            RowFeatures::Reals(all) => out.copy_from_slice(&all[row * self.width..][..self.width]),
        }
    }

    /// Splits the row indices at random into training and validation rows. `share` of the rows,
    /// rounded, are validation rows.
    #[must_use]
    pub fn split(&self, share: f64, seed: u64) -> (Vec<u32>, Vec<u32>) {
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        shuffle(&mut rows, &mut Rng::new(seed));
        let training = self.len() - (self.len() as f64 * share.clamp(0.0, 1.0)).round() as usize;
        let validation = rows.split_off(training);
        (rows, validation)
    }
}

/// Writes bit i of `word` to `out[i]` as 0 or 1. Works on 64 bits at a time, so that shifts fit a
/// machine word.
#[inline]
fn write_bits(word: u128, out: &mut [f32]) {
    for (half, out) in [word as u64, (word >> 64) as u64].into_iter().zip(out.chunks_mut(64)) {
        for (i, x) in out.iter_mut().enumerate() {
            *x = (half >> i & 1) as u8 as f32;
        }
    }
}

/// Shuffles values with the Fisher–Yates algorithm.
pub fn shuffle<T>(values: &mut [T], rng: &mut Rng) {
    for i in (1..values.len()).rev() {
        values.swap(i, rng.below(i + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_become_their_weighted_mean() {
        let heavy = LabelledSample { weight: 3.0, ..LabelledSample::new(5, 1.0) };
        let merged = merge(vec![LabelledSample::new(9, 7.0), LabelledSample::new(5, 5.0), heavy]);
        let expected =
            [LabelledSample { bits: 5, target: 2.0, weight: 4.0 }, LabelledSample::new(9, 7.0)];
        assert_eq!(merged, expected);
    }

    #[test]
    fn a_split_depends_on_the_seed_and_contains_every_row_once() {
        let samples: Vec<LabelledSample> =
            (0..1000).map(|i| LabelledSample::new(i, i as f64)).collect();
        let data = Dataset::from_bits(10, &samples).unwrap();
        let (training, validation) = data.split(0.1, 4);
        assert_eq!((training.len(), validation.len()), (900, 100));
        assert_eq!(data.split(0.1, 4), (training.clone(), validation.clone()));
        assert_ne!(data.split(0.1, 5).1, validation);
        let mut all = [training, validation].concat();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<u32>>());
    }

    #[test]
    fn bits_are_written_as_features_of_zero_and_one() {
        let word = 1 << 99 | 1 << 64 | 0b1011;
        let data = Dataset::from_bits(100, &[LabelledSample::new(word, 0.5)]).unwrap();
        let mut row = [9.0; 101];
        data.write_features(0, &mut row);
        let expected: Vec<f32> = (0..100).map(|i| (word >> i & 1) as f32).collect();
        assert_eq!((&row[..100], row[100]), (&expected[..], 9.0));
    }

    #[test]
    fn invalid_data_is_rejected() {
        let message = |result: Result<Dataset, DatasetError>| result.unwrap_err().to_string();
        let light = LabelledSample { weight: 0.0, ..LabelledSample::new(1, 1.0) };
        assert_eq!(
            message(Dataset::from_bits(129, &[])),
            "rows of 129 features; from 1 to 128 bits are allowed"
        );
        assert_eq!(
            message(Dataset::from_bits(3, &[LabelledSample::new(8, 1.0)])),
            "row 1 has bits beyond its 3 features"
        );
        assert_eq!(
            message(Dataset::from_bits(3, &[light])),
            "the weight of row 1 is 0; positive numbers are allowed"
        );
        assert_eq!(
            message(Dataset::from_bits(3, &[LabelledSample::new(1, f64::NAN)])),
            "the target of row 1 is NaN; finite numbers are allowed"
        );
        assert_eq!(
            message(Dataset::from_reals(2, vec![1.0; 5], vec![1.0; 2], None)),
            "5 features for 2 targets; 2 are needed for each"
        );
    }
}
