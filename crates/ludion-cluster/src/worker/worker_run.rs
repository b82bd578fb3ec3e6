//! One run on a worker. It pulls chunks a little ahead of the threads, sends heartbeats for the
//! chunks it holds, and acknowledges a chunk after the server has stored its results. Until then
//! the worker has a lease on the chunk: without heartbeats the server redelivers it to another
//! worker.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::Acker;
use ludion_runs::remote::OpenedJobSet;
use tokio::sync::{Notify, mpsc};

use super::dispatcher::Dispatcher;
use crate::message_puller::MessagePuller;
use crate::run_streams::{ACK_WAIT, RETRY_DELAY};
use crate::wire::{
    JobChunk, JobOutcome, RunAnnouncement, RunSubjects, WORKERS_CONSUMER, WorkerMessage,
    WorkerMessageKind, to_json,
};

/// Time for which chunks are pulled ahead; several are pulled in one request, because every request
/// has a cost.
const PULL_AHEAD: Duration = Duration::from_millis(400);
/// Maximum number of chunks that a worker holds.
const MAX_LEASES: usize = 1024;
/// Number of deliveries after which a chunk fails, because it seems to crash every worker that
/// starts it.
const MAX_DELIVERIES: i64 = 25;

/// A run that this worker takes part in.
pub(super) struct WorkerRun {
    pub(super) dispatcher: Arc<Dispatcher>,
    pub(super) subjects: RunSubjects,
    /// Prefix of the ids of result messages, unique for every start of a run on every worker.
    pub(super) unique_id: String,
    state: Mutex<WorkerRunState>,
    closed: AtomicBool,
    /// Whether new chunks may be started.
    accepts_chunks: AtomicBool,
    /// Notified when a chunk is acknowledged or dropped, and when the run is closed.
    leases_changed: Notify,
    finished: mpsc::UnboundedSender<FinishedChunk>,
}

struct WorkerRunState {
    /// When the run was last announced.
    last_announced: Instant,
    /// Chunks that were delivered and are not acknowledged yet, by lease number.
    leases: BTreeMap<u64, LeasedChunk>,
    next_lease: u64,
    /// Moving average of the seconds that a chunk takes; `None` before the first one is finished.
    seconds_per_chunk: Option<f64>,
}

/// A chunk that was delivered to this worker and is not acknowledged yet.
struct LeasedChunk {
    chunk: u64,
    acker: Arc<Acker>,
    delivered_at: Instant,
    /// When a thread started the chunk; `None` while the chunk is queued.
    started_at: Option<Instant>,
}

/// A chunk in the queue of the threads.
pub(super) struct ChunkTask {
    pub(super) run: Arc<WorkerRun>,
    pub(super) jobs: Arc<dyn OpenedJobSet>,
    pub(super) chunk: JobChunk,
    lease: u64,
}

/// A chunk that a thread has finished, with its results.
pub(super) struct FinishedChunk {
    pub(super) lease: u64,
    pub(super) chunk: u64,
    pub(super) results: Vec<(u64, JobOutcome)>,
    pub(super) duration: Duration,
}

impl ChunkTask {
    /// Marks the chunk as started and returns whether it may be run. If the run accepts no more
    /// chunks, drops the lease instead.
    pub(super) fn start(&self) -> bool {
        let accepted = self.run.accepts_chunks.load(Ordering::Relaxed) && !self.run.is_closed();
        let mut state = self.run.state();
        match state.leases.get_mut(&self.lease) {
            Some(lease) if accepted => lease.started_at = Some(Instant::now()),
            _ => {
                state.leases.remove(&self.lease);
                self.run.leases_changed.notify_waiters();
            }
        }
        accepted
    }
}

