//! A table of probabilities, one row for each place of a word and one column for each symbol:
//! what the laws of independent places and of permutations have in common.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting};
use super::family::EliteCandidate;

/// How far beyond 1 a probability may be, and how far from 1 the sum of a row.
const ROUNDING: f64 = 1e-6;
/// Most symbols in a row.
const MOST: usize = 1 << 16;

/// What a table of probabilities says of itself.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RowFigures {
    /// The least probability.
    pub min: f64,
    /// The greatest of the least ones of the rows.
    pub max_min: f64,
    /// The greatest probability.
    pub max: f64,
    /// The least of the greatest ones of the rows.
    pub min_max: f64,
}

/// Rows of probabilities, which may be of different lengths.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<f64>>", into = "Vec<Vec<f64>>")]
pub(super) struct ProbabilityRows(Vec<Vec<f64>>);

impl TryFrom<Vec<Vec<f64>>> for ProbabilityRows {
    type Error = SetupError;

    fn try_from(rows: Vec<Vec<f64>>) -> Result<Self, SetupError> {
        for row in &rows {
            check_setting("symbols", row.len(), "1 to 65536", (1..=MOST).contains(&row.len()))?;
            let bad = row.iter().find(|p| !(0.0..=1.0 + ROUNDING).contains(*p));
            check_setting("a probability", bad.unwrap_or(&0.0), "0 to 1", bad.is_none())?;
            let sum: f64 = row.iter().sum();
            check_setting("the sum of a row", sum, "1", (sum - 1.0).abs() < ROUNDING)?;
        }
        Ok(ProbabilityRows(rows))
    }
}

impl From<ProbabilityRows> for Vec<Vec<f64>> {
    fn from(rows: ProbabilityRows) -> Self {
        rows.0
    }
}

impl ProbabilityRows {
    /// Rows of these lengths in which every symbol is as likely as any other.
    pub(super) fn uniform(lengths: impl IntoIterator<Item = usize>) -> Result<Self, SetupError> {
        let mut rows = Vec::new();
        for symbols in lengths {
            check_setting("symbols", symbols, "1 to 65536", (1..=MOST).contains(&symbols))?;
            rows.push(vec![1.0 / symbols as f64; symbols]);
        }
        Ok(ProbabilityRows(rows))
    }

    pub(super) fn rows(&self) -> &[Vec<f64>] {
        &self.0
    }

    pub(super) fn cells(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Moves every row towards the shares of its symbols in the elite.
    pub(super) fn fit(&mut self, elite: &[EliteCandidate<'_, Vec<u16>>], smoothing: f64) {
        let shares = shares(self.0.iter().map(Vec::len), elite);
        for (row, shares) in self.0.iter_mut().zip(shares) {
            for (p, share) in row.iter_mut().zip(shares) {
                *p = smoothing * share + (1.0 - smoothing) * *p;
            }
        }
    }

    pub(super) fn figures(&self) -> RowFigures {
        let least = |row: &Vec<f64>| row.iter().copied().fold(1.0, f64::min);
        let most = |row: &Vec<f64>| row.iter().copied().fold(0.0, f64::max);
        RowFigures {
            min: self.0.iter().map(least).fold(1.0, f64::min),
            max_min: self.0.iter().map(least).fold(0.0, f64::max),
            max: self.0.iter().map(most).fold(0.0, f64::max),
            min_max: self.0.iter().map(most).fold(1.0, f64::min),
        }
    }
}

/// The share of the elite, by weight, that has each symbol at each place.
pub(super) fn shares(
    lengths: impl IntoIterator<Item = usize>,
    elite: &[EliteCandidate<'_, Vec<u16>>],
) -> Vec<Vec<f64>> {
    let mut shares: Vec<Vec<f64>> = lengths.into_iter().map(|m| vec![0.0; m]).collect();
    let total: f64 = elite.iter().map(|one| one.weight).sum();
    for one in elite {
        for (row, &symbol) in shares.iter_mut().zip(one.sample) {
            row[usize::from(symbol)] += one.weight;
        }
    }
    // Divided last: equal weights add up without rounding.
    shares.iter_mut().flatten().for_each(|share| *share /= total);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_is_the_smoothed_share_of_the_elite() {
        let mut rows = ProbabilityRows::uniform([2, 4]).unwrap();
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
        let figures = rows.figures();
        assert!((figures.min - 0.075).abs() < 1e-12 && (figures.max_min - 0.15).abs() < 1e-12);
        assert!((figures.max - 0.85).abs() < 1e-12 && (figures.min_max - 0.6).abs() < 1e-12);
    }

    #[test]
    fn rows_that_are_no_laws_are_refused() {
        let refused =
            |row: &[f64]| ProbabilityRows::try_from(vec![row.to_vec()]).unwrap_err().to_string();
        assert_eq!(refused(&[]), "symbols is 0; allowed is 1 to 65536");
        assert_eq!(refused(&[0.5, 0.25]), "the sum of a row is 0.75; allowed is 1");
        assert_eq!(refused(&[1.5, -0.5]), "a probability is 1.5; allowed is 0 to 1");
        assert!(refused(&[f64::NAN]).contains("0 to 1"));
    }
}
