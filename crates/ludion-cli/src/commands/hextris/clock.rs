//! Clocks for the solvers: wall time, or CPU time for measurements on a shared machine.

use std::time::{Duration, Instant};

/// Time since the start.
pub(super) struct SolveClock {
    began: Instant,
    #[cfg(unix)]
    processor: Option<ProcessorClock>,
}

/// CPU time at the start, and the number of threads that share it.
#[cfg(unix)]
struct ProcessorClock {
    began: Duration,
    threads: u32,
    main: std::thread::ThreadId,
}

impl SolveClock {
    /// Measures wall time.
    pub(super) fn wall() -> Self {
        SolveClock {
            began: Instant::now(),
            #[cfg(unix)]
            processor: None,
        }
    }

    /// Measures CPU time of this program divided by `threads`, or of the calling thread if that is more,
    /// because not all threads work all the time. Measures wall time where the system has no CPU clock.
    pub(super) fn processor(threads: usize) -> Self {
        #[cfg(unix)]
        {
            let threads = u32::try_from(threads.max(1)).unwrap_or(1);
            let main = std::thread::current().id();
            let processor = Some(ProcessorClock { began: worked_by_all(), threads, main });
            SolveClock { processor, ..SolveClock::wall() }
        }
        #[cfg(not(unix))]
        {
            let _ = threads;
            SolveClock::wall()
        }
    }

    /// Returns the elapsed time.
    pub(super) fn elapsed(&self) -> Duration {
        #[cfg(unix)]
        if let Some(ProcessorClock { began, threads, main }) = &self.processor {
            let shared = worked_by_all().saturating_sub(*began) / *threads;
            // The main thread worked before the start, and waits after it.
            let is_main = std::thread::current().id() == *main;
            return if is_main { shared } else { shared.max(worked_by_this()) };
        }
        self.began.elapsed()
    }
}

#[cfg(unix)]
fn worked_by_all() -> Duration {
    shown(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn worked_by_this() -> Duration {
    shown(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(unix)]
fn shown(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::try_from(time).unwrap_or_default()
}
