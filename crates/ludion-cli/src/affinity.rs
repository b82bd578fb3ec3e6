//! The option `--affinity`: every thread of a run stays on a core of its own, so that two games that are
//! timed never share one. Programs that a thread starts, such as bots, stay on its core too.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ludion_runs::JobGate;

use crate::failure::CommandFailure;

/// The cores of the threads of a run.
pub(crate) struct CorePinning {
    /// The cores that this program may use.
    cores: Vec<usize>,
    /// Number of threads that have a core.
    started: AtomicUsize,
}

impl CorePinning {
    /// Returns a pinning of `threads` threads.
    ///
    /// # Errors
    /// When there are fewer cores than threads, or the system does not let a program choose.
    pub(crate) fn new(threads: usize) -> Result<Self, CommandFailure> {
        let cores = system::cores().ok_or_else(|| {
            CommandFailure::Usage("--affinity works on Linux only; leave it out".to_owned())
        })?;
        if threads > cores.len() {
            return Err(CommandFailure::Usage(format!(
                "--affinity needs a core for each of {threads} threads, and there are {}; give a \
                 smaller --threads",
                cores.len()
            )));
        }
        Ok(CorePinning { cores, started: AtomicUsize::new(0) })
    }
}

impl JobGate for CorePinning {
    fn thread_started(&self) {
        // A command may play several runs after each other, each with threads of its own.
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        system::pin(self.cores[number % self.cores.len()]);
    }

    fn enter(&self, _stop: &AtomicBool) {}

    fn leave(&self) {}
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Returns the cores that this program may use.
    pub(super) fn cores() -> Option<Vec<usize>> {
        let allowed = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect())
    }

    /// Keeps the calling thread on a core. If the system refuses, the thread runs anywhere.
    pub(super) fn pin(core: usize) {
        let mut set = CpuSet::new();
        set.set(core);
        let _ = sched_setaffinity(None, &set);
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn cores() -> Option<Vec<usize>> {
        None
    }

    pub(super) fn pin(_core: usize) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_thread_gets_a_core_of_its_own() {
        let cores = system::cores().expect("cores");
        let pinning = CorePinning::new(cores.len()).expect("a core for each thread");
        let pinned = Mutex::new(Vec::new());
        let pin = |_| {
            pinning.thread_started();
            pinned.lock().expect("a list").push(system::cores().expect("cores"));
        };
        ludion::threads::with_helpers(cores.len(), &pin, &mut |_| {});
        let mut pinned = pinned.into_inner().expect("a list");
        pinned.sort();
        assert_eq!(pinned, cores.iter().map(|&core| vec![core]).collect::<Vec<_>>());
        assert!(CorePinning::new(cores.len() + 1).is_err());
    }
}
