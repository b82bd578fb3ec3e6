//! One run as a worker sees it: the order is fetched and opened, chunks are taken from the queue a
//! little ahead of the threads, held with a heartbeat, and acknowledged once the server has stored
//! their results.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::{Acker, PublishMessage};
use futures_util::StreamExt;
use ludion_runs::away::Labour;
use tokio::sync::{Notify, mpsc};

use super::{Handed, Staff};
use crate::line::ACK_WAIT;
use crate::wire::{
    Chunk, Done, Names, Note, Part, Report, SENDER, Says, WORKERS, WrittenOrder, encode, to_json,
};
use crate::{Error, things};

/// Chunks are fetched for this long ahead, several at a time, for every request has its price.
const AHEAD: Duration = Duration::from_millis(400);
/// The most that are held.
const MOST_HELD: usize = 1024;
/// How long results wait for others to go with.
const LINGER: Duration = Duration::from_millis(2);
/// How long a request for chunks waits at the server.
const EXPIRES: Duration = Duration::from_secs(2);
/// How long after something went wrong it is tried again.
const RETRY: Duration = Duration::from_millis(200);
/// How often an order is asked for before the run is refused.
const TRIES: u32 = 10;
/// A chunk that was handed out this often was the end of everybody who took it.
const DELIVERIES: i64 = 25;
/// A job has so many bytes besides its result, at most.
const OVERHEAD: usize = 24;
/// Headers and the rest of a report have this much room.
const MARGIN: usize = 4096;

/// A run that this worker works at.
pub(super) struct Shift {
    staff: Arc<Staff>,
    names: Names,
    state: Mutex<State>,
    closed: AtomicBool,
    /// Whether new chunks are begun.
    open: AtomicBool,
    /// Somebody took or finished a chunk, or closed the shift.
    moved: Notify,
    done: mpsc::UnboundedSender<Finished>,
}

struct State {
    seen: Instant,
    /// Chunks that were taken and are not acknowledged yet, by the number of the taking.
    held: BTreeMap<u64, Held>,
    taken: u64,
    /// Seconds a chunk takes.
    pace: Option<f64>,
}

struct Held {
    chunk: u64,
    acker: Arc<Acker>,
    since: Instant,
    /// When a thread began with it.
    begun: Option<Instant>,
}

/// A chunk for a thread.
pub(super) struct Task {
    pub(super) shift: Arc<Shift>,
    pub(super) labour: Arc<dyn Labour>,
    pub(super) chunk: Chunk,
    taking: u64,
}

struct Finished {
    taking: u64,
    chunk: u64,
    results: Vec<(u64, Done)>,
    took: Duration,
}

impl Task {
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

impl Shift {
    /// Begins to work at a run.
    pub(super) fn begin(staff: &Arc<Staff>, names: Names, pieces: u32) -> Arc<Self> {
        let (done, finished) = mpsc::unbounded_channel();
        let now = Instant::now();
        let state = State { seen: now, held: BTreeMap::new(), taken: 0, pace: None };
        let shift = Arc::new(Shift {
            staff: Arc::clone(staff),
            names,
            state: Mutex::new(state),
            closed: AtomicBool::new(false),
            open: AtomicBool::new(true),
            moved: Notify::new(),
            done,
        });
        tokio::spawn(Arc::clone(&shift).take_part(pieces));
        tokio::spawn(Arc::clone(&shift).send(finished));
        tokio::spawn(Arc::clone(&shift).beat());
        shift
    }

    fn state(&self) -> MutexGuard<'_, State> {
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
        let waiting: Vec<Arc<Acker>> = {
            let mut state = self.state();
            let numbers: Vec<u64> = state
                .held
                .iter()
                .filter(|(_, held)| held.begun.is_none())
                .map(|(&taking, _)| taking)
                .collect();
            numbers.iter().filter_map(|taking| state.held.remove(taking)).map(|h| h.acker).collect()
        };
        for acker in waiting {
            let _ = acker.ack_with(AckKind::Nak(None)).await;
        }
        while !self.state().held.is_empty() && !self.is_closed() {
            let _ = tokio::time::timeout(RETRY, self.moved.notified()).await;
        }
        self.close();
    }

    /// Fetches the order, opens it, and takes chunks.
    async fn take_part(self: Arc<Self>, pieces: u32) {
        let labour = match self.opened(pieces).await {
            Ok(labour) => labour,
            Err(why) => {
                self.close();
                return self.staff.failed(self.id(), why);
            }
        };
        while !self.is_closed() {
            if self.take_chunks(&labour).await.is_err() {
                tokio::time::sleep(RETRY).await;
            }
        }
    }

