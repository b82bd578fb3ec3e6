//! A table of probabilities with one row for each place of a word and one column for each symbol,
//! shared by the distributions of independent places and of permutations.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting};
use super::family::EliteCandidate;

/// Amount by which a probability may exceed 1, and by which the sum of a row may differ from 1.
const ROUNDING_ERROR: f64 = 1e-6;
/// Maximum number of symbols, which is the length of a row.
const MAX_SYMBOLS: usize = 1 << 16;

/// Smallest and largest entries of a table of probabilities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProbabilityTableSummary {
    /// Smallest probability in the table.
    pub min: f64,
    /// Largest of the smallest probabilities of the rows.
    pub max_min: f64,
    /// Largest probability in the table.
    pub max: f64,
    /// Smallest of the largest probabilities of the rows.
    pub min_max: f64,
}

/// A table of probabilities with one row for each place; each row sums to 1, and rows may differ in
/// length.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<f64>>", into = "Vec<Vec<f64>>")]
pub(super) struct ProbabilityTable(Vec<Vec<f64>>);

impl TryFrom<Vec<Vec<f64>>> for ProbabilityTable {
    type Error = SetupError;

    fn try_from(rows: Vec<Vec<f64>>) -> Result<Self, SetupError> {
        for row in &rows {
            check_setting(
                "symbols",
                row.len(),
                "1 to 65536",
                (1..=MAX_SYMBOLS).contains(&row.len()),
            )?;
            let bad = row.iter().find(|p| !(0.0..=1.0 + ROUNDING_ERROR).contains(*p));
            check_setting("a probability", bad.unwrap_or(&0.0), "0 to 1", bad.is_none())?;
            let sum: f64 = row.iter().sum();
            check_setting("the sum of a row", sum, "1", (sum - 1.0).abs() < ROUNDING_ERROR)?;
        }
        Ok(ProbabilityTable(rows))
    }
}

impl From<ProbabilityTable> for Vec<Vec<f64>> {
    fn from(rows: ProbabilityTable) -> Self {
        rows.0
    }
}

impl ProbabilityTable {
    /// Creates a table with rows of these lengths, in which all probabilities of a row are equal.
    pub(super) fn uniform(lengths: impl IntoIterator<Item = usize>) -> Result<Self, SetupError> {
        let mut rows = Vec::new();
        for symbols in lengths {
            check_setting("symbols", symbols, "1 to 65536", (1..=MAX_SYMBOLS).contains(&symbols))?;
            rows.push(vec![1.0 / symbols as f64; symbols]);
        }
        Ok(ProbabilityTable(rows))
    }

    pub(super) fn rows(&self) -> &[Vec<f64>] {
        &self.0
    }

    /// Returns the number of probabilities in the table.
    pub(super) fn cells(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Moves every row towards the weighted frequencies of the symbols at its place in the elite.
    pub(super) fn fit(&mut self, elite: &[EliteCandidate<'_, Vec<u16>>], smoothing: f64) {
        let frequencies = frequencies(self.0.iter().map(Vec::len), elite);
        for (row, frequencies) in self.0.iter_mut().zip(frequencies) {
            for (p, frequency) in row.iter_mut().zip(frequencies) {
                *p = smoothing * frequency + (1.0 - smoothing) * *p;
            }
        }
    }

    pub(super) fn summary(&self) -> ProbabilityTableSummary {
        let min = |row: &Vec<f64>| row.iter().copied().fold(1.0, f64::min);
        let max = |row: &Vec<f64>| row.iter().copied().fold(0.0, f64::max);
        ProbabilityTableSummary {
            min: self.0.iter().map(min).fold(1.0, f64::min),
            max_min: self.0.iter().map(min).fold(0.0, f64::max),
            max: self.0.iter().map(max).fold(0.0, f64::max),
            min_max: self.0.iter().map(max).fold(1.0, f64::min),
        }
    }
}

/// Returns the weighted frequency of each symbol at each place in the elite.
pub(super) fn frequencies(
    lengths: impl IntoIterator<Item = usize>,
    elite: &[EliteCandidate<'_, Vec<u16>>],
) -> Vec<Vec<f64>> {
    let mut frequencies: Vec<Vec<f64>> = lengths.into_iter().map(|m| vec![0.0; m]).collect();
    let total: f64 = elite.iter().map(|one| one.weight).sum();
    for one in elite {
        for (row, &symbol) in frequencies.iter_mut().zip(one.sample) {
            row[usize::from(symbol)] += one.weight;
        }
    }
    // Dividing last keeps sums of equal weights exact.
    frequencies.iter_mut().flatten().for_each(|frequency| *frequency /= total);
    frequencies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_moves_towards_the_frequencies_in_the_elite() {
        let mut rows = ProbabilityTable::uniform([2, 4]).unwrap();
        let (a, b) = (vec![0, 3], vec![0, 1]);
        let elite = [
            EliteCandidate { sample: &a, weight: 3.0 },
            EliteCandidate { sample: &b, weight: 1.0 },
        ];
        rows.fit(&elite, 0.7);
        let expected = [vec![0.85, 0.15], vec![0.075, 0.25, 0.075, 0.6]];
        for (row, expected) in rows.rows().iter().zip(&expected) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{row:?}");
        }
        let summary = rows.summary();
        assert!((summary.min - 0.075).abs() < 1e-12 && (summary.max_min - 0.15).abs() < 1e-12);
        assert!((summary.max - 0.85).abs() < 1e-12 && (summary.min_max - 0.6).abs() < 1e-12);
    }

    #[test]
    fn rows_that_are_not_distributions_are_refused() {
        let refused =
            |row: &[f64]| ProbabilityTable::try_from(vec![row.to_vec()]).unwrap_err().to_string();
        assert_eq!(refused(&[]), "symbols is 0; allowed is 1 to 65536");
        assert_eq!(refused(&[0.5, 0.25]), "the sum of a row is 0.75; allowed is 1");
        assert_eq!(refused(&[1.5, -0.5]), "a probability is 1.5; allowed is 0 to 1");
        assert!(refused(&[f64::NAN]).contains("0 to 1"));
    }
}
