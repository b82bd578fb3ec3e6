//! One run as a worker sees it: chunks are taken from the queue a little ahead of the threads, held
//! with a heartbeat, and acknowledged once the server has stored their results.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::Acker;
use ludion_runs::remote::OpenedJobSet;
use tokio::sync::{Notify, mpsc};

use super::dispatcher::Dispatcher;
use crate::pull::MessagePuller;
use crate::server_run::{ACK_WAIT, RETRY};
use crate::wire::{
    JobChunk, JobOutcome, RunAnnouncement, RunNames, WORKERS, WorkerMessage, WorkerMessageKind,
    to_json,
};

/// Chunks are fetched for this long ahead, several at a time, for every request has its price.
const AHEAD: Duration = Duration::from_millis(400);
/// The most that are held.
const MAX_HELD: usize = 1024;
/// A chunk that was handed out this often was the end of everybody who took it.
const DELIVERIES: i64 = 25;

/// A run that this worker works at.
pub(super) struct WorkerRun {
    pub(super) staff: Arc<Dispatcher>,
    pub(super) names: RunNames,
    /// By which its reports are told from those of all other shifts, even of the same run.
    pub(super) mark: String,
    state: Mutex<WorkerRunState>,
    closed: AtomicBool,
    /// Whether new chunks are begun.
    open: AtomicBool,
    /// Somebody took or finished a chunk, or closed the shift.
    moved: Notify,
    done: mpsc::UnboundedSender<FinishedChunk>,
}

struct WorkerRunState {
    seen: Instant,
    /// Chunks that were taken and are not acknowledged yet, by the number of the taking.
    held: BTreeMap<u64, HeldChunk>,
    taken: u64,
    /// Seconds a chunk takes.
    pace: Option<f64>,
}

struct HeldChunk {
    chunk: u64,
    acker: Arc<Acker>,
    since: Instant,
    /// When a thread began with it.
    begun: Option<Instant>,
}

/// A chunk for a thread.
pub(super) struct ChunkTask {
    pub(super) shift: Arc<WorkerRun>,
    pub(super) opened_job_set: Arc<dyn OpenedJobSet>,
    pub(super) chunk: JobChunk,
    taking: u64,
}

/// A chunk that a thread has done.
pub(super) struct FinishedChunk {
    pub(super) taking: u64,
    pub(super) chunk: u64,
    pub(super) results: Vec<(u64, JobOutcome)>,
    pub(super) took: Duration,
}

impl ChunkTask {
    /// A thread takes it, unless it is too late for that.
    pub(super) fn begin(&self) -> bool {
        let open = self.shift.open.load(Ordering::Relaxed) && !self.shift.is_closed();
        let mut state = self.shift.state();
        match state.held.get_mut(&self.taking) {
            Some(held) if open => held.begun = Some(Instant::now()),
            _ => {
                state.held.remove(&self.taking);
                self.shift.moved.notify_waiters();
            }
        }
        open
    }
}

impl WorkerRun {
    /// Begins to work at a run.
    pub(super) fn begin(
        staff: &Arc<Dispatcher>,
        names: RunNames,
        run: &RunAnnouncement,
    ) -> Arc<Self> {
        let (done, finished) = mpsc::unbounded_channel();
        let now = Instant::now();
        let state = WorkerRunState { seen: now, held: BTreeMap::new(), taken: 0, pace: None };
        let shift = Arc::new(WorkerRun {
            staff: Arc::clone(staff),
            names,
            mark: staff.mark(),
            state: Mutex::new(state),
            closed: AtomicBool::new(false),
            open: AtomicBool::new(true),
            moved: Notify::new(),
            done,
        });
        tokio::spawn(Arc::clone(&shift).take_part(run.pieces, run.opened));
        tokio::spawn(Arc::clone(&shift).send(finished));
        tokio::spawn(Arc::clone(&shift).beat());
        shift
    }

