//! Datasets: rows of bits or of real features, with a target and a weight.
//!
//! Rows with equal bits can be merged to one row with their weighted mean target and the sum of
//! their weights ([`LabelledRows::merged`]), which does not change the least-squares solution.

use super::network::MAX_WIDTH;
use super::rows::{BitRows, LabelledRows};
use crate::random::Rng;

/// The features of all rows of a dataset.
#[derive(Clone, PartialEq, Debug)]
enum RowFeatures {
    /// Rows of bits; bit i is feature i.
    Bits(BitRows),
    /// All features as numbers, row after row.
    Reals(Vec<f32>),
}

/// Reasons why features, targets and weights are not a valid dataset.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum DatasetError {
    /// This number of features per row is not allowed.
    #[error("rows of {0} features; from 1 to {MAX_WIDTH} are allowed")]
    Width(usize),
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
    /// Creates a dataset from labelled rows of bits, in the order given.
    pub fn from_bits(rows: &LabelledRows) -> Result<Self, DatasetError> {
        let width = rows.rows().width();
        check_width(width)?;
        let floats = |values: &[f64]| values.iter().map(|&value| value as f32).collect();
        let (targets, weights) = (floats(rows.targets()), floats(rows.weights()));
        let features = RowFeatures::Bits(rows.rows().clone());
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
        check_width(width)?;
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
            RowFeatures::Bits(rows) => write_bits(rows.row(row), out),
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

fn check_width(width: usize) -> Result<(), DatasetError> {
    if (1..=MAX_WIDTH).contains(&width) { Ok(()) } else { Err(DatasetError::Width(width)) }
}

/// Writes bit i of a row to `out[i]` as 0 or 1.
#[inline]
fn write_bits(row: &[u64], out: &mut [f32]) {
    for (&word, out) in row.iter().zip(out.chunks_mut(64)) {
        for (i, x) in out.iter_mut().enumerate() {
            *x = (word >> i & 1) as u8 as f32;
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
    fn a_split_depends_on_the_seed_and_contains_every_row_once() {
        let mut rows = LabelledRows::new(10);
        (0..1000).for_each(|i| rows.push_bits(i, i as f64));
        let data = Dataset::from_bits(&rows).unwrap();
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
        for width in [100, 300] {
            let set = [0, 1, 3, 64, width - 1];
            let mut rows = LabelledRows::new(width);
            let words = rows.push_zeros(0.5);
            set.iter().for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
            let data = Dataset::from_bits(&rows).unwrap();
            let mut row = vec![9.0; width + 1];
            data.write_features(0, &mut row);
            let expected: Vec<f32> = (0..width).map(|i| set.contains(&i) as u8 as f32).collect();
            assert_eq!((&row[..width], row[width]), (&expected[..], 9.0));
        }
    }

    #[test]
    fn invalid_data_is_rejected() {
        let message = |result: Result<Dataset, DatasetError>| result.unwrap_err().to_string();
        let rows = |target: f64, weight: f64| {
            let mut rows = LabelledRows::new(3);
            rows.push(&[1], target, weight);
            Dataset::from_bits(&rows)
        };
        assert_eq!(
            message(Dataset::from_bits(&LabelledRows::new(70_000))),
            "rows of 70000 features; from 1 to 65536 are allowed"
        );
        assert_eq!(
            message(rows(1.0, 0.0)),
            "the weight of row 1 is 0; positive numbers are allowed"
        );
        assert_eq!(
            message(rows(f64::NAN, 1.0)),
            "the target of row 1 is NaN; finite numbers are allowed"
        );
        assert_eq!(
            message(Dataset::from_reals(2, vec![1.0; 5], vec![1.0; 2], None)),
            "5 features for 2 targets; 2 are needed for each"
        );
    }
}
