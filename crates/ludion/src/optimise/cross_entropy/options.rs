//! The settings of a search by cross-entropy.

use serde::{Deserialize, Serialize};

use super::super::{SetupError, check_setting};

/// Most candidates in a sample.
const MOST: usize = 10_000_000;

/// How a search by cross-entropy goes on, and when it ends. The first rule that holds ends it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CrossEntropyOptions {
    /// Candidates an iteration.
    pub samples: SampleSize,
    /// The share of a sample that is the elite, ties aside.
    pub rho: f64,
    /// Alpha, the share of the fitted law in the next one; `None` takes the fitted law as it is.
    pub smoothing: Option<f64>,
    /// How much each of the elite counts.
    pub weights: EliteWeights,
    /// Ends when this score is reached.
    pub target: Option<StopTarget>,
    /// Ends when gamma has not changed this many times in a row (d).
    pub unchanged: Option<u32>,
    /// Ends when the law is this near to drawing one candidate only, of 1.
    pub concentration: Option<f64>,
    /// Ends after so many iterations.
    pub iterations: u32,
}

/// The size of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SampleSize {
    /// N candidates.
    Fixed(usize),
    /// C candidates for each parameter of the law.
    PerParameter(usize),
}

/// How much each of the elite counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EliteWeights {
    /// All alike.
    Equal,
    /// The best of k most: `ln(k + 1) − ln(rank)`, and equal scores alike.
    Rank,
}

/// What has to reach a score.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopTarget {
    /// The quantile.
    Gamma(f64),
    /// Any candidate.
    Best(f64),
    /// The centre of the law, for a family that has one.
    Centre(f64),
}

impl Default for CrossEntropyOptions {
    /// Five candidates a parameter, a tenth of them the elite, alpha 0.7, five equal gammas in a
    /// row, a hundred iterations.
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
    /// The size for a law of so many parameters.
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
        let share = |x: f64| x > 0.0 && x <= 1.0;
        check_setting("samples", samples, "1 to 10000000", (1..=MOST).contains(&samples))?;
        check_setting("rho", self.rho, "above 0 and at most 1", share(self.rho))?;
        let alpha = self.smoothing.unwrap_or(1.0);
        check_setting("smoothing", alpha, "above 0 and at most 1", share(alpha))?;
        let least = self.concentration.unwrap_or(1.0);
        check_setting("concentration", least, "above 0 and at most 1", share(least))?;
        let unchanged = self.unchanged.unwrap_or(1);
        check_setting("unchanged", unchanged, "1 or more", unchanged >= 1)?;
        check_setting("iterations", self.iterations, "1 or more", self.iterations >= 1)
    }
}
