//! Computes the scores of a book. Neighbours in the order of the book differ in few stones, so their
//! searches share entries of the transposition table.

use super::positions::{levels, state_of};
use crate::Connect4;
use crate::solver::{Connect4Solver, Connect4SolverLimits};
use ludion_core::game::Game;

/// Computes the scores of the positions of a book. Keeps one transposition table for all of them.
pub struct BookSolver {
    solver: Connect4Solver,
}

impl BookSolver {
    /// Returns a solver with a transposition table of at most `megabytes`.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        BookSolver { solver: Connect4Solver::new(Connect4::STANDARD, megabytes) }
    }

    /// Returns the keys of the positions with `plies` stones in the order of the book.
    #[must_use]
    pub fn keys(plies: u32) -> Vec<u64> {
        levels(plies).pop().unwrap_or_default()
    }

    /// Returns the score of the position with this key if it is won with the next stone.
    #[must_use]
    pub fn solve_at_once(&self, key: u64) -> Option<i8> {
        let s = state_of(key);
        let wins = self.solver.game().wins_at_once(&s) == Some(true);
        wins.then_some((42 - s.plies() as i8 + 1) / 2)
    }

    /// Returns the score of the position with this key; `None` if `stop` returns true.
    pub fn solve(&mut self, key: u64, stop: &dyn Fn() -> bool) -> Option<i8> {
        let limits = Connect4SolverLimits { stop: Some(stop), ..Connect4SolverLimits::default() };
        i8::try_from(self.solver.solve(&state_of(key), &limits)?).ok()
    }
}
