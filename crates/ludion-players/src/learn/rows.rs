//! Rows of bits: positions or moves as binary features, packed into words of 64 bits, and rows with
//! labels.
//!
//! All rows of a list have the same width, so they are one vector of words with a fixed stride. Bit
//! i of a row is bit i % 64 of its word i / 64; bits beyond the width are 0.

use std::cmp::Ordering;

/// A list of rows of equally many bits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitRows {
    width: usize,
    len: usize,
    words: Vec<u64>,
}

impl BitRows {
    /// Creates an empty list of rows of `width` bits.
    #[must_use]
    pub fn new(width: usize) -> Self {
        BitRows { width, len: 0, words: Vec::new() }
    }

    /// Returns the number of bits of a row.
    #[inline]
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of words of a row.
    #[inline]
    #[must_use]
    pub fn stride(&self) -> usize {
        self.width.div_ceil(64)
    }

    /// Returns the number of rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no rows.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the words of a row.
    #[inline]
    #[must_use]
    pub fn row(&self, row: usize) -> &[u64] {
        let stride = self.stride();
        &self.words[row * stride..][..stride]
    }

    /// Iterates over the words of each row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        (0..self.len).map(|row| self.row(row))
    }

    /// Appends a row, given by its words.
    ///
    /// # Panics
    /// When the number of words is not that of a row, or a bit beyond the width is set.
    #[inline]
    pub fn push(&mut self, row: &[u64]) {
        assert_eq!(row.len(), self.stride(), "the words of a row of {} bits", self.width);
        let rest = self.width % 64;
        let beyond = rest != 0 && row.last().is_some_and(|word| word >> rest != 0);
        assert!(!beyond, "no bits beyond the {} of a row", self.width);
        self.words.extend_from_slice(row);
        self.len += 1;
    }

    /// Appends a row whose lowest bits are `bits`.
    ///
    /// # Panics
    /// When a bit beyond the width is set.
    pub fn push_bits(&mut self, bits: u128) {
        let words = [bits as u64, (bits >> 64) as u64];
        let used = self.stride().min(2);
        assert!(words[used..].iter().all(|&word| word == 0), "bits of a row of {}", self.width);
        let mut row = words[..used].to_vec();
        row.resize(self.stride(), 0);
        self.push(&row);
    }

    /// Appends a row of zeros and returns its words for writing; bits beyond the width must stay 0.
    #[inline]
    pub(super) fn push_zeros(&mut self) -> &mut [u64] {
        let first = self.words.len();
        self.words.resize(first + self.stride(), 0);
        self.len += 1;
        &mut self.words[first..]
    }

    /// Appends all rows of a list of rows of the same width.
    ///
    /// # Panics
    /// When the rows have another width.
    pub fn append(&mut self, rows: &BitRows) {
        assert_eq!(self.width, rows.width, "rows of one width");
        self.words.extend_from_slice(&rows.words);
        self.len += rows.len;
    }

    /// Removes all rows and sets the width of new ones; keeps the memory.
    pub(super) fn reset(&mut self, width: usize) {
        self.words.clear();
        (self.width, self.len) = (width, 0);
    }

    /// Returns the indices of the rows in ascending order of the rows as binary numbers; equal rows
    /// are in the order of the list.
    fn sorted(&self) -> Vec<u32> {
        let indices = 0..self.len as u32;
        if self.stride() <= 2 {
            let mut keys: Vec<(u128, u32)> = self.iter().map(narrow_key).zip(indices).collect();
            keys.sort_unstable();
            return keys.into_iter().map(|(_, row)| row).collect();
        }
        let mut order: Vec<u32> = indices.collect();
        order.sort_unstable_by(|&a, &b| {
            compare(self.row(a as usize), self.row(b as usize)).then(a.cmp(&b))
        });
        order
    }
}

/// Returns a row of at most two words as a number.
#[inline]
fn narrow_key(row: &[u64]) -> u128 {
    row.iter().rev().fold(0, |key, &word| key << 64 | u128::from(word))
}

/// Compares two rows as binary numbers.
#[inline]
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// Rows of bits, each with the target to predict and a weight.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LabelledRows {
    rows: BitRows,
    targets: Vec<f64>,
    weights: Vec<f64>,
}

impl LabelledRows {
    /// Creates an empty list of rows of `width` bits.
    #[must_use]
    pub fn new(width: usize) -> Self {
        LabelledRows { rows: BitRows::new(width), ..LabelledRows::default() }
    }

