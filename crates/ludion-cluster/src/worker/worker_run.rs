//! One run on a worker. It pulls chunks a little ahead of the threads, sends heartbeats for the
//! chunks it holds, and acknowledges a chunk after the server has stored its results. Until then
//! the worker has a lease on the chunk: without heartbeats the server redelivers it to another
//! worker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::Acker;
use ludion_runs::remote::OpenedJobSet;
use tokio::sync::{Notify, mpsc};

use super::dispatcher::{Dispatcher, EXCLUDED};
use super::job_spec::OpenError;
use crate::message_puller::MessagePuller;
use crate::run_key::{RunKey, TaggedMessage};
use crate::run_streams::{ACK_WAIT, RETRY_DELAY};
use crate::wire::{
    JobChunk, JobOutcome, RunAnnouncement, RunOrder, RunPhase, RunSubjects, WORKERS_CONSUMER,
    WorkerMessage, WorkerMessageKind, is_authentic, tagged, to_json,
};

/// Time for which chunks are pulled ahead; several are pulled in one request, because every request
/// has a cost.
const PULL_AHEAD: Duration = Duration::from_millis(400);
/// Maximum number of chunks that a worker holds.
const MAX_LEASES: usize = 1024;
/// Number of deliveries after which a chunk fails, because it seems to crash every worker that
/// starts it.
const MAX_DELIVERIES: i64 = 25;

/// Number of finished chunks that a worker remembers, to run none of them twice.
const MAX_REMEMBERED: usize = 1 << 16;

/// A run that this worker takes part in.
pub(super) struct WorkerRun {
    pub(super) dispatcher: Arc<Dispatcher>,
    pub(super) subjects: RunSubjects,
    /// Prefix of the ids of result messages, unique for every start of a run on every worker.
    pub(super) unique_id: String,
    state: Mutex<WorkerRunState>,
    /// Key of the tags of all messages of the run, once it is fetched.
    key: OnceLock<RunKey>,
    closed: AtomicBool,
    /// Whether jobs under way are to be interrupted: the run is closed or being stopped, or the
    /// worker is stopped.
    interrupted: AtomicBool,
    /// Whether new chunks may be started: an authentic announcement says that the run is open.
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
    /// Numbers and attempts of chunks whose results were stored, the latest ones.
    finished: BTreeSet<(u64, u32)>,
    /// Moving average of the seconds that a chunk takes; `None` before the first one is finished.
    seconds_per_chunk: Option<f64>,
}

/// A chunk that was delivered to this worker and is not acknowledged yet.
struct LeasedChunk {
    /// Number and attempt of the chunk.
    chunk: (u64, u32),
    /// Number of its message in the stream.
    sequence: u64,
    acker: Arc<Acker>,
    delivered_at: Instant,
    /// When a thread started the chunk; `None` while the chunk is queued.
    started_at: Option<Instant>,
}

