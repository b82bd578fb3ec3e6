//! A solver that computes exact scores of Connect Four positions, on boards of any size.
//!
//! The absolute score of a position is the number of stones that the winner has left at the end,
//! plus one: on seven columns of six rows, 22 minus the stones that the winner has played. The
//! score is positive if the side to move wins, 0 for a draw, and negative if it loses. It is
//! found by null-window searches that narrow an interval, quick wins and losses first (after
//! Pons, *Solving Connect Four*, 2015). The player that uses the solver is in
//! [`super::solver_player`].

mod bound_search;
mod busy;
mod cpu_target;
mod move_sequence;
mod parity;
mod search;
mod shape;
mod table;

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use self::bound_search::{LimitCheck, NODES_ALONE};

#[cfg(target_arch = "x86_64")]
use self::cpu_target::Avx2Target;
use self::search::{SearchNode, safe_moves};
use self::shape::BoardShape;
use self::table::SearchTables;
use super::{Connect4, Connect4State};
use ludion_core::game::Game;
use ludion_core::outcome::Wdl;
use ludion_core::player::Proof;

/// The limits of one call of the solver; by default it has none.
#[derive(Clone, Copy, Default)]
pub struct Connect4SolverLimits<'a> {
    /// The most nodes that the call may visit.
    pub nodes: Option<u64>,
    /// The time at which the call gives up.
    pub deadline: Option<Instant>,
    /// A function that the solver calls regularly, and that returns true to make the call give up.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

/// A solver for one board size, with a transposition table that it keeps between calls.
pub struct Connect4Solver {
    g: Connect4,
    tables: SearchTables,
    /// The tables of the other threads.
    helpers: Vec<Mutex<SearchTables>>,
    nodes_alone: u64,
    nodes: u64,
    target: CpuTargetKind,
}

/// The CPU targets that the search is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CpuTargetKind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl CpuTargetKind {
    /// Returns the fastest target that this processor supports.
    fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if Avx2Target::is_supported() {
            return CpuTargetKind::Avx2;
        }
        CpuTargetKind::Portable
    }
}

impl Connect4Solver {
    /// Returns a solver for `g` with a transposition table of at most `megabytes`.
    #[must_use]
    pub fn new(g: Connect4, megabytes: usize) -> Self {
        Connect4Solver {
            g,
            tables: SearchTables::new(megabytes),
            helpers: Vec::new(),
            nodes_alone: NODES_ALONE,
            nodes: 0,
            target: CpuTargetKind::best(),
        }
    }

    /// Makes the solver use only instructions that every processor has, to compare its speed and
    /// results with those of the fastest target.
    #[must_use]
    pub fn portable(mut self) -> Self {
        self.target = CpuTargetKind::Portable;
        self
    }

