//! Elo statistics of match results: Elo difference, normalised Elo and likelihood of superiority,
//! with 95 % intervals.
//!
//! Games come in pairs with seats swapped, so the unit is the pair, with five results from two
//! losses to two wins (*pentanomial*). For single games the unit is the game (*trinomial*). With
//! score mean µ and variance σ² per unit and n units,
//!
//! ```text
//! Elo = −400·log10(1/µ − 1)        nElo = (µ − ½)/σ′ · 800/ln 10
//! LOS = Φ((µ − ½)·√n / σ)          interval: the same at µ ± 1.96·σ/√n
//! ```
//!
//! where σ′ is the standard deviation per game, √2·σ for pairs. cutechess and fastchess print the
//! same numbers.

use std::fmt;

use serde::{Deserialize, Serialize};
use statrs::function::erf::erf;

/// The 97.5 % quantile of the normal distribution: 95 % lie within ± this many standard deviations.
pub(super) const Z95: f64 = 1.959_963_984_540_054;
/// The normalised Elo difference of two players whose mean score lies one standard deviation of a
/// game above ½: 800/ln 10.
pub const NELO_PER_DEVIATION: f64 = 347.435_585_522_601_45;

/// Counts of games by result for one player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct GameCounts {
    /// Number of games that the player won.
    pub wins: u64,
    /// Number of games that the player lost.
    pub losses: u64,
    /// Number of drawn games.
    pub draws: u64,
}

/// Counts of game pairs by their two results for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct PairCounts {
    /// Number of pairs in which the first player lost both games.
    pub two_losses: u64,
    /// Number of pairs in which the first player lost one game and drew the other.
    pub loss_draw: u64,
    /// Number of pairs in which each player won one game.
    pub win_loss: u64,
    /// Number of pairs in which both games were drawn.
    pub two_draws: u64,
    /// Number of pairs in which the first player won one game and drew the other.
    pub win_draw: u64,
    /// Number of pairs in which the first player won both games.
    pub two_wins: u64,
}

/// Counts of results by score. The *unit* counted is a single game or a pair of games; its score is
/// the mean score of its games, from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoreCounts {
    /// Pairs of a score and the number of units with it, in ascending order of the score.
    pub counts: Vec<(f64, f64)>,
    /// Number of games in a unit: 1 for single games, 2 for pairs.
    pub games_per_unit: u32,
}

impl GameCounts {
    /// Returns the number of games: wins, losses and draws.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns the numbers of games with score 0, ½ and 1.
    #[must_use]
    pub fn score_counts(&self) -> ScoreCounts {
        let counts = [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)];
        ScoreCounts {
            counts: counts.map(|(score, n)| (score, n as f64)).to_vec(),
            games_per_unit: 1,
        }
    }
}

impl PairCounts {
    /// Counts a pair of games in which the first player scored `scores` (each 0, ½ or 1).
    pub fn add(&mut self, scores: [f64; 2]) {
        let halves = scores.map(|score| (2.0 * score) as u32);
        match (halves[0] + halves[1], halves[0] == halves[1]) {
            (0, _) => self.two_losses += 1,
            (1, _) => self.loss_draw += 1,
            (2, true) => self.two_draws += 1,
            (2, false) => self.win_loss += 1,
            (3, _) => self.win_draw += 1,
            _ => self.two_wins += 1,
        }
    }

    /// Returns the number of game pairs of all results together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.pentanomial()[0]
            + self.pentanomial()[1]
            + self.pentanomial()[2]
            + self.pentanomial()[3]
            + self.pentanomial()[4]
    }

    /// Returns the number of pairs in which the first player scored 0, ½, 1, 1½ and 2 points.
    #[must_use]
    pub const fn pentanomial(&self) -> [u64; 5] {
        let even = self.win_loss + self.two_draws;
        [self.two_losses, self.loss_draw, even, self.win_draw, self.two_wins]
    }

    /// Returns the numbers of pairs with mean score 0, ¼, ½, ¾ and 1.
    #[must_use]
    pub fn score_counts(&self) -> ScoreCounts {
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let counts = scores.into_iter().zip(self.pentanomial()).map(|(score, n)| (score, n as f64));
        ScoreCounts { counts: counts.collect(), games_per_unit: 2 }
    }
}

impl ScoreCounts {
    /// Returns the number of units (games or pairs).
    #[must_use]
    pub fn total(&self) -> f64 {
        self.counts.iter().map(|(_, n)| n).sum()
    }

