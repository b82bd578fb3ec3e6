//! Settings of the cross-entropy method.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting};

/// Maximum number of candidates in a sample.
const MAX_SAMPLES: usize = 10_000_000;

/// Settings and stop rules of the cross-entropy method; the search ends as soon as one rule holds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CrossEntropyOptions {
    /// Number of candidates per iteration.
    pub samples: SampleSize,
    /// Fraction of a sample that forms the elite; candidates that tie with its worst score are
    /// added.
    pub rho: f64,
    /// Alpha, the weight of the fitted distribution in the next one; `None` replaces the old
    /// distribution.
    pub smoothing: Option<f64>,
    /// Weights of the elite candidates in the fit.
    pub weights: EliteWeights,
    /// Stops when a score of the search, such as that of the best candidate, reaches a target;
    /// `None` for no target.
    pub target: Option<TargetScore>,
    /// Stops when gamma, the score threshold of the elite, was unchanged this many times in a row;
    /// `None` for no such stop.
    pub unchanged: Option<u32>,
    /// Stops when the concentration of the distribution reaches this value, from 0 to 1 (only one
    /// candidate can be drawn); `None` for no such stop.
    pub concentration: Option<f64>,
    /// Stops after this many iterations.
    pub iterations: u32,
}

/// Number of candidates in a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SampleSize {
    /// This number of candidates, for every distribution.
    Fixed(usize),
    /// This number of candidates for each parameter of the distribution.
    PerParameter(usize),
}

/// Weights of the elite candidates in a fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EliteWeights {
    /// Every candidate has weight 1.
    Equal,
    /// In an elite of k candidates, the one of rank r, from 1 for the best, has weight `ln(k + 1) −
    /// ln(r)`; candidates with equal scores share their mean rank.
    Rank,
}

/// A score at which the search stops, and the quantity that must reach it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetScore {
    /// Stops when gamma, the score threshold of the elite, is at least this.
    Gamma(f64),
    /// Stops when the score of the best candidate so far is at least this.
    Best(f64),
    /// Stops when the score of the distribution's centre is at least this; never if the family has
    /// no centre.
    Centre(f64),
}

impl Default for CrossEntropyOptions {
    /// Returns the usual settings: five candidates per parameter, an elite of a tenth, alpha 0.7,
    /// and a stop when gamma was unchanged five times in a row or after a hundred iterations.
    fn default() -> Self {
        CrossEntropyOptions {
            samples: SampleSize::PerParameter(5),
            rho: 0.1,
            smoothing: Some(0.7),
            weights: EliteWeights::Equal,
            target: None,
            unchanged: Some(5),
            concentration: None,
            iterations: 100,
        }
    }
}

impl SampleSize {
    /// Returns the sample size for a distribution with this many parameters.
    #[must_use]
    pub fn count(self, parameters: usize) -> usize {
        match self {
            SampleSize::Fixed(count) => count,
            SampleSize::PerParameter(each) => each.saturating_mul(parameters),
        }
    }
}

impl CrossEntropyOptions {
    pub(super) fn check(&self, parameters: usize) -> Result<(), SetupError> {
        let samples = self.samples.count(parameters);
        let is_fraction = |x: f64| x > 0.0 && x <= 1.0;
        check_setting("samples", samples, "1 to 10000000", (1..=MAX_SAMPLES).contains(&samples))?;
        check_setting("rho", self.rho, "above 0 and at most 1", is_fraction(self.rho))?;
        let alpha = self.smoothing.unwrap_or(1.0);
        check_setting("smoothing", alpha, "above 0 and at most 1", is_fraction(alpha))?;
        let concentration = self.concentration.unwrap_or(1.0);
        check_setting(
            "concentration",
            concentration,
            "above 0 and at most 1",
            is_fraction(concentration),
        )?;
        let unchanged = self.unchanged.unwrap_or(1);
        check_setting("unchanged", unchanged, "1 or more", unchanged >= 1)?;
        check_setting("iterations", self.iterations, "1 or more", self.iterations >= 1)
    }
}
