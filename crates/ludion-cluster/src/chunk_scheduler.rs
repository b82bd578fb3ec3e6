//! The scheduler of a coordinator: how many jobs form a chunk, how many chunks are handed out ahead
//! of the workers, which chunks are outstanding, and which are handed out again. It is pure
//! bookkeeping: it has no connection and reads no clock.
//!
//! The first result of a job counts. A chunk that is outstanding much longer than usual is handed
//! out once more, even while a worker holds it. So neither a slow worker nor one that acknowledged
//! a chunk and died delays a run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use crate::rate_meter::RateMeter;
use crate::wire::{JobChunk, MAX_CHUNK_JOBS};

/// Time for which chunks are handed out ahead: as many are outstanding as the workers complete in
/// this time, within the limits below.
const QUEUE_AHEAD: Duration = Duration::from_secs(1);
/// Minimum number of outstanding chunks while jobs are left.
const MIN_OUTSTANDING: usize = 32;
/// Maximum number of outstanding chunks.
const MAX_OUTSTANDING: usize = 1 << 15;
/// Minimum number of outstanding chunks for every known thread.
const CHUNKS_PER_THREAD: usize = 4;
/// Minimum time before a chunk is overdue.
const MIN_TIMEOUT: Duration = Duration::from_secs(3);
/// Multiple of the mean turnaround after which a chunk is overdue.
const TIMEOUT_FACTOR: f64 = 4.0;
/// Time before a chunk is overdue as long as no chunk has been completed.
const INITIAL_TIMEOUT: Duration = Duration::from_secs(60);
/// Number of workers that must fail a job before the run fails.
const MAX_FAILURES: usize = 3;
/// Time without a message after which a worker is forgotten.
const WORKER_TIMEOUT: Duration = Duration::from_secs(60);
/// Weight of the newest measurement in an exponential moving average.
const NEWEST_WEIGHT: f64 = 0.2;

/// A chunk that is handed out and not complete.
struct OutstandingChunk {
    jobs: Vec<u64>,
    /// Number of jobs of the chunk that have no result yet.
    remaining: usize,
    sent_at: Instant,
    /// How often the chunk was handed out.
    attempts: u32,
}

/// Failures of one job so far.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct JobFailures {
    /// Names of the workers that failed the job.
    pub(crate) workers: BTreeSet<String>,
    count: usize,
    /// Message of the last failure.
    pub(crate) message: String,
}

/// Divides jobs into chunks and keeps track of the outstanding ones.
pub(crate) struct ChunkScheduler {
    /// Time that a chunk should take; zero means one job per chunk.
    target: Duration,
    /// Approximate number of jobs that are not handed out yet.
    waiting: u64,
    next_number: u64,
    outstanding: BTreeMap<u64, OutstandingChunk>,
    /// Number of the chunk of every job that is handed out and has no result.
    chunk_of_job: HashMap<u64, u64>,
    failures: HashMap<u64, JobFailures>,
    /// Chunks of jobs that failed more than once. They are handed out by the next periodic check
    /// instead of at once.
    delayed: Vec<JobChunk>,
    /// Number of threads of each worker, and the time of its last message.
    workers: HashMap<String, (u32, Instant)>,
    /// Moving average of the seconds that a job takes; `None` before the first result.
    seconds_per_job: Option<f64>,
    /// Moving average of the seconds from handing out a chunk to its last result; `None` before the
    /// first complete chunk.
    turnaround: Option<f64>,
    completed_chunks: RateMeter,
    last_result: Instant,
}

impl ChunkScheduler {
    /// Creates a scheduler for about `jobs` jobs, with chunks that should take the time `target`.
    pub(crate) fn new(target: Duration, jobs: u64, now: Instant) -> Self {
        ChunkScheduler {
            target,
            waiting: jobs,
            next_number: 0,
            outstanding: BTreeMap::new(),
            chunk_of_job: HashMap::new(),
            failures: HashMap::new(),
            delayed: Vec::new(),
            workers: HashMap::new(),
            seconds_per_job: None,
            turnaround: None,
            completed_chunks: RateMeter::new(now),
            last_result: now,
        }
    }

