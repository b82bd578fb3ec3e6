//! The time that games take when every move may take its whole time budget, told before the first
//! of them is played.

use std::fmt;
use std::time::{Duration, Instant};

use ludion::player::Budget;
use ludion::random::Rng;
use ludion::registry::AnyGame;

use crate::output::time;
use crate::progress::scaled;

/// Number of random games whose length is measured.
const PILOT_GAMES: u64 = 8;
/// Time after which no further random game is begun.
const PILOT_TIME: Duration = Duration::from_millis(50);
/// Maximum number of plies of a random game.
const MAX_PLIES: u64 = 1000;

/// The expected time of many games whose players have a time budget, and what it is made of.
pub(crate) struct ExpectedTime {
    pub(crate) time: Duration,
    budget: Duration,
    games: u64,
    plies: f64,
    threads: u64,
}

impl ExpectedTime {
    /// Estimates the time of games played in `jobs` jobs on `threads` threads, by the length of a
    /// few random games. Returns `None` if the budget has no time.
    pub(crate) fn of_games(
        game: &dyn AnyGame,
        budget: Budget,
        games: u64,
        jobs: u64,
        threads: usize,
    ) -> Option<Self> {
        let budget = budget.time?;
        let (plies, threads) = (random_plies(game), jobs.clamp(1, threads.max(1) as u64));
        let time = scaled(budget, plies * games as f64 / threads as f64);
        Some(ExpectedTime { time, budget, games, plies, threads })
    }
}

impl fmt::Display for ExpectedTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &ExpectedTime { games, plies, threads, .. } = self;
        write!(
            f,
            "if each move takes its {} and games are as long as random ones, ",
            time(self.budget)
        )?;
        write!(f, "{plies:.0} plies: {games} games, {threads} at a time")
    }
}

/// Returns the mean number of plies of a few random games.
fn random_plies(game: &dyn AnyGame) -> f64 {
    let (began, mut rng) = (Instant::now(), Rng::new(0));
    let (mut games, mut plies) = (0, 0);
    while games < PILOT_GAMES && (games == 0 || began.elapsed() < PILOT_TIME) {
        let mut position = game.start();
        for _ in 0..MAX_PLIES {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(&moves[rng.below(moves.len())]).expect("a listed move is legal");
            plies += 1;
        }
        games += 1;
    }
    plies as f64 / games as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion::registry;

    #[test]
    fn games_with_a_time_budget_take_the_budget_for_each_ply_of_a_random_game() {
        let game = registry::standard().game("connect4").expect("a game of the library");
        let of = |budget: &str, games, threads| {
            let budget = budget.parse().expect("a budget");
            ExpectedTime::of_games(&*game, budget, games, games / 2, threads)
        };
        assert!(of("1000sims", 10, 1).is_none(), "the time of simulations is not known");
        let one = of("1s", 2, 1).expect("a time budget");
        // A game of Connect Four has 7 to 42 plies.
        assert!((14.0..=84.0).contains(&one.time.as_secs_f64()), "{:?}", one.time);
        assert_eq!(of("1s", 20, 2).expect("a time budget").time, 5 * one.time);
        assert_eq!(of("1s", 2, 8).expect("a time budget").time, one.time, "one pair, one thread");
    }
}
