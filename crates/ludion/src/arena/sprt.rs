//! The sequential probability ratio test: stop a match as soon as the results decide between
//! two hypotheses on the Elo difference (Wald 1945).
//!
//! The log-likelihood ratio is that of the multinomial law of results, with the most likely
//! law under each hypothesis: under a mean score for logistic Elo, under a mean over deviation
//! for normalised Elo (Van den Bergh, *The generalized maximum likelihood ratio for the expectation
//! value of a distribution*, and *Normalized Elo*).

use serde::{Deserialize, Serialize};

use super::elo::{NELO_PER_DEVIATION, ScoreCounts, expected_score};

/// What the two hypotheses are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalised Elo, in units of the deviation of a game.
    Normalised,
    /// Elo.
    Logistic,
}

/// A test of `elo0` against `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the first hypothesis.
    pub elo0: f64,
    /// The difference under the second, greater than `elo0`.
    pub elo1: f64,
    /// Chance to accept the second when the first is true.
    pub alpha: f64,
    /// Chance to accept the first when the second is true.
    pub beta: f64,
    /// What the differences are measured in.
    pub model: SprtModel,
}

/// What a test says of the results so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtDecision {
    /// Play on.
    Open,
    /// The difference is `elo0` rather than `elo1`.
    Lower,
    /// The difference is `elo1` rather than `elo0`.
    Upper,
}

/// What stands for no observation, so that logarithms exist.
const MIN_COUNT: f64 = 1e-3;

impl Sprt {
    /// The bounds between which the test goes on.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of `elo1` to `elo0`; 0 without results.
    #[must_use]
    pub fn llr(&self, sample: &ScoreCounts) -> f64 {
        if sample.total() == 0.0 {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> =
            sample.counts.iter().map(|&(score, n)| (score, n.max(MIN_COUNT))).collect();
        let total: f64 = counts.iter().map(|(_, n)| n).sum();
        let seen: Vec<(f64, f64)> = counts.iter().map(|(score, n)| (*score, n / total)).collect();
        let likeliest = |elo: f64| match self.model {
            SprtModel::Logistic => likeliest_with_mean(&seen, expected_score(elo)),
            SprtModel::Normalised => {
                let ratio = elo / NELO_PER_DEVIATION * f64::from(sample.games).sqrt();
                likeliest_with_ratio(&seen, ratio)
            }
        };
        let (law0, law1) = (likeliest(self.elo0), likeliest(self.elo1));
        let gain = |((_, p), (p0, p1)): (&(f64, f64), (&f64, &f64))| p * (p1 / p0).ln();
        total * seen.iter().zip(law0.iter().zip(&law1)).map(gain).sum::<f64>()
    }

    /// Whether the results decide.
    #[must_use]
    pub fn decide(&self, sample: &ScoreCounts) -> SprtDecision {
        let (lower, upper) = self.bounds();
        match self.llr(sample) {
            llr if llr <= lower => SprtDecision::Lower,
            llr if llr >= upper => SprtDecision::Upper,
            _ => SprtDecision::Open,
        }
    }
}

/// The probabilities nearest to `seen` in likelihood whose mean is `mean`.
fn likeliest_with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let shifted: Vec<(f64, f64)> = seen.iter().map(|&(a, p)| (a - mean, p)).collect();
    tilt(&shifted)
}

/// The probabilities nearest to `seen` in likelihood whose (mean − ½)/deviation is `ratio`.
/// The condition is linearised at the current law and solved again until nothing moves.
fn likeliest_with_ratio(seen: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    let mut law = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..25 {
        let mean: f64 = seen.iter().zip(&law).map(|((a, _), p)| a * p).sum();
        let variance: f64 = seen.iter().zip(&law).map(|((a, _), p)| (a - mean).powi(2) * p).sum();
        let deviation = variance.sqrt();
        let condition: Vec<(f64, f64)> = seen
            .iter()
            .map(|&(a, p)| {
                let spread = 1.0 + ((mean - a) / deviation).powi(2);
                (a - 0.5 - ratio * deviation * spread / 2.0, p)
            })
            .collect();
        let next = tilt(&condition);
        let moved = next.iter().zip(&law).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        law = next;
        if moved < 1e-9 {
            break;
        }
    }
    law
}

/// Weights `p/(1 + x·a)` with the `x` for which Σ p·a/(1 + x·a) = 0, found by halving between
/// the poles; the sum falls as `x` grows.
fn tilt(points: &[(f64, f64)]) -> Vec<f64> {
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

    fn test(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
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
        use SprtModel::{Logistic, Normalised};
        for ((wins, losses, draws), elo0, elo1, model, llr) in [
            ((36433, 36027, 68692), 0.0, 2.0, Normalised, 0.92),
            ((10871, 10650, 20431), -1.75, 0.25, Normalised, 2.30),
            ((4250, 0, 0), 0.0, 10.0, Normalised, 120.56),
            ((21404, 21184, 40708), 0.5, 2.5, Logistic, -1.57),
            ((57433, 57030, 106593), 0.0, 2.0, Logistic, -2.59),
        ] {
            assert_close(
                test(elo0, elo1, model).llr(&GameCounts { wins, losses, draws }.sample()),
                llr,
            );
        }
    }

    #[test]
    fn pairs_give_the_reference_ratios() {
        use SprtModel::{Logistic, Normalised};
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
            assert_close(test(elo0, elo1, model).llr(&pairs.sample()), llr);
        }
    }

    #[test]
    fn the_bounds_are_walds_and_decide() {
        let sprt = test(0.0, 10.0, SprtModel::Logistic);
        assert_close(sprt.bounds().0, -2.944);
        assert_close(sprt.bounds().1, 2.944);
        let decide = |wins, losses| sprt.decide(&GameCounts { wins, losses, draws: 10 }.sample());
        assert_eq!(decide(0, 0), SprtDecision::Open);
        assert_eq!(decide(400, 200), SprtDecision::Upper);
        assert_eq!(decide(200, 400), SprtDecision::Lower);
        assert_eq!(sprt.llr(&GameCounts::default().sample()), 0.0);
    }
}
