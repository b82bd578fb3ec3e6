//! What a search may still spend, shared by its threads, and how often to look at the clock.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::player::Budget;

/// Simulations, states met and time, against their limits.
pub(super) struct SearchBudget {
    began: Instant,
    time: Option<Duration>,
    most_sims: u64,
    most_nodes: Option<u64>,
    claimed: AtomicU64,
    done: AtomicU64,
    nodes: AtomicU64,
    stop: AtomicBool,
}

impl SearchBudget {
    /// A search under `budget`; `sims` simulations where it limits neither these nor time
    /// nor nodes.
    pub(super) fn new(began: Instant, budget: &Budget, sims: u64) -> Self {
        let bounded = budget.time.is_some() || budget.nodes.is_some();
        SearchBudget {
            began,
            time: budget.time,
            most_sims: budget.simulations.unwrap_or(if bounded { u64::MAX } else { sims }),
            most_nodes: budget.nodes,
            claimed: AtomicU64::new(0),
            done: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// The part of one of `parts` searches that share nothing else.
    pub(super) fn part(&self, part: usize, parts: usize) -> SearchBudget {
        let share = |whole: u64| {
            let (part, parts) = (part as u64, parts as u64);
            whole / parts + u64::from(part < whole % parts)
        };
        SearchBudget {
            began: self.began,
            time: self.time,
            most_sims: if self.most_sims == u64::MAX { u64::MAX } else { share(self.most_sims) },
            most_nodes: self.most_nodes.map(share),
            claimed: AtomicU64::new(0),
            done: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// Claims up to `wanted` simulations; 0 when nothing may be spent any more.
    pub(super) fn claim(&self, wanted: u64) -> u64 {
        if self.stop.load(Relaxed) || self.most_nodes.is_some_and(|n| self.nodes() >= n) {
            return 0;
        }
        if self.most_sims == u64::MAX {
            self.claimed.fetch_add(wanted, Relaxed);
            return wanted;
        }
        let left = |sims: u64| wanted.min(self.most_sims - sims);
        let before = self.claimed.fetch_update(Relaxed, Relaxed, |sims| Some(sims + left(sims)));
        before.map_or(0, left)
    }

    /// Of simulations that were claimed counts the `done` and gives back the `left`.
    pub(super) fn settle(&self, done: u64, left: u64) {
        self.claimed.fetch_sub(left, Relaxed);
        self.done.fetch_add(done, Relaxed);
    }

    /// Counts states met.
    pub(super) fn spend(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Simulations done.
    pub(super) fn sims(&self) -> u64 {
        self.done.load(Relaxed)
    }

    /// States met.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Time since the question was asked.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the time is over.
    pub(super) fn late(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Whether preparations have taken a quarter of the time.
    pub(super) fn tired(&self) -> bool {
        self.time.is_some_and(|time| self.elapsed() >= time / 4)
    }

    /// Whether the search is to end.
    pub(super) fn halted(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the search of all threads.
    pub(super) fn halt(&self) {
        self.stop.store(true, Relaxed);
    }
}

/// Says when to look at the clock: as rarely as leaves the looks about [`PollInterval::GAP`] apart.
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

    /// Counts simulations; true when the clock is due.
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
