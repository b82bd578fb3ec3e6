//! Distributions of words (sequences of symbols) with independent places: each place has its own
//! categorical distribution.

use serde::{Deserialize, Serialize};

use super::super::SetupError;
use super::alias::AliasTable;
use super::family::{DistributionFamily, EliteCandidate, cleared_words};
use super::options::CrossEntropyOptions;
use super::probability_table::{ProbabilityTable, ProbabilityTableSummary};
use ludion_core::random::Rng;

/// A distribution of words (sequences of symbols) whose symbols are drawn independently of each
/// other.
///
/// The maximum likelihood fit is the frequency of each symbol at each place in the elite.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CategoricalDistribution {
    rows: ProbabilityTable,
}

impl CategoricalDistribution {
    /// Creates the uniform distribution of words of length `places` over an alphabet of `symbols`
    /// symbols.
    pub fn uniform(places: usize, symbols: usize) -> Result<Self, SetupError> {
        CategoricalDistribution::with_symbol_counts(std::iter::repeat_n(symbols, places))
    }

    /// Creates the uniform distribution of words, given the number of symbols allowed at each
    /// place.
    pub fn with_symbol_counts(
        symbols: impl IntoIterator<Item = usize>,
    ) -> Result<Self, SetupError> {
        Ok(CategoricalDistribution { rows: ProbabilityTable::uniform(symbols)? })
    }

    /// Creates the distribution from its probabilities: one row for each place, which sums to 1,
    /// and one column for each symbol.
    pub fn new(rows: Vec<Vec<f64>>) -> Result<Self, SetupError> {
        Ok(CategoricalDistribution { rows: ProbabilityTable::try_from(rows)? })
    }

    /// Returns the probabilities: one row for each place, one column for each symbol.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        self.rows.rows()
    }
}

impl DistributionFamily for CategoricalDistribution {
    type Sample = Vec<u16>;
    type Summary = ProbabilityTableSummary;

    fn parameters(&self) -> usize {
        self.rows.cells()
    }

    fn defaults(&self) -> CrossEntropyOptions {
        CrossEntropyOptions::default()
    }

    fn draw_into(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Vec<u16>>) {
        let tables: Vec<AliasTable> = self.rows().iter().map(|row| AliasTable::new(row)).collect();
        for word in cleared_words(samples, count) {
            word.extend(tables.iter().map(|table| table.draw(rng)));
        }
    }

    fn fit(&mut self, elite: &[EliteCandidate<'_, Vec<u16>>], smoothing: f64) {
        self.rows.fit(elite, smoothing);
    }

    fn summary(&self) -> ProbabilityTableSummary {
        self.rows.summary()
    }

    /// Returns the smallest probability that the likeliest symbol of a place has, over all places.
    fn concentration(&self) -> f64 {
        self.rows.summary().min_max
    }
}
