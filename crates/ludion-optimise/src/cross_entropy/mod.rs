//! The cross-entropy method: draw candidates from a distribution, fit the distribution to the best
//! of them, repeat (Rubinstein & Kroese, *The Cross-Entropy Method*; De Boer et al., *A Tutorial on
//! the Cross-Entropy Method*, 2005).
//!
//! An iteration draws N candidates. Gamma is the score at rank ⌈(1−rho)·N⌉ in ascending order; the
//! elite is every candidate that scores at least gamma, ties included. The distribution is fitted
//! to the elite, and the next one is `alpha·fitted + (1−alpha)·old`.
//!
//! The distribution is any [`DistributionFamily`]: independent symbols, permutations, Mallows,
//! Gaussian, or points of a search space.

mod alias;
mod assignment;
pub mod categorical;
pub mod discarding;
pub mod family;
pub mod gaussian;
pub mod mallows;
pub mod options;
pub mod permutation;
pub mod points;
mod probability_table;
mod quantile;

use serde::{Deserialize, Serialize};

pub use family::{DistributionFamily, EliteCandidate};
pub use options::{CrossEntropyOptions, EliteWeights, SampleSize, TargetScore};
pub use probability_table::ProbabilityTableSummary;

use super::history::GenerationScores;
use super::{Maximiser, ScoresError, SetupError, StopReason, check_scores};
use ludion_core::random::{Rng, derive_seed};

/// Record of one iteration of the cross-entropy method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct CrossEntropyIteration<F: DistributionFamily> {
    /// Summary of the scores in the iteration.
    pub generation: GenerationScores,
    /// Score threshold of the elite: every candidate that scores at least this belongs to it.
    pub gamma: f64,
    /// Number of candidates in the elite.
    pub elite: usize,
    /// First candidate with the best score of the sample.
    pub proposal: F::Sample,
    /// Summary of the distribution after the fit.
    #[serde(rename = "figures")]
    pub summary: F::Summary,
}

/// Serialised state of a cross-entropy search; the other fields of [`CrossEntropy`] are derived
/// from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct CrossEntropyState<F: DistributionFamily> {
    family: F,
    options: CrossEntropyOptions,
    seed: u64,
    history: Vec<CrossEntropyIteration<F>>,
    best: Option<(F::Sample, f64)>,
    finish: Option<StopReason>,
}

/// A search by the cross-entropy method; it advances by calls of `ask` and `tell`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", try_from = "CrossEntropyState<F>", into = "CrossEntropyState<F>")]
pub struct CrossEntropy<F: DistributionFamily> {
    state: CrossEntropyState<F>,
    /// Whether `ask` has returned candidates whose scores `tell` has not received yet.
    asked: bool,
    /// The single candidate to score now, if the distribution needs one score before the next
    /// sample.
    trial: Option<F::Sample>,
    /// The last sample; its memory is reused for the next one.
    samples: Vec<F::Sample>,
    /// Scratch memory in which the scores are ordered to find gamma.
    order: Vec<f64>,
}

impl<F: DistributionFamily> From<CrossEntropy<F>> for CrossEntropyState<F> {
    fn from(search: CrossEntropy<F>) -> Self {
        search.state
    }
}

impl<F: DistributionFamily> TryFrom<CrossEntropyState<F>> for CrossEntropy<F> {
    type Error = SetupError;

    fn try_from(state: CrossEntropyState<F>) -> Result<Self, SetupError> {
        state.options.check(state.family.parameters())?;
        let (samples, order) = (Vec::new(), Vec::new());
        Ok(CrossEntropy { state, asked: false, trial: None, samples, order })
    }
}

impl<F: DistributionFamily> CrossEntropy<F> {
    /// Starts a search from the distribution `family`; see [`DistributionFamily::defaults`] for
    /// usual options.
    pub fn new(family: F, options: CrossEntropyOptions, seed: u64) -> Result<Self, SetupError> {
        let (history, best, finish) = (Vec::new(), None, None);
        CrossEntropy::try_from(CrossEntropyState { family, options, seed, history, best, finish })
    }

    /// Returns the current distribution, from which the next sample is drawn.
    #[must_use]
    pub fn family(&self) -> &F {
        &self.state.family
    }

    /// Returns the options of the search.
    #[must_use]
    pub fn options(&self) -> &CrossEntropyOptions {
        &self.state.options
    }

    /// Returns the records of the iterations so far.
    #[must_use]
    pub fn history(&self) -> &[CrossEntropyIteration<F>] {
        &self.state.history
    }

    /// Returns the number, from 1, of the first iteration after which gamma (the score threshold of
    /// the elite) was equal in the last `unchanged + 1` iterations, or `None` if there is none.
    #[must_use]
    pub fn converged_at(&self, unchanged: u32) -> Option<u32> {
        let window = (unchanged as usize).saturating_add(1);
        let mut windows = self.state.history.windows(window);
        let found = windows.position(|w| w.iter().all(|i| i.gamma == w[0].gamma))?;
        Some((found + window) as u32)
    }

