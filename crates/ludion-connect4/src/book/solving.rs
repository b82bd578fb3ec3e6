//! Computes the entries of a book. Positions are solved in the order of a depth-first walk over the
//! game. Neighbours in this order differ in one or two stones, so that their searches share most
//! entries of the transposition table, and their scores are similar.

use std::collections::HashSet;

use super::BookEntry;
use super::positions::{G, canonical_key, children, levels, score_of_win, state_of};
use crate::Connect4State;
use crate::shallow_search::columns_from_middle;
use crate::solver::{Connect4Solver, Connect4SolverLimits};
use ludion_core::game::Game;

/// Computes the entries of the positions of a book. Keeps one transposition table for all of them.
pub struct BookSolver {
    solver: Connect4Solver,
    /// The score of the position that was solved last, near which the next score is expected.
    last: i32,
}

impl BookSolver {
    /// Returns a solver with a transposition table of at most `megabytes`.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        BookSolver { solver: Connect4Solver::new(G, megabytes), last: 0 }
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
        let start = canonical_key(&G.start());
        walk(start, plies, &mut HashSet::new(), &mut order);
        order.into_iter().filter_map(|key| keys.binary_search(&key).ok()).collect()
    }

    /// Returns the entry of the position with this key if it is won with the next stone.
    #[must_use]
    pub fn solve_at_once(&self, key: u64) -> Option<BookEntry> {
        let s = state_of(key);
        let best = moves_from_middle(&s).find(|&m| G.has_four(G.after(&s, m).moved()))?;
        Some(BookEntry { score: score_of_win(&s), best })
    }

    /// Returns the entry of the position with this key: its score, and of the moves with this score
    /// the one nearest to the middle. Returns `None` if `stop` returns true.
    pub fn solve(&mut self, key: u64, stop: &dyn Fn() -> bool) -> Option<BookEntry> {
        if let Some(entry) = self.solve_at_once(key) {
            return Some(entry);
        }
        let limits = Connect4SolverLimits { stop: Some(stop), ..Connect4SolverLimits::default() };
        let s = state_of(key);
        let score = self.solver.solve_near(&s, self.last, &limits)?;
        self.last = score;
        for best in moves_from_middle(&s) {
            if self.solver.bound(&G.after(&s, best), -score, &limits)? <= -score {
                return Some(BookEntry { score: score as i8, best });
            }
        }
        unreachable!("a position has a move with its score")
    }
}

/// Returns the moves of `s`, those nearest to the middle first.
fn moves_from_middle(s: &Connect4State) -> impl Iterator<Item = u8> + use<> {
    let s = *s;
    let columns = columns_from_middle(&G).into_iter();
    columns.filter(move |&column| G.move_of_action(&s, column.into()).is_some())
}
