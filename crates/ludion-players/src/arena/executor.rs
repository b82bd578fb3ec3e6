//! Executors: run a set of numbered jobs. A job is a pure function of its job set and its number,
//! so the result does not depend on where and when it runs. An [`Executor`] runs jobs in any order
//! and delivers the results in the order of the jobs.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{memory, threads};

/// A set of numbered jobs that can run on several threads.
pub trait JobSet: Sync {
    /// The working state that a thread keeps from job to job, such as players with their tables.
    type Worker;
    /// The result of one job.
    type Output: Send;

    /// Creates the working state of a thread; called once on each thread.
    fn worker(&self) -> Self::Worker;

    /// Runs the job with this number. The result must not depend on the jobs that `worker` ran
    /// before. A job may return `None` once `stop` is set, and should do so at once: then it is
    /// dropped, and has no result.
    fn job(
        &self,
        worker: &mut Self::Worker,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<Self::Output>;
}

/// Receives the results of an executor's jobs.
pub trait ResultSink<T> {
    /// Receives finished jobs (number and result) as soon as they arrive, in any order, so that
    /// they can be saved early. Every job is also passed to [`ResultSink::next`] later, unless a job
    /// before it was dropped.
    fn arrived(&mut self, done: &[(u64, T)]) {
        let _ = done;
    }