    /// Returns whether no chunk is outstanding.
    pub(crate) fn is_empty(&self) -> bool {
        self.outstanding.is_empty()
    }

    /// Returns whether a chunk has jobs without a result.
    pub(crate) fn is_outstanding(&self, chunk: u64) -> bool {
        self.outstanding.contains_key(&chunk)
    }

    fn thread_count(&self) -> u64 {
        self.workers.values().map(|&(threads, _)| u64::from(threads)).sum::<u64>().max(1)
    }

    /// Returns the number of jobs for the next chunk: as many as take the target time, but few
    /// enough that all threads share the last jobs.
    fn chunk_size(&self) -> u64 {
        let Some(seconds) = self.seconds_per_job.filter(|_| !self.target.is_zero()) else {
            return 1;
        };
        let wanted = (self.target.as_secs_f64() / seconds.max(1e-9)) as u64;
        let share = self.waiting / (2 * self.thread_count());
        wanted.min(share).clamp(1, MAX_CHUNK_JOBS)
    }

    /// Returns the next chunk of `jobs`, or `None` if enough chunks are outstanding or no job is
    /// left.
    pub(crate) fn next_chunk(
        &mut self,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        now: Instant,
    ) -> Option<JobChunk> {
        let by_rate = (self.completed_chunks.rate(now) * QUEUE_AHEAD.as_secs_f64()) as usize;
        let wanted = by_rate.max(CHUNKS_PER_THREAD * self.thread_count() as usize);
        if self.outstanding.len() >= wanted.clamp(MIN_OUTSTANDING, MAX_OUTSTANDING) {
            return None;
        }
        let jobs: Vec<u64> = jobs.take(self.chunk_size() as usize).collect();
        if jobs.is_empty() {
            return None;
        }
        self.waiting = self.waiting.saturating_sub(jobs.len() as u64);
        Some(self.add_chunk(jobs, now))
    }

    fn add_chunk(&mut self, jobs: Vec<u64>, now: Instant) -> JobChunk {
        let number = self.next_number;
        self.next_number += 1;
        self.chunk_of_job.extend(jobs.iter().map(|&job| (job, number)));
        let chunk = JobChunk::new(number, 1, &jobs);
        let remaining = jobs.len();
        self.outstanding
            .insert(number, OutstandingChunk { jobs, remaining, sent_at: now, attempts: 1 });
        chunk
    }

    /// Returns whether a job is handed out and has no result.
    pub(crate) fn is_job_outstanding(&self, job: u64) -> bool {
        self.chunk_of_job.contains_key(&job)
    }

    /// Records that a worker with this number of threads sent results.
    pub(crate) fn worker_reported(&mut self, worker: &str, threads: u32, now: Instant) {
        match self.workers.get_mut(worker) {
            Some(known) => *known = (threads, now),
            None => drop(self.workers.insert(worker.to_owned(), (threads, now))),
        }
    }

    /// Records that a known worker sent a heartbeat.
    pub(crate) fn worker_is_alive(&mut self, worker: &str, now: Instant) {
        if let Some((_, last_heard)) = self.workers.get_mut(worker) {
            *last_heard = now;
        }
    }

    /// Removes a worker, so that its threads do not count for the size and number of chunks.
    pub(crate) fn remove_worker(&mut self, worker: &str) {
        self.workers.remove(worker);
    }

    /// Removes the workers that sent nothing for [`WORKER_TIMEOUT`].
    pub(crate) fn remove_silent_workers(&mut self, now: Instant) {
        self.workers.retain(|_, (_, last_heard)| now.duration_since(*last_heard) < WORKER_TIMEOUT);
    }

