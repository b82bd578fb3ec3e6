//! Settings of the Mallows distribution: its sampler, and the updates of centre and lambda.

use serde::{Deserialize, Serialize};

use super::super::super::{SetupError, check_setting};

/// Largest value allowed for lambda; with it, all words but the centre have a negligible
/// probability.
const MAX_LAMBDA: f64 = 100.0;

/// Settings of a Mallows distribution: its sampler, and the updates of its centre and of lambda.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MallowsOptions {
    /// Method by which words are drawn from the distribution.
    pub sampler: MallowsSampling,
    /// Rule that updates the centre after each iteration.
    pub update: CentreUpdate,
    /// Rule that updates the spread parameter lambda after each iteration.
    pub lambda: LambdaUpdate,
}

/// Method by which words are drawn from a Mallows distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MallowsSampling {
    /// Independent words from the exact distribution.
    Exact,
    /// Successive words of a Metropolis-Hastings chain, which is started anew in each iteration.
    Chain {
        /// Number of steps before the first word is taken, divided by the number of symbols.
        burn_in: usize,
        /// Number of steps from one word of the sample to the next.
        thinning: usize,
    },
}

/// Update of the centre of a Mallows distribution. A smoothed table has a value for each symbol at
/// each place; the word with the largest sum of values is the new centre if it scores better than
/// the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CentreUpdate {
    /// The table holds the symbol frequencies of the elite, the maximum likelihood fit; with a
    /// small elite they mostly repeat the old centre.
    Shares,
    /// The table holds the symbol frequencies of the elite minus the symbol probabilities of the
    /// distribution; the differences show where the centre should move.
    Excess,
}

/// Rule that updates lambda, the spread parameter, after each iteration.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LambdaUpdate {
    /// Lambda always has this value.
    Constant(f64),
    /// Lambda grows by the same amount in each iteration.
    Growing {
        /// Lambda of the first iteration.
        start: f64,
        /// Amount added to lambda in each iteration.
        step: f64,
    },
    /// Lambda is fitted to the elite by maximum likelihood.
    Likelihood {
        /// Lambda of the first iteration.
        start: f64,
        /// Upper limit of lambda.
        #[serde(rename = "most")]
        max: f64,
    },
}

impl MallowsOptions {
    /// Returns the settings of the experiment by ARKEnsae (*Mastermind_Simulation*): a chain with a
    /// burn-in of 250 steps per symbol and a thinning of 80, [`CentreUpdate::Shares`], and a
    /// constant lambda of 1.
    #[must_use]
    pub fn original() -> Self {
        let sampler = MallowsSampling::Chain { burn_in: 250, thinning: 80 };
        MallowsOptions {
            sampler,
            update: CentreUpdate::Shares,
            lambda: LambdaUpdate::Constant(1.0),
        }
    }

    pub(super) fn check(&self) -> Result<(), SetupError> {
        let numbers = match self.lambda {
            LambdaUpdate::Constant(lambda) => [lambda, 0.0],
            LambdaUpdate::Growing { start, step } => [start, step],
            LambdaUpdate::Likelihood { start, max } => [start, max],
        };
        for lambda in numbers {
            // Scientific notation keeps the message short.
            let shown = if lambda.abs() < 1e6 { lambda.to_string() } else { format!("{lambda:e}") };
            check_setting("lambda", shown, "0 to 100", (0.0..=MAX_LAMBDA).contains(&lambda))?;
        }
        if let MallowsSampling::Chain { burn_in, thinning } = self.sampler {
            let fits = |steps: usize| steps <= 1_000_000;
            check_setting("burn-in", burn_in, "0 to 1000000", fits(burn_in))?;
            check_setting("thinning", thinning, "1 to 1000000", thinning > 0 && fits(thinning))?;
        }
        Ok(())
    }
}

impl Default for MallowsOptions {
    /// Returns the settings that find the optimum most often: the exact sampler,
    /// [`CentreUpdate::Excess`], and a constant lambda of 1.
    fn default() -> Self {
        let (sampler, update) = (MallowsSampling::Exact, CentreUpdate::Excess);
        MallowsOptions { sampler, update, lambda: LambdaUpdate::Constant(1.0) }
    }
}

impl LambdaUpdate {
    /// Returns lambda, the spread parameter, of the first iteration.
    pub(super) fn start(self) -> f64 {
        match self {
            LambdaUpdate::Constant(start)
            | LambdaUpdate::Growing { start, .. }
            | LambdaUpdate::Likelihood { start, .. } => start,
        }
    }
}
