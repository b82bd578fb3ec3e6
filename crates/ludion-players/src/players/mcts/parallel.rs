//! The parallel modes of a search: all threads in one tree, one tree per thread, or one thread in
//! the tree and all threads at its leaves. With a single thread all modes do the same.

use std::sync::Mutex;
use std::time::Duration;

use super::budget::SearchBudget;
use super::leaf_workers::LeafWorkers;
use super::leases::LeasedTree;
use super::simulation::{SearchThread, SharedSearch};
use super::{FinalMoveRule, MctsOptions, ParallelMode, report};
use crate::game::Game;
use crate::player::{Choice, MoveRequest};
use crate::search::rewards::SearchReward;
use crate::threads::with_helpers;

/// Searches until the budgets are spent or the root is proven, and returns the choice. With root
/// parallelism there is a search with its own budget for each thread, otherwise only one.
pub(super) fn run<G: Game<Outcome: SearchReward>>(
    options: &MctsOptions,
    request: &MoveRequest<'_, G>,
    searches: &[SharedSearch<'_, G>],
    budgets: &[SearchBudget],
    threads: &mut [SearchThread<G>],
) -> Choice<G::Move> {
    let mut reporter = Reporter {
        request,
        searches,
        budgets,
        final_move: options.final_move,
        last_report: Duration::ZERO,
    };
    let helper_count = threads.len() - 1;
    let (first, others) = threads.split_first_mut().expect("there is a thread");
    let others = Mutex::new((1..).zip(others));
    let next_thread = || others.lock().expect("no thread panics while taking its data").next();
    let leased_tree =
        |i: usize, threads| LeasedTree::new(&searches[i], &budgets[i], options.max_wave, threads);
    match options.parallel {
        ParallelMode::Tree => {
            let leased_tree = &leased_tree(0, 1 + helper_count);
            let help = |_| {
                if let Some((_, thread)) = next_thread() {
                    leased_tree.run(thread, &mut |_| budgets[0].time_is_up());
                }
            };
            with_helpers(helper_count, &help, &mut |_| {
                leased_tree.run(first, &mut |depth| reporter.poll(depth));
            });
        }
        ParallelMode::Root => {
            let help = |_| {
                if let Some((i, thread)) = next_thread() {
                    let time_is_up = &mut |_| budgets[i].time_is_up();
                    leased_tree(i, 1).run(thread, time_is_up);
                }
            };
            with_helpers(helper_count, &help, &mut |started| {
                let poll = &mut |depth| reporter.poll(depth);
                leased_tree(0, 1).run(first, poll);
                // The trees of helpers that could not be started.
                (started..helper_count).for_each(help);
            });
        }
        ParallelMode::Leaf => {
            let seed = if helper_count == 0 { 0 } else { first.rng.bits() };
            let workers = &LeafWorkers::new(&searches[0], helper_count, options.max_wave, seed);
            let help = |i| {
                if let Some((_, thread)) = next_thread() {
                    workers.run_helper(i, thread);
                }
            };
            with_helpers(helper_count, &help, &mut |_| {
                let _shut_down_guard = workers.shut_down_guard();
                leased_tree(0, 1)
                    .with_leaf_workers(workers)
                    .run(first, &mut |depth| reporter.poll(depth));
            });
        }
    }
    let depth = threads.iter().map(|thread| thread.depth).max().unwrap_or(0);
    reporter.report_tree();
    reporter.choice(depth)
}

/// Polls the clock and the observer, on the first thread, and reports progress to the observer.
struct Reporter<'a, G: Game<Outcome: SearchReward>> {
    request: &'a MoveRequest<'a, G>,
    searches: &'a [SharedSearch<'a, G>],
    budgets: &'a [SearchBudget],
    final_move: FinalMoveRule,
    /// The time of the last report, since the start of the search.
    last_report: Duration,
}

impl<G: Game<Outcome: SearchReward>> Reporter<'_, G> {
    fn poll(&mut self, depth: usize) -> bool {
        let elapsed = self.budgets[0].elapsed();
        if self.request.observer.interval().is_some_and(|gap| elapsed - self.last_report >= gap) {
            self.last_report = elapsed;
            self.request.observer.report(&self.choice(depth));
            self.report_tree();
        }
        let stop = self.request.observer.should_stop();
        if stop {
            self.budgets.iter().for_each(SearchBudget::stop_all);
        }
        stop || self.budgets[0].time_is_up()
    }

    /// Reports the top of the tree if the observer asks for it. Of several independent trees only
    /// the first is reported.
    fn report_tree(&self) {
        if let Some(limits) = self.request.observer.tree_limits() {
            let SharedSearch { tree, leaf, .. } = &self.searches[0];
            self.request.observer.report_tree(&report::top_of_tree(tree, leaf, limits));
        }
    }

    fn choice(&self, depth: usize) -> Choice<G::Move> {
        let trees: Vec<_> = self.searches.iter().map(|search| search.tree).collect();
        let (lines, best) = report::lines(&trees, &self.searches[0].leaf, self.final_move);
        Choice {
            best,
            lines,
            nodes: self.budgets.iter().map(SearchBudget::nodes).sum(),
            simulations: self.budgets.iter().map(SearchBudget::sims).sum(),
            depth: depth as u32,
            time: self.budgets[0].elapsed(),
        }
    }
}