    /// Makes the solver search long on `threads` threads, which share the transposition table. The
    /// scores are the same; the node counts of long searches are not.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.helpers = (1..threads).map_while(|_| self.tables.share().map(Mutex::new)).collect();
        self
    }

    /// Returns a solver for another thread that shares the transposition table of this one; `None`
    /// if there is no memory for it.
    #[must_use]
    pub fn sharing_table(&mut self) -> Option<Self> {
        let tables = self.tables.share()?;
        Some(Connect4Solver { tables, helpers: Vec::new(), nodes: 0, ..*self })
    }

    /// Returns the game whose positions the solver solves.
    #[must_use]
    pub fn game(&self) -> &Connect4 {
        &self.g
    }

    /// Returns the number of nodes visited so far, over all calls.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Clears the transposition table.
    pub fn clear(&mut self) {
        self.tables.clear();
        for tables in &mut self.helpers {
            tables.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// Returns the exact score of `s`; `None` if a limit was reached.
    ///
    /// ```
    /// use ludion_connect4::{Connect4, solver::{Connect4Solver, Connect4SolverLimits}};
    /// let g = Connect4::STANDARD;
    /// let mut solver = Connect4Solver::new(g, 16);
    /// // Three in a row, open at both ends: the opponent wins with the fourth stone.
    /// let s = g.read_move_sequence("33445").unwrap();
    /// assert_eq!(solver.solve(&s, &Connect4SolverLimits::default()), Some(-(22 - 4)));
    /// ```
    pub fn solve(&mut self, s: &Connect4State, limits: &Connect4SolverLimits<'_>) -> Option<i32> {
        let root = match self.root_or_score(s) {
            ControlFlow::Break(score) => return Some(score),
            ControlFlow::Continue(root) => root,
        };
        let (mut lower, mut upper) = self.extreme_scores(&root);
        let check = LimitCheck::new(self.nodes, limits);
        while lower < upper {
            let alpha = split_point(lower, upper);
            let bound = self.search_bound(root, alpha, &check)?;
            if bound > alpha { lower = bound } else { upper = bound }
        }
        Some(lower)
    }

    /// Returns the exact score of `s`, which is expected to be near `guess`; `None` if a limit was
    /// reached. This is faster than [`Connect4Solver::solve`] if the guess is good.
    pub fn solve_near(
        &mut self,
        s: &Connect4State,
        guess: i32,
        limits: &Connect4SolverLimits<'_>,
    ) -> Option<i32> {
        let root = match self.root_or_score(s) {
            ControlFlow::Break(score) => return Some(score),
            ControlFlow::Continue(root) => root,
        };
        let (mut lower, mut upper) = self.extreme_scores(&root);
        let check = LimitCheck::new(self.nodes, limits);
        let mut alpha = guess;
        while lower < upper {
            alpha = alpha.clamp(lower, upper - 1);
            let bound = self.search_bound(root, alpha, &check)?;
            (lower, upper) = if bound > alpha { (bound, upper) } else { (lower, bound) };
            alpha = if bound > alpha { bound } else { bound - 1 };
        }
        Some(lower)
    }

    /// Returns whether the side to move in `s` wins, draws or loses. This is much faster than
    /// [`Connect4Solver::solve`]. `None` if a limit was reached.
    pub fn verdict(&mut self, s: &Connect4State, limits: &Connect4SolverLimits<'_>) -> Option<Wdl> {
        let root = match self.root_or_score(s) {
            ControlFlow::Break(score) => return Some(verdict(score)),
            ControlFlow::Continue(root) => root,
        };
        let check = LimitCheck::new(self.nodes, limits);
        // The more likely winner by parity is tested first.
        let order = if root.plies % 2 == 0 { [0, -1] } else { [-1, 0] };
        let mut found = (Wdl::Loss, Wdl::Win);
        for alpha in order {
            if self.search_bound(root, alpha, &check)? > alpha {
                found.0 = found.0.max(if alpha == 0 { Wdl::Win } else { Wdl::Draw });
            } else {
                found.1 = found.1.min(if alpha == 0 { Wdl::Draw } else { Wdl::Loss });
            }
            if found.0 == found.1 {
                break;
            }
        }
        Some(found.0)
    }

    /// Compares the score of `s` with `alpha`: returns a lower bound above `alpha` if the score
    /// is above it, else an upper bound of at most `alpha`. `None` if a limit was reached.
    pub fn bound(
        &mut self,
        s: &Connect4State,
        alpha: i32,
        limits: &Connect4SolverLimits<'_>,
    ) -> Option<i32> {
        match self.root_or_score(s) {
            ControlFlow::Break(score) => Some(score),
            ControlFlow::Continue(root) => {
                let check = LimitCheck::new(self.nodes, limits);
                self.search_bound(root, alpha, &check)
            }
        }
    }

    /// Returns the exact score for the side to move of a stone in each column, `None` for a full
    /// column. Returns `None` instead of the list if a limit was reached.
    pub fn analyse(
        &mut self,
        s: &Connect4State,
        limits: &Connect4SolverLimits<'_>,
    ) -> Option<Vec<Option<i32>>> {
        let until = limits.nodes.map(|nodes| self.nodes + nodes);
        let mut scores = vec![None; usize::from(self.g.cols)];
        let mut moves = Vec::new();
        self.g.moves(s, &mut moves);
        for m in moves {
            let child = self.g.after(s, m);
            let nodes = until.map(|until| until.saturating_sub(self.nodes));
            let score = self.solve(&child, &Connect4SolverLimits { nodes, ..*limits })?;
            scores[usize::from(m)] = Some(-score);
        }
        Some(scores)
    }

    /// Converts the score of `s` to a proof: the result and the number of plies to the end.
    #[must_use]
    pub fn proof(&self, s: &Connect4State, score: i32) -> Proof {
        let left = self.cells() - s.plies() as i32;
        // A win with score n leaves the winner n − 1 stones; the side to move gets half of the
        // remaining cells, rounded up.
        let plies = match score {
            0 => left,
            1.. => 2 * ((left + 1) / 2 - score) + 1,
            _ => 2 * (left / 2 + score) + 2,
        };
        Proof { verdict: verdict(score), plies: u32::try_from(plies).ok() }
    }

    /// Returns the lowest and the highest score that a position with that many stones may have.
    fn extreme_scores(&self, root: &SearchNode) -> (i32, i32) {
        let left = self.cells() - root.plies;
        (-(left / 2), (left + 1) / 2)
    }

    fn cells(&self) -> i32 {
        i32::from(self.g.cols) * i32::from(self.g.rows)
    }

    /// Returns the root node of a search of `s`, or the score of `s` if it is known without a
    /// search.
    fn root_or_score(&self, s: &Connect4State) -> ControlFlow<i32, SearchNode> {
        let shape = BoardShape::<32>::new(&self.g);
        let (opponent, plies) = (s.moved(), s.plies() as i32);
        let left = self.cells() - plies;
        if self.g.has_four(opponent) {
            return ControlFlow::Break(-(left / 2) - 1);
        }
        let (mine, theirs) = (shape.threats(s.mover) & !s.all, shape.threats(opponent) & !s.all);
        if left == 0 {
            return ControlFlow::Break(0);
        }
        if mine & shape.open(s.all) != 0 {
            return ControlFlow::Break((left + 1) / 2);
        }
        let moves = safe_moves(&shape, s.all, theirs);
        if moves == 0 {
            return ControlFlow::Break(-(left / 2));
        }
        let Connect4State { mover, all } = *s;
        let mirrored = shape.mirror(mover) & opponent == 0;
        ControlFlow::Continue(SearchNode { mover, all, moves, mine, theirs, plies, mirrored })
    }
}

/// Returns the `alpha` of the next null-window search, which splits the interval from `lower` to
/// `upper` that contains the score. Quick wins and losses come first: they are cheap to find or
/// exclude, and leave bounds in the table that help the more expensive searches near 0.
pub(super) fn split_point(lower: i32, upper: i32) -> i32 {
    let middle = lower + (upper - lower) / 2;
    if middle <= 0 && lower / 2 < middle {
        lower / 2
    } else if middle >= 0 && upper / 2 > middle {
        upper / 2
    } else {
        middle
    }
}

/// Converts a score to a win, draw or loss of the side to move.
pub(super) fn verdict(score: i32) -> Wdl {
    match score {
        0 => Wdl::Draw,
        1.. => Wdl::Win,
        _ => Wdl::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_core::game::Status;
    use ludion_core::random::Rng;

    #[test]
    fn threads_that_share_a_table_find_the_same_scores_and_keep_limits() {
        let (mut rng, mut moves) = (Rng::new(9), Vec::new());
        for (cols, rows, plies) in [(7, 6, 14), (6, 6, 10), (8, 5, 14), (7, 5, 12)] {
            let g = Connect4::new(cols, rows);
            let mut one = Connect4Solver::new(g, 4);
            let mut two = Connect4Solver::new(g, 4).with_threads(2);
            two.nodes_alone = 500;
            let mut third = two.sharing_table().unwrap();
            for _ in 0..8 {
                let mut s = g.start();
                while s.plies() < plies && matches!(g.status(&s), Status::Turn(_)) {
                    moves.clear();
                    g.moves(&s, &mut moves);
                    g.play(&mut s, moves[rng.below(moves.len())]);
                }
                let none = Connect4SolverLimits::default();
                let few = Connect4SolverLimits { nodes: Some(5000), ..none };
                let (within, score) = (two.solve(&s, &few), one.solve(&s, &none));
                assert!(within.is_none() || within == score, "{}", g.show_state(&s));
                assert_eq!(two.solve(&s, &none), score, "{}", g.show_state(&s));
                assert_eq!(third.solve(&s, &none), score, "{}", g.show_state(&s));
            }
        }
    }
}
