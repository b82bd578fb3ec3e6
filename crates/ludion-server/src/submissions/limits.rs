//! What is too much: of one request, of one solution, of requests in a minute.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ludion_store::TeamId;

/// The limits of a contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubmissionLimits {
    /// Bytes of a request.
    pub body_bytes: usize,
    /// Solutions in a request.
    pub solutions: usize,
    /// Characters of a solution.
    pub characters: usize,
    /// Characters of a tag.
    pub tag: usize,
    /// Requests of a team in a minute.
    pub posts_a_minute: u32,
}

impl Default for SubmissionLimits {
    fn default() -> Self {
        SubmissionLimits {
            body_bytes: 8 << 20,
            solutions: 1_000,
            characters: 1_000_000,
            tag: 100,
            posts_a_minute: 60,
        }
    }
}

/// How much of its allowance every team has left: a bucket that fills by itself.
pub(super) struct RateLimiter {
    a_minute: u32,
    buckets: Mutex<HashMap<TeamId, TokenBucket>>,
}

struct TokenBucket {
    left: f64,
    seen: Instant,
}

impl RateLimiter {
    pub(super) fn new(a_minute: u32) -> Self {
        RateLimiter { a_minute, buckets: Mutex::default() }
    }

    /// Takes one request from the allowance of a team, or says how long it has to wait.
    pub(super) fn take(&self, team: TeamId, now: Instant) -> Result<(), Duration> {
        let most = f64::from(self.a_minute);
        let mut buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let bucket = buckets.entry(team).or_insert(TokenBucket { left: most, seen: now });
        let grown = now.saturating_duration_since(bucket.seen).as_secs_f64() * most / 60.0;
        bucket.left = (bucket.left + grown).min(most);
        bucket.seen = now;
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64((1.0 - bucket.left) * 60.0 / most.max(1e-9)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_used_up_and_comes_back() {
        let (rates, now) = (RateLimiter::new(2), Instant::now());
        assert_eq!(rates.take(1, now), Ok(()));
        assert_eq!(rates.take(1, now), Ok(()));
        assert_eq!(rates.take(1, now), Err(Duration::from_secs(30)));
        assert_eq!(rates.take(2, now), Ok(()), "each team has its own");
        assert_eq!(rates.take(1, now + Duration::from_secs(31)), Ok(()));
        assert!(rates.take(1, now + Duration::from_secs(31)).is_err());
    }
}
