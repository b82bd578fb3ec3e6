//! A solver that computes exact scores of Connect Four positions, on boards of any size.
//!
//! The absolute score of a position is the number of stones that the winner has left at the end,
//! plus one: on seven columns of six rows, 22 minus the stones that the winner has played. The
//! score is positive if the side to move wins, 0 for a draw, and negative if it loses. It is
//! found by null-window searches that narrow an interval, quick wins and losses first (after
//! Pons, *Solving Connect Four*, 2015). The solver uses one thread; the player that uses it is in
//! [`super::solver_player`].

mod cpu_target;
mod move_sequence;
mod parity;
mod search;
mod shape;
mod table;

use std::ops::ControlFlow;
use std::time::Instant;

#[cfg(target_arch = "x86_64")]
use self::cpu_target::Avx2Target;
use self::cpu_target::PortableTarget;
use self::search::{CpuTarget, STOPPED, SearchContext, SearchNode, safe_moves};
use self::shape::{BoardShape, ShapeProvider, StandardShape};
use self::table::BoundsTable;
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

/// The number of nodes between two checks of the limits; the search visits them in well below a
/// millisecond.
const CHECK_INTERVAL: u64 = 4096;

/// A solver for one board size, with a transposition table that it keeps between calls.
pub struct Connect4Solver {
    g: Connect4,
    table: BoundsTable,
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
            table: BoundsTable::new(megabytes),
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
        self.table.clear();
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
        let left = self.cells() - root.plies;
        let (mut lower, mut upper) = (-(left / 2), (left + 1) / 2);
        let check = LimitCheck::new(self.nodes, limits);
        while lower < upper {
            let alpha = split_point(lower, upper);
            let bound = self.search_bound(root, alpha, &check)?;
            if bound > alpha { lower = bound } else { upper = bound }
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

    /// Searches `root` with a null window above `alpha` and returns a bound of its score: above
    /// `alpha` a lower bound, else an upper bound. `None` if a limit was reached.
    fn search_bound(
        &mut self,
        root: SearchNode,
        alpha: i32,
        check: &LimitCheck<'_>,
    ) -> Option<i32> {
        let mut check_limits = |nodes| check.next(nodes);
        let next_check = check_limits(self.nodes)?;
        let mut context = SearchContext {
            table: &mut self.table,
            nodes: self.nodes,
            next_check,
            check_limits: &mut check_limits,
        };
        let bound = run(self.target, &self.g, &mut context, root, alpha);
        self.nodes = context.nodes;
        (bound != STOPPED).then_some(bound)
    }
}

/// Runs the search that is compiled for the board size and the CPU target.
fn run(
    target: CpuTargetKind,
    g: &Connect4,
    context: &mut SearchContext<'_>,
    root: SearchNode,
    alpha: i32,
) -> i32 {
    fn on<B: ShapeProvider<LANES>, const LANES: usize>(
        target: CpuTargetKind,
        board: B,
        context: &mut SearchContext<'_>,
        root: SearchNode,
        alpha: i32,
    ) -> i32 {
        match target {
            CpuTargetKind::Portable => PortableTarget::search(context, board, root, alpha),
            #[cfg(target_arch = "x86_64")]
            CpuTargetKind::Avx2 => Avx2Target::search(context, board, root, alpha),
        }
    }
    if *g == Connect4::STANDARD {
        on(target, StandardShape, context, root, alpha)
    } else if g.cols <= 8 {
        on::<_, 8>(target, &BoardShape::new(g), context, root, alpha)
    } else {
        on::<_, 32>(target, &BoardShape::new(g), context, root, alpha)
    }
}

/// Checks whether the limits of one call are reached.
struct LimitCheck<'a> {
    /// The solver's node count at which the node limit is reached.
    last_node: u64,
    limits: &'a Connect4SolverLimits<'a>,
}

impl<'a> LimitCheck<'a> {
    fn new(nodes: u64, limits: &'a Connect4SolverLimits<'a>) -> Self {
        let last_node = limits.nodes.map_or(u64::MAX, |more| nodes.saturating_add(more));
        LimitCheck { last_node, limits }
    }

    /// Returns the node count at which the limits must be checked again; `None` if a limit is
    /// reached.
    fn next(&self, nodes: u64) -> Option<u64> {
        let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let over = nodes >= self.last_node || late || self.limits.stop.is_some_and(|stop| stop());
        (!over).then(|| self.last_node.min(nodes + CHECK_INTERVAL))
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
