//! Time as the caller counts it: by a clock on the wall, or by the work of the processor where
//! others use it too. The solver has no clock of its own.

use std::fmt;
use std::time::Duration;

/// How much time has gone by since some moment.
pub type ElapsedClock<'a> = &'a (dyn Fn() -> Duration + Sync);

/// When something must be done.
#[derive(Clone, Copy)]
pub struct Deadline<'a> {
    clock: ElapsedClock<'a>,
    at: Duration,
}

impl<'a> Deadline<'a> {
    /// When `clock` will show `at`.
    #[must_use]
    pub fn new(clock: ElapsedClock<'a>, at: Duration) -> Self {
        Deadline { clock, at }
    }

    /// What the clock shows.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.clock)()
    }

    /// How much time is left.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.at.saturating_sub(self.now())
    }

    /// Whether no time is left.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.left().is_zero()
    }

    /// The moment at which no more than this `share` of the time that is left will have gone by.
    #[must_use]
    pub fn part(&self, share: f64) -> Self {
        let now = self.now();
        let left = self.at.saturating_sub(now).mul_f64(share.clamp(0.0, 1.0));
        Deadline { clock: self.clock, at: now + left }
    }

    /// So much time from now, but not later than this.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Deadline { clock: self.clock, at: self.at.min(self.now() + time) }
    }

    /// This long before.
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
