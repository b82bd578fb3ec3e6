//! Null-window searches of the solver: within the limits of a call, for the board size and the CPU
//! target, and on several threads if they take long.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Instant;

use super::busy::BusyNodes;
#[cfg(target_arch = "x86_64")]
use super::cpu_target::Avx2Target;
use super::cpu_target::PortableTarget;
use super::search::{CpuTarget, STOPPED, SearchContext, SearchNode};
use super::shape::{BoardShape, ShapeProvider, StandardShape};
use super::table::SearchTables;
use super::{Connect4Solver, Connect4SolverLimits, CpuTargetKind};
use crate::Connect4;
use ludion_core::threads;

/// The number of nodes between two checks of the limits; the search visits them in well below a
/// millisecond.
const CHECK_INTERVAL: u64 = 4096;

/// The number of nodes that one thread visits for a bound before other threads help it. Most
/// positions need fewer, and their node counts are the same on any number of threads.
pub(super) const NODES_ALONE: u64 = 200_000;

impl Connect4Solver {
    /// Searches `root` with a null window above `alpha` and returns a bound of its score: above
    /// `alpha` a lower bound, else an upper bound. `None` if a limit was reached.
    pub(super) fn search_bound(
        &mut self,
        root: SearchNode,
        alpha: i32,
        check: &LimitCheck<'_>,
    ) -> Option<i32> {
        let alone_until = match self.helpers.is_empty() {
            true => u64::MAX,
            false => self.nodes + self.nodes_alone,
        };
        let mut check_limits = |nodes| {
            let next = check.next(nodes).filter(|_| nodes < alone_until);
            next.map(|next| next.min(alone_until))
        };
        let next_check = check_limits(self.nodes)?;
        let mut context = SearchContext {
            tables: &mut self.tables,
            nodes: self.nodes,
            next_check,
            check_limits: &mut check_limits,
            busy: None,
        };
        let bound = run(self.target, &self.g, &mut context, root, alpha);
        self.nodes = context.nodes;
        match bound {
            STOPPED if self.nodes >= alone_until => self.search_together(root, alpha, check),
            STOPPED => None,
            bound => Some(bound),
        }
    }

    /// Searches as [`Connect4Solver::search_bound`], on all threads until one has the bound.
    fn search_together(
        &mut self,
        root: SearchNode,
        alpha: i32,
        check: &LimitCheck<'_>,
    ) -> Option<i32> {
        let (busy, found) = (BusyNodes::new(), AtomicI32::new(STOPPED));
        let (is_done, others) = (AtomicBool::new(false), AtomicU64::new(0));
        let (target, g, nodes) = (self.target, self.g, self.nodes);
        let search = |tables: &mut SearchTables, check: &mut dyn FnMut(u64) -> Option<u64>| {
            let mut check_limits =
                |nodes| if is_done.load(Ordering::Relaxed) { None } else { check(nodes) };
            let mut context = SearchContext {
                tables,
                nodes,
                next_check: nodes,
                check_limits: &mut check_limits,
                busy: Some(&busy),
            };
            let bound = run(target, &g, &mut context, root, alpha);
            if bound != STOPPED {
                found.store(bound, Ordering::Relaxed);
            }
            is_done.store(true, Ordering::Relaxed);
            context.nodes
        };
        let help = |number: usize| {
            let mut tables = self.helpers[number].lock().unwrap_or_else(PoisonError::into_inner);
            let visited = search(&mut tables, &mut |nodes| Some(nodes + CHECK_INTERVAL));
            others.fetch_add(visited - nodes, Ordering::Relaxed);
        };
        self.nodes = std::thread::scope(|scope| {
            threads::start(scope, self.helpers.len(), &help);
            search(&mut self.tables, &mut |nodes| check.next(nodes))
        });
        self.nodes += others.into_inner();
        Some(found.into_inner()).filter(|&bound| bound != STOPPED)
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
pub(super) struct LimitCheck<'a> {
    /// The solver's node count at which the node limit is reached.
    last_node: u64,
    limits: &'a Connect4SolverLimits<'a>,
}

impl<'a> LimitCheck<'a> {
    pub(super) fn new(nodes: u64, limits: &'a Connect4SolverLimits<'a>) -> Self {
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
