//! Time as measured by the caller, as wall-clock time or as processor time on a shared machine. The
//! solver has no clock of its own.

use std::fmt;
use std::time::Duration;

/// A function that returns the time elapsed since some fixed moment.
pub type ElapsedClock<'a> = &'a (dyn Fn() -> Duration + Sync);

/// A moment on a clock at which some work has to end.
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

    /// Returns the time that the clock shows now.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.clock)()
    }

    /// Returns the moment of the deadline on its clock.
    #[must_use]
    pub fn at(&self) -> Duration {
        self.at
    }

    /// Returns the time left until the deadline; zero if it has passed.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.at.saturating_sub(self.now())
    }

    /// Returns whether the deadline has passed.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.left().is_zero()
    }

    /// Returns an earlier deadline, at which `share` (from 0 to 1) of the time left now has
    /// elapsed.
    #[must_use]
    pub fn part(&self, share: f64) -> Self {
        let now = self.now();
        let left = self.at.saturating_sub(now).mul_f64(share.clamp(0.0, 1.0));
        Deadline { clock: self.clock, at: now + left }
    }

    /// Returns the moment `time` from now, or this deadline if it is earlier.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Deadline { clock: self.clock, at: self.at.min(self.now() + time) }
    }

    /// Returns the deadline that is earlier than this one by `time`.
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
