//! What cross-entropy needs of a family of laws.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::options::CrossEntropyOptions;
use crate::random::Rng;

/// One of the best candidates of a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EliteCandidate<'a, S> {
    /// The candidate.
    pub sample: &'a S,
    /// How much it counts, above 0.
    pub weight: f64,
}

/// Makes room for `count` words among `words`, and empties each to be written anew.
pub(super) fn emptied<T>(
    words: &mut Vec<Vec<T>>,
    count: usize,
) -> impl Iterator<Item = &mut Vec<T>> {
    words.resize_with(count, Vec::new);
    words.iter_mut().for_each(Vec::clear);
    words.iter_mut()
}

/// A family of laws: a value of it is one law, which can be drawn from and moved.
pub trait DistributionFamily: Clone + Debug + Serialize + DeserializeOwned {
    /// What is drawn.
    type Sample: Clone + PartialEq + Debug + Serialize + DeserializeOwned;
    /// What a law says of itself, iteration after iteration.
    type Figures: Clone + PartialEq + Debug + Serialize + DeserializeOwned;

    /// How many numbers make a law: the size of a sample is counted in them.
    fn parameters(&self) -> usize;

    /// The options that go with this family when nobody says.
    fn defaults(&self) -> CrossEntropyOptions;

    /// Draws `count` candidates over those in `samples`, whose memory is used again.
    fn redraw(&self, count: usize, rng: &mut Rng, samples: &mut Vec<Self::Sample>);

    /// Draws candidates.
    fn draw(&self, count: usize, rng: &mut Rng) -> Vec<Self::Sample> {
        let mut samples = Vec::new();
        self.redraw(count, rng, &mut samples);
        samples
    }

    /// Moves the law to `smoothing` times the one fitted to the elite, which is not empty, and
    /// the rest the law as it was.
    fn fit(&mut self, elite: &[EliteCandidate<'_, Self::Sample>], smoothing: f64);

    /// What the law says of itself.
    fn figures(&self) -> Self::Figures;

    /// How near the law is to drawing one candidate only: 1 when it does.
    fn concentration(&self) -> f64;

    /// A candidate whose score the law must know before it goes on.
    fn trial(&self) -> Option<Self::Sample> {
        None
    }

    /// Takes the score of the [trial](DistributionFamily::trial).
    fn judge(&mut self, score: f64) {
        let _ = score;
    }

    /// The score of the centre of the law, where it has one and it was scored.
    fn centre_score(&self) -> Option<f64> {
        None
    }
}
