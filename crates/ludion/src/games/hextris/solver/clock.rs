//! Time as measured by the caller: wall-clock time, or processor time on a shared machine. The
//! solver has no clock of its own.

use std::fmt;
use std::time::Duration;

/// A clock that returns the time elapsed since some fixed moment.
pub type ElapsedClock<'a> = &'a (dyn Fn() -> Duration + Sync);

/// A moment on a clock.
#[derive(Clone, Copy)]
pub struct Deadline<'a> {
    clock: ElapsedClock<'a>,
    at: Duration,
}

impl<'a> Deadline<'a> {
    /// Creates a deadline at the moment when `clock` shows `at`.
    #[must_use]
    pub fn new(clock: ElapsedClock<'a>, at: Duration) -> Self {
        Deadline { clock, at }
    }

    /// Returns what the clock shows.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.clock)()
    }

    /// Returns the time left.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.at.saturating_sub(self.now())
    }

    /// Returns whether no time is left.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.left().is_zero()
    }

    /// Returns the deadline at which this `share` of the remaining time has elapsed.
    #[must_use]
    pub fn part(&self, share: f64) -> Self {
        let now = self.now();
        let left = self.at.saturating_sub(now).mul_f64(share.clamp(0.0, 1.0));
        Deadline { clock: self.clock, at: now + left }
    }

    /// Returns the deadline `time` from now, but not later than this one.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Deadline { clock: self.clock, at: self.at.min(self.now() + time) }
    }

    /// Returns the deadline `time` earlier.
    #[must_use]
    pub fn before(&self, time: Duration) -> Self {
        Deadline { clock: self.clock, at: self.at.saturating_sub(time) }
    }
}

impl fmt::Debug for Deadline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deadline").field("at", &self.at).finish_non_exhaustive()
    }
}
