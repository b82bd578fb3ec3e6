//! Maximising any function: nothing here knows a game.
//!
//! A [`Maximiser`] is asked for candidates and told their scores, again and again, so that
//! whoever drives it can score candidates in parallel, take scores from a memory of its own and
//! stop at any moment: every maximiser can be written down with serde between two steps, and
//! what is read back has the same future. Randomness comes from the seed and the number of the
//! step alone.
//!
//! ```
//! use ludion::optimise::genetic::{self, Genetic};
//! use ludion::optimise::space::{Axis, Scale, Space, Value};
//! use ludion::optimise::{Maximiser, maximise};
//!
//! let space = Space::new(vec![
//!     Axis::integer("a", 0, 10, Scale::Linear),
//!     Axis::real("c", 0.1, 10.0, Scale::Logarithmic),
//! ])?;
//! let mut genetic = Genetic::new(space, genetic::Options::default(), Vec::new(), 1)?;
//! maximise(&mut genetic, |point| match point.values() {
//!     [Value::Integer(a), Value::Real(c)] => -((*a - 7) as f64).powi(2) - c.ln().powi(2),
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

/// Something that maximises a function it cannot see.
pub trait Maximiser {
    /// What is scored.
    type Candidate;

    /// The candidates whose scores are wanted next: the same until they are told. None when
    /// every score is known already, or when the search is finished.
    fn ask(&mut self) -> &[Self::Candidate];

    /// Takes the scores of the candidates asked for, in their order.
    fn tell(&mut self, scores: &[f64]) -> Result<(), ScoresError>;

    /// Why there is nothing more to do; `None` while there is.
    fn finished(&self) -> Option<StopReason>;

    /// The best candidate so far with its score.
    fn best(&self) -> Option<(Self::Candidate, f64)>;

    /// The scores of every generation so far, for a plot.
    fn generations(&self) -> Vec<GenerationScores>;
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The score that was asked for is reached.
    Target,
    /// The quantile of the scores has not changed for as long as was asked for.
    Converged,
    /// The law draws practically one candidate only.
    Concentrated,
    /// As many generations as allowed are over.
    Generations,
}

/// Why scores were not taken.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ScoresError {
    /// Not one score for each candidate.
    #[error("{got} scores for {asked} candidates; one score is needed for each")]
    Count {
        /// Candidates asked for.
        asked: usize,
        /// Scores told.
        got: usize,
    },
    /// A score that is no number.
    #[error("the score of candidate {} is {score}; scores must be finite numbers", at + 1)]
    NotFinite {
        /// Which candidate, from 0.
        at: usize,
        /// Its score.
        score: f64,
    },
}

/// One score for each candidate, each of them a number.
fn check_scores(asked: usize, scores: &[f64]) -> Result<(), ScoresError> {
    if scores.len() != asked {
        return Err(ScoresError::Count { asked, got: scores.len() });
    }
    match scores.iter().position(|score| !score.is_finite()) {
        Some(at) => Err(ScoresError::NotFinite { at, score: scores[at] }),
        None => Ok(()),
    }
}

/// Why a search cannot be set up or read back.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SetupError {
    /// A setting outside its range.
    #[error("{name} is {value}; allowed is {allowed}")]
    Setting {
        /// Which setting.
        name: &'static str,
        /// What it was set to.
        value: String,
        /// What it can be set to.
        allowed: &'static str,
    },
    /// A point that is not in the space searched.
    #[error(transparent)]
    Space(#[from] space::SpaceError),
    /// Parts of what was read back that do not belong together.
    #[error("what was written down of the search does not fit together: {0}")]
    Inconsistent(&'static str),
}

/// An error when `fits` is false.
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

/// Scores candidates one after the other until the maximiser is finished.
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
