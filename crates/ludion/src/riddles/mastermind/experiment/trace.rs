//! What an experiment leaves behind: a line an iteration, and what came of it.

use serde::{Deserialize, Serialize};

use super::super::Code;
use super::settings::{DistributionKind, ExperimentSettings};
use crate::optimise::cross_entropy::ProbabilityTableSummary;
use crate::optimise::cross_entropy::mallows::MallowsSummary;

/// One iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// Its number, from 1.
    pub iteration: u32,
    /// The quantile of its scores that the elite reaches.
    pub gamma: f64,
    /// The best of its scores.
    pub best: f64,
    /// The first code with that score.
    pub proposal: Code,
    /// How many codes are in the elite.
    pub elite: usize,
    /// Answers of the secret so far.
    pub answers: u64,
    /// What the law says of itself after it.
    #[serde(flatten)]
    pub figures: DistributionFigures,
    /// The law after it, a row a peg and a column a colour: the probabilities P, or for the
    /// Mallows law the table in which the best assignment is the next centre. Kept on request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Vec<f64>>>,
}

/// What a law says of itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DistributionFigures {
    /// Of P.
    Rows(ProbabilityTableSummary),
    /// Lambda, and the centre x* with its score.
    Mallows(MallowsSummary),
}

/// What came of an experiment.
///
/// The mean error that the study published is that of [`quantile_error`](ExperimentOutcome::quantile_error):
/// for its third law it is far above 0 where every run found the secret.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentOutcome {
    /// The first iteration at which the last d + 1 gammas are equal.
    pub convergence: Option<u32>,
    /// The first iteration with a gamma of 1; for the Mallows law, the one whose centre is the
    /// secret, 0 if it was so from the start.
    pub stop: Option<u32>,
    /// Iterations done.
    pub iterations: u32,
    /// Whether the law came to give the secret: its last gamma is 1, or its centre is the secret.
    pub found: bool,
    /// What it proposes in the end: the best code of the last iteration, or the centre.
    pub proposal: Code,
    /// What is missing to 1 in the score of that proposal.
    pub error: f64,
    /// What is missing to 1 in the last gamma.
    pub quantile_error: f64,
    /// Answers of the secret that it cost.
    pub answers: u64,
}

impl ExperimentOutcome {
    /// The iteration that the study's tables count: convergence; for the Mallows law the stop,
    /// and nothing for a secret that was not found.
    #[must_use]
    pub fn counted(&self, law: &DistributionKind) -> Option<u32> {
        if matches!(law, DistributionKind::Mallows(_)) { self.stop } else { self.convergence }
    }
}

/// An experiment from its first iteration to its last.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentTrace {
    /// What was asked for.
    pub settings: ExperimentSettings,
    /// What everything was drawn from.
    pub seed: u64,
    /// The secret.
    pub secret: Code,
    /// The iterations.
    pub steps: Vec<TraceStep>,
    /// What came of it.
    pub outcome: ExperimentOutcome,
}
