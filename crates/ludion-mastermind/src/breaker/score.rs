//! Scores of a guess by the classes, one for each feedback, into which it splits the remaining
//! codes: the largest class (Knuth 1976), the expected size (Irving 1979), the entropy (Neuwirth
//! 1982), or the number of classes (Kooi 2005).
//!
//! Of guesses with equal scores, one that can be the secret comes first, then the smaller code.
//!
//! Where guesses times codes are too many for a second, all guesses are scored over a sample of the
//! codes, and the best of them over all codes.

use super::codes::{CodeIndex, CodeTable};
use super::symmetry::CodeSymmetry;

/// Criterion that ranks guesses by the sizes n₁, n₂, … of the classes into which they split n
/// codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuessCriterion {
    /// Minimise the size of the largest class, the largest nᵢ.
    Minimax,
    /// Minimise the expected size of the class that remains, `Σ nᵢ²/n`.
    Size,
    /// Maximise the entropy of the feedback, `−Σ nᵢ/n · log₂ nᵢ/n`.
    Entropy,
    /// Maximise the number of non-empty classes.
    Parts,
}

/// Maximum number of feedbacks computed to score all guesses over all codes.
const MAX_FEEDBACKS: usize = 120_000_000;
/// Number of feedbacks computed to score all guesses over a sample of the codes.
const SAMPLE_FEEDBACKS: usize = 50_000_000;
/// Minimum number of codes in a sample.
const MIN_SAMPLE: usize = 64;
/// Number of feedbacks computed to score the best guesses of a sample over all codes.
const SECOND_FEEDBACKS: usize = 15_000_000;

/// Computes a [`GuessCriterion`] of guesses with precomputed tables.
pub struct GuessScorer {
    score: GuessCriterion,
    /// `n·log₂ n` at index n, in units of 2⁻³⁶; empty for scores other than the entropy.
    weights: Vec<u64>,
}

impl GuessScorer {
    /// Creates a scorer for sets of up to `max` codes.
    #[must_use]
    pub fn new(score: GuessCriterion, max: usize) -> Self {
        let weights = if score == GuessCriterion::Entropy { n_log_n(max) } else { Vec::new() };
        GuessScorer { score, weights }
    }

    /// Returns the score of a guess that splits the codes into classes of these sizes; a smaller
    /// score is better.
    fn score(&self, sizes: &[u32]) -> u64 {
        let sizes = sizes.iter();
        match self.score {
            GuessCriterion::Minimax => sizes.copied().max().map_or(0, u64::from),
            GuessCriterion::Size => sizes.map(|&size| u64::from(size) * u64::from(size)).sum(),
            GuessCriterion::Entropy => sizes.map(|&size| self.weights[size as usize]).sum(),
            GuessCriterion::Parts => sizes.filter(|&&size| size == 0).count() as u64,
        }
    }

    /// Returns the best guess if `set` lists the codes that can be the secret; of guesses
    /// equivalent under `symmetry` only one is considered.
    #[must_use]
    pub fn best(&self, codes: &CodeTable, set: &[CodeIndex], symmetry: &CodeSymmetry) -> CodeIndex {
        let guesses = canonical_guesses(codes, set, symmetry);
        self.best_of(codes, set, &self.promising(codes, set, guesses))
    }

    /// Returns the guesses to score over all codes of `set`: all of them, or those with the best
    /// scores over a sample of the codes.
    fn promising(
        &self,
        codes: &CodeTable,
        set: &[CodeIndex],
        guesses: Vec<CodeIndex>,
    ) -> Vec<CodeIndex> {
        if guesses.len() * set.len() <= MAX_FEEDBACKS {
            return guesses;
        }
        let size = (SAMPLE_FEEDBACKS / guesses.len()).max(MIN_SAMPLE);
        let sample: Vec<CodeIndex> =
            set.iter().step_by(set.len().div_ceil(size)).copied().collect();
        let mut scores: Vec<_> = self.scores(codes, &sample, &guesses).collect();
        let kept = (SECOND_FEEDBACKS / set.len()).clamp(1, scores.len());
        scores.select_nth_unstable(kept - 1);
        scores.truncate(kept);
        scores.into_iter().map(|(.., guess)| guess).collect()
    }

    /// Returns the best of these guesses if `set` lists the codes that can be the secret.
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

    /// Returns at most `max` guesses, the best first, if `set` lists the codes that can be the
    /// secret; of guesses equivalent under `symmetry` only one is considered.
    #[must_use]
    pub fn ranked(
        &self,
        codes: &CodeTable,
        set: &[CodeIndex],
        symmetry: &CodeSymmetry,
        max: usize,
    ) -> Vec<CodeIndex> {
        let guesses = self.promising(codes, set, canonical_guesses(codes, set, symmetry));
        let mut scores: Vec<_> = self.scores(codes, set, &guesses).collect();
        scores.sort_unstable();
        scores.into_iter().take(max).map(|(.., guess)| guess).collect()
    }

    /// Iterates over the guesses as triples of the score (smaller is better), whether the guess
    /// cannot be the secret, and the guess; the smallest triple is the best guess.
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

/// Returns the smallest guess of each class of guesses that are equivalent, either under `symmetry`
/// or because they differ only in colours that no code of `set` has.
pub(super) fn canonical_guesses(
    codes: &CodeTable,
    set: &[CodeIndex],
    symmetry: &CodeSymmetry,
) -> Vec<CodeIndex> {
    let trivial = symmetry.is_trivial();
    let palette = guess_palette(codes, set, symmetry);
    let is_canonical = |guess: &CodeIndex| {
        let code = codes.code(*guess);
        code.iter().all(|&colour| palette[usize::from(colour)])
            && (trivial || symmetry.is_canonical(code))
    };
    (0..codes.len() as CodeIndex).filter(is_canonical).collect()
}

/// Returns, for each colour, whether guesses need it: the colours of the codes in `set`, and some of
/// the others. Colours that no guess has used are equivalent, and so are used colours that no code
/// of the set has; of both kinds, the smallest that one guess can contain are taken.
fn guess_palette(codes: &CodeTable, set: &[CodeIndex], symmetry: &CodeSymmetry) -> Vec<bool> {
    let rules = codes.rules();
    let mut live = vec![false; rules.colours];
    let mut missing = rules.colours;
    for &code in set {
        for &colour in codes.code(code) {
            missing -= usize::from(!std::mem::replace(&mut live[usize::from(colour)], true));
        }
        if missing == 0 {
            break;
        }
    }
    let (mut unused, mut absent) = (rules.pegs, if rules.repeats { 1 } else { rules.pegs });
    let take = |left: &mut usize| std::mem::replace(left, left.saturating_sub(1)) > 0;
    let needed = |(colour, live): (usize, bool)| {
        if symmetry.is_used(colour as u16) { live || take(&mut absent) } else { take(&mut unused) }
    };
    live.into_iter().enumerate().map(needed).collect()
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
