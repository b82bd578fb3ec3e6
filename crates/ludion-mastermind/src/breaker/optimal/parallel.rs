//! The search for the optimal strategy on several threads: the second guesses are distributed among
//! them, and all share the table of costs. Costs are exact, so the result does not depend on the
//! order of the threads.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use ludion_core::threads::with_helpers;

use super::super::codes::CodeIndex;
use super::super::score::{GuessCriterion, GuessScorer};
use super::super::tree::OnProgress;

use super::cost_bounds::{IMPOSSIBLE, KnownCost, UNLIMITED};
use super::search::{CodeSetNode, NodeBuffers, OptimalSearch, new_buffer_stack};

impl OptimalSearch<'_> {
    /// Returns the total number of guesses of the optimal strategy for all codes of the root node,
    /// or [`IMPOSSIBLE`] if no strategy finds them within the limit of guesses.
    pub(super) fn parallel_root_cost(
        &self,
        root: CodeSetNode<'_>,
        threads: usize,
        observer: OnProgress<'_>,
    ) -> u32 {
        let (key, mut buffers) = (self.key(root), NodeBuffers::default());
        if let Some(known_cost) = self.known_cost(root, key, IMPOSSIBLE) {
            return known_cost;
        }
        let found = self.quick_bound(root, IMPOSSIBLE, &mut buffers).unwrap_or_else(|| {
            self.candidates(root, IMPOSSIBLE, &mut buffers);
            let mut best = IMPOSSIBLE;
            // Progress is counted in codes: a first guess counts all codes, each of its classes its
            // size.
            let all = root.rows.len() as u64;
            let total = all * buffers.candidates.len() as u64;
            for (candidate, before) in buffers.candidates.iter().zip((0..).step_by(root.rows.len()))
            {
                if candidate.bound < best {
                    let mut done = before;
                    let cost = |node: CodeSetNode<'_>, limit| {
                        let part = |fraction: f64| (fraction * node.rows.len() as f64) as u64;
                        let observer = |fraction| observer(done + part(fraction), total);
                        let cost = self.parallel_cost(node, limit, threads, &observer);
                        done += node.rows.len() as u64;
                        cost
                    };
                    best = best.min(self.guess_cost_with(root, candidate.column, best, cost));
                }
                observer(before + all, total);
            }
            KnownCost::Exactly(best)
        });
        self.cost_table.keep(key, found);
        found.bound()
    }

    /// Computes [`OptimalSearch::cost`] with the candidate guesses distributed over threads;
    /// `observer` receives the fraction of the candidates whose search was started.
    fn parallel_cost(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        threads: usize,
        observer: &(dyn Fn(f64) + Sync),
    ) -> u32 {
        let (key, mut buffers) = (self.key(node), NodeBuffers::default());
        if let Some(known_cost) = self.known_cost(node, key, limit) {
            return known_cost;
        }
        let found = self.quick_bound(node, limit, &mut buffers).unwrap_or_else(|| {
            self.candidates(node, limit, &mut buffers);
            let best = AtomicU32::new(limit.min(self.greedy_cost(node).saturating_add(1)));
            let next = AtomicUsize::new(0);
            let work = |_| {
                let mut buffer_stack = new_buffer_stack(self.codes.rules());
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(c) = buffers.candidates.get(number) else { return };
                    observer(number as f64 / buffers.candidates.len() as f64);
                    let limit = best.load(Ordering::Relaxed);
                    if c.bound < limit {
                        let cost = self.guess_cost(node, c.column, limit, &mut buffer_stack);
                        best.fetch_min(cost, Ordering::Relaxed);
                    }
                }
            };
            with_helpers(threads.saturating_sub(1), &work, &mut |_| work(0));
            let best = best.into_inner();
            if best < limit { KnownCost::Exactly(best) } else { KnownCost::AtLeast(limit) }
        });
        self.cost_table.keep(key, found);
        found.bound()
    }

    /// Returns the total number of guesses if always the guess with the largest entropy is made, an
    /// upper bound that prunes bad guesses early; [`IMPOSSIBLE`] if the number of guesses is
    /// limited, because this strategy may exceed the limit.
    fn greedy_cost(&self, node: CodeSetNode<'_>) -> u32 {
        if node.guesses != UNLIMITED {
            return IMPOSSIBLE;
        }
        let scorer = GuessScorer::new(GuessCriterion::Entropy, node.rows.len());
        let set = node.rows.iter().map(|&row| node.matrix.codes[usize::from(row)]).collect();
        let mut open: Vec<Vec<CodeIndex>> = vec![set];
        let mut cost = 0;
        while let Some(set) = open.pop() {
            cost += set.len() as u32;
            let guess = scorer.best_of(self.codes, &set, &node.matrix.guesses);
            let classes = self.codes.split(guess, &set).into_iter();
            open.extend(classes.filter(|(a, _)| *a != self.codes.solved()).map(|(_, class)| class));
        }
        cost
    }
}
