//! The experiment that Mastermind by cross-entropy comes from (ARKEnsae,
//! *Mastermind_Simulation*): the score `(2·black + white) / 2n` of every code drawn is known, and
//! a law of codes is moved towards the best of them until it gives the secret.
//!
//! It is no way to play the game, where each answer costs a guess; see
//! [`breaker`](super::breaker) for that.
//!
//! ```
//! use ludion::riddles::mastermind::laboratory::{Experiment, Law, Settings};
//!
//! let settings = Settings::new(6, 10, Law::Independent);
//! let trace = Experiment::new(settings, None, 1)?.run(false, |_| ());
//! assert!(trace.outcome.found);
//! assert_eq!(trace.outcome.proposal, trace.secret);
//! # Ok::<(), ludion::riddles::mastermind::laboratory::SettingsError>(())
//! ```

pub mod chain;
mod run;
mod settings;
pub mod summary;
mod trace;

pub use run::CrossEntropyExperiment;
pub use settings::{DistributionKind, ExperimentSettings, ExperimentSettingsError};
pub use summary::{ExperimentSummary, Median};
pub use trace::{DistributionFigures, ExperimentOutcome, ExperimentTrace, TraceStep};

#[cfg(test)]
mod tests;