    /// Records that this number of jobs took this many seconds.
    pub(crate) fn record_job_time(&mut self, jobs: usize, seconds: f64) {
        if jobs == 0 || !seconds.is_finite() || seconds < 0.0 {
            return;
        }
        let newest = seconds / jobs as f64;
        let mean =
            self.seconds_per_job.map_or(newest, |mean| mean + NEWEST_WEIGHT * (newest - mean));
        self.seconds_per_job = Some(mean);
    }

    /// Records the result of a job; returns the failures of the job before, or `None` if it never
    /// failed.
    pub(crate) fn complete(&mut self, job: u64, now: Instant) -> Option<JobFailures> {
        let (number, sent_at, attempts) = self.remove_job(job)?;
        self.last_result = now;
        if !self.outstanding.contains_key(&number) {
            self.completed_chunks.count(1, now);
            // A chunk that was handed out more than once is not part of the mean turnaround.
            if attempts == 1 {
                let seconds = now.duration_since(sent_at).as_secs_f64();
                let mean = self.turnaround.get_or_insert(seconds);
                *mean += NEWEST_WEIGHT * (seconds - *mean);
            }
        }
        self.failures.remove(&job)
    }

    /// Removes a job from its chunk. Returns the number of the chunk, the time at which it was last
    /// handed out, and how often it was handed out; `None` if the job is not outstanding.
    fn remove_job(&mut self, job: u64) -> Option<(u64, Instant, u32)> {
        let number = self.chunk_of_job.remove(&job)?;
        let chunk = self.outstanding.get_mut(&number).expect("the chunk of a job is outstanding");
        let removed_from = (number, chunk.sent_at, chunk.attempts);
        chunk.remaining -= 1;
        if chunk.remaining == 0 {
            self.outstanding.remove(&number);
        }
        Some(removed_from)
    }

    /// Records that a worker failed a job. The job becomes a separate chunk, unless too many
    /// workers failed it.
    pub(crate) fn fail(
        &mut self,
        job: u64,
        worker: &str,
        message: &str,
        now: Instant,
    ) -> FailureAction {
        if !self.is_job_outstanding(job) {
            return FailureAction::AlreadyDone;
        }
        let failures = self.failures.entry(job).or_default();
        failures.workers.insert(worker.to_owned());
        failures.count += 1;
        message.clone_into(&mut failures.message);
        let failed_before = failures.count > 1;
        if failures.workers.len() >= MAX_FAILURES {
            return FailureAction::GiveUp;
        }
        self.remove_job(job);
        let chunk = self.add_chunk(vec![job], now);
        if failed_before {
            self.delayed.push(chunk);
            return FailureAction::RetryLater;
        }
        FailureAction::Retry(chunk)
    }

    /// Removes and returns the delayed chunks that still lack results, to be handed out again.
    pub(crate) fn take_delayed(&mut self) -> Vec<JobChunk> {
        let delayed = std::mem::take(&mut self.delayed);
        delayed.into_iter().filter(|chunk| self.is_outstanding(chunk.number)).collect()
    }

    /// Returns the jobs with at least [`MAX_FAILURES`] failures, on one worker or several.
    pub(crate) fn repeatedly_failed(&self) -> impl Iterator<Item = (u64, &JobFailures)> {
        let often = |(_, failures): &(&u64, &JobFailures)| failures.count >= MAX_FAILURES;
        self.failures.iter().filter(often).map(|(&job, failures)| (job, failures))
    }

    /// Returns a chunk with the remaining jobs of chunk `number`, to be handed out again at once,
    /// or `None` if that chunk is complete.
    pub(crate) fn resend(&mut self, number: u64, now: Instant) -> Option<JobChunk> {
        let chunk = self.outstanding.get_mut(&number)?;
        chunk.sent_at = now;
        chunk.attempts += 1;
        let remaining: Vec<u64> = chunk
            .jobs
            .iter()
            .copied()
            .filter(|job| self.chunk_of_job.get(job) == Some(&number))
            .collect();
        Some(JobChunk::new(number, chunk.attempts, &remaining))
    }

