//! Settings of a cross-entropy experiment, with the defaults of ARKEnsae (*Mastermind_Simulation*)
//! for each family of distributions.

use serde::{Deserialize, Serialize};

use super::super::{Mastermind, MastermindRulesError, PegWeights, WhitePegCounting};
use ludion_core::notation::NotationError;
use ludion_optimise::SetupError;
use ludion_optimise::cross_entropy::mallows::{CentreUpdate, MallowsOptions};
use ludion_optimise::cross_entropy::{CrossEntropyOptions, SampleSize, TargetScore};

/// Family of distributions that codes are drawn from.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DistributionKind {
    /// Independent pegs; colours may repeat.
    Independent,
    /// Independent pegs; codes with a repeated colour are discarded.
    Discarding,
    /// Pegs drawn one after the other without replacement; colours do not repeat.
    Permutation,
    /// The Mallows distribution around a centre; colours do not repeat.
    Mallows(MallowsOptions),
}

impl DistributionKind {
    /// Returns the Mallows distribution with the settings of ARKEnsae (*Mastermind_Simulation*),
    /// with which it rarely finds the secret.
    #[must_use]
    pub fn original() -> Self {
        DistributionKind::Mallows(MallowsOptions::original())
    }

    /// Returns the Mallows distribution with exact sampling and [`CentreUpdate::Excess`].
    #[must_use]
    pub fn corrected() -> Self {
        DistributionKind::Mallows(MallowsOptions::default())
    }

    /// Returns whether codes of this family may contain a colour more than once.
    #[must_use]
    pub fn repeats(&self) -> bool {
        *self == DistributionKind::Independent
    }

    /// Returns a short name for titles and reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            DistributionKind::Independent => "independent pegs",
            DistributionKind::Discarding => "independent pegs, codes with repeats discarded",
            DistributionKind::Permutation => "permutations",
            DistributionKind::Mallows(options) if options.update == CentreUpdate::Shares => {
                "the Mallows law as in the study"
            }
            DistributionKind::Mallows(_) => "the Mallows law",
        }
    }
}

/// Everything that determines an experiment except its secret and its random seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentSettings {
    /// Number of pegs of a code (n).
    pub pegs: usize,
    /// Number of colours (m).
    pub colours: usize,
    /// Family of distributions that codes are drawn from.
    #[serde(rename = "law")]
    pub distribution: DistributionKind,
    /// Rule by which white pegs are counted when a code is scored.
    pub counting: WhitePegCounting,
    /// Weights of black and white pegs in the score of a code.
    #[serde(default, skip_serializing_if = "PegWeights::are_default")]
    pub weights: PegWeights,
    /// Number of codes per iteration, fixed or per parameter of the distribution. There are n·m
    /// parameters for n pegs and m colours, or n + 1 for the Mallows distribution.
    pub samples: SampleSize,
    /// Fraction of the codes that forms the elite; codes that tie with its worst score are added.
    pub rho: f64,
    /// Alpha, the weight of the fitted distribution in the next one; `None` replaces the old
    /// distribution.
    pub smoothing: Option<f64>,
    /// Number d of iterations: the search has converged when gamma, the score threshold of the
    /// elite, was unchanged d times in a row.
    pub d: u32,
    /// Maximum number of iterations.
    pub iterations: u32,
}

/// Reasons why an experiment or a chain cannot be set up.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ExperimentSettingsError {
    /// The numbers of pegs and colours are invalid.
    #[error(transparent)]
    Rules(#[from] MastermindRulesError),
    /// A setting of the search is out of range.
    #[error(transparent)]
    Setting(#[from] SetupError),
    /// The secret is not a valid code.
    #[error(transparent)]
    Secret(#[from] NotationError),
}

impl ExperimentSettings {
    /// Creates settings with the defaults of ARKEnsae (*Mastermind_Simulation*) for this family.
    /// With [`CentreUpdate::Excess`] the Mallows distribution has an alpha of 0.1, because its
    /// table accumulates over the iterations.
    #[must_use]
    pub fn new(pegs: usize, colours: usize, distribution: DistributionKind) -> Self {
        let defaults = CrossEntropyOptions::default();
        let (smoothing, d) = match distribution {
            DistributionKind::Independent
            | DistributionKind::Discarding
            | DistributionKind::Permutation => (defaults.smoothing, 5),
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
            distribution,
            counting: WhitePegCounting::Right,
            weights: PegWeights::default(),
            samples: defaults.samples,
            rho: defaults.rho,
            smoothing,
            d,
            iterations: defaults.iterations,
        }
    }

    /// Returns the rules that the secret obeys.
    ///
    /// # Errors
    /// Returns an error if the sizes are invalid, for example fewer colours than pegs where colours
    /// do not repeat.
    pub fn rules(&self) -> Result<Mastermind, MastermindRulesError> {
        Mastermind::new(self.pegs, self.colours, self.distribution.repeats())
    }

    /// Returns the number of codes per iteration, not counting proposed new centres of the Mallows
    /// distribution, which are also scored.
    #[must_use]
    pub fn sample_size(&self) -> usize {
        self.samples.count(match self.distribution {
            DistributionKind::Mallows(_) => self.pegs + 1,
            DistributionKind::Independent
            | DistributionKind::Discarding
            | DistributionKind::Permutation => self.pegs * self.colours,
        })
    }

    /// Returns the options of the cross-entropy search.
    ///
    /// Independent pegs and permutations stop when gamma has converged. The Mallows distribution
    /// stops when its centre is the secret, because its gamma is constant long before.
    pub(super) fn options(&self) -> Result<CrossEntropyOptions, SetupError> {
        if self.d == 0 {
            let (value, allowed) = ("0".to_owned(), "1 or more");
            return Err(SetupError::Setting { name: "d", value, allowed });
        }
        if !self.weights.are_valid() {
            let PegWeights { black, white } = self.weights;
            let value = format!("{black},{white}");
            let allowed = "black above white, and white at least 0";
            return Err(SetupError::Setting { name: "weights", value, allowed });
        }
        let (target, unchanged) = match self.distribution {
            DistributionKind::Independent
            | DistributionKind::Discarding
            | DistributionKind::Permutation => (None, Some(self.d)),
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
