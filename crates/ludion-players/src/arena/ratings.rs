//! Ratings fitted to all games of a tournament: the Bradley-Terry model with Davidson's draws
//! (1970).
//!
//! With strengths π = 10^(rating/400) and a common draw parameter ν,
//!
//! ```text
//! P(i beats j) = πi/(πi + πj + ν·√(πi·πj))      P(draw) = ν·√(πi·πj)/(same)
//! ```
//!
//! the likelihood is concave in the ratings and log ν and is maximised by Newton's method. A weak
//! prior, one drawn game of each player against a player of rating 0, keeps the ratings of players
//! who won or lost everything finite. Intervals come from the inverse of the information matrix.

use serde::{Deserialize, Serialize};

use super::elo::{GameCounts, Z95};

/// A player's Elo rating with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// The rating; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the rating's 95 % interval.
    pub error: f64,
}

/// Elo points per unit of the natural logarithm of a player's strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Fits the ratings of `players` players. Each element of `games` has two players and the results
/// of the first against the second.
#[must_use]
pub fn fit(players: usize, games: &[(usize, usize, GameCounts)]) -> Vec<Rating> {
    maximum(players, games).ratings(games)
}

/// Returns the parameters of the model with the largest likelihood.
fn maximum(players: usize, games: &[(usize, usize, GameCounts)]) -> RatingModel {
    let mut fit = RatingModel { strengths: vec![0.0; players + 1], players };
    for _ in 0..100 {
        let (gradient, information) = fit.derivatives(games);
        let step = solve(information, gradient);
        let longest = step.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        // Far from the maximum a full Newton step can overshoot, so its length is limited.
        let damping = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        for (value, v) in fit.strengths.iter_mut().zip(&step) {
            *value += damping * v;
        }
        if longest < 1e-10 {
            break;
        }
    }
    fit
}

/// Fitted ratings with the covariance of their errors, which tells what further games would tell.
pub struct RatingFit {
    /// Natural logarithms of the players' strengths.
    strengths: Vec<f64>,
    /// Covariance of `strengths`.
    covariance: Vec<Vec<f64>>,
}

impl RatingFit {
    /// Fits the ratings of `players` players, as [`fit`] does.
    #[must_use]
    pub fn of(players: usize, games: &[(usize, usize, GameCounts)]) -> Self {
        let model = maximum(players, games);
        let (_, information) = model.derivatives(games);
        let unit = |i: usize| (0..=players).map(|k| f64::from(u8::from(k == i))).collect();
        let column = |i| {
            let mut column = solve(information.clone(), unit(i));
            column.truncate(players);
            column
        };
        let covariance = (0..players).map(column).collect();
        let mut strengths = model.strengths;
        strengths.truncate(players);
        RatingFit { strengths, covariance }
    }

    /// Returns how much a pair of games between two players would tell about the ratings: by how much
    /// the sum of their variances would shrink.
    #[must_use]
    pub fn information_of_pair(&self, a: usize, b: usize) -> f64 {
        let covariances = self.covariance.iter().map(|row| row[a] - row[b]);
        self.shrinkage(a, b) * covariances.map(|difference| difference * difference).sum::<f64>()
    }

    /// Returns the variance of the difference between two strengths.
    fn variance_of_difference(&self, a: usize, b: usize) -> f64 {
        let c = &self.covariance;
        c[a][a] + c[b][b] - 2.0 * c[a][b]
    }

    /// Returns the factor of the Sherman-Morrison formula for a pair of games between two players.
    fn shrinkage(&self, a: usize, b: usize) -> f64 {
        let weight = self.weight_of_pair(a, b);
        weight / (1.0 + weight * self.variance_of_difference(a, b))
    }

    /// The information of two games about the difference of two strengths: p·(1 − p) each.
    fn weight_of_pair(&self, a: usize, b: usize) -> f64 {
        let p = 1.0 / (1.0 + (self.strengths[b] - self.strengths[a]).exp());
        2.0 * p * (1.0 - p)
    }

