//! Results of an experiment: a record of each iteration, and the outcome.

use serde::{Deserialize, Serialize};

use super::super::Code;
use super::settings::{DistributionKind, ExperimentSettings};
use crate::optimise::cross_entropy::ProbabilityTableSummary;
use crate::optimise::cross_entropy::mallows::MallowsSummary;

/// Record of one iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// Number of the iteration, from 1.
    pub iteration: u32,
    /// Score threshold of the elite.
    pub gamma: f64,
    /// Best score.
    pub best: f64,
    /// First code with the best score.
    pub proposal: Code,
    /// Number of codes in the elite.
    pub elite: usize,
    /// Number of codes scored against the secret so far.
    pub answers: u64,
    /// Summary of the distribution after the iteration.
    #[serde(flatten)]
    pub summary: DistributionSummary,
    /// Table of the distribution after the iteration, if requested: one row for each peg, one
    /// column for each colour. It holds the probabilities P, or for the Mallows distribution the
    /// table whose best assignment is the next centre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Vec<f64>>>,
}

/// Summary of a distribution of codes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DistributionSummary {
    /// Extreme probabilities of the table P of independent pegs or permutations.
    Rows(ProbabilityTableSummary),
    /// Lambda, and the centre x* with its score.
    Mallows(MallowsSummary),
}

/// Outcome of an experiment.
///
/// The mean error published by ARKEnsae is that of
/// [`quantile_error`](ExperimentOutcome::quantile_error); for the Mallows distribution it is far
/// above 0 even if every run finds the secret.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentOutcome {
    /// First iteration at which the last d + 1 gammas are equal.
    pub convergence: Option<u32>,
    /// First iteration with a gamma of 1. For the Mallows distribution: the iteration whose centre
    /// is the secret, 0 if the first centre is.
    pub stop: Option<u32>,
    /// Number of iterations.
    pub iterations: u32,
    /// Whether the search ended at the secret: the last gamma is 1, or the centre is the secret.
    pub found: bool,
    /// Final proposal: the best code of the last iteration, or the centre.
    pub proposal: Code,
    /// 1 minus the score of the proposal.
    pub error: f64,
    /// 1 minus the last gamma.
    pub quantile_error: f64,
    /// Number of codes scored against the secret.
    pub answers: u64,
}

impl ExperimentOutcome {
    /// Returns the iteration that ARKEnsae's tables report: the convergence, or for the Mallows
    /// distribution the stop, which is `None` if the secret was not found.
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
    /// The secret.
    pub secret: Code,
    /// Records of the iterations.
    pub steps: Vec<TraceStep>,
    /// Outcome of the experiment.
    pub outcome: ExperimentOutcome,
}
