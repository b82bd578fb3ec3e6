//! Scores of a guess by the classes of codes, one for each feedback, into which it splits the
//! remaining codes: the largest class (Knuth 1976), the expected size (Irving 1979), the entropy
//! (Neuwirth 1982), or the number of classes (Kooi 2005).
//!
//! Of equal guesses, one that can be the secret comes first, then the smaller code.

use super::codes::{CodeIndex, CodeTable};
use super::symmetry::CodeSymmetry;

/// Criterion that ranks guesses, for classes of n₁, n₂, … out of n codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuessScore {
    /// Minimise the largest nᵢ.
    Minimax,
    /// Minimise the expected size `Σ nᵢ²/n`.
    Size,
    /// Maximise the entropy `−Σ nᵢ/n · log₂ nᵢ/n`.
    Entropy,
    /// Maximise the number of classes.
    Parts,
}

/// A [`GuessScore`] with the tables that make it fast.
pub struct GuessScorer {
    score: GuessScore,
    /// `nᵢ·log nᵢ`, for the entropy.
    weights: Vec<u64>,
}

impl GuessScorer {
    /// Creates a scorer for up to `max` codes.
    #[must_use]
    pub fn new(score: GuessScore, max: usize) -> Self {
        let weights = if score == GuessScore::Entropy { n_log_n(max) } else { Vec::new() };
        GuessScorer { score, weights }
    }

    /// Returns a score that is smaller for better guesses, and equal for equally good ones.
    fn score(&self, sizes: &[u32]) -> u64 {
        let sizes = sizes.iter();
        match self.score {
            GuessScore::Minimax => sizes.copied().max().map_or(0, u64::from),
            GuessScore::Size => sizes.map(|&size| u64::from(size) * u64::from(size)).sum(),
            GuessScore::Entropy => sizes.map(|&size| self.weights[size as usize]).sum(),
            GuessScore::Parts => sizes.filter(|&&size| size == 0).count() as u64,
        }
    }

    /// Returns the best guess if the codes of `set` remain; of guesses equivalent under `symmetry`
    /// only one is considered.
    #[must_use]
    pub fn best(&self, codes: &CodeTable, set: &[CodeIndex], symmetry: &CodeSymmetry) -> CodeIndex {
        self.best_of(codes, set, &canonical_guesses(codes, symmetry))
    }

    /// Returns the best of these guesses if the codes of `set` remain.
    #[must_use]
    pub fn best_of(
        &self,
        codes: &CodeTable,
        set: &[CodeIndex],
        guesses: &[CodeIndex],
    ) -> CodeIndex {
        if set.len() <= 2 {
            return set[0];
        }
        let scores = self.scores(codes, set, guesses);
        scores.min().map(|(.., guess)| guess).expect("there are guesses")
    }

    /// Returns the best guesses in order, at most `max`.
    #[must_use]
    pub fn ranked(
        &self,
        codes: &CodeTable,
        set: &[CodeIndex],
        symmetry: &CodeSymmetry,
        max: usize,
    ) -> Vec<CodeIndex> {
        let guesses = canonical_guesses(codes, symmetry);
        let mut scores: Vec<_> = self.scores(codes, set, &guesses).collect();
        scores.sort_unstable();
        scores.into_iter().take(max).map(|(.., guess)| guess).collect()
    }

    /// Iterates over the guesses with their scores, smaller for better; the second value is false
    /// if the guess can be the secret.
    fn scores(
        &self,
        codes: &CodeTable,
        set: &[CodeIndex],
        guesses: &[CodeIndex],
    ) -> impl Iterator<Item = (u64, bool, CodeIndex)> {
        let (feedback_count, solved) = (codes.feedback_count(), usize::from(codes.solved()));
        let mut sizes = [0; 256];
        guesses.iter().map(move |&guess| {
            codes.count(guess, set, &mut sizes);
            (self.score(&sizes[..feedback_count]), sizes[solved] == 0, guess)
        })
    }
}

/// Returns one guess of each class of equivalent guesses.
fn canonical_guesses(codes: &CodeTable, symmetry: &CodeSymmetry) -> Vec<CodeIndex> {
    let trivial = symmetry.is_trivial();
    let is_canonical = |guess: &CodeIndex| trivial || symmetry.is_canonical(codes.code(*guess));
    (0..codes.len() as CodeIndex).filter(is_canonical).collect()
}

/// Returns `n·log₂ n` in units of 2⁻³⁶ for n up to `max`.
///
/// The logarithm of n is the sum of those of its prime factors, so that sums that are
/// mathematically equal are equal here.
fn n_log_n(max: usize) -> Vec<u64> {
    let mut logs = vec![0_u64; max + 1];
    for n in 2..=max {
        if logs[n] > 0 {
            continue;
        }
        let log = ((n as f64).log2() * (1_u64 << 36) as f64).round() as u64;
        let mut power = n;
        while power <= max {
            (power..=max).step_by(power).for_each(|multiple| logs[multiple] += log);
            power = power.saturating_mul(n);
        }
    }
    logs.iter().enumerate().map(|(n, log)| n as u64 * log).collect()
}
