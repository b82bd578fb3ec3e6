//! How the score of a match went: the counts of pairs at some hundred moments, in bounded memory.

use super::elo::PairCounts;

/// The counts of the pairs of a match after every so many of them.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoreHistory {
    /// Number of pairs between two moments.
    every: u64,
    /// The counts at each moment, the first after `every` pairs.
    moments: Vec<PairCounts>,
}

/// Number of moments at which every second one is dropped.
const MAX_MOMENTS: usize = 512;

impl Default for ScoreHistory {
    fn default() -> Self {
        ScoreHistory { every: 1, moments: Vec::new() }
    }
}

impl ScoreHistory {
    /// Notes the counts after the next pair, if it is one of the moments.
    pub fn note(&mut self, counts: &PairCounts) {
        let total = counts.total();
        if !total.is_multiple_of(self.every) {
            return;
        }
        self.moments.push(*counts);
        if self.moments.len() == MAX_MOMENTS {
            self.every *= 2;
            let mut number = 0;
            self.moments.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
    }

    /// Returns the counts at each moment, in order.
    #[must_use]
    pub fn moments(&self) -> &[PairCounts] {
        &self.moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_evenly_spaced_however_long_the_match_is() {
        let (mut history, mut counts) = (ScoreHistory::default(), PairCounts::default());
        for pairs in 1..=100_000_u64 {
            counts.two_wins += 1;
            history.note(&counts);
            if [1, 511, 512, 513, 100_000].contains(&pairs) {
                let totals: Vec<u64> = history.moments().iter().map(PairCounts::total).collect();
                let every = totals[0];
                assert!(totals.iter().zip(1..).all(|(total, i)| *total == i * every), "{every}");
                assert!(totals.len() as u64 == pairs / every && totals.len() < MAX_MOMENTS);
            }
        }
    }
}
