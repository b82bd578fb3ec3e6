//! Numbers of the unit cube: one normal law a coordinate, cut off outside 0 to 1.
//!
//! The mean and the deviation are fitted to those of the elite. That is the maximum likelihood
//! of the whole normal law, and of the cut one where little is cut off; near a border the law
//! shrinks a little sooner than it would have to.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting};
use super::family::{DistributionFamily, EliteCandidate, emptied};
use super::options::{CrossEntropyOptions, SampleSize};
use crate::random::Rng;

/// The deviation with which nothing is known yet.
const WIDE: f64 = 0.5;

/// A law of points of the unit cube.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "UncheckedGaussian", into = "UncheckedGaussian")]
pub struct GaussianDistribution {
    mean: Vec<f64>,
    deviation: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct UncheckedGaussian {
    mean: Vec<f64>,
    deviation: Vec<f64>,
}

/// What a normal law says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GaussianFigures {
    /// The mean of each coordinate.
    pub mean: Vec<f64>,
    /// The deviation of each coordinate.
    pub deviation: Vec<f64>,
}

impl TryFrom<UncheckedGaussian> for GaussianDistribution {
    type Error = SetupError;

    fn try_from(law: UncheckedGaussian) -> Result<Self, SetupError> {
        GaussianDistribution::new(law.mean, law.deviation)
    }
}

impl From<GaussianDistribution> for UncheckedGaussian {
    fn from(law: GaussianDistribution) -> Self {
        UncheckedGaussian { mean: law.mean, deviation: law.deviation }
    }
}

impl GaussianDistribution {
    /// A wide law around the middle of the cube of so many dimensions.
    #[must_use]
    pub fn wide(dimensions: usize) -> Self {
        GaussianDistribution { mean: vec![0.5; dimensions], deviation: vec![WIDE; dimensions] }
    }

    /// The law with these means and deviations, all from 0 to 1.
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

/// A normal number of mean 0 and deviation 1, by Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    let (radius, angle) = (1.0 - rng.unit(), rng.unit());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// A normal number within 0 to 1, where the mean is and a third of the law at least.
fn cut_normal(mean: f64, deviation: f64, rng: &mut Rng) -> f64 {
    loop {
        let x = mean + deviation * normal(rng);
        if (0.0..=1.0).contains(&x) {
            return x;
        }
    }
}

impl DistributionFamily for GaussianDistribution {
    type Sample = Vec<f64>;
    type Figures = GaussianFigures;

    fn parameters(&self) -> usize {
        2 * self.mean.len()
    }

    /// A fifth is the elite, so that a deviation has enough to go by; the end is where no
    /// deviation passes a hundredth of the axis, for gamma never stands still among reals.
    fn defaults(&self) -> CrossEntropyOptions {
        CrossEntropyOptions {
            samples: SampleSize::PerParameter(10),
            rho: 0.2,
            unchanged: None,
            concentration: Some(0.99),
            ..CrossEntropyOptions::default()
        }
    }

    fn redraw(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Vec<f64>>) {
        for point in emptied(samples, count) {
            let laws = self.mean.iter().zip(&self.deviation);
            point.extend(laws.map(|(&mean, &deviation)| cut_normal(mean, deviation, rng)));
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

    fn figures(&self) -> GaussianFigures {
        GaussianFigures { mean: self.mean.clone(), deviation: self.deviation.clone() }
    }

    /// 1 less the greatest deviation.
    fn concentration(&self) -> f64 {
        1.0 - self.deviation.iter().copied().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_moments_of_the_cut_normal_law() {
        // Around 0 with deviation 1/2, cut to 0..1: the mean is sigma·(f(0) − f(2))/(F(2) − F(0))
        // with the normal density f and distribution F.
        let law = GaussianDistribution::new(vec![0.0, 0.5], vec![0.5, 0.05]).unwrap();
        let draws = law.draw(40_000, &mut Rng::new(6));
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
        let mut law = GaussianDistribution::wide(1);
        let (a, b) = (vec![0.2], vec![0.6]);
        let elite = [
            EliteCandidate { sample: &a, weight: 3.0 },
            EliteCandidate { sample: &b, weight: 1.0 },
        ];
        law.fit(&elite, 0.5);
        assert!((law.mean[0] - (0.3 + 0.5) / 2.0).abs() < 1e-12);
        let deviation = (0.75 * 0.01 + 0.25 * 0.09_f64).sqrt();
        assert!((law.deviation[0] - (deviation + WIDE) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn laws_outside_the_cube_are_refused() {
        assert!(GaussianDistribution::new(vec![1.5], vec![0.1]).is_err());
        assert!(GaussianDistribution::new(vec![0.5], vec![f64::NAN]).is_err());
        let error = GaussianDistribution::new(vec![0.5], Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "deviations is 0; allowed is as many as means");
    }
}
