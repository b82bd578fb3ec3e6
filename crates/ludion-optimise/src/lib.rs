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

pub mod cmaes;
pub mod cross_entropy;
pub mod diagnostics;
pub mod genetic;
pub mod history;
pub mod space;
pub mod spsa;

use serde::{Deserialize, Serialize};

use history::GenerationScores;
use ludion_core::random::Rng;

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

/// Draws a standard normal number by the method of Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    let (radius, angle) = (1.0 - rng.unit(), rng.unit());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
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

#[cfg(test)]
mod tests {
    use super::*;
    use cmaes::{CmaEs, CmaEsOptions};
    use cross_entropy::points::PointDistribution;
    use cross_entropy::{CrossEntropy, CrossEntropyOptions, DistributionFamily, SampleSize};
    use genetic::{GeneticOptions, GeneticSearch};
    use space::{AxisScale, SearchSpace, SpaceAxis, SpacePoint};
    use spsa::{Spsa, SpsaOptions};

    type Search = Box<dyn Maximiser<Candidate = SpacePoint>>;

    /// Returns every search method with about 2,000 evaluations, from the middle of the space.
    fn searches(space: &SearchSpace, seed: u64) -> [(&'static str, Search, f64); 4] {
        let start = space.point_at(&[]);
        let genetic = GeneticOptions { generations: 250, ..GeneticOptions::default() };
        let genetic = GeneticSearch::new(space.clone(), genetic, vec![start.clone()], seed);
        let wide = PointDistribution::wide(space.clone()).expect("a distribution");
        let entropy = CrossEntropyOptions {
            samples: SampleSize::Fixed(40),
            iterations: 50,
            ..wide.defaults()
        };
        let entropy = CrossEntropy::new(wide, entropy, seed).expect("a search");
        let cma_es = CmaEsOptions { candidates: Some(20), generations: 100 };
        let cma_es = CmaEs::new(space.clone(), cma_es, &start, seed).expect("a search");
        let spsa = SpsaOptions { step: 0.02, ..SpsaOptions::new(10, 100) };
        let spsa = Spsa::new(space.clone(), spsa, &start, seed);
        // The candidate with the best of many noisy scores is lucky, so two methods come less close.
        [
            ("genetic", Box::new(genetic.expect("a search")), 0.3),
            ("cross-entropy", Box::new(entropy), 0.2),
            ("cma-es", Box::new(cma_es), 0.15),
            ("spsa", Box::new(spsa.expect("a search")), 0.1),
        ]
    }

    #[test]
    fn every_method_finds_the_optimum_of_a_function_with_noise() {
        let axis = |name: &str| SpaceAxis::real(name, 0.0, 1.0, AxisScale::Linear);
        let space = SearchSpace::new(vec![axis("x"), axis("y"), axis("z")]).expect("a space");
        let optimum = [0.2, 0.7, 0.4];
        for seed in 0..5 {
            for (name, mut search, within) in searches(&space, seed) {
                let mut rng = Rng::new(seed + 100);
                maximise(&mut *search, |point| {
                    let x = space.to_unit_cube(point);
                    let loss: f64 = x.iter().zip(optimum).map(|(x, o)| (x - o).powi(2)).sum();
                    0.1 * normal(&mut rng) - loss
                })
                .expect("scores");
                let (best, _) = search.best().expect("a point");
                let x = space.to_unit_cube(&best);
                let distance = x.iter().zip(optimum).map(|(x, o)| (x - o).powi(2)).sum::<f64>();
                assert!(distance.sqrt() < within, "{name}, seed {seed}: {}", distance.sqrt());
            }
        }
    }
}
