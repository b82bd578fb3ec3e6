//! Distributions of words (sequences of symbols) with independent places, from which words with a
//! repeated symbol are discarded.
//!
//! It differs from [`PermutationDistribution`], whose places depend on those before them: here every
//! order of the places gives the same distribution. But where most words repeat a symbol, many must be
//! drawn for one that is kept.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting};
use super::family::{DistributionFamily, EliteCandidate};
use super::options::CrossEntropyOptions;
use super::permutation::PermutationDistribution;
use super::probability_table::{ProbabilityTable, ProbabilityTableSummary};
use super::{alias::AliasTable, family::cleared_words};
use ludion_core::random::Rng;

/// Minimum share of the words of a uniform distribution that have no repeated symbol.
const MIN_SHARE: f64 = 1e-4;
/// Maximum number of words drawn for one that is kept, in the mean of a sample. Beyond it, places are
/// drawn one after the other among the unused symbols.
const MAX_DRAWS: usize = 100_000;

/// A distribution of words whose symbols are drawn independently of each other until no symbol occurs
/// twice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DiscardingDistribution {
    rows: ProbabilityTable,
}

impl DiscardingDistribution {
    /// Creates the uniform distribution of words of length `places` over an alphabet of `symbols`
    /// symbols.
    ///
    /// # Errors
    /// Returns an error if nearly all words have a repeated symbol.
    pub fn uniform(places: usize, symbols: usize) -> Result<Self, SetupError> {
        let share: f64 =
            (0..places).map(|place| 1.0 - place as f64 / symbols.max(1) as f64).product();
        let (name, allowed) = ("the share of draws without a repeat", "0.0001 or more");
        check_setting(name, format!("{share:.1e}"), allowed, share >= MIN_SHARE)?;
        let rows = ProbabilityTable::uniform(std::iter::repeat_n(symbols, places))?;
        Ok(DiscardingDistribution { rows })
    }

    /// Returns the probabilities: one row for each place, one column for each symbol.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        self.rows.rows()
    }
}

impl DistributionFamily for DiscardingDistribution {
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
        let mut used = vec![usize::MAX; self.rows().first().map_or(0, Vec::len)];
        let mut draws = 0;
        for word in cleared_words(samples, count) {
            while word.len() < tables.len() && draws < count.saturating_mul(MAX_DRAWS) {
                draws += 1;
                word.clear();
                for table in &tables {
                    let symbol = table.draw(rng);
                    if std::mem::replace(&mut used[usize::from(symbol)], draws) == draws {
                        break;
                    }
                    word.push(symbol);
                }
            }
            if word.len() < tables.len() {
                let rest = PermutationDistribution::try_from(self.rows.clone());
                let drawn = rest.expect("as many symbols as places").draw(1, rng);
                *word = drawn.into_iter().next().expect("one word");
            }
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
    use super::*;

    #[test]
    fn words_without_repeats_have_the_probabilities_of_independent_places() {
        let mut family = DiscardingDistribution::uniform(2, 3).unwrap();
        let rows = vec![vec![0.5, 0.3, 0.2], vec![0.1, 0.6, 0.3]];
        family.rows = ProbabilityTable::try_from(rows.clone()).unwrap();
        let words = family.draw(60_000, &mut Rng::new(3));
        let weight = |a: usize, b: usize| if a == b { 0.0 } else { rows[0][a] * rows[1][b] };
        let total: f64 = (0..9).map(|i| weight(i / 3, i % 3)).sum();
        for (a, b) in (0..9).map(|i| (i / 3, i % 3)) {
            let word = vec![a as u16, b as u16];
            let share = words.iter().filter(|other| **other == word).count() as f64 / 60_000.0;
            assert!((share - weight(a, b) / total).abs() < 0.01, "{word:?}: {share}");
        }
    }

    #[test]
    fn a_distribution_of_which_nearly_all_words_repeat_a_symbol_is_refused() {
        let refused = DiscardingDistribution::uniform(40, 40).unwrap_err().to_string();
        assert!(refused.contains("without a repeat"), "{refused}");
        assert!(DiscardingDistribution::uniform(10, 15).is_ok());
    }
}
