//! Many runs of one experiment in a few figures, as the study's tables have them.
//!
//! The interval of a median is that of order statistics: the number of values below the true
//! median is binomial with ½, so the k-th smallest and the k-th greatest value enclose it with
//! 95 % for the greatest k with `P(B < k) ≤ 2.5 %`. With fewer than six values there is none.

use serde::{Deserialize, Serialize};

use super::settings::DistributionKind;
use super::trace::ExperimentOutcome;

/// The median of some numbers, with its 95 % interval and their ends.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Median {
    /// The median.
    pub median: f64,
    /// The low end of its interval, of six numbers or more.
    pub low: Option<f64>,
    /// The high end of its interval, of six numbers or more.
    pub high: Option<f64>,
    /// The least number.
    pub least: f64,
    /// The greatest number.
    pub greatest: f64,
}

impl Median {
    /// Of these numbers; `None` if there are none.
    #[must_use]
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        let count = numbers.len();
        let (&least, &greatest) = (numbers.first()?, numbers.last()?);
        let rank = Some(rank(count)).filter(|&rank| rank > 0);
        Some(Median {
            median: f64::midpoint(numbers[(count - 1) / 2], numbers[count / 2]),
            low: rank.map(|rank| numbers[rank - 1]),
            high: rank.map(|rank| numbers[count - rank]),
            least,
            greatest,
        })
    }
}

/// The greatest k for which fewer than k heads in `count` throws have a chance of 2.5 % at most.
fn rank(count: usize) -> usize {
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

/// Runs of one experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentSummary {
    /// How many runs.
    pub runs: usize,
    /// The iterations that tables count (see [`ExperimentOutcome::counted`]), of the runs that have one.
    pub iterations: Option<Median>,
    /// Runs that did not come to the secret.
    pub wrong: usize,
    /// The mean of what is missing to 1 in the scores of the last proposals.
    pub error: f64,
    /// The mean of what is missing to 1 in the last gammas, which the study published.
    pub quantile_error: f64,
    /// The mean number of answers that a run cost.
    pub answers: f64,
}

impl ExperimentSummary {
    /// Of these runs.
    #[must_use]
    pub fn of(law: &DistributionKind, outcomes: &[&ExperimentOutcome]) -> Self {
        let mean = |figure: fn(&ExperimentOutcome) -> f64| {
            outcomes.iter().map(|outcome| figure(outcome)).sum::<f64>()
                / outcomes.len().max(1) as f64
        };
        let counted = outcomes.iter().filter_map(|outcome| outcome.counted(law)).map(f64::from);
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
            assert_eq!(rank(count), expected, "{count} values");
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
