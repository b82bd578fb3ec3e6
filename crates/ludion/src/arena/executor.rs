//! Executors: run a set of numbered jobs. A job is a pure function of its job set and its number,
//! so the result does not depend on where and when it runs. An [`Executor`] runs jobs in any order
//! and delivers the results in the order of the jobs.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// A set of numbered jobs that can run on several threads.
pub trait JobSet: Sync {
    /// The working state that a thread keeps from job to job, such as players with their tables.
    type Worker;
    /// The result of one job.
    type Output: Send;

    /// Creates the working state of a thread; called once on each thread.
    fn worker(&self) -> Self::Worker;

    /// Runs the job with this number. The result must not depend on the jobs that `worker` ran
    /// before.
    fn job(&self, worker: &mut Self::Worker, number: u64) -> Self::Output;
}

/// Receives the results of an executor's jobs.
pub trait ResultSink<T> {
    /// Receives finished jobs (number and result) as soon as they arrive, in any order, so that
    /// they can be saved early. Every job is also passed to [`ResultSink::next`] later.
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

/// Runs the jobs of a [`JobSet`].
pub trait Executor {
    /// Runs the jobs with the numbers `jobs` and gives the results to `sink`, until `sink` returns
    /// `Break` or `stop` is set. Jobs that are running when `stop` is set are finished and
    /// delivered.
    fn execute<W: JobSet>(
        &self,
        work: &W,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        sink: &mut dyn ResultSink<W::Output>,
    );
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
    ) {
        let queue = Mutex::new((0_u64, jobs));
        let ended = AtomicBool::new(false);
        let (sender, receiver) = sync_channel::<(u64, Vec<(u64, W::Output)>)>(MAX_WAITING_CHUNKS);
        std::thread::scope(|scope| {
            for _ in 0..self.0.max(1) {
                let (sender, queue, ended) = (sender.clone(), &queue, &ended);
                scope.spawn(move || {
                    let mut worker = work.worker();
                    let mut size = 1;
                    while !stop.load(Ordering::Relaxed) && !ended.load(Ordering::Relaxed) {
                        let Some((chunk, numbers)) = take(queue, size) else { break };
                        let began = Instant::now();
                        let done =
                            numbers.into_iter().map(|n| (n, work.job(&mut worker, n))).collect();
                        if sender.send((chunk, done)).is_err() {
                            break;
                        }
                        size = next_size(size, began.elapsed());
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut next = 0;
            for (chunk, done) in receiver {
                sink.arrived(&done);
                waiting.insert(chunk, done);
                while let Some(done) = waiting.remove(&next) {
                    next += 1;
                    for (number, output) in done {
                        if !ended.load(Ordering::Relaxed) && sink.next(number, output).is_break() {
                            ended.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        });
    }
}

/// The number of the next chunk, and the numbers of the jobs that no thread has taken yet.
type JobQueue<'a> = Mutex<(u64, &'a mut (dyn Iterator<Item = u64> + Send))>;

fn take(queue: &JobQueue<'_>, size: usize) -> Option<(u64, Vec<u64>)> {
    let mut queue = queue.lock().expect("no thread panics while taking jobs");
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
        ThreadExecutor(4).execute(&Squares, &mut (0..5000), &AtomicBool::new(false), &mut sink);
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
        fn job(&self, done: &mut u64, number: u64) -> u64 {
            *done += 1;
            if number % 1000 == 7 {
                std::thread::sleep(Duration::from_millis(3));
            }
            number * number
        }
    }

    fn run(
        threads: usize,
        mut jobs: impl Iterator<Item = u64> + Send,
        most: usize,
    ) -> Vec<(u64, u64)> {
        let mut results = Vec::new();
        ThreadExecutor(threads).execute(
            &Squares,
            &mut jobs,
            &AtomicBool::new(false),
            &mut |n: u64, square: u64| {
                results.push((n, square));
                if results.len() == most {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
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

    #[test]
    fn a_stop_finishes_running_jobs_and_leaves_no_gap() {
        let stop = AtomicBool::new(false);
        let mut results = Vec::new();
        ThreadExecutor(2).execute(&Squares, &mut (0..), &stop, &mut |n: u64, _: u64| {
            results.push(n);
            stop.store(n >= 5_000, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        assert_eq!(results, (0..results.len() as u64).collect::<Vec<_>>());
    }
}
