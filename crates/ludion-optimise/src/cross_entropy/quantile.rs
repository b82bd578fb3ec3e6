//! Gamma, the quantile of the scores of a sample, and the elite of candidates that reach it.

use super::family::EliteCandidate;
use super::options::EliteWeights;

/// Tolerance for rounding errors of `(1−rho)·N`.
const ROUNDING_ERROR: f64 = 1e-9;

/// Returns gamma, the score at rank ⌈(1−rho)·N⌉, from 1, of N scores in ascending order; `order` is
/// scratch memory.
pub(super) fn gamma(scores: &[f64], rho: f64, order: &mut Vec<f64>) -> f64 {
    let place = ((1.0 - rho) * scores.len() as f64 - ROUNDING_ERROR).ceil() as usize;
    let index = place.clamp(1, scores.len()) - 1;
    order.clear();
    order.extend(scores);
    *order.select_nth_unstable_by(index, f64::total_cmp).1
}

/// Returns every candidate that scores at least `gamma`, with its weight.
pub(super) fn elite<'a, S>(
    candidates: &'a [S],
    scores: &[f64],
    gamma: f64,
    weights: EliteWeights,
) -> Vec<EliteCandidate<'a, S>> {
    let reaching = || candidates.iter().zip(scores).filter(|(_, score)| **score >= gamma);
    let mut elite = Vec::with_capacity(reaching().count());
    match weights {
        EliteWeights::Equal => {
            elite.extend(reaching().map(|(sample, _)| EliteCandidate { sample, weight: 1.0 }));
        }
        EliteWeights::Rank => {
            let mut ranked: Vec<f64> = reaching().map(|(_, score)| *score).collect();
            ranked.sort_by(|a, b| b.total_cmp(a));
            elite.extend(reaching().map(|(sample, &score)| {
                // Equal scores share the mean of their ranks.
                let better = ranked.partition_point(|&other| other > score);
                let no_worse = ranked.partition_point(|&other| other >= score);
                let rank = (better + 1 + no_worse) as f64 / 2.0;
                EliteCandidate { sample, weight: ((ranked.len() + 1) as f64).ln() - rank.ln() }
            }));
        }
    }
    elite
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gamma(scores: &[f64], rho: f64) -> f64 {
        super::gamma(scores, rho, &mut Vec::new())
    }

    #[test]
    fn gamma_is_the_score_at_the_rank_of_the_formula() {
        let scores: Vec<f64> = (1..=30).rev().map(f64::from).collect();
        assert_eq!(gamma(&scores, 0.1), 27.0);
        assert_eq!(gamma(&scores[..25], 0.1), 5.0 + 23.0);
        assert_eq!(gamma(&scores, 1.0), 1.0);
        // (1 − 0.45)·20 is a little more than 11 in floating point.
        assert_eq!(gamma(&scores[10..], 0.45), 11.0);
        assert_eq!(gamma(&[4.0], 0.1), 4.0);
    }

    #[test]
    fn candidates_that_tie_with_gamma_are_in_the_elite() {
        let scores = [0.5, 1.0, 0.5, 0.25, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0];
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let gamma = gamma(&scores, 0.2);
        assert_eq!(gamma, 0.5);
        let elite: Vec<&str> = elite(&names, &scores, gamma, EliteWeights::Equal)
            .iter()
            .map(|one| *one.sample)
            .collect();
        assert_eq!(elite, ["a", "b", "c", "e", "f"]);
    }

    #[test]
    fn rank_weights_decrease_and_are_equal_for_equal_scores() {
        let scores = [3.0, 1.0, 3.0, 2.0];
        let weights: Vec<f64> =
            elite(&[0; 4], &scores, 1.0, EliteWeights::Rank).iter().map(|one| one.weight).collect();
        assert_eq!(weights[0], weights[2]);
        assert!(weights[0] > weights[3] && weights[3] > weights[1] && weights[1] > 0.0);
    }
}
