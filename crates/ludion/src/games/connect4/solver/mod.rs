//! Exact values of Connect Four positions, on boards of any size.
//!
//! The score of a position counts the stones the winner has left, plus one: on seven
//! columns of six, 22 − stones the winner has played. It is positive when the side to
//! move wins, 0 for a draw, negative when it loses. It is found by null-window searches
//! that narrow an interval from its ends, quick wins and losses first (after Pons,
//! *Solving Connect Four*, 2015). One thread; what the players make of scores is in
//! [`super::solver_player`].

mod instruction_level;
mod lines;
mod parity;
mod search;
mod shape;
mod table;

use std::ops::ControlFlow;
use std::time::Instant;

use self::instruction_level::PortableLevel;
#[cfg(target_arch = "x86_64")]
use self::instruction_level::WideLevel;
use self::search::{InstructionLevel, STOPPED, SearchContext, SearchNode, safe_moves};
use self::shape::{BoardShape, ShapeSource, StandardShape};
use self::table::BoundsTable;
use super::{Connect4, Connect4State};
use crate::game::Game;
use crate::outcome::Wdl;
use crate::player::Proof;

/// What one question to the solver may cost; nothing is limited by default.
#[derive(Clone, Copy, Default)]
pub struct SolverLimits<'a> {
    /// Positions visited.
    pub nodes: Option<u64>,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Asked now and then whether to give up.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

/// Positions visited between two looks at the clock: well below a millisecond.
const PATIENCE: u64 = 4096;

/// Solves positions of one board size, remembering what it found.
pub struct Connect4Solver {
    g: Connect4,
    table: BoundsTable,
    nodes: u64,
    level: CompiledSearch,
}

/// Which of the compiled searches to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CompiledSearch {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Wide,
}

impl CompiledSearch {
    fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if WideLevel::available() {
            return CompiledSearch::Wide;
        }
        CompiledSearch::Plain
    }
}

impl Connect4Solver {
    /// A solver for `g` that remembers positions in at most `megabytes`.
    #[must_use]
    pub fn new(g: Connect4, megabytes: usize) -> Self {
        Connect4Solver {
            g,
            table: BoundsTable::new(megabytes),
            nodes: 0,
            level: CompiledSearch::best(),
        }
    }

    /// The same solver as every processor can run it: for comparisons.
    #[must_use]
    pub fn portable(mut self) -> Self {
        self.level = CompiledSearch::Plain;
        self
    }

    /// The game it solves.
    #[must_use]
    pub fn game(&self) -> &Connect4 {
        &self.g
    }

    /// Positions visited since it was made.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets every position.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The exact score of `s`; `None` when a limit was reached.
    ///
    /// ```
    /// use ludion::{game::Game, games::connect4::{Connect4, solver::{Limits, Solver}}};
    /// let g = Connect4::STANDARD;
    /// let mut solver = Solver::new(g, 16);
    /// // Three in a row, open at both ends: the opponent wins with the fourth stone.
    /// let s = g.read_line("33445").unwrap();
    /// assert_eq!(solver.solve(&s, &Limits::default()), Some(-(22 - 4)));
    /// ```
    pub fn solve(&mut self, s: &Connect4State, limits: &SolverLimits<'_>) -> Option<i32> {
        let root = match self.enter(s) {
            ControlFlow::Break(score) => return Some(score),
            ControlFlow::Continue(root) => root,
        };
        let left = self.cells() - root.plies;
        let (mut least, mut most) = (-(left / 2), (left + 1) / 2);
        let spend = LimitCheck::new(self.nodes, limits);
        while least < most {
            let alpha = between(least, most);
            let bound = self.above(root, alpha, &spend)?;
            if bound > alpha { least = bound } else { most = bound }
        }
        Some(least)
    }