    /// Changes the covariance as if a pair of games between two players had been played
    /// (Sherman-Morrison formula); the ratings stay.
    pub fn expect_pair(&mut self, a: usize, b: usize) {
        let difference: Vec<f64> = self.covariance.iter().map(|row| row[a] - row[b]).collect();
        let scale = self.shrinkage(a, b);
        for (row, &left) in self.covariance.iter_mut().zip(&difference) {
            for (value, &right) in row.iter_mut().zip(&difference) {
                *value -= scale * left * right;
            }
        }
    }
}

/// The parameters of the rating model during the fit.
struct RatingModel {
    /// Natural logarithms of the players' strengths, followed by the logarithm of the draw
    /// parameter ν.
    strengths: Vec<f64>,
    players: usize,
}

impl RatingModel {
    /// Returns the gradient of the log-likelihood, and the matrix of its negated second
    /// derivatives.
    fn derivatives(&self, games: &[(usize, usize, GameCounts)]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.players + 1;
        let (mut gradient, mut information) = (vec![0.0; n], vec![vec![0.0; n]; n]);
        for &(i, j, score) in games {
            let counts = [score.wins, score.draws, score.losses].map(|c| c as f64);
            self.add_games(&mut gradient, &mut information, i, Some(j), counts);
        }
        for i in 0..self.players {
            self.add_games(&mut gradient, &mut information, i, None, [0.0, 1.0, 0.0]);
        }
        // A weak prior keeps log ν finite if no game or every game was drawn.
        gradient[n - 1] -= 1e-2 * self.strengths[n - 1];
        information[n - 1][n - 1] += 1e-2;
        (gradient, information)
    }

    /// Adds the games of player `i` against player `j`, or against a fixed player of rating 0, to
    /// the gradient and the second derivatives.
    fn add_games(
        &self,
        gradient: &mut [f64],
        information: &mut [Vec<f64>],
        i: usize,
        j: Option<usize>,
        counts: [f64; 3],
    ) {
        let n = self.players;
        let other = j.map_or(0.0, |j| self.strengths[j]);
        // The log-probability of each result (win, draw, loss) is linear in the parameters (i, j,
        // ν), up to normalisation.
        let features = [[1.0, 0.0, 0.0], [0.5, 0.5, 1.0], [0.0, 1.0, 0.0]];
        let values = [self.strengths[i], other, self.strengths[n]];
        let weights = features.map(|f| (0..3).map(|k| f[k] * values[k]).sum::<f64>().exp());
        let sum: f64 = weights.iter().sum();
        let chances = weights.map(|w| w / sum);
        let total: f64 = counts.iter().sum();
        let mean: [f64; 3] =
            std::array::from_fn(|k| (0..3).map(|r| chances[r] * features[r][k]).sum());
        let indices = [Some(i), j, Some(n)];
        for (k, index) in indices.iter().enumerate() {
            let Some(a) = *index else { continue };
            gradient[a] += (0..3).map(|r| counts[r] * (features[r][k] - mean[k])).sum::<f64>();
            for (l, index) in indices.iter().enumerate() {
                let Some(b) = *index else { continue };
                let covariance: f64 = (0..3)
                    .map(|r| chances[r] * (features[r][k] - mean[k]) * (features[r][l] - mean[l]))
                    .sum();
                information[a][b] += total * covariance;
            }
        }
    }

