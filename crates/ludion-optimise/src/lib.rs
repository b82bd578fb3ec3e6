//! Maximisation of black-box functions by ask and tell, independent of games.
//!
//! The caller asks a [`Maximiser`] for candidates and tells it their scores, in turn. The caller
//! can therefore score candidates in parallel, reuse scores it already has, and stop between any
//! two steps: every maximiser here can be serialised between two steps, and the copy read back
//! continues identically. Random numbers depend only on the seed and the number of the step.
//!
//! ```
//! use ludion_optimise::genetic::{GeneticOptions, GeneticSearch};
//! use ludion_optimise::space::{AxisScale, AxisValue, SearchSpace, SpaceAxis};
//! use ludion_optimise::{Maximiser, maximise};
//!
//! let space = SearchSpace::new(vec![
//!     SpaceAxis::integer("a", 0, 10, AxisScale::Linear),
//!     SpaceAxis::real("c", 0.1, 10.0, AxisScale::Logarithmic),
//! ])?;
//! let mut genetic = GeneticSearch::new(space, GeneticOptions::default(), Vec::new(), 1)?;
//! maximise(&mut genetic, |point| match point.values() {
//!     [AxisValue::Integer(a), AxisValue::Real(c)] => -((*a - 7) as f64).powi(2) - c.ln().powi(2),
//!     _ => unreachable!("the values are in the order of the axes"),
//! })?;
//! let (best, score) = genetic.best().expect("something was scored");
//! assert!(score > -0.5, "{} scores {score}", genetic.space().show(&best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cross_entropy;
pub mod diagnostics;
pub mod genetic;
pub mod history;
pub mod space;

use serde::{Deserialize, Serialize};

use history::GenerationScores;

/// A black-box optimiser that maximises the scores of the candidates it proposes.
pub trait Maximiser {
    /// Type of the candidates that the caller scores.
    type Candidate;

    /// Returns the candidates to score next.
    ///
    /// The same candidates are returned until their scores are given to [`tell`](Maximiser::tell).
    /// The slice is empty if all scores of the generation are known already, or if the search is
    /// finished.
    fn ask(&mut self) -> &[Self::Candidate];

    /// Records the scores of the candidates returned by [`ask`](Maximiser::ask), in the same order.
    fn tell(&mut self, scores: &[f64]) -> Result<(), ScoresError>;

    /// Returns why the search has ended, or `None` while it goes on.
    fn finished(&self) -> Option<StopReason>;

    /// Returns the best candidate so far and its score, or `None` before the first scores.
    fn best(&self) -> Option<(Self::Candidate, f64)>;

    /// Returns summaries of the scores of all generations so far, for plots.
    fn generations(&self) -> Vec<GenerationScores>;
}

/// Reason why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The target score was reached.
    Target,
    /// Gamma, the score threshold of the elite, did not change for the configured number of
    /// iterations.
    Converged,
    /// The distribution puts practically all its probability on one candidate.
    Concentrated,
    /// The maximum number of generations was reached.
    Generations,
}

/// Reasons why [`Maximiser::tell`] rejects scores.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ScoresError {
    /// The number of scores differs from the number of candidates.
    #[error("{got} scores for {asked} candidates; one score is needed for each")]
    Count {
        /// Number of candidates that were asked for.
        asked: usize,
        /// Number of scores given.
        got: usize,
    },
    /// A score is infinite or not a number.
    #[error("the score of candidate {} is {score}; scores must be finite numbers", at + 1)]
    NotFinite {
        /// Index of the candidate, from 0.
        at: usize,
        /// The score that was given.
        score: f64,
    },
}

/// Checks that there is one finite score for each candidate.
fn check_scores(asked: usize, scores: &[f64]) -> Result<(), ScoresError> {
    if scores.len() != asked {
        return Err(ScoresError::Count { asked, got: scores.len() });
    }
    match scores.iter().position(|score| !score.is_finite()) {
        Some(at) => Err(ScoresError::NotFinite { at, score: scores[at] }),
        None => Ok(()),
    }
}

/// Reasons why a search cannot be set up or deserialised.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A setting is outside its range.
    #[error("{name} is {value}; allowed is {allowed}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// The value given, as text.
        value: String,
        /// The allowed range, in words.
        allowed: &'static str,
    },
    /// A point does not lie in the search space, or the space is invalid.
    #[error(transparent)]
    Space(#[from] space::SpaceError),
    /// Parts of a deserialised search contradict each other; the text says which.
    #[error("the saved state of the search is inconsistent: {0}")]
    Inconsistent(&'static str),
}

/// Returns [`SetupError::Setting`] with this name, value and allowed range unless `fits` is true.
fn check_setting(
    name: &'static str,
    value: impl ToString,
    allowed: &'static str,
    fits: bool,
) -> Result<(), SetupError> {
    if fits {
        return Ok(());
    }
    Err(SetupError::Setting { name, value: value.to_string(), allowed })
}

/// Runs a maximiser until it is finished, scoring its candidates one after the other with `score`.
pub fn maximise<M: Maximiser + ?Sized>(
    maximiser: &mut M,
    mut score: impl FnMut(&M::Candidate) -> f64,
) -> Result<(), ScoresError> {
    let mut scores = Vec::new();
    while maximiser.finished().is_none() {
        scores.clear();
        scores.extend(maximiser.ask().iter().map(&mut score));
        maximiser.tell(&scores)?;
    }
    Ok(())
}