/// Delivery of a message by the server.
struct Delivery {
    acker: Acker,
    /// How often the server has delivered the message.
    deliveries: i64,
    /// Number of the message in the stream.
    sequence: u64,
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
    /// Whether all jobs of the chunk have a result; otherwise they were interrupted.
    pub(super) is_complete: bool,
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
        announcement: async_nats::Message,
        times_created: u32,
    ) -> Arc<Self> {
        let (finished, finished_chunks) = mpsc::unbounded_channel();
        let state = WorkerRunState {
            last_announced: Instant::now(),
            leases: BTreeMap::new(),
            next_lease: 0,
            finished: BTreeSet::new(),
            seconds_per_chunk: None,
        };
        let worker_run = Arc::new(WorkerRun {
            dispatcher: Arc::clone(dispatcher),
            subjects,
            unique_id: dispatcher.next_run_id(),
            state: Mutex::new(state),
            key: OnceLock::new(),
            closed: AtomicBool::new(false),
            interrupted: AtomicBool::new(false),
            accepts_chunks: AtomicBool::new(false),
            leases_changed: Notify::new(),
            finished,
        });
        tokio::spawn(Arc::clone(&worker_run).work(announcement, times_created));
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

    /// Returns the key of the run, or `None` before it is fetched.
    pub(super) fn key(&self) -> Option<&RunKey> {
        self.key.get()
    }

    /// Decodes an announcement of the run; `None` if it has no valid tag.
    pub(super) fn read_announcement(
        &self,
        message: &async_nats::Message,
    ) -> Option<RunAnnouncement> {
        let key = self.key()?;
        let valid = is_authentic(key, TaggedMessage::Announcement, "", message);
        valid.then(|| serde_json::from_slice(&message.payload).ok())?
    }

    /// Records that the run was announced; `accepts_chunks` says whether new chunks may be started.
    /// If not, the run is being stopped: jobs under way are interrupted, and the results that their
    /// chunks have are sent.
    pub(super) fn announced(&self, accepts_chunks: bool) {
        self.state().last_announced = Instant::now();
        if !accepts_chunks {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        if self.accepts_chunks.swap(accepts_chunks, Ordering::Relaxed) != accepts_chunks {
            self.leases_changed.notify_waiters();
        }
    }

    /// Records that the run was announced while it is being opened, by anyone.
    pub(super) fn announced_while_opening(&self) {
        self.state().last_announced = Instant::now();
    }

    /// Returns the flag that interrupts jobs under way.
    pub(super) fn interrupt_flag(&self) -> &AtomicBool {
        &self.interrupted
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
        self.interrupted.store(true, Ordering::Relaxed);
        self.leases_changed.notify_waiters();
    }

    /// Returns the chunks that are not started to the server, interrupts the others, sends the
    /// results they have, and closes the run.
    pub(super) async fn finish(&self) {
        self.accepts_chunks.store(false, Ordering::Relaxed);
        self.interrupted.store(true, Ordering::Relaxed);
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

    /// Task that opens the run and pulls chunks until the run is closed.
    async fn work(self: Arc<Self>, announcement: async_nats::Message, times_created: u32) {
        let (total_jobs, jobs) = match self.open(&announcement).await {
            Ok(opened) => opened,
            Err(error) => {
                self.close();
                let reason = match error {
                    OpenError::NoSuchRun => None,
                    OpenError::Refused(reason) => Some(reason),
                };
                return self.dispatcher.run_not_opened(self.id(), times_created, reason);
            }
        };
        while !self.is_closed() {
            if self.pull_chunks(total_jobs, &jobs).await.is_err() {
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }

    /// Fetches the order of the run and opens its jobs; returns them with their number.
    async fn open(
        self: &Arc<Self>,
        announcement: &async_nats::Message,
    ) -> Result<(u64, Arc<dyn OpenedJobSet>), OpenError> {
        let RunOrder { key, jobs, spec } = self.fetch_order().await?;
        let _ = self.key.set(key);
        let opened = self.open_jobs(spec).await?;
        // If this announcement was forged, an authentic one follows within a second.
        if let Some(announcement) = self.read_announcement(announcement) {
            if announcement.excluded.contains(&self.dispatcher.worker.name) {
                return Err(OpenError::Refused(EXCLUDED.to_owned()));
            }
            self.announced(announcement.phase == RunPhase::Open);
        }
        Ok((jobs, opened))
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

    /// Pulls chunks until the run is closed or a request fails. Chunks without a valid tag, beyond
    /// the `total_jobs` of the plan, or with too many jobs are dropped.
    async fn pull_chunks(
        self: &Arc<Self>,
        total_jobs: u64,
        jobs: &Arc<dyn OpenedJobSet>,
    ) -> Result<(), async_nats::Error> {
        let stream = self.subjects.work_stream();
        let jetstream = &self.dispatcher.connection.jetstream();
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
                let info = message.info();
                let (deliveries, sequence) =
                    info.map_or((1, 0), |info| (info.delivered, info.stream_sequence));
                let (message, acker) = message.split();
                let key = self.key().ok_or("the run has no key")?;
                let chunk = is_authentic(key, TaggedMessage::Chunk, "", &message)
                    .then(|| JobChunk::decode(&message.payload, total_jobs));
                match chunk.flatten() {
                    Some(chunk) => {
                        let delivery = Delivery { acker, deliveries, sequence };
                        self.accept_chunk(chunk, delivery, jobs).await;
                    }
                    None => drop(acker.ack_with(AckKind::Term).await),
                }
            }
        }
        Ok(())
    }

    /// Queues a delivered chunk for the threads, or fails it if it was delivered too often. A chunk
    /// that this worker runs or has run is not queued again.
    async fn accept_chunk(
        self: &Arc<Self>,
        chunk: JobChunk,
        delivery: Delivery,
        jobs: &Arc<dyn OpenedJobSet>,
    ) {
        let Delivery { acker, deliveries, sequence } = delivery;
        let (id, acker) = ((chunk.number, chunk.attempt), Arc::new(acker));
        let lease = {
            let mut state = self.state();
            let is_finished = state.finished.contains(&id);
            let held = state.leases.values_mut().find(|lease| lease.chunk == id);
            match held {
                // The server delivers the same message again if a heartbeat was lost.
                Some(held) if held.sequence == sequence => {
                    held.acker = acker;
                    return;
                }
                Some(_) => None,
                None if is_finished => None,
                None => {
                    let lease = state.next_lease;
                    state.next_lease += 1;
                    let leased = LeasedChunk {
                        chunk: id,
                        sequence,
                        acker: Arc::clone(&acker),
                        delivered_at: Instant::now(),
                        started_at: None,
                    };
                    state.leases.insert(lease, leased);
                    Some(lease)
                }
            }
        };
        let Some(lease) = lease else {
            // A copy of the message: its results are stored, or will be.
            let _ = acker.ack_with(AckKind::Term).await;
            return;
        };
        let task = ChunkTask { run: Arc::clone(self), jobs: Arc::clone(jobs), chunk, lease };
        if deliveries < MAX_DELIVERIES {
            return self.dispatcher.threads.push(task);
        }
        let message = format!("its chunk was delivered {deliveries} times without a result");
        let results = task.chunk.jobs().map(|job| (job, Err(message.clone()))).collect();
        self.finish_chunk(&task, results, true, Duration::ZERO);
    }

    /// Passes the results of a finished chunk to the task that sends them.
    pub(super) fn finish_chunk(
        &self,
        task: &ChunkTask,
        results: Vec<(u64, JobOutcome)>,
        is_complete: bool,
        duration: Duration,
    ) {
        let mut state = self.state();
        let seconds = duration.as_secs_f64();
        let mean = state.seconds_per_chunk.map_or(seconds, |mean| mean + 0.2 * (seconds - mean));
        state.seconds_per_chunk = Some(mean);
        drop(state);
        let (lease, chunk) = (task.lease, task.chunk.number);
        // The receiver is dropped only after the run is closed; then the results are not needed.
        let _ = self.finished.send(FinishedChunk { lease, chunk, results, is_complete, duration });
    }

    /// Ends the leases of chunks whose results the server has stored: acknowledges those that are
    /// complete and returns the others.
    pub(super) async fn end_leases(&self, leases: &[(u64, bool)]) {
        for &(lease, is_complete) in leases {
            let leased = self.state().leases.remove(&lease);
            let Some(leased) = leased else { continue };
            // If the acknowledgement is lost, the chunk is run again and its results are dropped as
            // duplicates.
            if is_complete {
                self.remember(leased.chunk);
                let _ = leased.acker.ack().await;
            } else {
                let _ = leased.acker.ack_with(AckKind::Nak(None)).await;
            }
        }
        self.leases_changed.notify_waiters();
    }

    fn remember(&self, chunk: (u64, u32)) {
        let mut state = self.state();
        state.finished.insert(chunk);
        if state.finished.len() > MAX_REMEMBERED {
            state.finished.pop_first();
        }
    }

    /// Sends a note to the coordinator.
    pub(super) async fn send_note(&self, kind: WorkerMessageKind) {
        let Some(key) = self.key() else { return };
        let worker = self.dispatcher.worker.name.clone();
        let payload = to_json(&WorkerMessage { worker: worker.clone(), kind });
        let headers = tagged(key, TaggedMessage::Note, &worker, &payload);
        let client = &self.dispatcher.connection.client();
        let subject = self.subjects.worker_messages();
        let _ = client.publish_with_headers(subject, headers, payload.into()).await;
    }

    /// Task that keeps the leases alive at the server, and tells the coordinator which chunks are
    /// still running.
    async fn send_heartbeats(self: Arc<Self>) {
        let interval = ACK_WAIT / 3;
        while !self.is_closed() {
            tokio::time::sleep(interval).await;
            let leases: Vec<_> = self
                .state()
                .leases
                .values()
                .filter(|lease| lease.delivered_at.elapsed() > interval / 2)
                .map(|lease| (lease.chunk.0, Arc::clone(&lease.acker), lease.started_at))
                .collect();
            for (chunk, acker, started_at) in leases {
                let _ = acker.ack_with(AckKind::Progress).await;
                if started_at.is_some_and(|start| start.elapsed() > interval) {
                    self.send_note(WorkerMessageKind::StillRunning(chunk)).await;
                }
            }
        }
    }
}
