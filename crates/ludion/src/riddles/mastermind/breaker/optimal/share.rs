//! The search on several threads: the second guesses are shared out among them, and whatever one
//! finds out the others know. The costs that come of it are exact, so they do not depend on who
//! was first.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use super::super::codes::CodeIndex;
use super::super::score::{GuessScore, GuessScorer};
use super::OnSearchProgress;
use super::floor::{ENDLESS, IMPOSSIBLE};
use super::memory::KnownCost;
use super::search::{CodeSetNode, NodeBuffers, OptimalSearch, desks};

impl OptimalSearch<'_> {
    /// The least cost of all codes.
    pub(super) fn shared_cost_of_all(
        &self,
        root: CodeSetNode<'_>,
        threads: usize,
        observer: OnSearchProgress<'_>,
    ) -> u32 {
        let (key, mut desk) = (self.key(root), NodeBuffers::default());
        if let Some(known) = self.known(root, key, IMPOSSIBLE) {
            return known;
        }
        let found = self.glance(root, IMPOSSIBLE, &mut desk).unwrap_or_else(|| {
            self.candidates(root, IMPOSSIBLE, &mut desk);
            let mut best = IMPOSSIBLE;
            // A first guess counts as many as there are codes, the set of an answer its own.
            let all = root.rows.len() as u64;
            let total = all * desk.candidates.len() as u64;
            for (candidate, before) in desk.candidates.iter().zip((0..).step_by(root.rows.len())) {
                if candidate.bound < best {
                    let mut done = before;
                    let cost = |node: CodeSetNode<'_>, limit| {
                        let part = |share: f64| (share * node.rows.len() as f64) as u64;
                        let observer = |share| observer(done + part(share), total);
                        let cost = self.shared_cost(node, limit, threads, &observer);
                        done += node.rows.len() as u64;
                        cost
                    };
                    best = best.min(self.attempt_by(root, candidate.column, best, cost));
                }
                observer(before + all, total);
            }
            KnownCost::Exactly(best)
        });
        self.memory.keep(key, found);
        found.bound()
    }

    /// [`OptimalSearch::cost`] with the guesses at this set shared out; `observer` is told what share of
    /// them has been taken up.
    fn shared_cost(
        &self,
        node: CodeSetNode<'_>,
        limit: u32,
        threads: usize,
        observer: &(dyn Fn(f64) + Sync),
    ) -> u32 {
        let (key, mut desk) = (self.key(node), NodeBuffers::default());
        if let Some(known) = self.known(node, key, limit) {
            return known;
        }
        let found = self.glance(node, limit, &mut desk).unwrap_or_else(|| {
            self.candidates(node, limit, &mut desk);
            let best = AtomicU32::new(limit.min(self.greedy(node).saturating_add(1)));
            let next = AtomicUsize::new(0);
            let work = || {
                let mut desks = desks();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(c) = desk.candidates.get(number) else { return };
                    observer(number as f64 / desk.candidates.len() as f64);
                    let bar = best.load(Ordering::Relaxed);
                    if c.bound < bar {
                        let cost = self.attempt(node, c.column, bar, &mut desks);
                        best.fetch_min(cost, Ordering::Relaxed);
                    }
                }
            };
            std::thread::scope(|scope| {
                (1..threads).for_each(|_| drop(scope.spawn(work)));
                work();
            });
            let best = best.into_inner();
            if best < limit { KnownCost::Exactly(best) } else { KnownCost::AtLeast(limit) }
        });
        self.memory.keep(key, found);
        found.bound()
    }

    /// What the set costs if every guess is the one that tells most; a search that begins by
    /// knowing this leaves bad guesses early. Not known where guesses are limited.
    fn greedy(&self, node: CodeSetNode<'_>) -> u32 {
        if node.guesses != ENDLESS {
            return IMPOSSIBLE;
        }
        let judge = GuessScorer::new(GuessScore::Entropy, node.rows.len());
        let set = node.rows.iter().map(|&row| node.view.codes[usize::from(row)]).collect();
        let mut open: Vec<Vec<CodeIndex>> = vec![set];
        let mut cost = 0;
        while let Some(set) = open.pop() {
            cost += set.len() as u32;
            let guess = judge.best_of(self.codes, &set, &node.view.guesses);
            let classes = self.codes.split(guess, &set).into_iter();
            open.extend(classes.filter(|(a, _)| *a != self.codes.solved()).map(|(_, class)| class));
        }
        cost
    }
}