impl WorkerRun {
    /// Starts to work on an announced run.
    pub(super) fn start(
        dispatcher: &Arc<Dispatcher>,
        subjects: RunSubjects,
        run: &RunAnnouncement,
    ) -> Arc<Self> {
        let (finished, finished_chunks) = mpsc::unbounded_channel();
        let state = WorkerRunState {
            last_announced: Instant::now(),
            leases: BTreeMap::new(),
            next_lease: 0,
            seconds_per_chunk: None,
        };
        let worker_run = Arc::new(WorkerRun {
            dispatcher: Arc::clone(dispatcher),
            subjects,
            unique_id: dispatcher.next_run_id(),
            state: Mutex::new(state),
            closed: AtomicBool::new(false),
            accepts_chunks: AtomicBool::new(true),
            leases_changed: Notify::new(),
            finished,
        });
        tokio::spawn(Arc::clone(&worker_run).work(run.spec_parts, run.times_created));
        tokio::spawn(Arc::clone(&worker_run).send_results(finished_chunks));
        tokio::spawn(Arc::clone(&worker_run).send_heartbeats());
        worker_run
    }

    fn state(&self) -> MutexGuard<'_, WorkerRunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn id(&self) -> &str {
        &self.subjects.id
    }

    /// Records that the run was announced; `accepts_chunks` says whether new chunks may be started.
    pub(super) fn announced(&self, accepts_chunks: bool) {
        self.state().last_announced = Instant::now();
        self.accepts_chunks.store(accepts_chunks, Ordering::Relaxed);
    }

    pub(super) fn last_announced(&self) -> Instant {
        self.state().last_announced
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Ends the run on this worker at once; results that are not sent are dropped.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.leases_changed.notify_waiters();
    }

    /// Returns the chunks that are not started to the server, finishes the others, and closes the
    /// run.
    pub(super) async fn finish(&self) {
        self.accepts_chunks.store(false, Ordering::Relaxed);
        self.return_chunks(|lease| lease.started_at.is_none()).await;
        while !self.state().leases.is_empty() && !self.is_closed() {
            let _ = tokio::time::timeout(RETRY_DELAY, self.leases_changed.notified()).await;
        }
        self.close();
    }

    /// Closes the run and returns all chunks to the server, because the coordinator has excluded
    /// this worker.
    pub(super) async fn abort(&self) {
        self.close();
        self.return_chunks(|_| true).await;
    }

    /// Asks the server to redeliver the selected chunks to other workers.
    async fn return_chunks(&self, is_selected: impl Fn(&LeasedChunk) -> bool) {
        let ackers: Vec<Arc<Acker>> = {
            let mut state = self.state();
            let leases = std::mem::take(&mut state.leases).into_iter();
            let (returned, kept) = leases.partition(|(_, lease)| is_selected(lease));
            state.leases = kept;
            BTreeMap::into_values(returned).map(|lease| lease.acker).collect()
        };
        for acker in ackers {
            let _ = acker.ack_with(AckKind::Nak(None)).await;
        }
    }

    /// Task that opens the job specification and pulls chunks until the run is closed.
    async fn work(self: Arc<Self>, spec_parts: u32, times_created: u32) {
        let jobs = match self.open_jobs(spec_parts).await {
            Ok(jobs) => jobs,
            Err(reason) => {
                self.close();
                return self.dispatcher.run_not_opened(self.id(), times_created, reason);
            }
        };
        while !self.is_closed() {
            if self.pull_chunks(&jobs).await.is_err() {
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }

    /// Returns how many chunks to hold: as many as take [`PULL_AHEAD`], but only one for every
    /// thread if chunks take long or their time is not known yet, so that a slow worker does not
    /// hold chunks that others could run.
    fn wanted_leases(&self) -> usize {
        let threads = self.dispatcher.worker.threads.max(1);
        let seconds = self.state().seconds_per_chunk.unwrap_or(f64::INFINITY).max(1e-9);
        let wanted = threads as f64 * PULL_AHEAD.as_secs_f64() / seconds;
        (wanted as usize).clamp(threads, MAX_LEASES.max(threads))
    }

    /// Pulls chunks until the run is closed or a request fails.
    async fn pull_chunks(
        self: &Arc<Self>,
        jobs: &Arc<dyn OpenedJobSet>,
    ) -> Result<(), async_nats::Error> {
        let stream = self.subjects.work_stream();
        let jetstream = &self.dispatcher.connection.jetstream;
        let mut puller = MessagePuller::open(jetstream, stream, WORKERS_CONSUMER).await?;
        while !self.is_closed() {
            let wanted = self.wanted_leases();
            let held = self.state().leases.len();
            let enough = (wanted / 2).max(self.dispatcher.worker.threads.saturating_sub(1));
            if held > enough || !self.accepts_chunks.load(Ordering::Relaxed) {
                let _ = tokio::time::timeout(RETRY_DELAY, self.leases_changed.notified()).await;
                continue;
            }
            puller.request(wanted - held).await?;
            while let Some(message) = puller.next().await? {
                let deliveries = message.info().map_or(1, |info| info.delivered);
                let (message, acker) = message.split();
                let chunk: JobChunk = postcard::from_bytes(&message.payload)?;
                self.accept_chunk(chunk, acker, deliveries, jobs);
            }
        }
        Ok(())
    }

    /// Queues a delivered chunk for the threads, or fails it if it was delivered too often.
    fn accept_chunk(
        self: &Arc<Self>,
        chunk: JobChunk,
        acker: Acker,
        deliveries: i64,
        jobs: &Arc<dyn OpenedJobSet>,
    ) {
        let mut state = self.state();
        let lease = state.next_lease;
        state.next_lease += 1;
        let leased = LeasedChunk {
            chunk: chunk.number,
            acker: Arc::new(acker),
            delivered_at: Instant::now(),
            started_at: None,
        };
        state.leases.insert(lease, leased);
        drop(state);
        let task = ChunkTask { run: Arc::clone(self), jobs: Arc::clone(jobs), chunk, lease };
        if deliveries < MAX_DELIVERIES {
            return self.dispatcher.threads.push(task);
        }
        let message = format!("its chunk was delivered {deliveries} times without a result");
        let results = task.chunk.jobs().map(|job| (job, Err(message.clone()))).collect();
        self.finish_chunk(&task, results, Duration::ZERO);
    }

    /// Passes the results of a finished chunk to the task that sends them.
    pub(super) fn finish_chunk(
        &self,
        task: &ChunkTask,
        results: Vec<(u64, JobOutcome)>,
        duration: Duration,
    ) {
        let mut state = self.state();
        let seconds = duration.as_secs_f64();
        let mean = state.seconds_per_chunk.map_or(seconds, |mean| mean + 0.2 * (seconds - mean));
        state.seconds_per_chunk = Some(mean);
        drop(state);
        let (lease, chunk) = (task.lease, task.chunk.number);
        // The receiver is dropped only after the run is closed; then the results are not needed.
        let _ = self.finished.send(FinishedChunk { lease, chunk, results, duration });
    }

    /// Acknowledges chunks whose results the server has stored.
    pub(super) async fn acknowledge(&self, leases: &[u64]) {
        for lease in leases {
            let leased = self.state().leases.remove(lease);
            if let Some(leased) = leased {
                // If the acknowledgement is lost, the chunk is run again and its results are
                // dropped as duplicates.
                let _ = leased.acker.ack().await;
            }
        }
        self.leases_changed.notify_waiters();
    }

    /// Task that keeps the leases alive at the server, and tells the coordinator which chunks are
    /// still running.
    async fn send_heartbeats(self: Arc<Self>) {
        let interval = ACK_WAIT / 3;
        while !self.is_closed() {
            tokio::time::sleep(interval).await;
            let leases: Vec<(u64, Arc<Acker>, Option<Instant>)> = self
                .state()
                .leases
                .values()
                .filter(|lease| lease.delivered_at.elapsed() > interval / 2)
                .map(|lease| (lease.chunk, Arc::clone(&lease.acker), lease.started_at))
                .collect();
            for (chunk, acker, started_at) in leases {
                let _ = acker.ack_with(AckKind::Progress).await;
                if started_at.is_some_and(|start| start.elapsed() > interval) {
                    let worker = self.dispatcher.worker.name.clone();
                    let kind = WorkerMessageKind::StillRunning(chunk);
                    let message = to_json(&WorkerMessage { worker, kind });
                    let client = &self.dispatcher.connection.client;
                    let subject = self.subjects.worker_messages();
                    let _ = client.publish(subject, message.into()).await;
                }
            }
        }
    }
}