    /// Receives the result of job `number`; called in the order of the jobs. `Break` stops the
    /// executor.
    fn next(&mut self, number: u64, output: T) -> ControlFlow<()>;
}

impl<T, F: FnMut(u64, T) -> ControlFlow<()>> ResultSink<T> for F {
    fn next(&mut self, number: u64, output: T) -> ControlFlow<()> {
        self(number, output)
    }
}

/// Error of an executor that had too little memory for the tables of a job. The job was dropped,
/// because its result could differ from the one with tables of full size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", memory::SHORTAGE)]
pub struct MemoryShortageError;

/// Runs the jobs of a [`JobSet`].
pub trait Executor {
    /// Runs the jobs with the numbers `jobs` and gives the results to `sink`, until `sink` returns
    /// `Break` or `stop` is set. Jobs that are running when `stop` is set are dropped, if they can be
    /// interrupted.
    ///
    /// # Errors
    /// When there is not enough memory for the tables of the jobs.
    fn execute<W: JobSet>(
        &self,
        work: &W,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        sink: &mut dyn ResultSink<W::Output>,
    ) -> Result<(), MemoryShortageError>;
}

/// Runs jobs on local threads; the field is the number of threads.
#[derive(Clone, Copy, Debug)]
pub struct ThreadExecutor(pub usize);

/// Target duration of a chunk: the number of jobs that a thread takes at a time is adapted so that
/// they run for about this long.
const CHUNK_TIME: Duration = Duration::from_millis(4);
/// Maximum number of finished chunks waiting for the result sink; beyond it, threads block.
const MAX_WAITING_CHUNKS: usize = 64;

impl Executor for ThreadExecutor {
    fn execute<W: JobSet>(
        &self,
        work: &W,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        sink: &mut dyn ResultSink<W::Output>,
    ) -> Result<(), MemoryShortageError> {
        let queue = Mutex::new((0_u64, jobs));
        let (ended, is_short) = (AtomicBool::new(false), AtomicBool::new(false));
        let may_continue =
            || [stop, &ended, &is_short].iter().all(|flag| !flag.load(Ordering::Relaxed));
        let run = |deliver: &mut dyn FnMut(DoneChunk<W::Output>) -> ControlFlow<()>| {
            memory::forget_shortage();
            let mut worker = work.worker();
            let mut size = 1;
            while may_continue() {
                let Some((number, jobs)) = take(&queue, size) else { break };
                let began = Instant::now();
                let done = Vec::with_capacity(jobs.len());
                let mut chunk = DoneChunk { number, done, is_complete: true };
                for job in jobs {
                    match work.job(&mut worker, job, stop) {
                        Some(output) if !memory::is_short() => chunk.done.push((job, output)),
                        _ => {
                            chunk.is_complete = false;
                            break;
                        }
                    }
                }
                if memory::is_short() {
                    is_short.store(true, Ordering::Relaxed);
                }
                if deliver(chunk).is_break() {
                    break;
                }
                size = next_size(size, began.elapsed());
            }
        };
        let mut delivery =
            Delivery { sink, waiting: BTreeMap::new(), next: 0, ended: &ended, has_gap: false };
        let (sender, receiver) = sync_channel::<DoneChunk<W::Output>>(MAX_WAITING_CHUNKS);
        // Each thread takes its own sender, so that the receiver ends with the last thread.
        let senders: Vec<_> =
            (0..self.0.max(1)).map(|_| Mutex::new(Some(sender.clone()))).collect();
        drop(sender);
        let run_on_thread = |thread: usize| {
            let sender = lock(&senders[thread]).take().expect("a thread has one sender");
            run(&mut |chunk| match sender.send(chunk) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
        };
        std::thread::scope(|scope| {
            let started = threads::start(scope, senders.len(), &run_on_thread);
            senders[started..].iter().for_each(|unused| drop(lock(unused).take()));
            if started == 0 {
                // Without threads this one runs the jobs and takes their results in turn.
                run(&mut |chunk| {
                    delivery.receive(chunk);
                    ControlFlow::Continue(())
                });
            }
            receiver.into_iter().for_each(|chunk| delivery.receive(chunk));
        });
        if is_short.into_inner() { Err(MemoryShortageError) } else { Ok(()) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The results of the jobs that a thread took together.
struct DoneChunk<T> {
    number: u64,
    /// Numbers and results of the jobs, up to the first that was dropped.
    done: Vec<(u64, T)>,
    /// Whether all jobs of the chunk have results.
    is_complete: bool,
}

/// Passes results to a sink: all as they arrive, and in the order of the jobs up to the first that
/// was dropped.
struct Delivery<'a, T> {
    sink: &'a mut dyn ResultSink<T>,
    /// Results that wait for those of earlier chunks.
    waiting: BTreeMap<u64, DoneChunk<T>>,
    /// Number of the chunk that is next in order.
    next: u64,
    /// Whether the sink wants no more results.
    ended: &'a AtomicBool,
    /// Whether a job that is next in order was dropped.
    has_gap: bool,
}

impl<T> Delivery<'_, T> {
    fn receive(&mut self, chunk: DoneChunk<T>) {
        if !chunk.done.is_empty() {
            self.sink.arrived(&chunk.done);
        }
        self.waiting.insert(chunk.number, chunk);
        while let Some(chunk) = self.waiting.remove(&self.next).filter(|_| !self.has_gap) {
            self.next += 1;
            self.has_gap = !chunk.is_complete;
            for (number, output) in chunk.done {
                if !self.ended.load(Ordering::Relaxed) && self.sink.next(number, output).is_break()
                {
                    self.ended.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

/// The number of the next chunk, and the numbers of the jobs that no thread has taken yet.
type JobQueue<'a> = Mutex<(u64, &'a mut (dyn Iterator<Item = u64> + Send))>;

fn take(queue: &JobQueue<'_>, size: usize) -> Option<(u64, Vec<u64>)> {
    let mut queue = lock(queue);
    let numbers: Vec<u64> = (&mut *queue.1).take(size).collect();
    let chunk = queue.0;
    queue.0 += 1;
    (!numbers.is_empty()).then_some((chunk, numbers))
}

/// Returns the number of jobs of a thread's next chunk: twice `size` if the last chunk took much
/// less than [`CHUNK_TIME`], half of `size` if it took much longer, otherwise `size`.
fn next_size(size: usize, took: Duration) -> usize {
    match took {
        t if t < CHUNK_TIME / 2 => (2 * size).min(1 << 14),
        t if t > 2 * CHUNK_TIME => (size / 2).max(1),
        _ => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Squares;

    /// Records the job numbers that its two methods receive.
    #[derive(Default)]
    struct RecordingSink {
        arrived: Vec<u64>,
        next: Vec<u64>,
    }

    impl ResultSink<u64> for RecordingSink {
        fn arrived(&mut self, done: &[(u64, u64)]) {
            self.arrived.extend(done.iter().map(|(n, _)| n));
        }
        fn next(&mut self, number: u64, _square: u64) -> ControlFlow<()> {
            self.next.push(number);
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn all_results_arrive_and_are_delivered_in_order() {
        let mut sink = RecordingSink::default();
        ThreadExecutor(4)
            .execute(&Squares, &mut (0..5000), &AtomicBool::new(false), &mut sink)
            .expect("memory");
        assert_eq!(sink.next, (0..5000).collect::<Vec<_>>());
        sink.arrived.sort_unstable();
        assert_eq!(sink.arrived, sink.next);
    }

    impl JobSet for Squares {
        type Worker = u64;
        type Output = u64;
        fn worker(&self) -> u64 {
            0
        }
        fn job(&self, done: &mut u64, number: u64, _stop: &AtomicBool) -> Option<u64> {
            *done += 1;
            if number % 1000 == 7 {
                std::thread::sleep(Duration::from_millis(3));
            }
            Some(number * number)
        }
    }

    fn run(
        threads: usize,
        mut jobs: impl Iterator<Item = u64> + Send,
        most: usize,
    ) -> Vec<(u64, u64)> {
        let mut results = Vec::new();
        ThreadExecutor(threads)
            .execute(&Squares, &mut jobs, &AtomicBool::new(false), &mut |n: u64, square: u64| {
                results.push((n, square));
                if results.len() == most {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .expect("memory");
        results
    }

    #[test]
    fn every_job_is_delivered_once_in_order_on_any_number_of_threads() {
        let jobs = || (0..20_000).filter(|n| n % 3 != 1);
        let expected: Vec<(u64, u64)> = jobs().map(|n| (n, n * n)).collect();
        for threads in [1, 2, 8] {
            assert_eq!(run(threads, jobs(), usize::MAX), expected, "{threads} threads");
        }
    }

    #[test]
    fn a_sink_that_breaks_receives_nothing_more() {
        for threads in [1, 2, 8] {
            assert_eq!(run(threads, 0.., 500).len(), 500);
        }
    }

    /// Jobs that take until the stop flag is set, if their number is a multiple of 100.
    struct Endless;

    impl JobSet for Endless {
        type Worker = ();
        type Output = u64;
        fn worker(&self) {}
        fn job(&self, (): &mut (), number: u64, stop: &AtomicBool) -> Option<u64> {
            while number % 100 == 99 && !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            (number % 100 != 99).then_some(number)
        }
    }

    #[test]
    fn a_stop_drops_the_jobs_under_way_and_delivers_what_comes_before_them() {
        for threads in [1, 2, 8] {
            let stop = AtomicBool::new(false);
            let mut sink = RecordingSink::default();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(60));
                    stop.store(true, Ordering::Relaxed);
                });
                ThreadExecutor(threads)
                    .execute(&Endless, &mut (0..), &stop, &mut sink)
                    .expect("memory");
            });
            assert_eq!(sink.next, (0..99).collect::<Vec<_>>(), "{threads} threads");
            assert!(sink.arrived.iter().all(|job| job % 100 != 99), "{threads} threads");
        }
    }

    #[test]
    fn a_stop_finishes_jobs_that_cannot_be_interrupted_and_leaves_no_gap() {
        let stop = AtomicBool::new(false);
        let mut results = Vec::new();
        let mut sink = |n: u64, _: u64| {
            results.push(n);
            stop.store(n >= 5_000, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        ThreadExecutor(2).execute(&Squares, &mut (0..), &stop, &mut sink).expect("memory");
        assert_eq!(results, (0..results.len() as u64).collect::<Vec<_>>());
    }

    /// Jobs of which one has too little memory for its tables.
    struct ShortOfMemory;

    impl JobSet for ShortOfMemory {
        type Worker = ();
        type Output = u64;
        fn worker(&self) {}
        fn job(&self, (): &mut (), number: u64, _stop: &AtomicBool) -> Option<u64> {
            if number == 500 {
                memory::note_shortage();
            }
            Some(number)
        }
    }

    #[test]
    fn a_job_with_too_little_memory_has_no_result_and_ends_the_others() {
        for threads in [1, 4] {
            let (mut sink, never) = (RecordingSink::default(), AtomicBool::new(false));
            let done =
                ThreadExecutor(threads).execute(&ShortOfMemory, &mut (0..), &never, &mut sink);
            assert_eq!(done, Err(MemoryShortageError), "{threads} threads");
            assert_eq!(sink.next, (0..500).collect::<Vec<_>>(), "{threads} threads");
            assert!(!sink.arrived.contains(&500), "{threads} threads");
        }
    }
}
