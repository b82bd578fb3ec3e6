//! Results of a cross-entropy experiment: a record of each iteration, and the outcome.

use serde::{Deserialize, Serialize};

use super::super::Code;
use super::settings::{DistributionKind, ExperimentSettings};
use ludion_optimise::cross_entropy::ProbabilityTableSummary;
use ludion_optimise::cross_entropy::mallows::MallowsSummary;

/// Record of one iteration of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// Number of the iteration, from 1.
    pub iteration: u32,
    /// Score threshold of the elite: every code that scores at least this belongs to it.
    pub gamma: f64,
    /// Best score of a code drawn in the iteration.
    pub best: f64,
    /// First code drawn in the iteration with the best score.
    pub proposal: Code,
    /// Number of codes in the elite.
    pub elite: usize,
    /// Number of codes scored against the secret since the start of the experiment.
    pub answers: u64,
    /// Summary of the distribution after the iteration.
    #[serde(flatten)]
    pub summary: DistributionSummary,
    /// Table of the distribution after the iteration, if requested: one row for each peg, one
    /// column for each colour. It holds probabilities, or for the Mallows distribution the table
    /// from which the next centre is computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Vec<f64>>>,
}

/// Summary of a distribution of codes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DistributionSummary {
    /// Smallest and largest probabilities in the table of independent pegs or permutations.
    Rows(ProbabilityTableSummary),
    /// Lambda, the centre and the score of the centre of a Mallows distribution.
    Mallows(MallowsSummary),
}

/// Outcome of an experiment.
///
/// The mean error published by ARKEnsae is the mean of
/// [`quantile_error`](ExperimentOutcome::quantile_error); for the Mallows distribution it is far
/// above 0 even if every run finds the secret.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentOutcome {
    /// Number, from 1, of the first iteration after which gamma, the score threshold of the elite,
    /// was unchanged d times in a row (see [`ExperimentSettings::d`]); `None` if there is none.
    pub convergence: Option<u32>,
    /// Number, from 1, of the first iteration in which gamma, the score threshold of the elite, is
    /// 1; for the Mallows distribution, of the iteration after which the centre is the secret, or 0
    /// if the first centre is the secret. `None` if there is no such iteration.
    pub stop: Option<u32>,
    /// Number of iterations that were run.
    pub iterations: u32,
    /// Whether the search ended at the secret: the last gamma is 1, or the centre of the Mallows
    /// distribution is the secret.
    pub found: bool,
    /// Final proposal for the secret: the best code of the last iteration, or the centre of the
    /// Mallows distribution.
    pub proposal: Code,
    /// 1 minus the score of the final proposal.
    pub error: f64,
    /// 1 minus gamma (the score threshold of the elite) of the last iteration; 0 if there was no
    /// iteration.
    pub quantile_error: f64,
    /// Number of codes scored against the secret in all iterations.
    pub answers: u64,
}

impl ExperimentOutcome {
    /// Returns the iteration number that ARKEnsae's tables report: the field `convergence`, or for
    /// the Mallows distribution the field `stop`, which is `None` if the secret was not found.
    #[must_use]
    pub fn counted(&self, distribution: &DistributionKind) -> Option<u32> {
        if matches!(distribution, DistributionKind::Mallows(_)) {
            self.stop
        } else {
            self.convergence
        }
    }
}

/// Complete record of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentTrace {
    /// Settings of the experiment.
    pub settings: ExperimentSettings,
    /// Random seed of the experiment.
    pub seed: u64,
    /// The secret code of the experiment.
    pub secret: Code,
    /// Records of the iterations, in order.
    pub steps: Vec<TraceStep>,
    /// Outcome of the experiment.
    pub outcome: ExperimentOutcome,
}
