//! Settings of the Mallows distribution: its sampler, and the updates of centre and lambda.

use serde::{Deserialize, Serialize};

use super::super::super::{SetupError, check_setting};

/// Largest lambda, at which other words than the centre have a negligible probability.
const MAX_LAMBDA: f64 = 100.0;

/// Settings of a Mallows distribution.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MallowsOptions {
    /// How words are sampled.
    pub sampler: MallowsSampling,
    /// How the centre is updated.
    pub update: CentreUpdate,
    /// How lambda is updated.
    pub lambda: LambdaUpdate,
}

/// Method of sampling words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MallowsSampling {
    /// Independent words from the exact distribution.
    Exact,
    /// A Metropolis-Hastings chain, restarted for every sample.
    Chain {
        /// Number of steps before the first word, for each symbol.
        burn_in: usize,
        /// Number of steps from one word to the next.
        thinning: usize,
    },
}

/// Update of the centre: it moves to the best assignment in a smoothed table if that word scores
/// better.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CentreUpdate {
    /// The table holds the symbol frequencies of the elite, the maximum likelihood fit; with a
    /// small elite they mostly repeat the old centre.
    Shares,
    /// The table holds the frequencies of the elite minus the distribution's own probabilities,
    /// which show where the centre should move.
    Excess,
}

/// Update of lambda after each iteration.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LambdaUpdate {
    /// Lambda is constant.
    Constant(f64),
    /// Lambda grows linearly.
    Growing {
        /// Initial value.
        start: f64,
        /// Increment per iteration.
        step: f64,
    },
    /// Lambda is the maximum likelihood fit to the elite.
    Likelihood {
        /// Initial value.
        start: f64,
        /// Upper limit.
        #[serde(rename = "most")]
        max: f64,
    },
}

impl MallowsOptions {
    /// Returns the settings of the study by ARKEnsae (*Mastermind_Simulation*): a chain with a
    /// burn-in of 250 steps per symbol and a thinning of 80, frequencies, lambda 1.
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
    /// Returns the most effective settings: the exact sampler, the excess of the elite, lambda 1.
    fn default() -> Self {
        let (sampler, update) = (MallowsSampling::Exact, CentreUpdate::Excess);
        MallowsOptions { sampler, update, lambda: LambdaUpdate::Constant(1.0) }
    }
}

impl LambdaUpdate {
    /// Returns the initial value.
    pub(super) fn start(self) -> f64 {
        match self {
            LambdaUpdate::Constant(start)
            | LambdaUpdate::Growing { start, .. }
            | LambdaUpdate::Likelihood { start, .. } => start,
        }
    }
}
