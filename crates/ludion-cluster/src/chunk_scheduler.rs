//! Which jobs are handed out, in chunks of which size, and which of them come back: the whole
//! bookkeeping of a coordinator, without a connection and without a clock of its own.
//!
//! A job counts when its first result is taken. A chunk that takes much longer than chunks do is
//! handed out once more, whoever has it, so that neither a slow worker nor one that went away with
//! an acknowledged chunk holds up a run.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use crate::rate_meter::RateMeter;
use crate::wire::JobChunk;

/// Chunks are handed out for this long at the rate at which they come back.
const AHEAD: Duration = Duration::from_secs(1);
/// Chunks that are handed out at least, and at most.
const MIN_AHEAD: usize = 32;
const MAX_AHEAD: usize = 1 << 15;
/// Chunks for every thread that was seen.
const EACH_THREAD: usize = 4;
/// The most jobs of a chunk.
const MAX_JOBS: u64 = 1 << 14;
/// A chunk is not handed out again before this time.
const MIN_PATIENCE: Duration = Duration::from_secs(3);
/// Nor before so many times what a chunk takes from being handed out to coming back.
const PATIENCE: f64 = 4.0;
/// Where none came back yet, it is given this long.
const FIRST_PATIENCE: Duration = Duration::from_secs(60);
/// So many workers may refuse a job before nobody can do it.
const REFUSALS: usize = 3;
/// A worker that is not heard of for this long is not counted on.
const FORGOTTEN: Duration = Duration::from_secs(60);
/// The share of the newest measurement in a mean.
const NEWEST: f64 = 0.2;

/// A chunk that is handed out.
struct OutstandingChunk {
    jobs: Vec<u64>,
    left: usize,
    posted: Instant,
    /// How often it was handed out.
    times: u32,
}

/// A chunk to be handed out, the how manieth time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChunkToSend {
    pub(crate) chunk: JobChunk,
    pub(crate) time: u32,
}

/// Who could not do a job.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct JobRefusals {
    pub(crate) by: BTreeSet<String>,
    /// How often, and what was said last.
    times: usize,
    pub(crate) why: String,
}

/// What is handed out.
pub(crate) struct ChunkScheduler {
    /// How long a chunk should take; nothing: one job each.
    target: Duration,
    /// Jobs that are not handed out yet, about.
    waiting: u64,
    next: u64,
    open: BTreeMap<u64, OutstandingChunk>,
    /// The chunk of every job that is handed out.
    home: HashMap<u64, u64>,
    refusals: HashMap<u64, JobRefusals>,
    /// Jobs that were refused more than once and go out a little later.
    later: Vec<ChunkToSend>,
    /// The threads of every worker, and when it was last heard of.
    threads: HashMap<String, (u32, Instant)>,
    /// Seconds a job takes, in the mean.
    pace: Option<f64>,
    /// Seconds a chunk takes from being handed out to coming back, where one has.
    turnaround: Option<f64>,
    chunks: RateMeter,
    last_done: Instant,
}

impl ChunkScheduler {
    pub(crate) fn new(target: Duration, jobs: u64, now: Instant) -> Self {
        ChunkScheduler {
            target,
            waiting: jobs,
            next: 0,
            open: BTreeMap::new(),
            home: HashMap::new(),
            refusals: HashMap::new(),
            later: Vec::new(),
            threads: HashMap::new(),
            pace: None,
            turnaround: None,
            chunks: RateMeter::new(now),
            last_done: now,
        }
    }

    /// Whether nothing is handed out.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether something of a chunk is still waited for.
    pub(crate) fn is_open(&self, chunk: u64) -> bool {
        self.open.contains_key(&chunk)
    }

    fn all_threads(&self) -> u64 {
        self.threads.values().map(|&(threads, _)| u64::from(threads)).sum::<u64>().max(1)
    }

    /// Jobs of the next chunk: as many as take the target, but so few that the last ones are
    /// shared by all threads.
    fn size(&self) -> u64 {
        let Some(pace) = self.pace.filter(|_| !self.target.is_zero()) else { return 1 };
        let wanted = (self.target.as_secs_f64() / pace.max(1e-9)) as u64;
        let share = self.waiting / (2 * self.all_threads());
        wanted.min(share).clamp(1, MAX_JOBS)
    }

