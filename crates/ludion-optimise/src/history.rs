//! Summary of the scores of one generation of candidates, as shown in plots.

use serde::{Deserialize, Serialize};

/// Summary of the scores of one generation of candidates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenerationScores {
    /// Number of the generation, from 1.
    pub number: u32,
    /// Number of candidates that were scored in this generation; those with known scores are not
    /// counted.
    pub asked: usize,
    /// Best score of the generation.
    pub best: f64,
    /// Mean score of the generation.
    pub mean: f64,
    /// Standard deviation of the scores of the generation.
    pub spread: f64,
    /// Score of the best candidate of all generations up to this one.
    pub leader: f64,
}

impl GenerationScores {
    /// Summarises the `scores` of a generation, at least one; `asked` candidates were scored anew,
    /// and `leader` is the best score so far.
    pub(super) fn new(number: u32, asked: usize, scores: &[f64], leader: f64) -> Self {
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count;
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        GenerationScores { number, asked, best, mean, spread: variance.sqrt(), leader }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_summarised() {
        let generation = GenerationScores::new(3, 2, &[1.0, 2.0, 6.0], 7.0);
        assert_eq!((generation.best, generation.mean, generation.leader), (6.0, 3.0, 7.0));
        assert!((generation.spread - (14.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
