//! How many things happen in a second, over the last seconds.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What is looked back on.
const WINDOW: Duration = Duration::from_secs(10);
/// How finely it is counted.
const GRAIN: Duration = Duration::from_millis(250);

/// Counts things as they happen.
pub(crate) struct RateMeter {
    began: Instant,
    grains: VecDeque<(Instant, u64)>,
    recent: u64,
    pub(crate) total: u64,
}

impl RateMeter {
    pub(crate) fn new(now: Instant) -> Self {
        RateMeter { began: now, grains: VecDeque::new(), recent: 0, total: 0 }
    }

    pub(crate) fn count(&mut self, attachments: u64, now: Instant) {
        self.total += attachments;
        self.recent += attachments;
        match self.grains.back_mut() {
            Some((at, count)) if now.duration_since(*at) < GRAIN => *count += attachments,
            _ => self.grains.push_back((now, attachments)),
        }
        self.forget(now);
    }

    /// Somebody was idle until then, unless there was something to count meanwhile.
    pub(crate) fn wake(&mut self, at: Instant) {
        self.forget(at);
        if self.grains.is_empty() {
            self.began = at;
        }
    }

    fn forget(&mut self, now: Instant) {
        while let Some(&(at, count)) = self.grains.front()
            && now.duration_since(at) > WINDOW
        {
            self.recent -= count;
            self.grains.pop_front();
        }
    }

    /// Things in a second.
    pub(crate) fn rate(&mut self, now: Instant) -> f64 {
        self.forget(now);
        let time = now.duration_since(self.began).min(WINDOW);
        self.recent as f64 / time.as_secs_f64().max(GRAIN.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_the_last_seconds() {
        let start = Instant::now();
        let mut meter = RateMeter::new(start);
        for step in 0..600_u64 {
            let attachments = if step < 300 { 10 } else { 2 };
            meter.count(attachments, start + Duration::from_millis(100 * step));
        }
        let rate = meter.rate(start + Duration::from_secs(60));
        assert!((19.0..21.0).contains(&rate), "{rate}");
        assert_eq!(meter.total, 3600);
        assert_eq!(meter.rate(start + Duration::from_secs(90)), 0.0);
        let woken = start + Duration::from_secs(100);
        meter.wake(woken);
        meter.count(50, woken + Duration::from_secs(1));
        meter.wake(woken + Duration::from_secs(1));
        meter.count(50, woken + Duration::from_secs(2));
        let rate = meter.rate(woken + Duration::from_secs(2));
        assert!((49.0..51.0).contains(&rate), "idle time does not count, {rate}");
    }
}
