//! The threads of a worker, shared by all its runs. Each thread takes the next chunk from a queue,
//! runs its jobs one after the other, and passes the results to the run of the chunk.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludion_runs::remote::JobFn;

use super::worker_run::{ChunkTask, WorkerRun};
use crate::rate_meter::RateMeter;
use crate::wire::JobOutcome;

/// Interval at which an idle thread frees the job functions of closed runs.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(2);

/// Queue of chunks, shared by the threads that run them.
pub(super) struct WorkerThreads {
    queue: Mutex<ChunkQueue>,
    changed: Condvar,
    /// Number of threads that are running a chunk.
    busy: AtomicU32,
    completed_jobs: Mutex<RateMeter>,
}

#[derive(Default)]
struct ChunkQueue {
    tasks: VecDeque<ChunkTask>,
    closed: bool,
}

impl Default for WorkerThreads {
    fn default() -> Self {
        WorkerThreads {
            queue: Mutex::default(),
            changed: Condvar::new(),
            busy: AtomicU32::new(0),
            completed_jobs: Mutex::new(RateMeter::new(Instant::now())),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerThreads {
    /// Adds a chunk to the queue.
    pub(super) fn push(&self, task: ChunkTask) {
        lock(&self.queue).tasks.push_back(task);
        self.changed.notify_one();
    }

    /// Lets all threads end.
    pub(super) fn close(&self) {
        lock(&self.queue).closed = true;
        self.changed.notify_all();
    }

    /// Returns the number of jobs done, the jobs per second, and the number of busy threads, in
    /// this order.
    pub(super) fn statistics(&self) -> (u64, f64, u32) {
        let mut meter = lock(&self.completed_jobs);
        (meter.total, meter.rate(Instant::now()), self.busy.load(Ordering::Relaxed))
    }

    /// Main function of every thread: runs chunks until the queue is closed.
    pub(super) fn run_tasks(&self) {
        // Job functions belong to one thread, which keeps them from chunk to chunk.
        let mut job_fns: HashMap<String, (Arc<WorkerRun>, JobFn)> = HashMap::new();
        loop {
            let queue = lock(&self.queue);
            let waited = self.changed.wait_timeout_while(queue, CLEANUP_INTERVAL, |queue| {
                queue.tasks.is_empty() && !queue.closed
            });
            let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if queue.closed {
                return;
            }
            let task = queue.tasks.pop_front();
            drop(queue);
            job_fns.retain(|_, (run, _)| !run.is_closed());
            let Some(task) = task.filter(ChunkTask::start) else { continue };
            let (_, job_fn) = job_fns
                .entry(task.run.id().to_owned())
                .or_insert_with(|| (Arc::clone(&task.run), Arc::clone(&task.jobs).job_fn()));
            self.busy.fetch_add(1, Ordering::Relaxed);
            self.run_task(&task, job_fn);
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn run_task(&self, task: &ChunkTask, job_fn: &mut JobFn) {
        let start = Instant::now();
        let mut results: Vec<(u64, JobOutcome)> = Vec::new();
        let mut is_complete = true;
        for job in task.chunk.jobs() {
            let outcome = job_fn(job, task.run.interrupt_flag());
            if task.run.is_closed() {
                return;
            }
            match outcome {
                Some(outcome) => results.push((job, outcome)),
                None => {
                    is_complete = false;
                    break;
                }
            }
        }
        let mut meter = lock(&self.completed_jobs);
        meter.end_idle(start);
        meter.count(results.len() as u64, Instant::now());
        drop(meter);
        task.run.finish_chunk(task, results, is_complete, start.elapsed());
    }
}