    async fn opened(self: &Arc<Self>, pieces: u32) -> Result<Arc<dyn Labour>, String> {
        let order = self.order(pieces).await.map_err(|error| error.to_string())?;
        let stream = &self.staff.link.stream;
        let things = things::fetch(stream, &self.staff.worker.folder, &order.things).await;
        let things = things.map_err(|error| error.to_string())?;
        let staff = Arc::clone(&self.staff);
        // Models take their time to be read.
        let opened = tokio::task::spawn_blocking(move || {
            let WrittenOrder { kind, spec, .. } = &order;
            (staff.worker.opener)(Handed { kind, spec, things })
        });
        opened.await.map_err(|_| "the order could not be opened".to_owned())?
    }

    async fn order(&self, pieces: u32) -> Result<WrittenOrder, Error> {
        let mut tries = 0;
        loop {
            match self.pieces(pieces).await {
                Ok(bytes) => {
                    return postcard::from_bytes(&bytes)
                        .map_err(|error| Error::server("give the order")(error.into()));
                }
                Err(error) if tries == TRIES || self.is_closed() => return Err(error),
                Err(_) => tries += 1,
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn pieces(&self, pieces: u32) -> Result<Vec<u8>, Error> {
        let failed = Error::server("give the order");
        let stream = self.staff.link.stream.get_stream_no_info(self.names.work_stream()).await;
        let stream = stream.map_err(|error| failed(error.into()))?;
        let mut bytes = Vec::new();
        for number in 0..pieces {
            let subject = self.names.order(&number.to_string());
            let piece = stream.get_last_raw_message_by_subject(&subject).await;
            bytes.extend_from_slice(&piece.map_err(|error| failed(error.into()))?.payload);
        }
        Ok(bytes)
    }

    /// How many chunks to hold: as many as take a little while, but no more than there are threads
    /// where they take long, or nobody knows yet: what a slow worker holds, others could do.
    fn wanted(&self) -> usize {
        let threads = self.staff.worker.threads.max(1);
        let pace = self.state().pace.unwrap_or(f64::INFINITY).max(1e-9);
        let many = threads as f64 * AHEAD.as_secs_f64() / pace;
        (many as usize).clamp(threads, MOST_HELD.max(threads))
    }

    async fn take_chunks(
        self: &Arc<Self>,
        labour: &Arc<dyn Labour>,
    ) -> Result<(), async_nats::Error> {
        let stream = self.names.work_stream();
        let context = &self.staff.link.stream;
        let consumer: PullConsumer = context.get_consumer_from_stream(WORKERS, stream).await?;
        while !self.is_closed() {
            let wanted = self.wanted();
            let held = self.state().held.len();
            let enough = (wanted / 2).max(self.staff.worker.threads.saturating_sub(1));
            if held > enough || !self.open.load(Ordering::Relaxed) {
                let _ = tokio::time::timeout(RETRY, self.moved.notified()).await;
                continue;
            }
            let batch = consumer.batch().max_messages(wanted - held).expires(EXPIRES);
            let (began, mut any) = (Instant::now(), false);
            let mut batch = batch.messages().await?;
            while let Some(message) = batch.next().await {
                let message = message?;
                let deliveries = message.info().map_or(1, |info| info.delivered);
                let (message, acker) = message.split();
                let chunk: Chunk = postcard::from_bytes(&message.payload)?;
                self.take(chunk, acker, deliveries, labour);
                any = true;
            }
            // A server that has lost the run says so at once.
            if !any && began.elapsed() < RETRY {
                tokio::time::sleep(RETRY).await;
            }
        }
        Ok(())
    }

    fn take(
        self: &Arc<Self>,
        chunk: Chunk,
        acker: Acker,
        deliveries: i64,
        labour: &Arc<dyn Labour>,
    ) {
        let mut state = self.state();
        let taking = state.taken;
        state.taken += 1;
        let (now, acker) = (Instant::now(), Arc::new(acker));
        state.held.insert(taking, Held { chunk: chunk.number, acker, since: now, begun: None });
        drop(state);
        let task = Task { shift: Arc::clone(self), labour: Arc::clone(labour), chunk, taking };
        if deliveries < DELIVERIES {
            return self.staff.bench.push(task);
        }
        let why = format!("everybody who began with it went away, {deliveries} times");
        let results = task.chunk.jobs().map(|job| (job, Err(why.clone()))).collect();
        self.finished(&task, results, Duration::ZERO);
    }

    /// A thread has finished a chunk.
    pub(super) fn finished(&self, task: &Task, results: Vec<(u64, Done)>, took: Duration) {
        let mut state = self.state();
        let seconds = took.as_secs_f64();
        state.pace = Some(state.pace.map_or(seconds, |pace| pace + 0.2 * (seconds - pace)));
        drop(state);
        let (taking, chunk) = (task.taking, task.chunk.number);
        // The other end goes away with the shift only.
        let _ = self.done.send(Finished { taking, chunk, results, took });
    }

    /// Sends results, those of many chunks together.
    async fn send(self: Arc<Self>, mut finished: mpsc::UnboundedReceiver<Finished>) {
        let mut sent = 0_u64;
        while !self.is_closed() {
            let mut some = Vec::new();
            if tokio::time::timeout(RETRY, finished.recv_many(&mut some, 1)).await.is_err() {
                continue;
            }
            tokio::time::sleep(LINGER).await;
            while let Ok(more) = finished.try_recv() {
                some.push(more);
            }
            let takings: Vec<u64> = some.iter().map(|done| done.taking).collect();
            let room = self.staff.link.client.max_payload().saturating_sub(MARGIN);
            let reports = pack(some, self.staff.worker.threads as u32, room);
            let deliveries = reports.iter().zip(sent..).map(|(bytes, id)| self.deliver(bytes, id));
            futures_util::future::join_all(deliveries).await;
            sent += reports.len() as u64;
            self.acknowledge(&takings).await;
        }
    }

    /// Hands a report to the server, as often as it takes.
    async fn deliver(&self, report: &[u8], id: u64) {
        let name = &self.staff.worker.name;
        let id = format!("{}.{id}", self.staff.mark);
        while !self.is_closed() {
            let mut headers = HeaderMap::new();
            headers.insert(SENDER, name.as_str());
            let message = PublishMessage::build()
                .headers(headers)
                .message_id(&id)
                .payload(report.to_vec().into());
            let sent = self.staff.link.stream.send_publish(self.names.results(), message).await;
            if let Ok(sent) = sent
                && sent.await.is_ok()
            {
                return;
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn acknowledge(&self, takings: &[u64]) {
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
                if let Some(begun) = begun.filter(|begun| begun.elapsed() > beat) {
                    let seconds = begun.elapsed().as_secs_f64();
                    let says = Says::Holds { chunk, seconds };
                    let note = Note { worker: self.staff.worker.name.clone(), says };
                    let notes = self.names.notes();
                    let _ = self.staff.link.client.publish(notes, to_json(&note).into()).await;
                }
            }
        }
    }
}

/// Reports of at most `room` bytes. A result that fits into none is refused by its size.
fn pack(finished: Vec<Finished>, threads: u32, room: usize) -> Vec<Vec<u8>> {
    let (mut reports, mut report, mut size) = (Vec::new(), Report::default(), 0);
    report.threads = threads;
    for Finished { chunk, results, took, .. } in finished {
        let each = took.as_secs_f64() / results.len().max(1) as f64;
        let mut part = Part { chunk, seconds: 0.0, results: Vec::new() };
        for (job, mut done) in results {
            let bytes = done.as_ref().map_or_else(String::len, Vec::len) + OVERHEAD;
            if bytes > room {
                done = Err(format!(
                    "its result has {bytes} bytes, and the server lets through {room}"
                ));
            }
            let bytes = bytes.min(room);
            if size + bytes > room {
                report.parts.push(std::mem::replace(
                    &mut part,
                    Part { chunk, seconds: 0.0, results: Vec::new() },
                ));
                reports.push(encode(&report));
                report.parts.clear();
                size = 0;
            }
            size += bytes;
            part.seconds += each;
            part.results.push((job, done));
        }
        size += OVERHEAD;
        report.parts.push(part);
    }
    reports.push(encode(&report));
    reports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_fit_into_messages_and_nothing_is_lost_on_the_way() {
        let results = |first: u64| (first..first + 10).map(|job| (job, Ok(vec![7; 90]))).collect();
        let finished = (0..5).map(|chunk| Finished {
            taking: chunk,
            chunk,
            results: results(10 * chunk),
            took: Duration::from_millis(10),
        });
        let reports = pack(finished.collect(), 2, 400);
        assert!(reports.len() > 10 && reports.iter().all(|report| report.len() <= 400 + OVERHEAD));
        let mut jobs = Vec::new();
        let mut seconds = 0.0;
        for report in &reports {
            let report: Report = postcard::from_bytes(report).expect("a report");
            for part in report.parts {
                seconds += part.seconds;
                assert!(part.results.iter().all(|(job, _)| job / 10 == part.chunk));
                jobs.extend(part.results.into_iter().map(|(job, _)| job));
            }
        }
        assert_eq!(jobs, (0..50).collect::<Vec<_>>());
        assert!((seconds - 0.05).abs() < 1e-9, "{seconds}");
        let huge = Finished {
            taking: 0,
            chunk: 0,
            results: vec![(3, Ok(vec![0; 500]))],
            took: Duration::ZERO,
        };
        let report: Report = postcard::from_bytes(&pack(vec![huge], 1, 400)[0]).expect("a report");
        assert!(
            matches!(&report.parts[0].results[..], [(3, Err(why))] if why.contains("524 bytes"))
        );
    }
}
