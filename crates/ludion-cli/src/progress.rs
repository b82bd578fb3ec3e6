//! A progress line on standard error, shown if it is a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::output::{rate, time};

/// Progress line that is redrawn in place.
pub(crate) struct ProgressLine {
    began: Instant,
    shown: Option<Instant>,
    enabled: bool,
}

/// Shortest time between two redraws.
const INTERVAL: Duration = Duration::from_millis(100);

impl ProgressLine {
    /// Creates a line that is drawn only if `wanted` and standard error is a terminal.
    pub(crate) fn new(wanted: bool) -> Self {
        ProgressLine {
            began: Instant::now(),
            shown: None,
            enabled: wanted && std::io::stderr().is_terminal(),
        }
    }

    /// Shows that `done` of `total` jobs are done; `what` describes the results so far.
    pub(crate) fn show(&mut self, done: u64, total: u64, what: impl FnOnce() -> String) {
        if !self.enabled || self.shown.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.shown = Some(Instant::now());
        let elapsed = self.began.elapsed();
        let left = elapsed.mul_f64((total - done) as f64 / done.max(1) as f64);
        let speed = rate(done as f64 / elapsed.as_secs_f64().max(1e-9));
        let line = format!("{done}/{total}  {}  {speed}  {} left", what(), time(left));
        // A closed terminal is no reason to stop working.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }

    /// Restarts the estimate of the time left.
    pub(crate) fn restart(&mut self) {
        self.began = Instant::now();
    }

    /// Removes the progress line from the terminal.
    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
