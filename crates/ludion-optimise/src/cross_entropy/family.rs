//! The interface between the cross-entropy method and families of distributions.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::options::CrossEntropyOptions;
use ludion_core::random::Rng;

/// A candidate of the elite with its weight in the fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EliteCandidate<'a, S> {
    /// The candidate that was drawn.
    pub sample: &'a S,
    /// Weight of the candidate in the fit, above 0.
    pub weight: f64,
}

/// Resizes a list of words (sequences of symbols) to `count`, clears each word without freeing its
/// memory, and returns the words.
pub(super) fn cleared_words<T>(
    words: &mut Vec<Vec<T>>,
    count: usize,
) -> impl Iterator<Item = &mut Vec<T>> {
    words.resize_with(count, Vec::new);
    words.iter_mut().for_each(Vec::clear);
    words.iter_mut()
}

/// A parametric family of distributions; a value of the type is one distribution, which can be
/// sampled and fitted.
pub trait DistributionFamily: Clone + Debug + Serialize + DeserializeOwned {
    /// Type of the candidates that are drawn from a distribution.
    type Sample: Clone + PartialEq + Debug + Serialize + DeserializeOwned;
    /// Summary of a distribution, recorded after each iteration.
    type Summary: Clone + PartialEq + Debug + Serialize + DeserializeOwned;

    /// Returns the number of parameters of the distribution, by which a sample size per parameter
    /// is multiplied.
    fn parameters(&self) -> usize;

    /// Returns the default options of a cross-entropy search with this family.
    fn defaults(&self) -> CrossEntropyOptions;

    /// Draws `count` candidates into `samples`, overwriting its contents and reusing its memory.
    fn draw_into(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Self::Sample>);

    /// Draws `count` candidates.
    fn draw(&self, count: usize, rng: &mut Rng) -> Vec<Self::Sample> {
        let mut samples = Vec::new();
        self.draw_into(count, rng, &mut samples);
        samples
    }

    /// Replaces the distribution by `smoothing·fitted + (1−smoothing)·old`, where `fitted` is
    /// fitted to the non-empty elite.
    fn fit(&mut self, elite: &[EliteCandidate<'_, Self::Sample>], smoothing: f64);

    /// Returns the summary of the distribution that is recorded after each iteration.
    fn summary(&self) -> Self::Summary;

    /// Returns how concentrated the distribution is, from 0 to 1; it is 1 if only one candidate can
    /// be drawn.
    fn concentration(&self) -> f64;

    /// Returns a single candidate that must be scored before the next sample is drawn, such as a
    /// proposed new centre; `None` if there is none.
    fn trial(&self) -> Option<Self::Sample> {
        None
    }

    /// Records the score of the candidate that [`trial`](DistributionFamily::trial) returned.
    fn set_trial_score(&mut self, score: f64) {
        let _ = score;
    }

    /// Returns the score of the centre of the distribution, or `None` if it has no centre or the
    /// centre was not scored.
    fn centre_score(&self) -> Option<f64> {
        None
    }
}
