//! How the threads of a search work together: each in all of one tree, each on a tree of
//! its own, or one in the tree and all at its leaves. One thread does the same whatever
//! the way.

use std::time::Duration;

use super::budget::SearchBudget;
use super::leaf_workers::LeafWorkers;
use super::leases::LeasedTree;
use super::simulation::{SearchThread, SharedSearch};
use super::{FinalMoveRule, MctsOptions, ParallelMode, report};
use crate::game::Game;
use crate::player::{Choice, MoveRequest};
use crate::search::rewards::SearchReward;

/// Searches until the budget is spent or the root is proven. There is a meter for every
/// search, and one search unless threads share nothing.
pub(super) fn run<G: Game<Outcome: SearchReward>>(
    options: &MctsOptions,
    turn: &MoveRequest<'_, G>,
    searches: &[SharedSearch<'_, G>],
    meters: &[SearchBudget],
    workers: &mut [SearchThread<G>],
) -> Choice<G::Move> {
    let mut desk =
        Reporter { turn, searches, meters, last: options.last, reported: Duration::ZERO };
    let threads = workers.len();
    let (first, others) = workers.split_first_mut().expect("there is a thread");
    let estate = |i: usize, threads, games| {
        LeasedTree::new(&searches[i], &meters[i], options.flight, threads, games)
    };
    match options.parallel {
        ParallelMode::Tree => {
            let estate = &estate(0, threads, 1);
            std::thread::scope(|scope| {
                for worker in others {
                    scope.spawn(|| estate.grow(worker, LeasedTree::play_out, |_| meters[0].late()));
                }
                estate.grow(first, LeasedTree::play_out, |depth| desk.look(depth));
            });
        }
        ParallelMode::Root => std::thread::scope(|scope| {
            for (i, worker) in (1..).zip(others) {
                let estate = estate(i, 1, 1);
                let late = move |_| meters[i].late();
                scope.spawn(move || estate.grow(worker, LeasedTree::play_out, late));
            }
            estate(0, 1, 1).grow(first, LeasedTree::play_out, |depth| desk.look(depth));
        }),
        ParallelMode::Leaf => {
            let crew = &LeafWorkers::new(&searches[0], others.len(), options.flight);
            std::thread::scope(|scope| {
                for (i, worker) in (1..).zip(others) {
                    scope.spawn(move || crew.serve(i, worker));
                }
                let _home = crew.on_duty();
                let play = |_: &LeasedTree<'_, G>, worker: &mut SearchThread<G>, wave, games| {
                    crew.play_out(worker, wave, games);
                };
                estate(0, 1, threads as u32).grow(first, play, |depth| desk.look(depth));
            });
        }
    }
    let depth = workers.iter().map(|worker| worker.depth).max().unwrap_or(0);
    desk.show_tree();
    desk.choice(depth)
}

/// Where the first thread looks at the clock, reports, and hears whether to stop.
struct Reporter<'a, G: Game<Outcome: SearchReward>> {
    turn: &'a MoveRequest<'a, G>,
    searches: &'a [SharedSearch<'a, G>],
    meters: &'a [SearchBudget],
    last: FinalMoveRule,
    /// When the last report was given.
    reported: Duration,
}

impl<G: Game<Outcome: SearchReward>> Reporter<'_, G> {
    fn look(&mut self, depth: usize) -> bool {
        let elapsed = self.meters[0].elapsed();
        if self.turn.observer.interval().is_some_and(|gap| elapsed - self.reported >= gap) {
            self.reported = elapsed;
            self.turn.observer.report(&self.choice(depth));
            self.show_tree();
        }
        let stop = self.turn.observer.should_stop();
        if stop {
            self.meters.iter().for_each(SearchBudget::halt);
        }
        stop || self.meters[0].late()
    }

    /// Shows the tree to whoever wants to see it; of independent trees the first.
    fn show_tree(&self) {
        if let Some(pruning) = self.turn.observer.tree_limits() {
            self.turn.observer.report_tree(&report::top_of_tree(self.searches[0].tree, pruning));
        }
    }

    fn choice(&self, depth: usize) -> Choice<G::Move> {
        let trees: Vec<_> = self.searches.iter().map(|search| search.tree).collect();
        let (lines, best) = report::lines(&trees, self.last);
        Choice {
            best,
            lines,
            nodes: self.meters.iter().map(SearchBudget::nodes).sum(),
            simulations: self.meters.iter().map(SearchBudget::sims).sum(),
            depth: depth as u32,
            time: self.meters[0].elapsed(),
        }
    }
}
