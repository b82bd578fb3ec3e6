//! The sequential probability ratio test (Wald 1945): stops a match as soon as the results decide
//! between two hypotheses on the Elo difference.
//!
//! The log-likelihood ratio is that of the multinomial distribution of results, with the most
//! likely distribution under each hypothesis: one with a given mean for logistic Elo, one with a
//! given mean over standard deviation for normalised Elo (Van den Bergh, *The generalized maximum
//! likelihood ratio for the expectation value of a distribution*, and *Normalized Elo*).

use serde::{Deserialize, Serialize};

use super::elo::{NELO_PER_DEVIATION, ScoreCounts, expected_score};

/// The Elo scale in which the two hypotheses of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// Normalised Elo: the difference is measured in standard deviations of a game.
    Normalised,
    /// Logistic Elo: the usual scale, computed from the mean score alone.
    Logistic,
}

/// A sequential probability ratio test of the Elo difference `elo0` against `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference under the null hypothesis.
    pub elo0: f64,
    /// The Elo difference under the alternative hypothesis, greater than `elo0`.
    pub elo1: f64,
    /// Probability of accepting `elo1` although `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` although `elo1` is true.
    pub beta: f64,
    /// The Elo scale of `elo0` and `elo1`.
    pub model: EloScale,
}

/// The decision of a sequential test after the results so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtDecision {
    /// No hypothesis is accepted yet; more games are needed.
    Open,
    /// The hypothesis `elo0` is accepted.
    Lower,
    /// The hypothesis `elo1` is accepted.
    Upper,
}

/// The count that replaces 0 for results that did not occur, so that their logarithms exist.
const MIN_COUNT: f64 = 1e-3;

