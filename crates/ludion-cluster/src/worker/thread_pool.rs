//! The threads of a worker: each takes the next chunk of whatever run, does its jobs one after the
//! other, and hands the results to the run they are of.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludion_runs::remote::JobFn;

use super::worker_run::{ChunkTask, WorkerRun};
use crate::rate_meter::RateMeter;
use crate::wire::JobOutcome;

/// How often a thread that waits lets go of what runs that are over needed.
const TIDY: Duration = Duration::from_secs(2);

/// Where threads find their work.
pub(super) struct WorkerThreads {
    queue: Mutex<ChunkQueue>,
    filled: Condvar,
    busy: AtomicU32,
    meter: Mutex<RateMeter>,
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
            filled: Condvar::new(),
            busy: AtomicU32::new(0),
            meter: Mutex::new(RateMeter::new(Instant::now())),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerThreads {
    pub(super) fn push(&self, task: ChunkTask) {
        lock(&self.queue).tasks.push_back(task);
        self.filled.notify_one();
    }

    /// Sends all threads home.
    pub(super) fn close(&self) {
        lock(&self.queue).closed = true;
        self.filled.notify_all();
    }

    /// Jobs done, jobs in a second, and threads that do one now.
    pub(super) fn figures(&self) -> (u64, f64, u32) {
        let mut meter = lock(&self.meter);
        (meter.total, meter.rate(Instant::now()), self.busy.load(Ordering::Relaxed))
    }

    /// What a thread does until the bench is closed.
    pub(super) fn work(&self) {
        let mut hands: HashMap<String, (Arc<WorkerRun>, JobFn)> = HashMap::new();
        loop {
            let queue = lock(&self.queue);
            let waited = self
                .filled
                .wait_timeout_while(queue, TIDY, |queue| queue.tasks.is_empty() && !queue.closed);
            let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if queue.closed {
                return;
            }
            let task = queue.tasks.pop_front();
            drop(queue);
            hands.retain(|_, (shift, _)| !shift.is_closed());
            let Some(task) = task.filter(ChunkTask::begin) else { continue };
            let (_, hand) = hands.entry(task.shift.id().to_owned()).or_insert_with(|| {
                (Arc::clone(&task.shift), Arc::clone(&task.opened_job_set).job_fn())
            });
            self.busy.fetch_add(1, Ordering::Relaxed);
            self.perform(&task, hand);
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn perform(&self, task: &ChunkTask, hand: &mut JobFn) {
        let began = Instant::now();
        let mut results: Vec<(u64, JobOutcome)> = Vec::new();
        for job in task.chunk.jobs() {
            if task.shift.is_closed() {
                return;
            }
            results.push((job, hand(job)));
        }
        let mut meter = lock(&self.meter);
        meter.wake(began);
        meter.count(results.len() as u64, Instant::now());
        drop(meter);
        task.shift.finished(task, results, began.elapsed());
    }
}
