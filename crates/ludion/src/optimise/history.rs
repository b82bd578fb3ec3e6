//! What is kept of a generation of candidates, for a plot: one line a generation.

use serde::{Deserialize, Serialize};

/// The scores of one generation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenerationScores {
    /// Its number, from 1.
    pub number: u32,
    /// How many candidates had to be scored for it.
    pub asked: usize,
    /// The best score in it.
    pub best: f64,
    /// The mean score.
    pub mean: f64,
    /// The standard deviation of the scores.
    pub spread: f64,
    /// The score of the best candidate known at its end.
    pub leader: f64,
}

impl GenerationScores {
    /// Sums up the `scores` of a generation, of which `asked` were new. There is at least one.
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
    fn a_generation_is_summed_up() {
        let generation = GenerationScores::new(3, 2, &[1.0, 2.0, 6.0], 7.0);
        assert_eq!((generation.best, generation.mean, generation.leader), (6.0, 3.0, 7.0));
        assert!((generation.spread - (14.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
