//! The interface between the cross-entropy method and families of distributions.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::options::CrossEntropyOptions;
use crate::random::Rng;

/// A candidate of the elite with its weight in the fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EliteCandidate<'a, S> {
    /// The candidate that was drawn.
    pub sample: &'a S,
    /// Its weight, above 0.
    pub weight: f64,
}

/// Resizes `words` to `count` words and clears each of them, keeping its memory.
pub(super) fn cleared_words<T>(
    words: &mut Vec<Vec<T>>,
    count: usize,
) -> impl Iterator<Item = &mut Vec<T>> {
    words.resize_with(count, Vec::new);
    words.iter_mut().for_each(Vec::clear);
    words.iter_mut()
}

/// A parametric family of distributions; a value is one distribution, which can be sampled and
/// fitted.
pub trait DistributionFamily: Clone + Debug + Serialize + DeserializeOwned {
    /// The type of the candidates drawn.
    type Sample: Clone + PartialEq + Debug + Serialize + DeserializeOwned;
    /// Summary of a distribution, recorded after each iteration.
    type Summary: Clone + PartialEq + Debug + Serialize + DeserializeOwned;

    /// Returns the number of parameters, which scales the sample size.
    fn parameters(&self) -> usize;

    /// Returns the options that suit this family.
    fn defaults(&self) -> CrossEntropyOptions;

    /// Draws `count` candidates into `samples`, reusing its memory.
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

    /// Returns a summary of the distribution.
    fn summary(&self) -> Self::Summary;

    /// Returns how concentrated the distribution is, from 0 to 1; it is 1 if only one candidate can
    /// be drawn.
    fn concentration(&self) -> f64;

    /// Returns a candidate whose score the distribution needs before the next sample, if any.
    fn trial(&self) -> Option<Self::Sample> {
        None
    }

    /// Records the score of the [trial](DistributionFamily::trial).
    fn set_trial_score(&mut self, score: f64) {
        let _ = score;
    }

    /// Returns the score of the centre of the distribution, if it has a centre that was scored.
    fn centre_score(&self) -> Option<f64> {
        None
    }
}