    /// Returns the rows without their labels.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &BitRows {
        &self.rows
    }

    /// Returns the number of rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether there are no rows.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the words of a row.
    #[inline]
    #[must_use]
    pub fn row(&self, row: usize) -> &[u64] {
        self.rows.row(row)
    }

    /// Returns the targets of all rows: the values that a model should predict.
    #[inline]
    #[must_use]
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// Returns the weights of all rows in training.
    #[inline]
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Appends a row, given by its words, with its target and weight.
    ///
    /// # Panics
    /// As [`BitRows::push`].
    #[inline]
    pub fn push(&mut self, row: &[u64], target: f64, weight: f64) {
        self.rows.push(row);
        self.targets.push(target);
        self.weights.push(weight);
    }

    /// Appends a row of weight 1 whose lowest bits are `bits`.
    ///
    /// # Panics
    /// As [`BitRows::push_bits`].
    pub fn push_bits(&mut self, bits: u128, target: f64) {
        self.rows.push_bits(bits);
        self.targets.push(target);
        self.weights.push(1.0);
    }

    /// Appends a row of zeros of weight 1 and returns its words for writing.
    #[inline]
    pub(super) fn push_zeros(&mut self, target: f64) -> &mut [u64] {
        self.targets.push(target);
        self.weights.push(1.0);
        self.rows.push_zeros()
    }

    /// Appends all rows of a list of rows of the same width.
    ///
    /// # Panics
    /// When the rows have another width.
    pub fn append(&mut self, other: &LabelledRows) {
        self.rows.append(&other.rows);
        self.targets.extend_from_slice(&other.targets);
        self.weights.extend_from_slice(&other.weights);
    }

    /// Removes all rows; keeps the memory.
    pub(super) fn clear(&mut self) {
        self.rows.reset(self.rows.width);
        self.targets.clear();
        self.weights.clear();
    }

    /// Merges equal rows into one with their weighted mean target and total weight, and sorts the
    /// rows as binary numbers. Weights must be positive.
    #[must_use]
    pub fn merged(&self) -> Self {
        let order = self.rows.sorted();
        let mut merged = LabelledRows::new(self.rows.width);
        // Equal rows are summed in the order given.
        for equal in order.chunk_by(|&a, &b| self.row(a as usize) == self.row(b as usize)) {
            let places = || equal.iter().map(|&row| row as usize);
            let weight: f64 = places().map(|row| self.weights[row]).sum();
            let sum: f64 = places().map(|row| self.targets[row] * self.weights[row]).sum();
            merged.push(self.row(equal[0] as usize), sum / weight, weight);
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn equal_rows_become_their_weighted_mean() {
        for width in [4_usize, 64, 100, 200] {
            let row = |bits: u64| {
                let mut words = vec![0; width.div_ceil(64)];
                words[0] = bits;
                words
            };
            let mut rows = LabelledRows::new(width);
            for (bits, target, weight) in [(9, 7.0, 1.0), (5, 5.0, 1.0), (5, 1.0, 3.0)] {
                rows.push(&row(bits), target, weight);
            }
            let mut expected = LabelledRows::new(width);
            expected.push(&row(5), 2.0, 4.0);
            expected.push(&row(9), 7.0, 1.0);
            assert_eq!(rows.merged(), expected, "{width} bits");
        }
    }

    #[test]
    fn rows_of_any_width_are_sorted_as_numbers() {
        let mut rng = Rng::new(6);
        for width in [1, 63, 64, 65, 128, 129, 1000] {
            let mut rows = LabelledRows::new(width);
            for at in 0..200 {
                let words = rows.push_zeros(at as f64);
                for _ in 0..2 {
                    let bit = rng.below(width);
                    words[bit / 64] |= 1 << (bit % 64);
                }
            }
            let merged = rows.merged();
            let is_above = |a: &[u64], b: &[u64]| a.iter().rev().gt(b.iter().rev());
            let all: Vec<&[u64]> = merged.rows().iter().collect();
            assert!(all.windows(2).all(|pair| is_above(pair[1], pair[0])), "{width} bits");
            assert_eq!(merged.weights().iter().sum::<f64>(), 200.0);
        }
    }

    #[test]
    fn bits_become_words_and_other_widths_are_refused() {
        let mut rows = BitRows::new(100);
        rows.push_bits(1 << 99 | 0b101);
        assert_eq!((rows.row(0), rows.len(), rows.stride()), (&[5, 1 << 35][..], 1, 2));
        let refused = |width: usize, row: &[u64]| {
            let row = row.to_vec();
            std::panic::catch_unwind(move || BitRows::new(width).push(&row)).is_err()
        };
        assert!(refused(3, &[8]) && refused(3, &[1, 0]) && !refused(3, &[7]));
    }
}
