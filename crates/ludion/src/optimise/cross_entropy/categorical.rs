//! Independent places: each draws its symbol from a row of its own.

use serde::{Deserialize, Serialize};

use super::super::SetupError;
use super::alias::AliasTable;
use super::family::{DistributionFamily, EliteCandidate, emptied};
use super::options::CrossEntropyOptions;
use super::rows::{ProbabilityRows, RowFigures};
use crate::random::Rng;

/// A law of words with independent places. The share of the elite is the maximum likelihood.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CategoricalDistribution {
    rows: ProbabilityRows,
}

impl CategoricalDistribution {
    /// Words of `places` symbols out of `symbols`, all equally likely.
    pub fn uniform(places: usize, symbols: usize) -> Result<Self, SetupError> {
        CategoricalDistribution::uneven(std::iter::repeat_n(symbols, places))
    }

    /// Words with a number of symbols for each place, all equally likely.
    pub fn uneven(symbols: impl IntoIterator<Item = usize>) -> Result<Self, SetupError> {
        Ok(CategoricalDistribution { rows: ProbabilityRows::uniform(symbols)? })
    }

    /// The law with these rows of probabilities, each of which adds up to 1.
    pub fn new(rows: Vec<Vec<f64>>) -> Result<Self, SetupError> {
        Ok(CategoricalDistribution { rows: ProbabilityRows::try_from(rows)? })
    }

    /// The rows of probabilities.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        self.rows.rows()
    }
}

impl DistributionFamily for CategoricalDistribution {
    type Sample = Vec<u16>;
    type Figures = RowFigures;

    fn parameters(&self) -> usize {
        self.rows.cells()
    }

    fn defaults(&self) -> CrossEntropyOptions {
        CrossEntropyOptions::default()
    }

    fn redraw(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Vec<u16>>) {
        let laws: Vec<AliasTable> = self.rows().iter().map(|row| AliasTable::new(row)).collect();
        for word in emptied(samples, count) {
            word.extend(laws.iter().map(|law| law.draw(rng)));
        }
    }

    fn fit(&mut self, elite: &[EliteCandidate<'_, Vec<u16>>], smoothing: f64) {
        self.rows.fit(elite, smoothing);
    }

    fn figures(&self) -> RowFigures {
        self.rows.figures()
    }

    /// The least of the greatest probabilities of the rows.
    fn concentration(&self) -> f64 {
        self.rows.figures().min_max
    }
}
