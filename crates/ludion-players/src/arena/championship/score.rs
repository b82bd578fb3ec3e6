//! Mean scores with intervals, and a test whether the players of a championship differ at all.
//!
//! *Interval.* The 95 % interval of Agresti and Coull (1998): z² = 3.84 games are added, half won
//! and half lost, and the normal interval of all games is taken. It is slightly wider than Wilson's
//! and reliable for few games and for scores of 0 and 1. A draw counts half and adds no variance,
//! so many draws make the interval narrow.
//!
//! *Homogeneity.* In a round robin one player's win is another's loss. So the scores of K players
//! vary `K/(K − 1)` times as much relative to each other as independent scores would, and
//!
//! ```text
//! χ² = (K − 1)/K · Σ games·(score − mean)²/σ²     with K − 1 degrees of freedom
//! ```
//!
//! where σ² is the variance of the score of one game over all players. If one side has an
//! advantage, that adds to σ² but not to the scores, because every player plays both sides equally
//! often; so p is too large rather than too small.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::arena::elo::{GameCounts, Z95};

/// A player's mean score per game, from 0 to 1, with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeanScore {
    /// The mean score: wins plus half the draws, divided by the number of games; ½ without games.
    pub value: f64,
    /// The low end of the 95 % interval of the mean score.
    pub low: f64,
    /// The high end of the 95 % interval of the mean score.
    pub high: f64,
}

impl MeanScore {
    /// Computes the mean score and its interval from the results of one player.
    #[must_use]
    pub fn from_counts(games: &GameCounts) -> Self {
        let total = games.total() as f64;
        if total == 0.0 {
            return MeanScore { value: 0.5, low: 0.0, high: 1.0 };
        }
        let (middle, variance) = padded(games);
        let margin = Z95 * (variance / (total + Z95 * Z95)).sqrt();
        MeanScore {
            value: points(games) / total,
            low: (middle - margin).max(0.0),
            high: (middle + margin).min(1.0),
        }
    }
}

fn points(games: &GameCounts) -> f64 {
    games.wins as f64 + games.draws as f64 / 2.0
}

/// Returns the mean and the variance of the score per game after adding z² = 3.84 games, half won
/// and half lost (Agresti and Coull).
fn padded(games: &GameCounts) -> (f64, f64) {
    let more = Z95 * Z95;
    let (wins, draws) = (games.wins as f64 + more / 2.0, games.draws as f64);
    let total = games.total() as f64 + more;
    let mean = (wins + draws / 2.0) / total;
    (mean, (wins + draws / 4.0) / total - mean * mean)
}

/// Returns the variance of a player's mean score relative to the scores of the other players in a
/// round robin of `players`; infinite without games.
pub(super) fn variance_in_round_robin(games: &GameCounts, players: usize) -> f64 {
    let players = players.max(2) as f64;
    padded(games).1 / games.total() as f64 * players / (players - 1.0)
}

/// The result of a χ² test whether all players of a championship have the same score.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct HomogeneityTest {
    /// The χ² statistic.
    pub chi_squared: f64,
    /// Degrees of freedom: the number of players with games minus one.
    pub freedom: usize,
    /// The p-value: the probability of a χ² at least as large if all players have the same
    /// strength.
    pub p: f64,
}

impl HomogeneityTest {
    /// Tests whether the players' scores are equal; players without games are left out.
    #[must_use]
    pub fn from_counts(players: &[GameCounts]) -> Self {
        let played: Vec<&GameCounts> = players.iter().filter(|games| games.total() > 0).collect();
        let total: f64 = played.iter().map(|games| games.total() as f64).sum();
        let freedom = played.len().saturating_sub(1);
        let mean = played.iter().map(|games| points(games)).sum::<f64>() / total;
        let square = |games: &&GameCounts| games.wins as f64 + games.draws as f64 / 4.0;
        let variance = played.iter().map(square).sum::<f64>() / total - mean * mean;
        if freedom == 0 || variance <= 1e-12 {
            return HomogeneityTest { chi_squared: 0.0, freedom, p: 1.0 };
        }
        let distance = |games: &&GameCounts| {
            let games_played = games.total() as f64;
            games_played * (points(games) / games_played - mean).powi(2) / variance
        };
        let shared = freedom as f64 / played.len() as f64;
        let chi_squared = shared * played.iter().map(distance).sum::<f64>();
        let distribution = ChiSquared::new(freedom as f64).expect("degrees of freedom above 0");
        HomogeneityTest { chi_squared, freedom, p: distribution.sf(chi_squared) }
    }

    /// Returns whether the scores differ significantly, at the 5 % level.
    #[must_use]
    pub fn is_resolved(&self) -> bool {
        self.p < 0.05
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64, draws: u64, losses: u64) -> GameCounts {
        GameCounts { wins, losses, draws }
    }

    #[test]
    fn intervals_are_those_of_agresti_and_coull() {
        // By hand for 7 of 10: (7 + 1.9207)/(10 + 3.8415) = 0.6445, ± 1.96·√(0.6445·0.3555/13.84).
        let score = MeanScore::from_counts(&games(7, 0, 3));
        assert!(
            (score.low - 0.3923).abs() < 1e-3 && (score.high - 0.8967).abs() < 1e-3,
            "{score:?}"
        );
        let none = MeanScore::from_counts(&games(0, 0, 10));
        assert!(
            none.value == 0.0 && none.low == 0.0 && (0.27..0.35).contains(&none.high),
            "{none:?}"
        );
        let few = MeanScore::from_counts(&games(0, 2, 0));
        assert!(few.low < 0.25 && few.high > 0.75, "{few:?}");
        let many = MeanScore::from_counts(&games(0, 1000, 0));
        assert!(many.value == 0.5 && many.high - many.low < 0.005, "{many:?}");
        assert_eq!(
            MeanScore::from_counts(&games(0, 0, 0)),
            MeanScore { value: 0.5, low: 0.0, high: 1.0 }
        );
    }

    #[test]
    fn the_test_of_two_players_is_the_sign_test() {
        // Two players with 60 and 40 wins: the sign test's χ² is (60 − 40)²/100 = 4.
        let test = HomogeneityTest::from_counts(&[games(60, 0, 40), games(40, 0, 60)]);
        assert!(
            (test.chi_squared - 4.0).abs() < 1e-9 && (test.p - 0.0455).abs() < 1e-4,
            "{test:?}"
        );
        assert!(test.is_resolved());
    }

    #[test]
    fn no_games_and_only_draws_resolve_nothing() {
        for players in
            [vec![], vec![games(1, 0, 0)], vec![games(0, 9, 0); 3], vec![games(0, 0, 0); 3]]
        {
            let test = HomogeneityTest::from_counts(&players);
            assert!(test.p == 1.0 && !test.is_resolved(), "{test:?}");
        }
    }
}
