//! Rows to learn from: up to 128 bits or any number of real features, a target and a weight.
//!
//! Rows with equal bits say several things about one position; merged they say their weighted
//! mean with the weights added up, which leaves the least squares where they were.

use crate::random::Rng;

/// A position seen once or more, and what it turned out to be worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LabelledPosition {
    /// Its features.
    pub bits: u128,
    /// What is to be learned.
    pub target: f64,
    /// How much it counts.
    pub weight: f64,
}

impl LabelledPosition {
    /// Something seen once.
    #[must_use]
    pub fn new(bits: u128, target: f64) -> Self {
        LabelledPosition { bits, target, weight: 1.0 }
    }
}

/// Samples with equal bits as one, in ascending order of bits. Weights are positive.
#[must_use]
pub fn merge(mut samples: Vec<LabelledPosition>) -> Vec<LabelledPosition> {
    // Stable, so that sums are taken in the order given.
    samples.sort_by_key(|sample| sample.bits);
    let merged = samples.chunk_by(|a, b| a.bits == b.bits).map(|equal| {
        let weight: f64 = equal.iter().map(|sample| sample.weight).sum();
        let sum: f64 = equal.iter().map(|sample| sample.target * sample.weight).sum();
        LabelledPosition { bits: equal[0].bits, target: sum / weight, weight }
    });
    merged.collect()
}

/// What rows are told apart by.
#[derive(Clone, PartialEq, Debug)]
enum RowFeatures {
    /// One word a row, bit i being feature i.
    Bits(Vec<u128>),
    /// All features of a row, one row after the other.
    Reals(Vec<f32>),
}

/// Why something is no data set.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum DatasetError {
    /// No feature, or more bits than a word has.
    #[error("rows of {0} features; from 1 to {most} are allowed", most = if *.1 { "128 bits" } else { "65536" })]
    Width(usize, bool),
    /// Features that do not fill their rows.
    #[error("{features} features for {rows} targets; {width} are needed for each")]
    Shape {
        /// Features given.
        features: usize,
        /// Targets given.
        rows: usize,
        /// Features a row.
        width: usize,
    },
    /// Not as many weights as rows.
    #[error("{weights} weights for {rows} rows; one is needed for each")]
    Weights {
        /// Weights given.
        weights: usize,
        /// Rows given.
        rows: usize,
    },
    /// A bit beyond the features.
    #[error("row {} has bits beyond its {width} features", row + 1)]
    Beyond {
        /// Which row, from 0.
        row: usize,
        /// Features a row.
        width: usize,
    },
    /// Something that is no number, or a weight that is not positive.
    #[error("the {what} of row {} is {value}; {allowed} are allowed", row + 1)]
    Value {
        /// Feature, target or weight.
        what: &'static str,
        /// Which row, from 0.
        row: usize,
        /// What it is.
        value: f64,
        /// What it can be.
        allowed: &'static str,
    },
}

/// Rows with targets and weights, all of them numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Dataset {
    width: usize,
    features: RowFeatures,
    targets: Vec<f32>,
    weights: Vec<f32>,
}

impl Dataset {
    /// Rows of `width` bits, in the order given.
    pub fn of_bits(width: usize, samples: &[LabelledPosition]) -> Result<Self, DatasetError> {
        if !(1..=128).contains(&width) {
            return Err(DatasetError::Width(width, true));
        }
        let beyond = |sample: &LabelledPosition| sample.bits & !(u128::MAX >> (128 - width)) != 0;
        if let Some(row) = samples.iter().position(beyond) {
            return Err(DatasetError::Beyond { row, width });
        }
        let features = RowFeatures::Bits(samples.iter().map(|sample| sample.bits).collect());
        let targets = samples.iter().map(|sample| sample.target as f32).collect();
        let weights = samples.iter().map(|sample| sample.weight as f32).collect();
        Dataset { width, features, targets, weights }.checked()
    }

