//! What an experiment is made of, with the defaults of the study for each law.

use serde::{Deserialize, Serialize};

use super::super::{Mastermind, MastermindRulesError, WhitePegCounting};
use crate::notation::NotationError;
use crate::optimise::SetupError;
use crate::optimise::cross_entropy::mallows::{CentreUpdate, MallowsOptions};
use crate::optimise::cross_entropy::{CrossEntropyOptions, SampleSize, TargetScore};

/// The laws codes are drawn from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DistributionKind {
    /// Every peg by itself; colours may come twice.
    Independent,
    /// Pegs one after the other, from the colours that are left.
    Permutation,
    /// Around a centre, by the number of pegs that differ from it; no colour comes twice.
    Mallows(MallowsOptions),
}

impl DistributionKind {
    /// The third law as in the study, where it mostly fails.
    #[must_use]
    pub fn original() -> Self {
        DistributionKind::Mallows(MallowsOptions::original())
    }

    /// The third law corrected: words from the exact law, and a centre that moves to where the
    /// elite has more than the law gave it.
    #[must_use]
    pub fn corrected() -> Self {
        DistributionKind::Mallows(MallowsOptions::default())
    }

    /// Whether its codes may have a colour twice.
    #[must_use]
    pub fn repeats(&self) -> bool {
        *self == DistributionKind::Independent
    }

    /// Its name in a few words.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            DistributionKind::Independent => "independent pegs",
            DistributionKind::Permutation => "permutations",
            DistributionKind::Mallows(options) if options.update == CentreUpdate::Shares => {
                "the Mallows law as in the study"
            }
            DistributionKind::Mallows(_) => "the Mallows law",
        }
    }
}

/// Everything an experiment depends on but its secret and its seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentSettings {
    /// Pegs of a code (n).
    pub pegs: usize,
    /// Colours of a peg (m).
    pub colours: usize,
    /// What codes are drawn from.
    pub law: DistributionKind,
    /// How white pegs are counted.
    pub counting: WhitePegCounting,
    /// Codes an iteration: N, or C for each parameter of the law, of which there are n·m, and
    /// n + 1 for the Mallows law.
    pub samples: SampleSize,
    /// The share of them that is the elite, ties aside.
    pub rho: f64,
    /// Alpha, the share of the fitted law in the next one; `None` does not smooth.
    pub smoothing: Option<f64>,
    /// The law has converged when d + 1 gammas in a row are equal.
    pub d: u32,
    /// Iterations, at most.
    pub iterations: u32,
}

/// Why there is no such experiment.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ExperimentSettingsError {
    /// Sizes that are no riddle.
    #[error(transparent)]
    Rules(#[from] MastermindRulesError),
    /// A setting outside its range.
    #[error(transparent)]
    Setting(#[from] SetupError),
    /// A secret that is no code.
    #[error(transparent)]
    Secret(#[from] NotationError),
}

impl ExperimentSettings {
    /// The defaults of the study for this law; 0.1 is the smoothing of the corrected one, whose
    /// table must add up over the iterations.
    #[must_use]
    pub fn new(pegs: usize, colours: usize, law: DistributionKind) -> Self {
        let usual = CrossEntropyOptions::default();
        let (smoothing, d) = match law {
            DistributionKind::Independent | DistributionKind::Permutation => (usual.smoothing, 5),
            DistributionKind::Mallows(MallowsOptions { update: CentreUpdate::Shares, .. }) => {
                (None, 10)
            }
            DistributionKind::Mallows(MallowsOptions { update: CentreUpdate::Excess, .. }) => {
                (Some(0.1), 10)
            }
        };
        ExperimentSettings {
            pegs,
            colours,
            law,
            counting: WhitePegCounting::Right,
            samples: usual.samples,
            rho: usual.rho,
            smoothing,
            d,
            iterations: usual.iterations,
        }
    }

    /// The rules its secrets keep.
    ///
    /// # Errors
    /// When there are no such rules: for laws without repeats, fewer colours than pegs.
    pub fn rules(&self) -> Result<Mastermind, MastermindRulesError> {
        Mastermind::new(self.pegs, self.colours, self.law.repeats())
    }

    /// Codes an iteration (N).
    #[must_use]
    pub fn sample_size(&self) -> usize {
        self.samples.count(match self.law {
            DistributionKind::Mallows(_) => self.pegs + 1,
            DistributionKind::Independent | DistributionKind::Permutation => {
                self.pegs * self.colours
            }
        })
    }

    /// The rules of the search. The laws of rows go on until they have converged; the Mallows law
    /// ends with its centre at the secret, because its gamma stands still long before.
    pub(super) fn options(&self) -> Result<CrossEntropyOptions, SetupError> {
        if self.d == 0 {
            let (value, allowed) = ("0".to_owned(), "1 or more");
            return Err(SetupError::Setting { name: "d", value, allowed });
        }
        let (target, unchanged) = match self.law {
            DistributionKind::Independent | DistributionKind::Permutation => (None, Some(self.d)),
            DistributionKind::Mallows(_) => (Some(TargetScore::Centre(1.0)), None),
        };
        Ok(CrossEntropyOptions {
            samples: self.samples,
            rho: self.rho,
            smoothing: self.smoothing,
            target,
            unchanged,
            iterations: self.iterations,
            ..CrossEntropyOptions::default()
        })
    }
}
