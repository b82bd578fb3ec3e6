//! Summary of many runs of one experiment, as in the tables published by ARKEnsae.
//!
//! The confidence interval of a median uses order statistics: the number of values below the true
//! median is binomial with p = ½, so the k-th smallest and the k-th largest value enclose it with
//! 95 % for the largest k with `P(B < k) ≤ 2.5 %`. With fewer than six values there is no interval.

use serde::{Deserialize, Serialize};

use super::settings::DistributionKind;
use super::trace::ExperimentOutcome;

/// Median of a sample, with its 95 % confidence interval and the extreme values.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Median {
    /// Median of the values.
    pub median: f64,
    /// Lower end of the 95 % confidence interval of the median; `None` for fewer than six values.
    pub low: Option<f64>,
    /// Upper end of the 95 % confidence interval of the median; `None` for fewer than six values.
    pub high: Option<f64>,
    /// Smallest of the values.
    pub least: f64,
    /// Largest of the values.
    pub greatest: f64,
}

impl Median {
    /// Computes the median of these numbers with its interval; `None` if there are no numbers.
    #[must_use]
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        let count = numbers.len();
        let (&least, &greatest) = (numbers.first()?, numbers.last()?);
        let rank = Some(interval_rank(count)).filter(|&rank| rank > 0);
        Some(Median {
            median: f64::midpoint(numbers[(count - 1) / 2], numbers[count / 2]),
            low: rank.map(|rank| numbers[rank - 1]),
            high: rank.map(|rank| numbers[count - rank]),
            least,
            greatest,
        })
    }
}

/// Returns the largest k for which the probability of fewer than k heads in `count` coin tosses is
/// at most 2.5 %.
fn interval_rank(count: usize) -> usize {
    let (mut term, mut sum) = (0.5_f64.powi(count as i32), 0.0);
    for k in 0..count {
        sum += term;
        if sum > 0.025 {
            return k;
        }
        term *= (count - k) as f64 / (k + 1) as f64;
    }
    0
}

/// Summary of several runs of one experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentSummary {
    /// Number of runs that are summarised.
    pub runs: usize,
    /// Median of the iteration numbers that the runs report (see [`ExperimentOutcome::counted`]);
    /// runs without one are left out. `None` if no run reports one.
    pub iterations: Option<Median>,
    /// Number of runs that did not find the secret.
    pub wrong: usize,
    /// Mean over the runs of 1 minus the score of the final proposal.
    pub error: f64,
    /// Mean over the runs of 1 minus the last gamma (the score threshold of the elite), the error
    /// that ARKEnsae published.
    pub quantile_error: f64,
    /// Mean number of codes scored per run.
    pub answers: f64,
}

impl ExperimentSummary {
    /// Summarises the outcomes of runs with this family of distributions.
    #[must_use]
    pub fn of(distribution: &DistributionKind, outcomes: &[&ExperimentOutcome]) -> Self {
        let mean = |figure: fn(&ExperimentOutcome) -> f64| {
            outcomes.iter().map(|outcome| figure(outcome)).sum::<f64>()
                / outcomes.len().max(1) as f64
        };
        let counted =
            outcomes.iter().filter_map(|outcome| outcome.counted(distribution)).map(f64::from);
        ExperimentSummary {
            runs: outcomes.len(),
            iterations: Median::of(counted.collect()),
            wrong: outcomes.iter().filter(|outcome| !outcome.found).count(),
            error: mean(|outcome| outcome.error),
            quantile_error: mean(|outcome| outcome.quantile_error),
            answers: mean(|outcome| outcome.answers as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_median_has_the_published_ranks() {
        // Conover, Practical Nonparametric Statistics: the ranks for 95 %.
        for (count, expected) in [(5, 0), (6, 1), (9, 2), (10, 2), (15, 4), (20, 6), (30, 10)] {
            assert_eq!(interval_rank(count), expected, "{count} values");
        }
        let middle = Median::of((1..=30).rev().map(f64::from).collect()).unwrap();
        let Median { median, low, high, least, greatest } = middle;
        assert_eq!([median, least, greatest], [15.5, 1.0, 30.0]);
        assert_eq!((low, high), (Some(10.0), Some(21.0)));
        let ends =
            |count: u32| Median::of((1..=count).map(f64::from).collect()).map(|m| (m.low, m.high));
        assert_eq!(ends(5), Some((None, None)));
        assert_eq!(ends(6), Some((Some(1.0), Some(6.0))));
        assert_eq!(Median::of(Vec::new()), None);
    }
}