    /// Returns the mean and the variance of the score of a unit (a game or a pair).
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        let total = self.total();
        let mean = self.counts.iter().map(|(score, n)| score * n).sum::<f64>() / total;
        let square = |(score, n): &(f64, f64)| n * (score - mean).powi(2);
        (mean, self.counts.iter().map(square).sum::<f64>() / total)
    }
}

/// An estimated number with its 95 % interval. A number that is infinite or not defined is `null` in
/// JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate; infinite if all games were won or all were lost, not a number if it is not
    /// defined.
    pub value: f64,
    /// Half the width of the 95 % interval; infinite or not a number if an end is infinite.
    pub error: f64,
    /// The low end of the 95 % interval; infinite if there is no lower limit.
    pub low: f64,
    /// The high end of the 95 % interval; infinite if there is no upper limit.
    pub high: f64,
}

/// Writes the estimate with its interval, `12.30 +/- 4.50`; where an end is infinite, what is known:
/// `above +120 (95 %)`. The precision is that of the numbers, by default 2.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        // Adding 0 turns −0 into 0.
        let value = self.value + 0.0;
        if value.is_nan() {
            return f.write_str("not defined");
        }
        if value.is_finite() {
            write!(f, "{value:.digits$}")?;
            if self.error.is_finite() {
                return write!(f, " +/- {:.digits$}", self.error);
            }
            f.write_str(", ")?;
        }
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => write!(f, "{:+.0} to {:+.0} (95 %)", self.low, self.high),
            (true, false) => write!(f, "above {:+.0} (95 %)", self.low),
            (false, true) => write!(f, "below {:+.0} (95 %)", self.high),
            (false, false) => f.write_str("without limits (95 %)"),
        }
    }
}

/// Estimates of how much stronger the first player is than the second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EloReport {
    /// The first player's mean score per game, from 0 to 1.
    pub score: f64,
    /// The logistic Elo difference, positive if the first player is stronger.
    pub elo: Estimate,
    /// The normalised Elo difference, positive if the first player is stronger.
    pub normalised: Estimate,
    /// The likelihood of superiority: the probability that the first player is stronger. Without
    /// variance it is the limit of the formula, which says nothing; see `superiority_defined`.
    pub superiority: f64,
    /// Whether the likelihood of superiority is defined: not if all units have the same score.
    #[serde(default)]
    pub superiority_defined: bool,
}

impl EloReport {
    /// Computes the estimates from the counts of scores; `None` without results.
    #[must_use]
    pub fn from_counts(scores: &ScoreCounts) -> Option<Self> {
        let units = scores.total();
        if units == 0.0 {
            return None;
        }
        let (score, variance) = scores.moments();
        let (low, high) = if variance > 0.0 {
            let margin = Z95 * (variance / units).sqrt();
            (score - margin, score + margin)
        } else {
            interval_of_equal_scores(score, units)
        };
        let per_game = (variance * f64::from(scores.games_per_unit)).sqrt();
        let estimate = |scale: &dyn Fn(f64) -> f64| Estimate {
            value: scale(score),
            error: (scale(high) - scale(low)) / 2.0,
            low: scale(low),
            high: scale(high),
        };
        Some(EloReport {
            score,
            elo: estimate(&elo),
            normalised: estimate(&|s| match variance > 0.0 {
                true => (s - 0.5) / per_game * NELO_PER_DEVIATION,
                false => f64::NAN,
            }),
            superiority: (1.0 + erf((score - 0.5) / (2.0 * variance / units).sqrt())) / 2.0,
            superiority_defined: variance > 0.0,
        })
    }
}

/// Returns the 95 % interval of the mean score if all of `units` units have the score `score`, so
/// that their variance tells nothing. A score that occurs with probability q occurs every time with
/// probability q^units, so q is at least 0.05^(1/units), or 0.025^(1/units) for an interval with two
/// ends; the other units may have any score.
fn interval_of_equal_scores(score: f64, units: f64) -> (f64, f64) {
    let error_rate: f64 = if score == 0.0 || score == 1.0 { 0.05 } else { 0.025 };
    let least = error_rate.powf(1.0 / units);
    (least * score, least * score + (1.0 - least))
}