    /// Who wins `s`, seen by the side to move; much faster than [`Connect4Solver::solve`].
    /// `None` when a limit was reached.
    pub fn verdict(&mut self, s: &Connect4State, limits: &SolverLimits<'_>) -> Option<Wdl> {
        let root = match self.enter(s) {
            ControlFlow::Break(score) => return Some(verdict(score)),
            ControlFlow::Continue(root) => root,
        };
        let spend = LimitCheck::new(self.nodes, limits);
        // The side with the better parity is asked about first.
        let order = if root.plies % 2 == 0 { [0, -1] } else { [-1, 0] };
        let mut found = (Wdl::Loss, Wdl::Win);
        for alpha in order {
            if self.above(root, alpha, &spend)? > alpha {
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

    /// A bound of the score of `s` on its side of `alpha`: if the score is above, a lower
    /// bound above `alpha`, else an upper bound of at most `alpha`. `None` when a limit
    /// was reached.
    pub fn bound(
        &mut self,
        s: &Connect4State,
        alpha: i32,
        limits: &SolverLimits<'_>,
    ) -> Option<i32> {
        match self.enter(s) {
            ControlFlow::Break(score) => Some(score),
            ControlFlow::Continue(root) => {
                let spend = LimitCheck::new(self.nodes, limits);
                self.above(root, alpha, &spend)
            }
        }
    }

    /// The exact score of every column for the side to move, `None` for a column that
    /// cannot be played; `None` in all when a limit was reached.
    pub fn analyse(
        &mut self,
        s: &Connect4State,
        limits: &SolverLimits<'_>,
    ) -> Option<Vec<Option<i32>>> {
        let until = limits.nodes.map(|nodes| self.nodes + nodes);
        let mut scores = vec![None; usize::from(self.g.cols)];
        let mut moves = Vec::new();
        self.g.moves(s, &mut moves);
        for m in moves {
            let child = self.g.after(s, m);
            let nodes = until.map(|until| until.saturating_sub(self.nodes));
            let score = self.solve(&child, &SolverLimits { nodes, ..*limits })?;
            scores[usize::from(m)] = Some(-score);
        }
        Some(scores)
    }

    /// What `score` of `s` says: who wins, and in how many plies.
    #[must_use]
    pub fn proof(&self, s: &Connect4State, score: i32) -> Proof {
        let left = self.cells() - s.plies() as i32;
        // A win by score n leaves the winner n − 1 stones; whoever moves now has half of
        // the cells left, rounded up.
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

    /// The root of a search, or the score where none is needed.
    fn enter(&self, s: &Connect4State) -> ControlFlow<i32, SearchNode> {
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

    fn above(&mut self, root: SearchNode, alpha: i32, spend: &LimitCheck<'_>) -> Option<i32> {
        let mut spent = |nodes| spend.next(nodes);
        let ask_at = spent(self.nodes)?;
        let mut work =
            SearchContext { table: &mut self.table, nodes: self.nodes, ask_at, spent: &mut spent };
        let bound = run(self.level, &self.g, &mut work, root, alpha);
        self.nodes = work.nodes;
        (bound != STOPPED).then_some(bound)
    }
}

/// Picks the board and the compiled search.
fn run(
    level: CompiledSearch,
    g: &Connect4,
    work: &mut SearchContext<'_>,
    root: SearchNode,
    alpha: i32,
) -> i32 {
    fn on<B: ShapeSource<LANES>, const LANES: usize>(
        level: CompiledSearch,
        board: B,
        work: &mut SearchContext<'_>,
        root: SearchNode,
        alpha: i32,
    ) -> i32 {
        match level {
            CompiledSearch::Plain => PortableLevel::search(work, board, root, alpha),
            #[cfg(target_arch = "x86_64")]
            CompiledSearch::Wide => WideLevel::search(work, board, root, alpha),
        }
    }
    if *g == Connect4::STANDARD {
        on(level, StandardShape, work, root, alpha)
    } else if g.cols <= 8 {
        on::<_, 8>(level, &BoardShape::new(g), work, root, alpha)
    } else {
        on::<_, 32>(level, &BoardShape::new(g), work, root, alpha)
    }
}

/// When the limits of one question are reached.
struct LimitCheck<'a> {
    last_node: u64,
    limits: &'a SolverLimits<'a>,
}

impl<'a> LimitCheck<'a> {
    fn new(nodes: u64, limits: &'a SolverLimits<'a>) -> Self {
        let last_node = limits.nodes.map_or(u64::MAX, |more| nodes.saturating_add(more));
        LimitCheck { last_node, limits }
    }

    /// The node count at which to ask again; `None` when a limit is reached.
    fn next(&self, nodes: u64) -> Option<u64> {
        let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let over = nodes >= self.last_node || late || self.limits.stop.is_some_and(|stop| stop());
        (!over).then(|| self.last_node.min(nodes + PATIENCE))
    }
}

/// Where to cut the interval of a score. Quick wins and losses are cheap to find or rule
/// out and leave bounds behind that help the dearer searches near 0.
pub(super) fn between(least: i32, most: i32) -> i32 {
    let middle = least + (most - least) / 2;
    if middle <= 0 && least / 2 < middle {
        least / 2
    } else if middle >= 0 && most / 2 > middle {
        most / 2
    } else {
        middle
    }
}

/// The sign of a score in words.
pub(super) fn verdict(score: i32) -> Wdl {
    match score {
        0 => Wdl::Draw,
        1.. => Wdl::Win,
        _ => Wdl::Loss,
    }
}
