//! What a guess is worth by the classes it splits the codes left into, one class an answer:
//! Knuth (1976) wants the largest class small, Irving (1979) the expected size, Neuwirth (1982)
//! the most information, Kooi (2005) the most classes.
//!
//! Equal guesses are told apart by whether they can be the code itself, then by size.

use super::codes::{CodeIndex, CodeTable};
use super::symmetry::CodeSymmetry;

/// What is to be small, or large, about the classes of n₁, n₂, … of n codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuessScore {
    /// The largest nᵢ, small.
    Minimax,
    /// `Σ nᵢ²/n`, small.
    Size,
    /// `−Σ nᵢ/n · log₂ nᵢ/n`, large.
    Entropy,
    /// The number of classes, large.
    Parts,
}

/// A score with what it needs to be computed fast.
pub struct GuessScorer {
    score: GuessScore,
    /// `nᵢ·log nᵢ`, for entropy.
    weights: Vec<u64>,
}

impl GuessScorer {
    /// Judges guesses at up to `most` codes.
    #[must_use]
    pub fn new(score: GuessScore, most: usize) -> Self {
        let weights = if score == GuessScore::Entropy { weights(most) } else { Vec::new() };
        GuessScorer { score, weights }
    }

    /// A number that is small for good guesses. Classes of the same worth get the same number.
    fn judge(&self, sizes: &[u32]) -> u64 {
        let sizes = sizes.iter();
        match self.score {
            GuessScore::Minimax => sizes.copied().max().map_or(0, u64::from),
            GuessScore::Size => sizes.map(|&size| u64::from(size) * u64::from(size)).sum(),
            GuessScore::Entropy => sizes.map(|&size| self.weights[size as usize]).sum(),
            GuessScore::Parts => sizes.filter(|&&size| size == 0).count() as u64,
        }
    }

    /// The best guess when `set` is left after the questions that `symmetry` knows.
    #[must_use]
    pub fn best(&self, codes: &CodeTable, set: &[CodeIndex], symmetry: &CodeSymmetry) -> CodeIndex {
        self.best_of(codes, set, &distinct(codes, symmetry))
    }

    /// The best of these guesses when `set` is left.
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
        let worths = self.worths(codes, set, guesses);
        worths.min().map(|(.., guess)| guess).expect("there are guesses")
    }

    /// The best guesses, the best first, at most so many.
    #[must_use]
    pub fn ranked(
        &self,
        codes: &CodeTable,
        set: &[CodeIndex],
        symmetry: &CodeSymmetry,
        most: usize,
    ) -> Vec<CodeIndex> {
        let guesses = distinct(codes, symmetry);
        let mut worths: Vec<_> = self.worths(codes, set, &guesses).collect();
        worths.sort_unstable();
        worths.into_iter().take(most).map(|(.., guess)| guess).collect()
    }

    /// Each guess with what it is worth, smaller for better.
    fn worths(
        &self,
        codes: &CodeTable,
        set: &[CodeIndex],
        guesses: &[CodeIndex],
    ) -> impl Iterator<Item = (u64, bool, CodeIndex)> {
        let (kinds, solved) = (codes.kinds(), usize::from(codes.solved()));
        let mut sizes = [0; 256];
        guesses.iter().map(move |&guess| {
            codes.count(guess, set, &mut sizes);
            (self.judge(&sizes[..kinds]), sizes[solved] == 0, guess)
        })
    }
}

/// The guesses that differ.
fn distinct(codes: &CodeTable, symmetry: &CodeSymmetry) -> Vec<CodeIndex> {
    let trivial = symmetry.is_trivial();
    let differs = |guess: &CodeIndex| trivial || symmetry.is_smallest(codes.code(*guess));
    (0..codes.len() as CodeIndex).filter(differs).collect()
}

/// `n·log₂ n` in 2⁻³⁶ for n up to `most`. The logarithm of n is the sum of those of its prime
/// factors, so that sums that are equal are equal here too, however they are made up.
fn weights(most: usize) -> Vec<u64> {
    let mut logs = vec![0_u64; most + 1];
    for n in 2..=most {
        if logs[n] > 0 {
            continue;
        }
        let log = ((n as f64).log2() * (1_u64 << 36) as f64).round() as u64;
        let mut power = n;
        while power <= most {
            (power..=most).step_by(power).for_each(|multiple| logs[multiple] += log);
            power = power.saturating_mul(n);
        }
    }
    logs.iter().enumerate().map(|(n, log)| n as u64 * log).collect()
}