/// Returns the Elo difference at which a player is expected to score `score` per game; negative
/// below ½.
#[must_use]
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// Returns the expected score per game, from 0 to 1, of a player who is `elo` points stronger.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether two numbers differ by at most one per cent, or by half a unit of the last
    /// digit that the reference program prints.
    fn is_close(ours: f64, reference: f64) -> bool {
        (ours - reference).abs() <= (0.01 * reference.abs()).max(0.006)
    }

    #[test]
    fn single_games_give_the_reference_figures() {
        // Per row: wins, losses, draws; then the expected normalised Elo, its error, the likelihood
        // of superiority and the score.
        for (wins, losses, draws, nelo, error, los, score) in [
            (76, 89, 123, -20.76, 40.13, Some(15.53), 0.477),
            (136, 96, 111, 49.77, 36.77, Some(99.60), 0.558),
            (34, 356, 0, -508.44, 34.48, None, 0.087),
        ] {
            let s =
                EloReport::from_counts(&GameCounts { wins, losses, draws }.score_counts()).unwrap();
            assert!(
                is_close(s.normalised.value, nelo) && is_close(s.normalised.error, error),
                "{s:?}"
            );
            assert!(is_close(s.score, score), "{s:?}");
            assert!(los.is_none_or(|los| is_close(100.0 * s.superiority, los)), "{s:?}");
        }
        let s = EloReport::from_counts(
            &GameCounts { wins: 136, losses: 96, draws: 111 }.score_counts(),
        )
        .unwrap();
        assert!(is_close(s.elo.value, 40.70) && is_close(s.elo.error, 30.43), "{s:?}");
    }

    #[test]
    fn samples_without_variance_have_true_intervals_and_words() {
        let pairs = |two_losses, two_draws, two_wins| {
            let counts = PairCounts { two_losses, two_draws, two_wins, ..PairCounts::default() };
            EloReport::from_counts(&counts.score_counts())
        };
        assert_eq!(pairs(0, 0, 0), None);
        // 0.05^(1/100) = 0.9705, an Elo difference of 607.
        let won = pairs(0, 0, 100).unwrap();
        assert_eq!(won.elo.to_string(), "above +607 (95 %)");
        assert_eq!(pairs(100, 0, 0).unwrap().elo.to_string(), "below -607 (95 %)");
        assert_eq!(pairs(0, 0, 1).unwrap().elo.to_string(), "above -512 (95 %)");
        // 0.025^(1/100) = 0.9638, so the score is between 0.4819 and 0.5181.
        let even = pairs(0, 100, 0).unwrap();
        assert_eq!(even.elo.to_string(), "0.00 +/- 12.59");
        for report in [won, even] {
            assert_eq!(report.normalised.to_string(), "not defined");
            assert!(!report.superiority_defined);
        }
        assert_eq!(pairs(1, 0, 1).unwrap().elo.to_string(), "0.00, without limits (95 %)");
        let most = pairs(1, 0, 9).unwrap();
        assert_eq!(format!("{:.0}", most.elo), "382, above +159 (95 %)");
        assert!(most.superiority_defined);
        let json = serde_json::to_string(&won).unwrap();
        assert!(json.contains("\"elo\":{\"value\":null,\"error\":null,\"low\":606."), "{json}");
    }

    #[test]
    fn pairs_give_the_reference_figures() {
        for (counts, nelo, nelo_error, elo, elo_error, los, score) in [
            ([34, 54, 31, 32, 64, 75], 57.94, 28.28, 55.58, 27.65, 100.0, 0.579),
            ([332, 433, 457, 41, 333, 334], -9.17, 10.96, -8.64, 10.33, 5.05, 0.488),
            ([7895, 8757, 5485, 200, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0, 0.470),
        ] {
            let [two_losses, loss_draw, win_loss, two_draws, win_draw, two_wins] = counts;
            let pairs =
                PairCounts { two_losses, loss_draw, win_loss, two_draws, win_draw, two_wins };
            let s = EloReport::from_counts(&pairs.score_counts()).unwrap();
            for (ours, reference) in [
                (s.normalised.value, nelo),
                (s.normalised.error, nelo_error),
                (s.elo.value, elo),
                (s.elo.error, elo_error),
                (100.0 * s.superiority, los),
                (s.score, score),
            ] {
                assert!(is_close(ours, reference), "{ours} is not {reference}: {s:?}");
            }
        }
    }

    #[test]
    fn pairs_count_their_scores() {
        let mut pairs = PairCounts::default();
        for scores in [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [0.5, 0.5], [0.5, 1.0], [1.0, 1.0]] {
            pairs.add(scores);
        }
        assert_eq!(pairs.pentanomial(), [1, 1, 2, 1, 1]);
        assert_eq!((pairs.win_loss, pairs.two_draws, pairs.total()), (1, 1, 6));
        assert!(EloReport::from_counts(&PairCounts::default().score_counts()).is_none());
    }
}
