//! Limits of the submission server: sizes of requests and solutions, and for each team a rate limit
//! and a quota.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ludion_store::TeamId;

/// Limits of the requests of teams; a request beyond them is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubmissionLimits {
    /// Largest body of a request in bytes.
    pub body_bytes: usize,
    /// Maximum number of solutions in one request.
    pub solutions: usize,
    /// Maximum number of characters of a solution.
    pub characters: usize,
    /// Maximum number of characters of the tag that a team gives a solution.
    pub tag: usize,
    /// Maximum number of submissions of one team in a minute.
    pub posts_per_minute: u32,
    /// Bytes that all submissions of one team may take in the store.
    pub team_bytes: u64,
}

impl Default for SubmissionLimits {
    fn default() -> Self {
        SubmissionLimits {
            body_bytes: 8 << 20,
            solutions: 1_000,
            characters: 1_000_000,
            tag: 100,
            posts_per_minute: 60,
            team_bytes: 64 << 20,
        }
    }
}

/// Limits the rate of submissions with a token bucket for each team.
pub(super) struct RateLimiter {
    /// Maximum number of requests of a team in a minute, and size of its bucket.
    a_minute: u32,
    buckets: Mutex<HashMap<TeamId, TokenBucket>>,
}

/// The requests that a team may still send; they grow with time up to the limit.
struct TokenBucket {
    /// Number of requests left when the bucket was last updated.
    left: f64,
    /// When the bucket was last updated.
    seen: Instant,
}

impl RateLimiter {
    pub(super) fn new(a_minute: u32) -> Self {
        RateLimiter { a_minute, buckets: Mutex::default() }
    }

    /// Takes one request from a team's bucket, or returns how long the team has to wait for the
    /// next.
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
