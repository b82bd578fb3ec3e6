//! The clocks that solvers are held to: the time that goes by, or the time that the processor
//! worked for us, where others use the machine as well and figures are to be compared.

use std::time::{Duration, Instant};

/// Time since the beginning.
pub(super) struct SolveClock {
    began: Instant,
    #[cfg(unix)]
    processor: Option<ProcessorClock>,
}

/// The processor time at the beginning, and how many threads share what comes after.
#[cfg(unix)]
struct ProcessorClock {
    began: Duration,
    threads: u32,
    main: std::thread::ThreadId,
}

impl SolveClock {
    /// The clock on the wall.
    pub(super) fn wall() -> Self {
        SolveClock {
            began: Instant::now(),
            #[cfg(unix)]
            processor: None,
        }
    }

    /// What the processor works for this program: shared by `threads`, or for the thread that
    /// asks if that is more, for not all of them work all the time. Where the system does not
    /// say, the clock on the wall.
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

    /// How much time has gone by.
    pub(super) fn elapsed(&self) -> Duration {
        #[cfg(unix)]
        if let Some(ProcessorClock { began, threads, main }) = &self.processor {
            let shared = worked_by_all().saturating_sub(*began) / *threads;
            // The main thread worked before the beginning too, and waits after it.
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