    /// Rows of `width` real features, one row after the other, all of equal weight if no weights
    /// are given.
    pub fn of_reals(
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

    fn checked(self) -> Result<Self, DatasetError> {
        let (weights, rows) = (self.weights.len(), self.targets.len());
        if weights != rows {
            return Err(DatasetError::Weights { weights, rows });
        }
        let fault = |what, row: usize, value: f32, allowed| {
            Err(DatasetError::Value { what, row, value: f64::from(value), allowed })
        };
        if let Some(row) = self.targets.iter().position(|t| !t.is_finite()) {
            return fault("target", row, self.targets[row], "finite numbers");
        }
        if let Some(row) = self.weights.iter().position(|w| !(w.is_finite() && *w > 0.0)) {
            return fault("weight", row, self.weights[row], "positive numbers");
        }
        Ok(self)
    }

    /// Rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Features a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The target of a row.
    #[must_use]
    pub fn target(&self, row: usize) -> f32 {
        self.targets[row]
    }

    /// The weight of a row.
    #[must_use]
    pub fn weight(&self, row: usize) -> f32 {
        self.weights[row]
    }

    /// Writes the features of a row over the beginning of `out`.
    #[inline]
    pub fn write_features(&self, row: usize, out: &mut [f32]) {
        let out = &mut out[..self.width];
        match &self.features {
            RowFeatures::Bits(words) => write_bits(words[row], out),
            RowFeatures::Reals(all) => out.copy_from_slice(&all[row * self.width..][..self.width]),
        }
    }

    /// The rows in a random order of the seed, cut in two: `share` of them, rounded, are held
    /// back in the second part.
    #[must_use]
    pub fn split(&self, share: f64, seed: u64) -> (Vec<u32>, Vec<u32>) {
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        shuffle(&mut rows, &mut Rng::new(seed));
        let kept = self.len() - (self.len() as f64 * share.clamp(0.0, 1.0)).round() as usize;
        let held = rows.split_off(kept);
        (rows, held)
    }
}

/// 64 features at a time, so that the shifts are those of a machine word.
#[inline]
fn write_bits(word: u128, out: &mut [f32]) {
    for (half, out) in [word as u64, (word >> 64) as u64].into_iter().zip(out.chunks_mut(64)) {
        for (i, x) in out.iter_mut().enumerate() {
            *x = (half >> i & 1) as u8 as f32;
        }
    }
}

/// Every order equally likely (Fisher & Yates).
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
        let heavy = LabelledPosition { weight: 3.0, ..LabelledPosition::new(5, 1.0) };
        let merged =
            merge(vec![LabelledPosition::new(9, 7.0), LabelledPosition::new(5, 5.0), heavy]);
        let expected =
            [LabelledPosition { bits: 5, target: 2.0, weight: 4.0 }, LabelledPosition::new(9, 7.0)];
        assert_eq!(merged, expected);
    }

    #[test]
    fn a_split_is_the_seeds_and_holds_every_row_once() {
        let samples: Vec<LabelledPosition> =
            (0..1000).map(|i| LabelledPosition::new(i, i as f64)).collect();
        let data = Dataset::of_bits(10, &samples).unwrap();
        let (kept, held) = data.split(0.1, 4);
        assert_eq!((kept.len(), held.len()), (900, 100));
        assert_eq!(data.split(0.1, 4), (kept.clone(), held.clone()));
        assert_ne!(data.split(0.1, 5).1, held);
        let mut all = [kept, held].concat();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<u32>>());
    }

    #[test]
    fn bits_and_reals_are_the_same_features() {
        let word = 1 << 99 | 1 << 64 | 0b1011;
        let data = Dataset::of_bits(100, &[LabelledPosition::new(word, 0.5)]).unwrap();
        let mut row = [9.0; 101];
        data.write_features(0, &mut row);
        let expected: Vec<f32> = (0..100).map(|i| (word >> i & 1) as f32).collect();
        assert_eq!((&row[..100], row[100]), (&expected[..], 9.0));
    }

    #[test]
    fn what_is_no_data_is_refused_in_a_sentence() {
        let said = |result: Result<Dataset, DatasetError>| result.unwrap_err().to_string();
        let light = LabelledPosition { weight: 0.0, ..LabelledPosition::new(1, 1.0) };
        assert_eq!(
            said(Dataset::of_bits(129, &[])),
            "rows of 129 features; from 1 to 128 bits are allowed"
        );
        assert_eq!(
            said(Dataset::of_bits(3, &[LabelledPosition::new(8, 1.0)])),
            "row 1 has bits beyond its 3 features"
        );
        assert_eq!(
            said(Dataset::of_bits(3, &[light])),
            "the weight of row 1 is 0; positive numbers are allowed"
        );
        assert_eq!(
            said(Dataset::of_bits(3, &[LabelledPosition::new(1, f64::NAN)])),
            "the target of row 1 is NaN; finite numbers are allowed"
        );
        assert_eq!(
            said(Dataset::of_reals(2, vec![1.0; 5], vec![1.0; 2], None)),
            "5 features for 2 targets; 2 are needed for each"
        );
    }
}