    /// Returns all chunks handed out at least `age` ago, to be handed out again because no worker
    /// has them.
    pub(crate) fn resend_all(&mut self, age: Duration, now: Instant) -> Vec<JobChunk> {
        let is_old = |chunk: &OutstandingChunk| now.duration_since(chunk.sent_at) >= age;
        let old: Vec<u64> = self
            .outstanding
            .iter()
            .filter(|(_, chunk)| is_old(chunk))
            .map(|(&number, _)| number)
            .collect();
        old.into_iter().filter_map(|number| self.resend(number, now)).collect()
    }

    /// Returns the mean time from handing out a chunk to its last result, or zero before the first
    /// complete chunk.
    pub(crate) fn turnaround(&self) -> Duration {
        Duration::from_secs_f64(self.turnaround.unwrap_or_default())
    }

    /// Returns the overdue chunks, to be handed out again. A chunk with heartbeats is overdue only
    /// if later chunks have overtaken it. The timeout of a chunk doubles with every attempt.
    pub(crate) fn resend_overdue(
        &mut self,
        has_heartbeat: impl Fn(u64) -> bool,
        now: Instant,
    ) -> Vec<JobChunk> {
        let timeout = self.turnaround.map_or(INITIAL_TIMEOUT, |seconds| {
            Duration::from_secs_f64(TIMEOUT_FACTOR * seconds).max(MIN_TIMEOUT)
        });
        let is_overdue = |number: u64, chunk: &OutstandingChunk| {
            let backoff = 1 << (chunk.attempts - 1).min(8);
            let overtaken = self.last_result > chunk.sent_at + MIN_TIMEOUT / 3;
            now.duration_since(chunk.sent_at) > timeout * backoff
                && (overtaken || !has_heartbeat(number))
        };
        let overdue: Vec<u64> = self
            .outstanding
            .iter()
            .filter(|(number, chunk)| is_overdue(**number, chunk))
            .map(|(&number, _)| number)
            .collect();
        overdue.into_iter().filter_map(|number| self.resend(number, now)).collect()
    }
}

