//! The scores of players without a numeric order: which player is best, and which ones are not
//! significantly worse. Used for two open parameters and for a list of words.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::score::{HomogeneityTest, MeanScore, variance_in_round_robin};
use crate::arena::elo::GameCounts;

/// The scores of a championship's players as a grid: a row for each value of the first open
/// parameter, a column for each value of the second.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreGrid {
    /// The scores of the players, by row and column.
    pub scores: Vec<Vec<MeanScore>>,
    /// Number of games of the championship.
    pub games: u64,
    /// The test whether all players score the same.
    pub homogeneity: HomogeneityTest,
    /// The row and column of the player with the highest score; `None` without games.
    pub best: Option<(usize, usize)>,
    /// The row and column of every player that is not significantly worse than the best one,
    /// including the best. The level of the tests is divided by their number (Bonferroni), so that
    /// the truly best player is among them in at least 95 % of championships.
    pub contenders: Vec<(usize, usize)>,
}

impl ScoreGrid {
    /// Computes the grid of a round-robin championship. `games` has the results of each player, row
    /// by row, so every game is counted for both of its players. A list of words is a grid of one
    /// row.
    ///
    /// # Panics
    /// When `columns` is 0 or does not divide the number of players.
    #[must_use]
    pub fn new(games: &[GameCounts], columns: usize) -> Self {
        assert!(columns > 0 && games.len().is_multiple_of(columns), "all rows are equally long");
        let scores: Vec<MeanScore> = games.iter().map(MeanScore::from_counts).collect();
        let played = (0..games.len()).filter(|&i| games[i].total() > 0);
        // Of equal scores the first is best; `max_by` returns the last, so the order is reversed.
        let best = played.rev().max_by(|&i, &j| scores[i].value.total_cmp(&scores[j].value));
        let cell = |i: usize| (i / columns, i % columns);
        ScoreGrid {
            contenders: best.map_or_else(Vec::new, |best| {
                contenders(games, &scores, best).into_iter().map(cell).collect()
            }),
            best: best.map(cell),
            games: games.iter().map(GameCounts::total).sum::<u64>() / 2,
            homogeneity: HomogeneityTest::from_counts(games),
            scores: scores.chunks(columns).map(<[MeanScore]>::to_vec).collect(),
        }
    }
}

fn contenders(games: &[GameCounts], scores: &[MeanScore], best: usize) -> Vec<usize> {
    let others = games.len().saturating_sub(1).max(1) as f64;
    let quantile = Normal::standard().inverse_cdf(1.0 - 0.05 / others);
    let variance = |i: usize| variance_in_round_robin(&games[i], games.len());
    let worse = |i: usize| {
        let deviation = (variance(best) + variance(i)).sqrt();
        scores[best].value - scores[i].value > quantile * deviation
    };
    (0..games.len()).filter(|&i| i == best || (games[i].total() > 0 && !worse(i))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(wins: u64) -> GameCounts {
        GameCounts { wins, losses: 1000 - wins, draws: 0 }
    }

    #[test]
    fn the_best_cell_and_its_equals_are_named() {
        let grid = ScoreGrid::new(&[300, 500, 520, 690, 700, 290].map(games), 3);
        assert_eq!(grid.best, Some((1, 1)));
        assert_eq!(grid.contenders, [(1, 0), (1, 1)]);
        assert!(grid.homogeneity.is_resolved());
        assert_eq!((grid.scores.len(), grid.scores[1][1].value, grid.games), (2, 0.7, 3000));
    }

    #[test]
    fn equal_cells_are_all_contenders_and_no_games_give_none() {
        assert_eq!(ScoreGrid::new(&[games(500); 4], 2).contenders.len(), 4);
        assert_eq!(ScoreGrid::new(&[games(500); 4], 2).best, Some((0, 0)));
        let empty = ScoreGrid::new(&[GameCounts::default(); 4], 2);
        assert_eq!((empty.best, empty.contenders.len()), (None, 0));
    }
}
