//! The cross-entropy experiment of ARKEnsae (*Mastermind_Simulation*): every drawn code is scored
//! by `(2·black + white) / 2n` against the secret, and a distribution of codes is fitted to the
//! best of them until it produces the secret.
//!
//! This is not a way to play the game, in which each feedback costs a guess; see
//! [`breaker`](super::breaker) for that.
//!
//! ```
//! use ludion_mastermind::experiment::{
//!     CrossEntropyRun, DistributionKind, ExperimentSettings, ExperimentSettingsError,
//! };
//!
//! let settings = ExperimentSettings::new(6, 10, DistributionKind::Independent);
//! let trace = CrossEntropyRun::new(settings, None, 1)?.run(false, |_| ());
//! assert!(trace.outcome.found);
//! assert_eq!(trace.outcome.proposal, trace.secret);
//! # Ok::<(), ExperimentSettingsError>(())
//! ```

pub mod chain;
mod run;
mod settings;
pub mod summary;
mod trace;

pub use run::CrossEntropyRun;
pub use settings::{DistributionKind, ExperimentSettings, ExperimentSettingsError};
pub use summary::{ExperimentSummary, Median};
pub use trace::{DistributionSummary, ExperimentOutcome, ExperimentTrace, TraceStep};

#[cfg(test)]
mod tests;
