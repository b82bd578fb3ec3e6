//! The settings of a search with the Mallows law.

use serde::{Deserialize, Serialize};

use super::super::super::{SetupError, check_setting};

/// Greatest lambda: no word but the centre has a chance that a computer would notice.
const LARGEST: f64 = 100.0;

/// How words are drawn, and how the centre and lambda move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MallowsOptions {
    /// How words are drawn.
    pub sampler: MallowsSampling,
    /// How the centre moves.
    pub update: CentreUpdate,
    /// How lambda moves.
    pub lambda: LambdaUpdate,
}

/// How words are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MallowsSampling {
    /// Each by itself, from the exact law.
    Exact,
    /// By a Metropolis-Hastings chain, begun anew for every sample.
    Chain {
        /// Steps before the first word, for each symbol.
        burn_in: usize,
        /// Steps from one word to the next.
        thinning: usize,
    },
}

/// How the centre moves: to the best assignment in a smoothed table, if that scores better.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CentreUpdate {
    /// The shares of the elite, which are the maximum likelihood; but a small elite says mostly
    /// where the centre was.
    Shares,
    /// What the elite has more of than the law gave it, which says where the centre should go.
    Excess,
}

/// How lambda moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LambdaUpdate {
    /// It does not.
    Constant(f64),
    /// It grows by the same step every iteration.
    Growing {
        /// At the start.
        start: f64,
        /// More every iteration.
        step: f64,
    },
    /// To what makes the elite most likely.
    Likelihood {
        /// At the start.
        start: f64,
        /// Never above.
        most: f64,
    },
}

impl MallowsOptions {
    /// As in the study this comes from (ARKEnsae, *Mastermind_Simulation*): a chain with a
    /// burn-in of 250 steps a symbol and a thinning of 80, shares, lambda 1.
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
            LambdaUpdate::Likelihood { start, most } => [start, most],
        };
        for lambda in numbers {
            // Few digits, however large the number is.
            let shown = if lambda.abs() < 1e6 { lambda.to_string() } else { format!("{lambda:e}") };
            check_setting("lambda", shown, "0 to 100", (0.0..=LARGEST).contains(&lambda))?;
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
    /// What finds most: the exact sampler, the excess of the elite, lambda 1.
    fn default() -> Self {
        let (sampler, update) = (MallowsSampling::Exact, CentreUpdate::Excess);
        MallowsOptions { sampler, update, lambda: LambdaUpdate::Constant(1.0) }
    }
}

impl LambdaUpdate {
    /// The first value.
    pub(super) fn start(self) -> f64 {
        match self {
            LambdaUpdate::Constant(start)
            | LambdaUpdate::Growing { start, .. }
            | LambdaUpdate::Likelihood { start, .. } => start,
        }
    }
}