/// Reaction of the coordinator to a failed job.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum FailureAction {
    /// Do nothing: another worker has sent the result.
    AlreadyDone,
    /// Hand out this chunk with the job at once.
    Retry(JobChunk),
    /// Hand out the job after a delay, see [`ChunkScheduler::take_delayed`].
    RetryLater,
    /// Fail the run: too many workers failed the job.
    GiveUp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Duration = Duration::from_millis(75);

    fn jobs(chunk: &JobChunk) -> Vec<u64> {
        chunk.jobs().collect()
    }

    #[test]
    fn chunks_grow_to_the_target_time_and_shrink_when_few_jobs_are_left() {
        let start = Instant::now();
        let mut scheduler = ChunkScheduler::new(TARGET, 10_000, start);
        let mut numbers = 0..10_000;
        let first = scheduler.next_chunk(&mut numbers, start).expect("jobs");
        assert_eq!(jobs(&first), [0]);
        scheduler.worker_reported("a", 2, start);
        scheduler.record_job_time(1, 0.001);
        scheduler.complete(0, start);
        let second = scheduler.next_chunk(&mut numbers, start).expect("jobs");
        assert_eq!(jobs(&second).len(), 75);
        let mut last = 75;
        while let Some(send) = scheduler.next_chunk(&mut numbers, start) {
            last = jobs(&send).len();
            for job in jobs(&send) {
                scheduler.complete(job, start);
            }
        }
        assert_eq!(last, 1);
        assert_eq!(scheduler.outstanding.len(), 1, "only the second chunk is outstanding");
    }

    #[test]
    fn the_number_of_outstanding_chunks_is_limited() {
        let start = Instant::now();
        let mut scheduler = ChunkScheduler::new(TARGET, u64::MAX, start);
        let first = std::iter::from_fn(|| scheduler.next_chunk(&mut (0..), start)).count();
        assert_eq!(first, MIN_OUTSTANDING);
        scheduler.worker_reported("many", 100, start);
        let more = std::iter::from_fn(|| scheduler.next_chunk(&mut (1000..), start)).count();
        assert_eq!(first + more, CHUNKS_PER_THREAD * 100);
        scheduler.worker_is_alive("many", start + WORKER_TIMEOUT);
        scheduler.remove_silent_workers(start + WORKER_TIMEOUT);
        assert_eq!(scheduler.thread_count(), 100);
        scheduler.remove_silent_workers(start + 2 * WORKER_TIMEOUT);
        assert_eq!(scheduler.thread_count(), 1, "a silent worker does not count");
    }

    #[test]
    fn the_remaining_jobs_of_an_overdue_chunk_are_handed_out_again() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut scheduler = ChunkScheduler::new(TARGET, 1000, start);
        scheduler.worker_reported("a", 1, start);
        scheduler.record_job_time(10, 0.2);
        let mut numbers = 0..1000;
        let slow = scheduler.next_chunk(&mut numbers, start).expect("jobs");
        let quick = scheduler.next_chunk(&mut numbers, start).expect("jobs");
        assert_eq!(jobs(&slow), [0, 1, 2]);
        scheduler.complete(1, start);
        assert_eq!(
            scheduler.resend_overdue(|_| false, at(10)),
            [],
            "no chunk is complete, so its usual time is unknown"
        );
        for job in jobs(&quick) {
            scheduler.complete(job, start);
        }
        assert_eq!(
            scheduler.resend_overdue(|_| true, at(10)),
            [],
            "it has a heartbeat, and no later chunk overtook it"
        );
        let again: Vec<Vec<u64>> =
            scheduler.resend_overdue(|_| false, at(10)).iter().map(jobs).collect();
        assert_eq!(again, [vec![0, 2]]);
        assert_eq!(
            scheduler.resend_overdue(|_| false, at(11)),
            [],
            "it has only just been handed out"
        );
        assert_eq!(scheduler.resend_all(Duration::from_secs(2), at(11)), []);
        assert_eq!(scheduler.resend_all(Duration::from_secs(2), at(12)).len(), 1);
        scheduler.complete(0, at(12));
        scheduler.complete(2, at(12));
        assert!(scheduler.is_empty());
    }

    #[test]
    fn a_failed_job_is_retried_alone_until_three_workers_have_failed_it() {
        let start = Instant::now();
        let mut scheduler = ChunkScheduler::new(TARGET, 10, start);
        scheduler.record_job_time(1, 0.01);
        let send = scheduler.next_chunk(&mut (0..4), start).expect("jobs");
        assert_eq!(jobs(&send), [0, 1, 2, 3]);
        let FailureAction::Retry(alone) = scheduler.fail(2, "a", "no", start) else {
            panic!("a retry")
        };
        assert_eq!(jobs(&alone), [2]);
        assert_eq!(scheduler.resend(0, start).as_ref().map(jobs), Some(vec![0, 1, 3]));
        for _ in 0..9 {
            assert_eq!(
                scheduler.fail(2, "a", "no", start),
                FailureAction::RetryLater,
                "only one worker failed it"
            );
        }
        assert_eq!(scheduler.repeatedly_failed().map(|(job, _)| job).collect::<Vec<_>>(), [2]);
        assert_eq!(scheduler.take_delayed().iter().map(jobs).collect::<Vec<_>>(), [[2]]);
        assert_eq!(scheduler.fail(2, "b", "no", start), FailureAction::RetryLater);
        assert_eq!(scheduler.fail(2, "c", "never", start), FailureAction::GiveUp);
        let failures = scheduler.complete(2, start).expect("three workers failed it");
        assert_eq!((failures.workers.len(), &failures.message[..]), (3, "never"));
        for job in [0, 1, 3] {
            assert_eq!(scheduler.complete(job, start), None);
        }
        assert!(scheduler.is_empty());
        assert_eq!(scheduler.fail(2, "a", "no", start), FailureAction::AlreadyDone);
    }
}
