//! Gives searches that people wait for precedence over the jobs of runs: a job may begin while
//! fewer jobs run than there are cores without a search; one job may always run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use ludion_runs::JobGate;
use tokio::sync::Semaphore;

/// How often a waiting job checks for a free core or a stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Decides when the jobs of all runs may begin.
pub(super) struct FairGate {
    /// Number of running jobs.
    inside: Mutex<usize>,
    /// Notified when a job has left the gate.
    left: Condvar,
    cores: usize,
    /// Number of searches that may run at the same time.
    searches: usize,
    /// The permits of searches: each running search holds one.
    search_permits: Arc<Semaphore>,
}

impl FairGate {
    pub(super) fn new(cores: usize, searches: usize, search_permits: Arc<Semaphore>) -> Self {
        let (inside, left) = (Mutex::new(0), Condvar::new());
        FairGate { inside, left, cores, searches, search_permits }
    }

    /// Returns how many jobs may run at the same time now.
    fn room(&self) -> usize {
        let in_use = self.searches.saturating_sub(self.search_permits.available_permits());
        self.cores.saturating_sub(in_use).max(1)
    }
}

impl JobGate for FairGate {
    fn enter(&self, stop: &AtomicBool) {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        while *inside >= self.room() && !stop.load(Ordering::Relaxed) {
            let waited = self.left.wait_timeout(inside, POLL_INTERVAL);
            (inside, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        *inside += 1;
    }

    fn leave(&self) {
        *self.inside.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.left.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_leave_the_cores_to_searches_but_one_and_a_stop_lets_everybody_through() {
        let thinking = Arc::new(Semaphore::new(3));
        let gate = FairGate::new(2, 3, Arc::clone(&thinking));
        let go = AtomicBool::new(false);
        assert_eq!(gate.room(), 2);
        let one = thinking.try_acquire().expect("a permit");
        let two = thinking.try_acquire().expect("a permit");
        assert_eq!(gate.room(), 1, "always one");
        gate.enter(&go);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| gate.enter(&go));
            std::thread::sleep(3 * POLL_INTERVAL);
            assert!(!waits.is_finished(), "both cores are taken");
            drop((one, two));
            waits.join().expect("let in");
            let waits = scope.spawn(|| gate.enter(&go));
            std::thread::sleep(3 * POLL_INTERVAL);
            assert!(!waits.is_finished(), "two jobs are inside");
            go.store(true, Ordering::Relaxed);
        });
        (0..3).for_each(|_| gate.leave());
        assert_eq!(*gate.inside.lock().expect("free"), 0);
    }
}
