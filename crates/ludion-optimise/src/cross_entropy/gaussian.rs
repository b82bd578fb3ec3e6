//! Distributions of points of the unit cube: an independent normal distribution for each
//! coordinate, truncated to 0 to 1.
//!
//! Mean and standard deviation are set to those of the elite. That is the maximum likelihood fit of
//! the untruncated distribution, and nearly that of the truncated one if little is cut off; near a
//! border the distribution narrows slightly too fast.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting, normal};
use super::family::{DistributionFamily, EliteCandidate, cleared_words};
use super::options::{CrossEntropyOptions, SampleSize};
use ludion_core::random::Rng;

/// Standard deviation of every coordinate of [`GaussianDistribution::wide`].
const INITIAL_DEVIATION: f64 = 0.5;

/// A truncated normal distribution of points of the unit cube with independent coordinates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "UncheckedGaussian", into = "UncheckedGaussian")]
pub struct GaussianDistribution {
    mean: Vec<f64>,
    deviation: Vec<f64>,
}

/// Serialised form of a [`GaussianDistribution`], before its ranges are checked.
#[derive(Serialize, Deserialize)]
struct UncheckedGaussian {
    mean: Vec<f64>,
    deviation: Vec<f64>,
}

/// Parameters of a [`GaussianDistribution`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GaussianSummary {
    /// Mean of each coordinate.
    pub mean: Vec<f64>,
    /// Standard deviation of each coordinate.
    pub deviation: Vec<f64>,
}

impl TryFrom<UncheckedGaussian> for GaussianDistribution {
    type Error = SetupError;

    fn try_from(unchecked: UncheckedGaussian) -> Result<Self, SetupError> {
        GaussianDistribution::new(unchecked.mean, unchecked.deviation)
    }
}

impl From<GaussianDistribution> for UncheckedGaussian {
    fn from(gaussian: GaussianDistribution) -> Self {
        UncheckedGaussian { mean: gaussian.mean, deviation: gaussian.deviation }
    }
}

impl GaussianDistribution {
    /// Creates a wide distribution of points of the unit cube: every coordinate has mean and
    /// standard deviation 0.5.
    #[must_use]
    pub fn wide(dimensions: usize) -> Self {
        GaussianDistribution {
            mean: vec![0.5; dimensions],
            deviation: vec![INITIAL_DEVIATION; dimensions],
        }
    }

    /// Creates the distribution with these means and standard deviations, all from 0 to 1.
    pub fn new(mean: Vec<f64>, deviation: Vec<f64>) -> Result<Self, SetupError> {
        let (means, deviations) = (mean.len(), deviation.len());
        check_setting("deviations", deviations, "as many as means", means == deviations)?;
        for (name, numbers) in [("a mean", &mean), ("a deviation", &deviation)] {
            let bad = numbers.iter().find(|x| !(0.0..=1.0).contains(*x));
            check_setting(name, bad.unwrap_or(&0.0), "0 to 1", bad.is_none())?;
        }
        Ok(GaussianDistribution { mean, deviation })
    }
}

/// Draws a normally distributed number by rejection of numbers outside 0 to 1; at least a third of
/// the draws are accepted, because the mean lies in the interval.
fn truncated_normal(mean: f64, deviation: f64, rng: &mut Rng) -> f64 {
    loop {
        let x = mean + deviation * normal(rng);
        if (0.0..=1.0).contains(&x) {
            return x;
        }
    }
}

impl DistributionFamily for GaussianDistribution {
    type Sample = Vec<f64>;
    type Summary = GaussianSummary;

    fn parameters(&self) -> usize {
        2 * self.mean.len()
    }

    /// Returns options with an elite of a fifth of the sample, because a standard deviation needs
    /// more samples than a mean, and with a stop when no deviation exceeds 0.01, because gamma (the
    /// score threshold of the elite) rarely repeats among real numbers.
    fn defaults(&self) -> CrossEntropyOptions {
        CrossEntropyOptions {
            samples: SampleSize::PerParameter(10),
            rho: 0.2,
            unchanged: None,
            concentration: Some(0.99),
            ..CrossEntropyOptions::default()
        }
    }

    fn draw_into(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Vec<f64>>) {
        for point in cleared_words(samples, count) {
            let moments = self.mean.iter().zip(&self.deviation);
            point.extend(moments.map(|(&mean, &deviation)| truncated_normal(mean, deviation, rng)));
        }
    }

    fn fit(&mut self, elite: &[EliteCandidate<'_, Vec<f64>>], smoothing: f64) {
        let total: f64 = elite.iter().map(|one| one.weight).sum();
        for i in 0..self.mean.len() {
            let weighted = |f: &dyn Fn(f64) -> f64| {
                elite.iter().map(|one| one.weight * f(one.sample[i])).sum::<f64>() / total
            };
            let mean = weighted(&|x| x);
            let deviation = weighted(&|x| (x - mean).powi(2)).sqrt();
            let smooth = |new: f64, old: f64| smoothing * new + (1.0 - smoothing) * old;
            self.mean[i] = smooth(mean, self.mean[i]).clamp(0.0, 1.0);
            self.deviation[i] = smooth(deviation, self.deviation[i]).clamp(0.0, 1.0);
        }
    }

    fn summary(&self) -> GaussianSummary {
        GaussianSummary { mean: self.mean.clone(), deviation: self.deviation.clone() }
    }

    /// Returns 1 minus the largest standard deviation of a coordinate.
    fn concentration(&self) -> f64 {
        1.0 - self.deviation.iter().copied().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_moments_of_the_truncated_normal_distribution() {
        // Around 0 with deviation 1/2, cut to 0..1: the mean is sigma·(f(0) − f(2))/(F(2) − F(0))
        // with the normal density f and distribution F.
        let gaussian = GaussianDistribution::new(vec![0.0, 0.5], vec![0.5, 0.05]).unwrap();
        let draws = gaussian.draw(40_000, &mut Rng::new(6));
        let mean = |i: usize| draws.iter().map(|x| x[i]).sum::<f64>() / draws.len() as f64;
        let expected = 0.5 * (0.398_942 - 0.053_991) / 0.477_250;
        assert!((mean(0) - expected).abs() < 0.005, "{} for {expected}", mean(0));
        assert!((mean(1) - 0.5).abs() < 0.001);
        let spread = draws.iter().map(|x| (x[1] - 0.5).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!((spread.sqrt() - 0.05).abs() < 0.001);
        assert!(draws.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
    }

    #[test]
    fn a_fit_takes_the_weighted_moments_of_the_elite() {
        let mut gaussian = GaussianDistribution::wide(1);
        let (a, b) = (vec![0.2], vec![0.6]);
        let elite = [
            EliteCandidate { sample: &a, weight: 3.0 },
            EliteCandidate { sample: &b, weight: 1.0 },
        ];
        gaussian.fit(&elite, 0.5);
        assert!((gaussian.mean[0] - (0.3 + 0.5) / 2.0).abs() < 1e-12);
        let deviation = (0.75 * 0.01 + 0.25 * 0.09_f64).sqrt();
        assert!((gaussian.deviation[0] - (deviation + INITIAL_DEVIATION) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn parameters_outside_the_unit_cube_are_refused() {
        assert!(GaussianDistribution::new(vec![1.5], vec![0.1]).is_err());
        assert!(GaussianDistribution::new(vec![0.5], vec![f64::NAN]).is_err());
        let error = GaussianDistribution::new(vec![0.5], Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "deviations is 0; allowed is as many as means");
    }
}
