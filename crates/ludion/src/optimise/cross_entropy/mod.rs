//! Cross-entropy: draw candidates from a law, fit the law to the best of them, begin again
//! (Rubinstein & Kroese, *The Cross-Entropy Method*; De Boer and others, *A Tutorial on the
//! Cross-Entropy Method*, 2005).
//!
//! An iteration draws N candidates. Gamma is the score at place ⌈(1−rho)·N⌉ of the scores in
//! ascending order; the elite is every candidate with at least gamma, ties included. The law is
//! fitted to the elite, and `alpha·fitted + (1−alpha)·old` is the next one.
//!
//! The engine knows nothing of what it draws: that is a [`DistributionFamily`] of laws.

mod alias;
mod assignment;
pub mod categorical;
pub mod family;
pub mod gaussian;
pub mod mallows;
pub mod options;
pub mod permutation;
pub mod points;
mod quantile;
mod rows;

use serde::{Deserialize, Serialize};

pub use family::{DistributionFamily, EliteCandidate};
pub use options::{CrossEntropyOptions, EliteWeights, SampleSize, StopTarget};
pub use rows::RowFigures;

use super::history::GenerationScores;
use super::{Maximiser, ScoresError, SetupError, StopReason, check_scores};
use crate::random::{Rng, derive_seed};

/// What is kept of one iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct CrossEntropyIteration<F: DistributionFamily> {
    /// Its scores.
    pub generation: GenerationScores,
    /// The quantile that the elite reaches.
    pub gamma: f64,
    /// How many candidates are in the elite.
    pub elite: usize,
    /// The best candidate drawn in it.
    pub proposal: F::Sample,
    /// What the law says of itself after it.
    pub figures: F::Figures,
}

/// What is written down of a search: the rest follows from it.
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

/// A search by cross-entropy, between two steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", try_from = "CrossEntropyState<F>", into = "CrossEntropyState<F>")]
pub struct CrossEntropy<F: DistributionFamily> {
    state: CrossEntropyState<F>,
    /// Whether a question waits for its answer.
    asked: bool,
    /// The candidate that is asked for, when it is one alone.
    trial: Option<F::Sample>,
    /// The last sample, over which the next one is drawn.
    samples: Vec<F::Sample>,
    /// Memory for the order of the scores.
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
    /// A search that begins with the law `family`; [`DistributionFamily::defaults`] are the usual options.
    pub fn new(family: F, options: CrossEntropyOptions, seed: u64) -> Result<Self, SetupError> {
        let (history, best, finish) = (Vec::new(), None, None);
        CrossEntropy::try_from(CrossEntropyState { family, options, seed, history, best, finish })
    }

    /// The law as it is now.
    #[must_use]
    pub fn family(&self) -> &F {
        &self.state.family
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &CrossEntropyOptions {
        &self.state.options
    }

    /// The iterations so far.
    #[must_use]
    pub fn history(&self) -> &[CrossEntropyIteration<F>] {
        &self.state.history
    }

    /// The first iteration, from 1, at whose end the last `unchanged + 1` gammas were equal.
    #[must_use]
    pub fn convergence(&self, unchanged: u32) -> Option<u32> {
        let window = (unchanged as usize).saturating_add(1);
        let mut windows = self.state.history.windows(window);
        let found = windows.position(|w| w.iter().all(|i| i.gamma == w[0].gamma))?;
        Some((found + window) as u32)
    }

    /// The first iteration, from 1, whose gamma reached `score`.
    #[must_use]
    pub fn reached(&self, score: f64) -> Option<u32> {
        let found = self.state.history.iter().position(|i| i.gamma >= score)?;
        Some(found as u32 + 1)
    }

    /// Keeps the candidate if it is the best so far, and gives the score of the best.
    fn keep_best(&mut self, candidate: &F::Sample, score: f64) -> f64 {
        match &mut self.state.best {
            Some((_, best)) if score <= *best => *best,
            best => {
                *best = Some((candidate.clone(), score));
                score
            }
        }
    }

    /// Fits the law to the elite of a whole sample and writes the iteration down.
    fn iterate(&mut self, scores: &[f64]) {
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
            figures: self.state.family.figures(),
        });
        self.samples = candidates;
    }

    /// Tells the law the score of its trial.
    fn judge(&mut self, trial: &F::Sample, score: f64) {
        let leader = self.keep_best(trial, score);
        self.state.family.judge(score);
        let figures = self.state.family.figures();
        if let Some(last) = self.state.history.last_mut() {
            (last.figures, last.generation.leader) = (figures, leader);
            last.generation.asked += 1;
        }
    }

    /// Which of the rules ends the search now.
    fn rule(&self) -> Option<StopReason> {
        let CrossEntropyOptions { target, unchanged, concentration, iterations, .. } =
            self.state.options;
        let done = self.state.history.len() as u32;
        let reached = match target {
            None => false,
            Some(StopTarget::Gamma(score)) => self.reached(score).is_some(),
            Some(StopTarget::Best(score)) => self.state.best.as_ref().is_some_and(|b| b.1 >= score),
            Some(StopTarget::Centre(score)) => {
                self.state.family.centre_score().is_some_and(|centre| centre >= score)
            }
        };
        if reached {
            Some(StopReason::Target)
        } else if unchanged.is_some_and(|d| self.convergence(d).is_some()) {
            Some(StopReason::Converged)
        } else if concentration.is_some_and(|least| self.state.family.concentration() >= least) {
            Some(StopReason::Concentrated)
        } else {
            (done >= iterations).then_some(StopReason::Generations)
        }
    }
}

impl<F: DistributionFamily> Maximiser for CrossEntropy<F> {
    type Candidate = F::Sample;

    /// A whole sample; or one candidate alone, when the law wants to know the score of its new
    /// centre before it goes there.
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
                family.redraw(count, &mut rng, &mut self.samples);
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
            Some(trial) => self.judge(&trial, scores[0]),
            None => self.iterate(scores),
        }
        if self.state.family.trial().is_none() {
            self.state.finish = self.rule();
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