    fn ratings(&self, games: &[(usize, usize, GameCounts)]) -> Vec<Rating> {
        let n = self.players;
        let (_, information) = self.derivatives(games);
        let mean = self.strengths[..n].iter().sum::<f64>() / n.max(1) as f64;
        (0..n)
            .map(|i| {
                // The contrast whose variance is needed: the strength of player i minus the mean of
                // all.
                let contrast: Vec<f64> = (0..=n)
                    .map(|k| f64::from(u8::from(k == i)) - if k < n { 1.0 / n as f64 } else { 0.0 })
                    .collect();
                let solved = solve(information.clone(), contrast.clone());
                let variance: f64 = contrast.iter().zip(&solved).map(|(a, b)| a * b).sum();
                Rating {
                    elo: ELO * (self.strengths[i] - mean),
                    error: Z95 * ELO * variance.max(0.0).sqrt(),
                }
            })
            .collect()
    }
}

/// Solves `matrix · x = vector` for a symmetric positive definite matrix by Cholesky decomposition.
fn solve(mut matrix: Vec<Vec<f64>>, mut vector: Vec<f64>) -> Vec<f64> {
    let n = vector.len();
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - dot;
            matrix[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / matrix[j][j] };
        }
    }
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| matrix[i][k] * vector[k]).sum();
        vector[i] = (vector[i] - dot) / matrix[i][i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| matrix[k][i] * vector[k]).sum();
        vector[i] = (vector[i] - dot) / matrix[i][i];
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn two_players_get_the_elo_difference_of_their_score() {
        let score = GameCounts { wins: 640, losses: 360, draws: 0 };
        let ratings = fit(2, &[(0, 1, score)]);
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - 100.0).abs() < 2.0, "{difference}");
        // The score has a standard deviation of 1.5 %, or 11.4 Elo; each of the two ratings gets
        // half of it.
        assert!((ratings[0].error - 11.2).abs() < 0.5, "{ratings:?}");
    }

    #[test]
    fn known_ratings_are_recovered_within_their_intervals() {
        let truth = [200.0, 100.0, 0.0, -50.0, -250.0];
        let mut rng = Rng::new(11);
        let mut games = Vec::new();
        for (i, j) in (0..5).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let mut score = GameCounts::default();
            let weight = |k: usize| (truth[k] / ELO).exp();
            let draw = 0.8 * (weight(i) * weight(j)).sqrt();
            for _ in 0..2_000 {
                match rng.unit() * (weight(i) + weight(j) + draw) {
                    x if x < weight(i) => score.wins += 1,
                    x if x < weight(i) + weight(j) => score.losses += 1,
                    _ => score.draws += 1,
                }
            }
            games.push((i, j, score));
        }
        for (rating, truth) in fit(5, &games).iter().zip(truth) {
            assert!(
                (rating.elo - truth).abs() < 1.5 * rating.error && rating.error < 12.0,
                "{rating:?} {truth}"
            );
        }
    }

    #[test]
    fn expected_pairs_change_the_covariance_as_played_ones_do() {
        let games = |played| {
            let score = GameCounts { wins: played, losses: played, draws: 0 };
            vec![(0, 1, score), (1, 2, score), (0, 2, score)]
        };
        let mut fit = RatingFit::of(3, &games(50));
        for (a, b) in [(0, 1), (1, 2), (0, 2)] {
            (0..50).for_each(|_| fit.expect_pair(a, b));
        }
        let played = RatingFit::of(3, &games(100));
        for (a, b) in [(0, 1), (1, 2), (0, 2)] {
            let [expected, played] = [&fit, &played].map(|fit| fit.variance_of_difference(a, b));
            assert!((expected / played - 1.0).abs() < 0.03, "{expected} {played}");
        }
    }

    #[test]
    fn a_player_that_wins_everything_has_a_finite_rating() {
        let sweep = GameCounts { wins: 10, losses: 0, draws: 0 };
        let ratings = fit(3, &[(0, 1, sweep), (0, 2, sweep), (1, 2, sweep)]);
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo, "{ratings:?}");
        assert!(ratings.iter().all(|r| r.elo.is_finite() && r.error.is_finite()), "{ratings:?}");
        assert_eq!(fit(0, &[]), []);
        assert_eq!(fit(1, &[]).len(), 1);
    }
}