    /// Returns the number, from 1, of the first iteration whose gamma (the score threshold of the
    /// elite) was at least `score`, or `None` if there is none.
    #[must_use]
    pub fn iteration_reaching(&self, score: f64) -> Option<u32> {
        let found = self.state.history.iter().position(|i| i.gamma >= score)?;
        Some(found as u32 + 1)
    }

    /// Records the candidate if its score is the best so far, and returns the best score so far.
    fn keep_best(&mut self, candidate: &F::Sample, score: f64) -> f64 {
        match &mut self.state.best {
            Some((_, best)) if score <= *best => *best,
            best => {
                *best = Some((candidate.clone(), score));
                score
            }
        }
    }

    /// Fits the distribution to the elite of the last sample and records the iteration.
    fn update_distribution(&mut self, scores: &[f64]) {
        let candidates = std::mem::take(&mut self.samples);
        let CrossEntropyOptions { rho, weights, smoothing, .. } = self.state.options;
        let gamma = quantile::gamma(scores, rho, &mut self.order);
        let elite = quantile::elite(&candidates, scores, gamma, weights);
        self.state.family.fit(&elite, smoothing.unwrap_or(1.0));
        let top = (0..scores.len()).rev().max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        let top = top.expect("a sample is never empty");
        let leader = self.keep_best(&candidates[top], scores[top]);
        let number = self.state.history.len() as u32 + 1;
        self.state.history.push(CrossEntropyIteration {
            generation: GenerationScores::new(number, scores.len(), scores, leader),
            gamma,
            elite: elite.len(),
            proposal: candidates[top].clone(),
            summary: self.state.family.summary(),
        });
        self.samples = candidates;
    }

    /// Passes the score of the trial candidate to the distribution, and updates the record of the
    /// last iteration.
    fn set_trial_score(&mut self, trial: &F::Sample, score: f64) {
        let leader = self.keep_best(trial, score);
        self.state.family.set_trial_score(score);
        let summary = self.state.family.summary();
        if let Some(last) = self.state.history.last_mut() {
            (last.summary, last.generation.leader) = (summary, leader);
            last.generation.asked += 1;
        }
    }

    /// Returns the reason to stop now, or `None` if no stop rule holds.
    fn stop_reason(&self) -> Option<StopReason> {
        let CrossEntropyOptions { target, unchanged, concentration, iterations, .. } =
            self.state.options;
        let done = self.state.history.len() as u32;
        let iteration_reaching = match target {
            None => false,
            Some(TargetScore::Gamma(score)) => self.iteration_reaching(score).is_some(),
            Some(TargetScore::Best(score)) => {
                self.state.best.as_ref().is_some_and(|b| b.1 >= score)
            }
            Some(TargetScore::Centre(score)) => {
                self.state.family.centre_score().is_some_and(|centre| centre >= score)
            }
        };
        if iteration_reaching {
            Some(StopReason::Target)
        } else if unchanged.is_some_and(|d| self.converged_at(d).is_some()) {
            Some(StopReason::Converged)
        } else if concentration.is_some_and(|limit| self.state.family.concentration() >= limit) {
            Some(StopReason::Concentrated)
        } else {
            (done >= iterations).then_some(StopReason::Generations)
        }
    }
}

impl<F: DistributionFamily> Maximiser for CrossEntropy<F> {
    type Candidate = F::Sample;

    /// Returns a whole sample, or one trial candidate if the distribution needs its score before
    /// the next sample.
    fn ask(&mut self) -> &[F::Sample] {
        if self.state.finish.is_some() {
            return &[];
        }
        if !std::mem::replace(&mut self.asked, true) {
            let CrossEntropyState { family, options, seed, history, .. } = &self.state;
            self.trial = family.trial();
            if self.trial.is_none() {
                let mut rng = Rng::new(derive_seed(*seed, &[history.len() as u64]));
                let count = options.samples.count(family.parameters());
                family.draw_into(count, &mut rng, &mut self.samples);
            }
        }
        if self.trial.is_some() { self.trial.as_slice() } else { &self.samples }
    }

    fn tell(&mut self, scores: &[f64]) -> Result<(), ScoresError> {
        check_scores(self.ask().len(), scores)?;
        if !std::mem::take(&mut self.asked) {
            return Ok(());
        }
        match self.trial.take() {
            Some(trial) => self.set_trial_score(&trial, scores[0]),
            None => self.update_distribution(scores),
        }
        if self.state.family.trial().is_none() {
            self.state.finish = self.stop_reason();
        }
        Ok(())
    }

    fn finished(&self) -> Option<StopReason> {
        self.state.finish
    }

    fn best(&self) -> Option<(F::Sample, f64)> {
        self.state.best.clone()
    }

    fn generations(&self) -> Vec<GenerationScores> {
        self.state.history.iter().map(|iteration| iteration.generation).collect()
    }
}