impl Sprt {
    /// Returns the lower and the upper bound of the log-likelihood ratio; between them the test is
    /// undecided.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of the hypothesis `elo1` to `elo0`; 0 without results.
    #[must_use]
    pub fn llr(&self, results: &ScoreCounts) -> f64 {
        if results.total() == 0.0 {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> =
            results.counts.iter().map(|&(score, n)| (score, n.max(MIN_COUNT))).collect();
        let total: f64 = counts.iter().map(|(_, n)| n).sum();
        let observed: Vec<(f64, f64)> =
            counts.iter().map(|(score, n)| (*score, n / total)).collect();
        let most_likely = |elo: f64| match self.model {
            EloScale::Logistic => most_likely_with_mean(&observed, expected_score(elo)),
            EloScale::Normalised => {
                let ratio = elo / NELO_PER_DEVIATION * f64::from(results.games_per_unit).sqrt();
                most_likely_with_ratio(&observed, ratio)
            }
        };
        let (distribution0, distribution1) = (most_likely(self.elo0), most_likely(self.elo1));
        let gain = |((_, p), (p0, p1)): (&(f64, f64), (&f64, &f64))| p * (p1 / p0).ln();
        total * observed.iter().zip(distribution0.iter().zip(&distribution1)).map(gain).sum::<f64>()
    }

    /// Returns the decision of the test after these results.
    #[must_use]
    pub fn decide(&self, results: &ScoreCounts) -> SprtDecision {
        let (lower, upper) = self.bounds();
        match self.llr(results) {
            llr if llr <= lower => SprtDecision::Lower,
            llr if llr >= upper => SprtDecision::Upper,
            _ => SprtDecision::Open,
        }
    }
}

/// Returns the probabilities of the scores that have the mean `mean` and make the `observed`
/// frequencies most likely. `observed` has pairs of a score and its frequency.
fn most_likely_with_mean(observed: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let shifted: Vec<(f64, f64)> = observed.iter().map(|&(a, p)| (a - mean, p)).collect();
    reweight(&shifted)
}

/// Returns the probabilities of the scores whose (mean − ½)/deviation is `ratio` and that make the
/// `observed` frequencies most likely. The condition is linearised at the current solution and
/// solved again until it converges.
fn most_likely_with_ratio(observed: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    let mut distribution = vec![1.0 / observed.len() as f64; observed.len()];
    for _ in 0..25 {
        let mean: f64 = observed.iter().zip(&distribution).map(|((a, _), p)| a * p).sum();
        let variance: f64 =
            observed.iter().zip(&distribution).map(|((a, _), p)| (a - mean).powi(2) * p).sum();
        let deviation = variance.sqrt();
        let condition: Vec<(f64, f64)> = observed
            .iter()
            .map(|&(a, p)| {
                let spread = 1.0 + ((mean - a) / deviation).powi(2);
                (a - 0.5 - ratio * deviation * spread / 2.0, p)
            })
            .collect();
        let next = reweight(&condition);
        let moved = next.iter().zip(&distribution).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        distribution = next;
        if moved < 1e-9 {
            break;
        }
    }
    distribution
}

/// Returns the weights `p/(1 + x·a)` of the points `(a, p)`, where `x` solves Σ p·a/(1 + x·a) = 0.
/// The sum decreases in `x`, so `x` is found by bisection between the poles.
fn reweight(points: &[(f64, f64)]) -> Vec<f64> {
    let most = points.iter().map(|(a, _)| *a).fold(f64::MIN, f64::max);
    let least = points.iter().map(|(a, _)| *a).fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let sum: f64 = points.iter().map(|(a, p)| p * a / (1.0 + x * a)).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = f64::midpoint(low, high);
    points.iter().map(|(a, p)| p / (1.0 + x * a)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::elo::{GameCounts, PairCounts};

    fn test(elo0: f64, elo1: f64, model: EloScale) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn assert_close(ours: f64, reference: f64) {
        assert!(
            (ours - reference).abs() <= (0.01 * reference.abs()).max(0.006),
            "{ours} is not {reference}"
        );
    }

    #[test]
    fn single_games_give_the_reference_ratios() {
        use EloScale::{Logistic, Normalised};
        for ((wins, losses, draws), elo0, elo1, model, llr) in [
            ((36433, 36027, 68692), 0.0, 2.0, Normalised, 0.92),
            ((10871, 10650, 20431), -1.75, 0.25, Normalised, 2.30),
            ((4250, 0, 0), 0.0, 10.0, Normalised, 120.56),
            ((21404, 21184, 40708), 0.5, 2.5, Logistic, -1.57),
            ((57433, 57030, 106593), 0.0, 2.0, Logistic, -2.59),
        ] {
            assert_close(
                test(elo0, elo1, model).llr(&GameCounts { wins, losses, draws }.score_counts()),
                llr,
            );
        }
    }

    #[test]
    fn pairs_give_the_reference_ratios() {
        use EloScale::{Logistic, Normalised};
        for (counts, elo0, elo1, model, llr) in [
            ([365, 16618, 36029, 200, 16974, 390], 0.0, 2.0, Normalised, 2.25),
            ([127, 4883, 10311, 401, 5150, 104], -1.75, 0.25, Normalised, 3.01),
            ([0, 0, 0, 0, 0, 5550], 0.0, 5.0, Normalised, 111.82),
            ([223, 9863, 20279, 1000, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55003, 980, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            let [two_losses, loss_draw, win_loss, two_draws, win_draw, two_wins] = counts;
            let pairs =
                PairCounts { two_losses, loss_draw, win_loss, two_draws, win_draw, two_wins };
            assert_close(test(elo0, elo1, model).llr(&pairs.score_counts()), llr);
        }
    }

    #[test]
    fn the_test_decides_at_walds_bounds() {
        let sprt = test(0.0, 10.0, EloScale::Logistic);
        assert_close(sprt.bounds().0, -2.944);
        assert_close(sprt.bounds().1, 2.944);
        let decide =
            |wins, losses| sprt.decide(&GameCounts { wins, losses, draws: 10 }.score_counts());
        assert_eq!(decide(0, 0), SprtDecision::Open);
        assert_eq!(decide(400, 200), SprtDecision::Upper);
        assert_eq!(decide(200, 400), SprtDecision::Lower);
        assert_eq!(sprt.llr(&GameCounts::default().score_counts()), 0.0);
    }
}
