//! Searches that people wait for take precedence over the jobs of runs: as many jobs run as there are
//! idle cores, and always at least one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use ludion_runs::JobGate;
use tokio::sync::Semaphore;

/// How often a waiting job checks for a free core or a stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Admits the jobs of all runs.
pub(super) struct FairGate {
    /// Number of running jobs.
    inside: Mutex<usize>,
    left: Condvar,
    cores: usize,
    /// Number of permits for searches, in use or not.
    searches: usize,
    thinking: Arc<Semaphore>,
}

impl FairGate {
    pub(super) fn new(cores: usize, searches: usize, thinking: Arc<Semaphore>) -> Self {
        let (inside, left) = (Mutex::new(0), Condvar::new());
        FairGate { inside, left, cores, searches, thinking }
    }

    /// Returns how many jobs may run now.
    fn room(&self) -> usize {
        let thinking = self.searches.saturating_sub(self.thinking.available_permits());
        self.cores.saturating_sub(thinking).max(1)
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
        let door = FairGate::new(2, 3, Arc::clone(&thinking));
        let go = AtomicBool::new(false);
        assert_eq!(door.room(), 2);
        let one = thinking.try_acquire().expect("a permit");
        let two = thinking.try_acquire().expect("a permit");
        assert_eq!(door.room(), 1, "always one");
        door.enter(&go);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| door.enter(&go));
            std::thread::sleep(3 * POLL_INTERVAL);
            assert!(!waits.is_finished(), "both cores are taken");
            drop((one, two));
            waits.join().expect("let in");
            let waits = scope.spawn(|| door.enter(&go));
            std::thread::sleep(3 * POLL_INTERVAL);
            assert!(!waits.is_finished(), "two jobs are inside");
            go.store(true, Ordering::Relaxed);
        });
        (0..3).for_each(|_| door.leave());
        assert_eq!(*door.inside.lock().expect("free"), 0);
    }
}
