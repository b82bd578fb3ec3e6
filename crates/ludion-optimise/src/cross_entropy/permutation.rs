//! Distributions of words (sequences of symbols) without repeated symbols: each place draws from
//! its own distribution among the symbols that earlier places left unused.
//!
//! Place i is drawn from row i restricted to the unused symbols and renormalised. The rows are
//! fitted to the frequencies in the elite as for independent places, which is close to the maximum
//! likelihood fit and works as well.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting};
use super::alias::AliasTable;
use super::family::{DistributionFamily, EliteCandidate, cleared_words};
use super::options::CrossEntropyOptions;
use super::probability_table::{ProbabilityTable, ProbabilityTableSummary};
use ludion_core::random::Rng;

/// Maximum number of symbols drawn from a whole row until one is unused; after that, a symbol is
/// drawn from the unused ones only. Both ways give the same distribution, and the first is faster
/// while most symbols are unused.
const ATTEMPTS: usize = 8;

/// A distribution of words (sequences of symbols) in which no symbol occurs twice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "ProbabilityTable", into = "ProbabilityTable")]
pub struct PermutationDistribution {
    rows: ProbabilityTable,
}

impl TryFrom<ProbabilityTable> for PermutationDistribution {
    type Error = SetupError;

    fn try_from(rows: ProbabilityTable) -> Result<Self, SetupError> {
        let (places, symbols) = (rows.rows().len(), rows.rows().first().map_or(0, Vec::len));
        let even = rows.rows().iter().all(|row| row.len() == symbols);
        check_setting("the lengths of rows", "uneven", "one length for all", even)?;
        check_setting("symbols", symbols, "at least as many as places", symbols >= places)?;
        Ok(PermutationDistribution { rows })
    }
}

impl From<PermutationDistribution> for ProbabilityTable {
    fn from(distribution: PermutationDistribution) -> Self {
        distribution.rows
    }
}

impl PermutationDistribution {
    /// Creates the uniform distribution of words with `places` distinct symbols out of `symbols`.
    pub fn uniform(places: usize, symbols: usize) -> Result<Self, SetupError> {
        PermutationDistribution::try_from(ProbabilityTable::uniform(std::iter::repeat_n(
            symbols, places,
        ))?)
    }

    /// Creates the distribution from its probabilities: one row for each place, which sums to 1,
    /// and one column for each symbol.
    pub fn new(rows: Vec<Vec<f64>>) -> Result<Self, SetupError> {
        PermutationDistribution::try_from(ProbabilityTable::try_from(rows)?)
    }

    /// Returns the probabilities: one row for each place, one column for each symbol.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        self.rows.rows()
    }
}

/// Draws an unused symbol from `row`, or any unused symbol if all of them have probability 0.
fn draw_unused(row: &[f64], table: &AliasTable, used: &[bool], rng: &mut Rng) -> u16 {
    for _ in 0..ATTEMPTS {
        let symbol = table.draw(rng);
        if !used[usize::from(symbol)] {
            return symbol;
        }
    }
    let unused = || (0..row.len()).filter(|&symbol| !used[symbol]);
    let mass: f64 = unused().map(|symbol| row[symbol]).sum();
    let mut rest = rng.unit() * mass;
    for symbol in unused().filter(|&symbol| row[symbol] > 0.0) {
        rest -= row[symbol];
        if rest < 0.0 {
            return symbol as u16;
        }
    }
    let last = unused().rfind(|&symbol| row[symbol] > 0.0);
    let any = || unused().nth(rng.below(unused().count()));
    last.or_else(any).expect("there are at least as many symbols as places") as u16
}

impl DistributionFamily for PermutationDistribution {
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
        let mut used = vec![false; self.rows().first().map_or(0, Vec::len)];
        for word in cleared_words(samples, count) {
            used.fill(false);
            word.extend(self.rows().iter().zip(&tables).map(|(row, table)| {
                let symbol = draw_unused(row, table, &used, rng);
                used[usize::from(symbol)] = true;
                symbol
            }));
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn words_have_the_probabilities_of_drawing_without_replacement() {
        let rows = vec![vec![0.7, 0.2, 0.1], vec![0.6, 0.0, 0.4], vec![0.2, 0.3, 0.5]];
        let distribution = PermutationDistribution::new(rows.clone()).unwrap();
        let mut counts: HashMap<Vec<u16>, u32> = HashMap::new();
        for word in distribution.draw(100_000, &mut Rng::new(2)) {
            *counts.entry(word).or_default() += 1;
        }
        // The last place takes the symbol that is left; after 0 always comes 2.
        let (zero, one, two) = (0.7, 0.2, 0.1);
        let expected = [
            (vec![0, 2, 1], zero),
            (vec![1, 0, 2], one * 0.6),
            (vec![1, 2, 0], one * 0.4),
            (vec![2, 0, 1], two),
        ];
        assert_eq!(counts.len(), expected.len());
        let chi2: f64 = expected
            .iter()
            .map(|(word, p)| (f64::from(counts[word]) - 1e5 * p).powi(2) / (1e5 * p))
            .sum();
        // Three degrees of freedom: 16.3 is exceeded once in a thousand seeds.
        assert!(chi2 < 16.3, "{counts:?}");
    }

    #[test]
    fn rows_whose_probable_symbols_are_used_still_give_distinct_symbols() {
        let distribution = PermutationDistribution::new(vec![vec![1.0, 0.0, 0.0]; 3]).unwrap();
        for word in distribution.draw(1_000, &mut Rng::new(8)) {
            assert_eq!(word[0], 0);
            assert!(word[1] != word[2] && word[1] != 0 && word[2] != 0);
        }
    }

    #[test]
    fn more_places_than_symbols_are_refused() {
        let error = PermutationDistribution::uniform(5, 4).unwrap_err();
        assert_eq!(error.to_string(), "symbols is 4; allowed is at least as many as places");
        assert!(PermutationDistribution::new(vec![vec![1.0], vec![0.5, 0.5]]).is_err());
    }
}