    /// The next chunk of jobs, unless enough are handed out; `None` as well where no job is left.
    pub(crate) fn next(
        &mut self,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        now: Instant,
    ) -> Option<ChunkToSend> {
        let rate = (self.chunks.rate(now) * AHEAD.as_secs_f64()) as usize;
        let ahead = rate.max(EACH_THREAD * self.all_threads() as usize);
        if self.open.len() >= ahead.clamp(MIN_AHEAD, MAX_AHEAD) {
            return None;
        }
        let jobs: Vec<u64> = jobs.take(self.size() as usize).collect();
        if jobs.is_empty() {
            return None;
        }
        self.waiting = self.waiting.saturating_sub(jobs.len() as u64);
        Some(self.hand_out(jobs, now))
    }

    fn hand_out(&mut self, jobs: Vec<u64>, now: Instant) -> ChunkToSend {
        let number = self.next;
        self.next += 1;
        self.home.extend(jobs.iter().map(|&job| (job, number)));
        let chunk = JobChunk::new(number, &jobs);
        self.open
            .insert(number, OutstandingChunk { left: jobs.len(), jobs, posted: now, times: 1 });
        ChunkToSend { chunk, time: 1 }
    }

    /// Whether somebody still waits for the result of this job.
    pub(crate) fn wants(&self, job: u64) -> bool {
        self.home.contains_key(&job)
    }

    /// A worker with so many threads was heard of.
    pub(crate) fn meet(&mut self, worker: &str, threads: u32, now: Instant) {
        match self.threads.get_mut(worker) {
            Some(known) => *known = (threads, now),
            None => drop(self.threads.insert(worker.to_owned(), (threads, now))),
        }
    }

    /// A worker says that it works at something that takes long.
    pub(crate) fn hear(&mut self, worker: &str, now: Instant) {
        if let Some((_, heard)) = self.threads.get_mut(worker) {
            *heard = now;
        }
    }

    /// A worker is not counted on any more.
    pub(crate) fn part(&mut self, worker: &str) {
        self.threads.remove(worker);
    }

    /// Workers that were not heard of for long are not counted on any more.
    pub(crate) fn forget(&mut self, now: Instant) {
        self.threads.retain(|_, (_, heard)| now.duration_since(*heard) < FORGOTTEN);
    }

    /// So many jobs took so long.
    pub(crate) fn measure(&mut self, jobs: usize, seconds: f64) {
        if jobs == 0 || !seconds.is_finite() || seconds < 0.0 {
            return;
        }
        let pace = seconds / jobs as f64;
        self.pace = Some(self.pace.map_or(pace, |mean| mean + NEWEST * (pace - mean)));
    }

    /// The result of a job is taken; says who could not do it before.
    pub(crate) fn done(&mut self, job: u64, now: Instant) -> Option<JobRefusals> {
        let (number, posted, times) = self.take_off(job)?;
        self.last_done = now;
        if !self.open.contains_key(&number) {
            self.chunks.count(1, now);
            // What was handed out again says little about how long a chunk takes.
            if times == 1 {
                let took = now.duration_since(posted).as_secs_f64();
                let mean = self.turnaround.get_or_insert(took);
                *mean += NEWEST * (took - *mean);
            }
        }
        self.refusals.remove(&job)
    }

    /// A job is no part of its chunk any more: which that is, and how it was handed out.
    fn take_off(&mut self, job: u64) -> Option<(u64, Instant, u32)> {
        let number = self.home.remove(&job)?;
        let open = self.open.get_mut(&number).expect("the home of a job is open");
        let known = (number, open.posted, open.times);
        open.left -= 1;
        if open.left == 0 {
            self.open.remove(&number);
        }
        Some(known)
    }

    /// Somebody could not do a job: it is handed out by itself, unless too many could not.
    pub(crate) fn refused(
        &mut self,
        job: u64,
        worker: &str,
        why: &str,
        now: Instant,
    ) -> RefusedJob {
        if !self.wants(job) {
            return RefusedJob::Elsewhere;
        }
        let refusals = self.refusals.entry(job).or_default();
        refusals.by.insert(worker.to_owned());
        refusals.times += 1;
        why.clone_into(&mut refusals.why);
        let again = refusals.times > 1;
        if refusals.by.len() >= REFUSALS {
            return RefusedJob::Hopeless;
        }
        self.take_off(job);
        let post = self.hand_out(vec![job], now);
        if again {
            self.later.push(post);
            return RefusedJob::Later;
        }
        RefusedJob::Again(post)
    }

