//! Computes the scores of a book. Positions are solved in the order of a depth-first walk over the
//! game. Neighbours in this order differ in one or two stones, so that their searches share most
//! entries of the transposition table, and their scores are similar.

use std::collections::HashSet;

use super::positions::{canonical_key, children, levels, state_of};
use crate::solver::{Connect4Solver, Connect4SolverLimits};
use crate::{Connect4, Connect4State};
use ludion_core::game::Game;

/// Computes the scores of the positions of a book. Keeps one transposition table for all of them.
pub struct BookSolver {
    solver: Connect4Solver,
    /// The score of the position that was solved last, near which the next score is expected.
    last: i32,
}

impl BookSolver {
    /// Returns a solver with a transposition table of at most `megabytes`.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        BookSolver { solver: Connect4Solver::new(Connect4::STANDARD, megabytes), last: 0 }
    }

    /// Returns a solver for another thread that shares the transposition table of this one, or has
    /// a small one of its own if there is no memory.
    #[must_use]
    pub fn sharing_table(&mut self) -> Self {
        match self.solver.sharing_table() {
            Some(solver) => BookSolver { solver, last: self.last },
            None => BookSolver::new(1),
        }
    }

    /// Returns the keys of the positions with `plies` stones in the order of the book.
    #[must_use]
    pub fn keys(plies: u32) -> Vec<u64> {
        levels(plies).pop().map_or_else(Vec::new, |level| level.keys)
    }

    /// Returns the places of the positions with `plies` stones in the order of the book, in the
    /// order in which they are solved fastest.
    #[must_use]
    pub fn order(plies: u32) -> Vec<usize> {
        fn walk(key: u64, plies: u32, seen: &mut HashSet<u64>, order: &mut Vec<u64>) {
            let s: Connect4State = state_of(key);
            if !seen.insert(key) {
                return;
            }
            if s.plies() == plies {
                order.push(key);
                return;
            }
            for child in children(&s).flatten() {
                walk(canonical_key(&child), plies, seen, order);
            }
        }
        let (keys, mut order) = (Self::keys(plies), Vec::new());
        let start = canonical_key(&Connect4::STANDARD.start());
        walk(start, plies, &mut HashSet::new(), &mut order);
        order.into_iter().filter_map(|key| keys.binary_search(&key).ok()).collect()
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
        self.last = self.solver.solve_near(&state_of(key), self.last, &limits)?;
        i8::try_from(self.last).ok()
    }
}
