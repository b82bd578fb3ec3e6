//! The solvers whose weights are tuned, and the weights of either.

use ludion_hextris::solver::baseline::BaselineWeights;
use ludion_hextris::solver::evaluation::BoardWeights;
use serde::{Deserialize, Serialize};

/// A solver of hexagonal Tetris whose weights are tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TunedSolver {
    /// Beam search over placements.
    #[default]
    Beam,
    /// The solver of de Falco and Fleck.
    Baseline,
}

/// Weights of one of the solvers, in the form that `ludion hextris solve --weights` accepts.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TunedWeights {
    /// Weights of beam search.
    Beam(BoardWeights),
    /// Weights of the solver of de Falco and Fleck.
    Baseline(BaselineWeights),
}

impl TunedSolver {
    /// Returns whether the solver is beam search.
    #[must_use]
    pub fn is_beam(&self) -> bool {
        *self == TunedSolver::Beam
    }

    /// Returns the default weights of the solver.
    #[must_use]
    pub fn default_weights(self) -> TunedWeights {
        match self {
            TunedSolver::Beam => TunedWeights::Beam(BoardWeights::default()),
            TunedSolver::Baseline => TunedWeights::Baseline(BaselineWeights::default()),
        }
    }
}

impl TunedWeights {
    /// Returns the weights with which the solver plays the same games: without those that it does
    /// not use.
    pub(super) fn effective(self) -> Self {
        match self {
            TunedWeights::Beam(_) => self,
            TunedWeights::Baseline(weights) => {
                TunedWeights::Baseline(BaselineWeights { components: 0.0, ..weights })
            }
        }
    }
}
