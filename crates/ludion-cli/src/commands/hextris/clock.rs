//! Clocks for the solvers: wall time, or CPU time for measurements on a shared machine.

use std::time::{Duration, Instant};

/// Clock that measures the time since it was created.
pub(super) struct SolveClock {
    began: Instant,
    #[cfg(unix)]
    processor: Option<ProcessorClock>,
}

/// State of a clock of CPU time: the CPU time of the program at the start, the number of threads by
/// which CPU time is divided, and the thread that created the clock, with its own CPU time at the
/// start. Other threads are started later.
#[cfg(unix)]
struct ProcessorClock {
    began: Duration,
    threads: u32,
    main: std::thread::ThreadId,
    main_began: Duration,
}

impl SolveClock {
    /// Returns a clock of wall time.
    pub(super) fn wall() -> Self {
        SolveClock {
            began: Instant::now(),
            #[cfg(unix)]
            processor: None,
        }
    }

    /// Returns a clock of CPU time: that of this program divided by `threads`, or that of the
    /// calling thread if it is more, because not all threads work all the time. Without a CPU clock
    /// of the system, it is a clock of wall time.
    pub(super) fn processor(threads: usize) -> Self {
        #[cfg(unix)]
        {
            let threads = u32::try_from(threads.max(1)).unwrap_or(1);
            let main = std::thread::current().id();
            let (began, main_began) = (worked_by_all(), worked_by_this());
            let processor = Some(ProcessorClock { began, threads, main, main_began });
            SolveClock { processor, ..SolveClock::wall() }
        }
        #[cfg(not(unix))]
        {
            let _ = threads;
            SolveClock::wall()
        }
    }

    /// Returns the time since the clock was created.
    pub(super) fn elapsed(&self) -> Duration {
        #[cfg(unix)]
        if let Some(ProcessorClock { began, threads, main, main_began }) = &self.processor {
            let shared = worked_by_all().saturating_sub(*began) / *threads;
            let is_main = std::thread::current().id() == *main;
            let before = if is_main { *main_began } else { Duration::ZERO };
            return shared.max(worked_by_this().saturating_sub(before));
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
