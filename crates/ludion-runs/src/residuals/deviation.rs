//! The deviation of a worker's counts from their expectation, with its covariance, and the test of
//! it.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{CLASSES, ClassCounts, MIN_VARIANCE};

/// Deviation of the class counts of a worker from those expected under the null hypothesis, summed
/// over groups.
#[derive(Default)]
pub(super) struct Deviation {
    difference: [f64; CLASSES],
    covariance: [[f64; CLASSES]; CLASSES],
}

/// Least variance that is not a rounding error.
const POSITIVE_VARIANCE: f64 = 1e-9;

impl Deviation {
    /// Adds a group, with the counts of the worker and those of all workers, its own included.
    pub(super) fn add_group(&mut self, counts: &ClassCounts, total: &ClassCounts) {
        let [n, all] = [counts, total].map(|counts| counts.iter().sum::<u64>());
        if n == 0 || n >= all {
            return;
        }
        let (n, all) = (n as f64, all as f64);
        let share = total.map(|count| count as f64 / all);
        let scale = n * (all - n) / (all - 1.0);
        for i in 0..CLASSES {
            self.difference[i] += counts[i] as f64 - n * share[i];
            self.covariance[i][i] += scale * share[i];
            for j in 0..CLASSES {
                self.covariance[i][j] -= scale * share[i] * share[j];
            }
        }
    }

    /// Returns the deviation of the sum of all scores in standard deviations; `None` if the sum is
    /// the same in every sample.
    pub(super) fn of_mean_score(&self) -> Option<f64> {
        let (mut difference, mut variance) = (0.0, 0.0);
        for i in 0..CLASSES {
            difference += i as f64 * self.difference[i];
            for j in 0..CLASSES {
                variance += (i * j) as f64 * self.covariance[i][j];
            }
        }
        (variance > POSITIVE_VARIANCE).then(|| difference / variance.sqrt())
    }

    /// Returns the statistic T of all classes, rare ones too. Its distribution is not known, but of all
    /// workers the one that causes the deviations has the largest.
    pub(super) fn size(&self) -> f64 {
        self.classes().statistic(POSITIVE_VARIANCE).0
    }

    fn classes(&self) -> ClassDeviation {
        ClassDeviation {
            difference: self.difference.to_vec(),
            covariance: self.covariance.iter().map(|row| row.to_vec()).collect(),
        }
    }

    /// Returns the probability of this deviation or a larger one; `None` if there are too few results.
    pub(super) fn probability(&self) -> Option<f64> {
        let mut merged = self.classes();
        merged.merge_rare_classes();
        let (statistic, freedom) = merged.statistic(MIN_VARIANCE / 2.0);
        // There is no distribution with 0 degrees of freedom.
        let distribution = ChiSquared::new(f64::from(freedom)).ok()?;
        Some(distribution.sf(statistic))
    }
}

/// A deviation of which classes can be merged.
struct ClassDeviation {
    difference: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl ClassDeviation {
    /// Merges each class whose count has a variance below the least with the neighbour of smaller
    /// variance, the rarest class first. The choice does not depend on the counts of the worker, so it
    /// does not bias the test.
    fn merge_rare_classes(&mut self) {
        while self.difference.len() > 1 {
            let variance = |i: usize| self.covariance[i][i];
            let last = self.difference.len() - 1;
            let rarest = (0..=last).min_by(|&i, &j| variance(i).total_cmp(&variance(j)));
            let Some(rarest) = rarest.filter(|&i| variance(i) < MIN_VARIANCE) else { return };
            let has_smaller_below =
                rarest == last || (rarest > 0 && variance(rarest - 1) < variance(rarest + 1));
            self.merge_with_next(if has_smaller_below { rarest - 1 } else { rarest });
        }
    }

    /// Merges the classes `i` and `i + 1`.
    fn merge_with_next(&mut self, i: usize) {
        self.difference[i] += self.difference.remove(i + 1);
        let removed = self.covariance.remove(i + 1);
        self.covariance[i].iter_mut().zip(removed).for_each(|(sum, value)| *sum += value);
        for row in &mut self.covariance {
            row[i] += row.remove(i + 1);
        }
    }

    /// Returns dᵀ·C⁻¹·d and the rank of C, by elimination of the class with the largest remaining
    /// variance. What varies less than `min_variance` is left out: the sum of all counts, which is
    /// fixed, and sums that vary in few results only, whose distribution is not normal. Where all
    /// results are of one group, the remaining variance of a class is at least half of the least
    /// variance of a class.
    fn statistic(mut self, min_variance: f64) -> (f64, u32) {
        let (mut statistic, mut rank) = (0.0, 0);
        let classes = self.difference.len();
        for _ in 0..classes {
            let variance = |i: usize| self.covariance[i][i];
            let widest = (0..classes).max_by(|&i, &j| variance(i).total_cmp(&variance(j)));
            let Some(i) = widest.filter(|&i| variance(i) >= min_variance) else { break };
            let (row, difference) = (self.covariance[i].clone(), self.difference[i]);
            statistic += difference * difference / row[i];
            rank += 1;
            for j in 0..classes {
                let factor = row[j] / row[i];
                self.difference[j] -= factor * difference;
                let values = self.covariance[j].iter_mut().zip(&row);
                values.for_each(|(value, eliminated)| *value -= factor * eliminated);
            }
        }
        (statistic, rank)
    }
}