    fn state(&self) -> MutexGuard<'_, WorkerRunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn id(&self) -> &str {
        &self.names.id
    }

    /// Its coordinator was heard of.
    pub(super) fn seen(&self, open: bool) {
        self.state().seen = Instant::now();
        self.open.store(open, Ordering::Relaxed);
    }

    pub(super) fn last_seen(&self) -> Instant {
        self.state().seen
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Nobody waits for results any more.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.moved.notify_waiters();
    }

    /// Gives back what was not begun, waits for the rest, and closes.
    pub(super) async fn leave(&self) {
        self.open.store(false, Ordering::Relaxed);
        self.give_back(|held| held.begun.is_none()).await;
        while !self.state().held.is_empty() && !self.is_closed() {
            let _ = tokio::time::timeout(RETRY, self.moved.notified()).await;
        }
        self.close();
    }

    /// Closes at once and gives everything back: nobody wants results of this worker.
    pub(super) async fn break_off(&self) {
        self.close();
        self.give_back(|_| true).await;
    }

    async fn give_back(&self, which: impl Fn(&HeldChunk) -> bool) {
        let ackers: Vec<Arc<Acker>> = {
            let mut state = self.state();
            let (given, kept) =
                std::mem::take(&mut state.held).into_iter().partition(|(_, held)| which(held));
            state.held = kept;
            BTreeMap::into_values(given).map(|held| held.acker).collect()
        };
        for acker in ackers {
            let _ = acker.ack_with(AckKind::Nak(None)).await;
        }
    }

    /// Fetches the order, opens it, and takes chunks.
    async fn take_part(self: Arc<Self>, pieces: u32, opened: u32) {
        let opened_job_set = match self.opened(pieces).await {
            Ok(opened_job_set) => opened_job_set,
            Err(why) => {
                self.close();
                return self.staff.failed(self.id(), opened, why);
            }
        };
        while !self.is_closed() {
            if self.take_chunks(&opened_job_set).await.is_err() {
                tokio::time::sleep(RETRY).await;
            }
        }
    }

    /// How many chunks to hold: as many as take a little while, but no more than there are threads
    /// where they take long, or nobody knows yet: what a slow worker holds, others could do.
    fn wanted(&self) -> usize {
        let threads = self.staff.worker.threads.max(1);
        let pace = self.state().pace.unwrap_or(f64::INFINITY).max(1e-9);
        let many = threads as f64 * AHEAD.as_secs_f64() / pace;
        (many as usize).clamp(threads, MAX_HELD.max(threads))
    }

    async fn take_chunks(
        self: &Arc<Self>,
        opened_job_set: &Arc<dyn OpenedJobSet>,
    ) -> Result<(), async_nats::Error> {
        let stream = self.names.work_stream();
        let mut pull = MessagePuller::open(&self.staff.link.stream, stream, WORKERS).await?;
        while !self.is_closed() {
            let wanted = self.wanted();
            let held = self.state().held.len();
            let enough = (wanted / 2).max(self.staff.worker.threads.saturating_sub(1));
            if held > enough || !self.open.load(Ordering::Relaxed) {
                let _ = tokio::time::timeout(RETRY, self.moved.notified()).await;
                continue;
            }
            pull.ask(wanted - held).await?;
            while let Some(message) = pull.next().await? {
                let deliveries = message.info().map_or(1, |info| info.delivered);
                let (message, acker) = message.split();
                let chunk: JobChunk = postcard::from_bytes(&message.payload)?;
                self.take(chunk, acker, deliveries, opened_job_set);
            }
        }
        Ok(())
    }

    fn take(
        self: &Arc<Self>,
        chunk: JobChunk,
        acker: Acker,
        deliveries: i64,
        opened_job_set: &Arc<dyn OpenedJobSet>,
    ) {
        let mut state = self.state();
        let taking = state.taken;
        state.taken += 1;
        let (now, acker) = (Instant::now(), Arc::new(acker));
        state
            .held
            .insert(taking, HeldChunk { chunk: chunk.number, acker, since: now, begun: None });
        drop(state);
        let task = ChunkTask {
            shift: Arc::clone(self),
            opened_job_set: Arc::clone(opened_job_set),
            chunk,
            taking,
        };
        if deliveries < DELIVERIES {
            return self.staff.bench.push(task);
        }
        let why = format!("everybody who began with it went away, {deliveries} times");
        let results = task.chunk.jobs().map(|job| (job, Err(why.clone()))).collect();
        self.finished(&task, results, Duration::ZERO);
    }

    /// A thread has finished a chunk.
    pub(super) fn finished(
        &self,
        task: &ChunkTask,
        results: Vec<(u64, JobOutcome)>,
        took: Duration,
    ) {
        let mut state = self.state();
        let seconds = took.as_secs_f64();
        state.pace = Some(state.pace.map_or(seconds, |pace| pace + 0.2 * (seconds - pace)));
        drop(state);
        let (taking, chunk) = (task.taking, task.chunk.number);
        // The other end goes away with the shift only.
        let _ = self.done.send(FinishedChunk { taking, chunk, results, took });
    }

    pub(super) async fn acknowledge(&self, takings: &[u64]) {
        for taking in takings {
            let held = self.state().held.remove(taking);
            if let Some(held) = held {
                // One that is lost has the chunk done again, and its results dropped by number.
                let _ = held.acker.ack().await;
            }
        }
        self.moved.notify_waiters();
    }

    /// Keeps what is held from being handed to others, and says what takes long.
    async fn beat(self: Arc<Self>) {
        let beat = ACK_WAIT / 3;
        while !self.is_closed() {
            tokio::time::sleep(beat).await;
            let held: Vec<(u64, Arc<Acker>, Option<Instant>)> = self
                .state()
                .held
                .values()
                .filter(|held| held.since.elapsed() > beat / 2)
                .map(|held| (held.chunk, Arc::clone(&held.acker), held.begun))
                .collect();
            for (chunk, acker, begun) in held {
                let _ = acker.ack_with(AckKind::Progress).await;
                if begun.is_some_and(|begun| begun.elapsed() > beat) {
                    let says = WorkerMessageKind::Holds(chunk);
                    let note = WorkerMessage { worker: self.staff.worker.name.clone(), says };
                    let notes = self.names.notes();
                    let _ = self.staff.link.client.publish(notes, to_json(&note).into()).await;
                }
            }
        }
    }
}
