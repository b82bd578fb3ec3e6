//! Measures how many events happen per second, over a sliding window.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Length of the sliding window.
const WINDOW: Duration = Duration::from_secs(10);
/// Length of the intervals that the window is divided into, each with one count.
const INTERVAL: Duration = Duration::from_millis(250);

/// Counter of events, in total and over the last seconds.
pub(crate) struct RateMeter {
    start: Instant,
    /// Start and count of every interval of the window.
    intervals: VecDeque<(Instant, u64)>,
    /// Number of events in the window.
    recent: u64,
    pub(crate) total: u64,
}

impl RateMeter {
    pub(crate) fn new(now: Instant) -> Self {
        RateMeter { start: now, intervals: VecDeque::new(), recent: 0, total: 0 }
    }

    /// Counts `events` events that happened at `now`.
    pub(crate) fn count(&mut self, events: u64, now: Instant) {
        self.total += events;
        self.recent += events;
        match self.intervals.back_mut() {
            Some((at, count)) if now.duration_since(*at) < INTERVAL => *count += events,
            _ => self.intervals.push_back((now, events)),
        }
        self.drop_old(now);
    }

    /// Starts the measured time at `at` if the window has no events, so that idle time does not
    /// lower the rate.
    pub(crate) fn end_idle(&mut self, at: Instant) {
        self.drop_old(at);
        if self.intervals.is_empty() {
            self.start = at;
        }
    }

    fn drop_old(&mut self, now: Instant) {
        while let Some(&(at, count)) = self.intervals.front()
            && now.duration_since(at) > WINDOW
        {
            self.recent -= count;
            self.intervals.pop_front();
        }
    }

    /// Returns the number of events per second over the window.
    pub(crate) fn rate(&mut self, now: Instant) -> f64 {
        self.drop_old(now);
        let time = now.duration_since(self.start).min(WINDOW);
        self.recent as f64 / time.as_secs_f64().max(INTERVAL.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_covers_the_last_seconds_without_idle_time() {
        let start = Instant::now();
        let mut meter = RateMeter::new(start);
        for step in 0..600_u64 {
            let events = if step < 300 { 10 } else { 2 };
            meter.count(events, start + Duration::from_millis(100 * step));
        }
        let rate = meter.rate(start + Duration::from_secs(60));
        assert!((19.0..21.0).contains(&rate), "{rate}");
        assert_eq!(meter.total, 3600);
        assert_eq!(meter.rate(start + Duration::from_secs(90)), 0.0);
        let resumed = start + Duration::from_secs(100);
        meter.end_idle(resumed);
        meter.count(50, resumed + Duration::from_secs(1));
        meter.end_idle(resumed + Duration::from_secs(1));
        meter.count(50, resumed + Duration::from_secs(2));
        let rate = meter.rate(resumed + Duration::from_secs(2));
        assert!((49.0..51.0).contains(&rate), "idle time does not count, {rate}");
    }
}