    /// Jobs that were refused more than once, to be handed out again now.
    pub(crate) fn later(&mut self) -> Vec<ChunkToSend> {
        let later = std::mem::take(&mut self.later);
        later.into_iter().filter(|post| self.is_open(post.chunk.number)).collect()
    }

    /// Jobs that were refused so often that perhaps nobody else is there to do them.
    pub(crate) fn doubtful(&self) -> impl Iterator<Item = (u64, &JobRefusals)> {
        let often = |(_, refusals): &(&u64, &JobRefusals)| refusals.times >= REFUSALS;
        self.refusals.iter().filter(often).map(|(&job, refusals)| (job, refusals))
    }

    /// What is handed out of a chunk once more, at once.
    pub(crate) fn again(&mut self, number: u64, now: Instant) -> Option<ChunkToSend> {
        let open = self.open.get_mut(&number)?;
        open.posted = now;
        open.times += 1;
        let left: Vec<u64> =
            open.jobs.iter().copied().filter(|job| self.home.get(job) == Some(&number)).collect();
        Some(ChunkToSend { chunk: JobChunk::new(number, &left), time: open.times })
    }

    /// What was handed out that long ago, once more: nobody has it any longer.
    pub(crate) fn all_again(&mut self, age: Duration, now: Instant) -> Vec<ChunkToSend> {
        let old = |open: &OutstandingChunk| now.duration_since(open.posted) >= age;
        let old: Vec<u64> =
            self.open.iter().filter(|(_, open)| old(open)).map(|(&number, _)| number).collect();
        old.into_iter().filter_map(|number| self.again(number, now)).collect()
    }

    /// How long a chunk usually takes to come back.
    pub(crate) fn turnaround(&self) -> Duration {
        Duration::from_secs_f64(self.turnaround.unwrap_or_default())
    }

    /// The chunks that take much longer than chunks do. Those that somebody `holds`, and says so,
    /// only where others have overtaken them. All wait twice as long every time.
    pub(crate) fn overdue(
        &mut self,
        holds: impl Fn(u64) -> bool,
        now: Instant,
    ) -> Vec<ChunkToSend> {
        let usual = self.turnaround.map_or(FIRST_PATIENCE, |seconds| {
            Duration::from_secs_f64(PATIENCE * seconds).max(MIN_PATIENCE)
        });
        let late = |number: u64, open: &OutstandingChunk| {
            let factor = 1 << (open.times - 1).min(8);
            let overtaken = self.last_done > open.posted + MIN_PATIENCE / 3;
            now.duration_since(open.posted) > usual * factor && (overtaken || !holds(number))
        };
        let late: Vec<u64> = self
            .open
            .iter()
            .filter(|(n, open)| late(**n, open))
            .map(|(&number, _)| number)
            .collect();
        late.into_iter().filter_map(|number| self.again(number, now)).collect()
    }
}

