//! The budget of a search, shared by its threads, and how often to poll the clock.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::player::Budget;

/// Counts the simulations, nodes and time of a search against their limits.
pub(super) struct SearchBudget {
    began: Instant,
    time: Option<Duration>,
    max_sims: u64,
    max_nodes: Option<u64>,
    reserved: AtomicU64,
    done: AtomicU64,
    nodes: AtomicU64,
    stop: AtomicBool,
}

impl SearchBudget {
    /// Creates the budget of a search that started at `began`, with the limits of `budget`. If
    /// `budget` limits neither simulations nor time nor nodes, the limit is `sims` simulations.
    pub(super) fn new(began: Instant, budget: &Budget, sims: u64) -> Self {
        let bounded = budget.time.is_some() || budget.nodes.is_some();
        SearchBudget {
            began,
            time: budget.time,
            max_sims: budget.simulations.unwrap_or(if bounded { u64::MAX } else { sims }),
            max_nodes: budget.nodes,
            reserved: AtomicU64::new(0),
            done: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// Returns the budget of search number `part`, from 0, of `parts` independent searches: the
    /// same time, and an equal share of simulations and nodes.
    pub(super) fn part(&self, part: usize, parts: usize) -> SearchBudget {
        let share = |whole: u64| {
            let (part, parts) = (part as u64, parts as u64);
            whole / parts + u64::from(part < whole % parts)
        };
        SearchBudget {
            began: self.began,
            time: self.time,
            max_sims: if self.max_sims == u64::MAX { u64::MAX } else { share(self.max_sims) },
            max_nodes: self.max_nodes.map(share),
            reserved: AtomicU64::new(0),
            done: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// Reserves up to `wanted` simulations and returns how many are granted; 0 if the budget is
    /// spent.
    pub(super) fn reserve(&self, wanted: u64) -> u64 {
        if self.stop.load(Relaxed) || self.max_nodes.is_some_and(|n| self.nodes() >= n) {
            return 0;
        }
        if self.max_sims == u64::MAX {
            self.reserved.fetch_add(wanted, Relaxed);
            return wanted;
        }
        let left = |sims: u64| wanted.min(self.max_sims - sims);
        let before = self.reserved.fetch_update(Relaxed, Relaxed, |sims| Some(sims + left(sims)));
        before.map_or(0, left)
    }

    /// Counts `done` of the reserved simulations as done and returns `left` unused ones to the
    /// budget.
    pub(super) fn finish(&self, done: u64, left: u64) {
        self.reserved.fetch_sub(left, Relaxed);
        self.done.fetch_add(done, Relaxed);
    }

    /// Adds to the number of visited nodes.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Returns the number of simulations done so far.
    pub(super) fn sims(&self) -> u64 {
        self.done.load(Relaxed)
    }

    /// Returns the number of nodes visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the time since the search started.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns whether the time limit, if there is one, is reached.
    pub(super) fn time_is_up(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Returns whether a quarter of the time limit has passed; if so, the preparation of the tree
    /// should end.
    pub(super) fn preparation_took_too_long(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time / 4)
    }

    /// Returns whether [`SearchBudget::stop_all`] was called.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Tells all threads of the search to stop.
    pub(super) fn stop_all(&self) {
        self.stop.store(true, Relaxed);
    }
}

/// Decides how many simulations to run between two polls of the clock, so that polls are about
/// [`PollInterval::GAP`] apart.
pub(super) struct PollInterval {
    last: Instant,
    every: u64,
    left: u64,
}

impl PollInterval {
    const GAP: Duration = Duration::from_micros(200);

    pub(super) fn new() -> Self {
        PollInterval { last: Instant::now(), every: 1, left: 1 }
    }

    /// Counts `sims` more simulations. Returns whether to poll the clock now.
    #[inline]
    pub(super) fn due(&mut self, sims: u64) -> bool {
        self.left = self.left.saturating_sub(sims);
        if self.left > 0 {
            return false;
        }
        let now = Instant::now();
        if now - self.last < PollInterval::GAP {
            self.every = (2 * self.every).min(1 << 16);
        } else {
            self.every = (self.every / 2).max(1);
        }
        (self.last, self.left) = (now, self.every);
        true
    }
}