/// What becomes of a job that somebody could not do.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum RefusedJob {
    /// Its result is there already.
    Elsewhere,
    /// It is handed out once more.
    Again(ChunkToSend),
    /// It is handed out once more, but not at once.
    Later,
    /// It was refused by too many.
    Hopeless,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Duration = Duration::from_millis(75);

    fn jobs(post: &ChunkToSend) -> Vec<u64> {
        post.chunk.jobs().collect()
    }

    #[test]
    fn chunks_grow_to_what_takes_the_target_and_shrink_where_few_jobs_are_left() {
        let start = Instant::now();
        let mut board = ChunkScheduler::new(TARGET, 10_000, start);
        let mut numbers = 0..10_000;
        let first = board.next(&mut numbers, start).expect("jobs");
        assert_eq!(jobs(&first), [0]);
        board.meet("a", 2, start);
        board.measure(1, 0.001);
        board.done(0, start);
        let second = board.next(&mut numbers, start).expect("jobs");
        assert_eq!(jobs(&second).len(), 75);
        let mut last = 75;
        while let Some(post) = board.next(&mut numbers, start) {
            last = jobs(&post).len();
            for job in jobs(&post) {
                board.done(job, start);
            }
        }
        assert_eq!(last, 1);
        assert_eq!(board.open.len(), 1, "only the second chunk is open");
    }

    #[test]
    fn only_so_many_chunks_are_ahead() {
        let start = Instant::now();
        let mut board = ChunkScheduler::new(TARGET, u64::MAX, start);
        let ahead = std::iter::from_fn(|| board.next(&mut (0..), start)).count();
        assert_eq!(ahead, MIN_AHEAD);
        board.meet("many", 100, start);
        let more = std::iter::from_fn(|| board.next(&mut (1000..), start)).count();
        assert_eq!(ahead + more, EACH_THREAD * 100);
        board.hear("many", start + FORGOTTEN);
        board.forget(start + FORGOTTEN);
        assert_eq!(board.all_threads(), 100);
        board.forget(start + 2 * FORGOTTEN);
        assert_eq!(board.all_threads(), 1, "whoever is silent for long is not counted on");
    }

    #[test]
    fn a_chunk_that_takes_long_is_handed_out_again_with_what_is_left_of_it() {
        let start = Instant::now();
        let later = |seconds| start + Duration::from_secs(seconds);
        let mut board = ChunkScheduler::new(TARGET, 1000, start);
        board.meet("a", 1, start);
        board.measure(10, 0.2);
        let mut numbers = 0..1000;
        let slow = board.next(&mut numbers, start).expect("jobs");
        let quick = board.next(&mut numbers, start).expect("jobs");
        assert_eq!(jobs(&slow), [0, 1, 2]);
        board.done(1, start);
        assert_eq!(board.overdue(|_| false, later(10)), [], "nobody knows how long a chunk takes");
        for job in jobs(&quick) {
            board.done(job, start);
        }
        assert_eq!(
            board.overdue(|_| true, later(10)),
            [],
            "somebody is at it, and none overtook it"
        );
        let again: Vec<Vec<u64>> = board.overdue(|_| false, later(10)).iter().map(jobs).collect();
        assert_eq!(again, [vec![0, 2]]);
        assert_eq!(board.overdue(|_| false, later(11)), [], "it has only just been handed out");
        assert_eq!(board.all_again(Duration::from_secs(2), later(11)), []);
        assert_eq!(board.all_again(Duration::from_secs(2), later(12)).len(), 1);
        board.done(0, later(12));
        board.done(2, later(12));
        assert!(board.is_empty());
    }

    #[test]
    fn a_job_goes_out_alone_until_three_workers_have_refused_it() {
        let start = Instant::now();
        let mut board = ChunkScheduler::new(TARGET, 10, start);
        board.measure(1, 0.01);
        let post = board.next(&mut (0..4), start).expect("jobs");
        assert_eq!(jobs(&post), [0, 1, 2, 3]);
        let RefusedJob::Again(alone) = board.refused(2, "a", "no", start) else {
            panic!("once more")
        };
        assert_eq!(jobs(&alone), [2]);
        assert_eq!(board.again(0, start).as_ref().map(jobs), Some(vec![0, 1, 3]));
        for _ in 0..9 {
            assert_eq!(board.refused(2, "a", "no", start), RefusedJob::Later, "it is one worker");
        }
        assert_eq!(board.doubtful().map(|(job, _)| job).collect::<Vec<_>>(), [2]);
        assert_eq!(board.later().iter().map(jobs).collect::<Vec<_>>(), [[2]]);
        assert_eq!(board.refused(2, "b", "no", start), RefusedJob::Later);
        assert_eq!(board.refused(2, "c", "never", start), RefusedJob::Hopeless);
        let refusals = board.done(2, start).expect("three refused it");
        assert_eq!((refusals.by.len(), &refusals.why[..]), (3, "never"));
        for job in [0, 1, 3] {
            assert_eq!(board.done(job, start), None);
        }
        assert!(board.is_empty());
        assert_eq!(board.refused(2, "a", "no", start), RefusedJob::Elsewhere);
    }
}
