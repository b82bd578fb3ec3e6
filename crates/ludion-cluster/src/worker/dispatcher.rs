//! Main loop of a connected worker: it listens for announcements, starts the runs it can take part
//! in, refuses the others with a reason, responds to status requests, and reports when the
//! connection to the server is lost.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ludion_runs::cluster::WorkerStatus;

use super::thread_pool::WorkerThreads;
use super::worker_run::WorkerRun;
use super::{OnWorkerEvent, POLL_INTERVAL, Worker, WorkerEvent};
use crate::ClusterError;
use crate::connection::Connection;
use crate::wire::{
    AnnouncementHeader, LIST_RUNS_SUBJECT, LIST_WORKERS_SUBJECT, RUNS_SUBJECT, RunAnnouncement,
    RunPhase, RunSubjects, WorkerMessage, WorkerMessageKind, is_reply_subject, printable, to_json,
};

/// Time without an announcement after which a run is closed, because its coordinator has died.
const ANNOUNCEMENT_TIMEOUT: Duration = Duration::from_secs(15);
/// Time after which a refused run is considered again.
const REFUSAL_EXPIRY: Duration = Duration::from_secs(30);
/// Time that the connection may be lost before the user is told.
const DISCONNECT_NOTICE_DELAY: Duration = Duration::from_secs(1);
/// Interval at which a refusal is repeated to the coordinator.
const REFUSAL_INTERVAL: Duration = Duration::from_secs(5);
/// Time that interrupted jobs and their results may take when the worker is stopped.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// Number of announced runs that are opened at a time; an announcement may be forged.
const MAX_OPENING: usize = 32;
/// Number of refused runs that are remembered.
const MAX_REFUSALS: usize = 200;
/// Reason of a worker that the coordinator has excluded.
pub(super) const EXCLUDED: &str = "the coordinator has excluded this worker and reports the reason";

/// State of a connected worker, shared by its tasks and threads.
pub(super) struct Dispatcher {
    pub(super) worker: Worker,
    pub(super) connection: Connection,
    pub(super) threads: WorkerThreads,
    start: Instant,
    /// Random id that distinguishes this worker from others of the same name.
    unique_id: String,
    /// Number of runs started so far.
    runs_started: AtomicU64,
    disconnected: Mutex<Option<Disconnection>>,
    runs: Mutex<BTreeMap<String, Arc<WorkerRun>>>,
    refusals: Mutex<BTreeMap<String, RunRefusal>>,
}

/// A lost connection to the server.
#[derive(Clone, Copy)]
struct Disconnection {
    since: Instant,
    /// Whether the user was told about it.
    reported: bool,
}

/// Refusal of a run, with the reason.
struct RunRefusal {
    reason: String,
    /// How often the streams of the run had been created when it was refused; if they are created
    /// again, the run may be acceptable.
    times_created: u32,
    since: Instant,
    /// When the refusal was last sent to the coordinator.
    last_sent: Option<Instant>,
}

impl Dispatcher {
    /// Creates the state of a worker; `unique_id` distinguishes it from others of the same name.
    pub(super) fn new(worker: Worker, connection: Connection, unique_id: String) -> Self {
        Dispatcher {
            threads: WorkerThreads::default(),
            connection,
            start: Instant::now(),
            unique_id,
            runs_started: AtomicU64::new(0),
            disconnected: Mutex::default(),
            runs: Mutex::default(),
            refusals: Mutex::default(),
            worker,
        }
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<WorkerRun>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refusals(&self) -> MutexGuard<'_, BTreeMap<String, RunRefusal>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an id for the result messages of a run that is being started. It is different for
    /// every start, even of the same run.
    pub(super) fn next_run_id(&self) -> String {
        format!("{}.{}", self.unique_id, self.runs_started.fetch_add(1, Ordering::Relaxed))
    }

    /// Handles announcements and status requests until the stop flag is set.
    pub(super) async fn run(
        self: &Arc<Self>,
        stop: &AtomicBool,
        on_event: OnWorkerEvent<'_>,
    ) -> Result<(), ClusterError> {
        let client = self.connection.client();
        let inbox = client.new_inbox();
        let mut announcements = self.connection.subscribe(RUNS_SUBJECT.to_owned()).await?;
        let mut responses = self.connection.subscribe(inbox.clone()).await?;
        let mut requests = self.connection.subscribe(LIST_WORKERS_SUBJECT.to_owned()).await?;
        let _ = client.publish_with_reply(LIST_RUNS_SUBJECT, inbox, "".into()).await;
        drop(client);
        let mut tick = tokio::time::interval(POLL_INTERVAL);
        while !stop.load(Ordering::Relaxed) {
            tokio::select! {
                _ = tick.tick() => {
                    self.remove_stale();
                    self.watch_connection(on_event);
                    let (jobs, _, busy_threads) = self.threads.statistics();
                    on_event(WorkerEvent::Progress { jobs, busy_threads });
                }
                message = announcements.next() => {
                    self.handle_announcement(message, on_event).await;
                }
                message = responses.next() => {
                    self.handle_announcement(message, on_event).await;
                }
                request = requests.next() => {
                    let reply = request.reply.filter(|subject| is_reply_subject(subject));
                    if let Some(reply) = reply {
                        let status = to_json(&self.status());
                        let _ = self.connection.client().publish(reply, status.into()).await;
                    }
                }
            }
        }
        self.shut_down().await;
        Ok(())
    }

    /// Interrupts the running chunks, sends their results if the server is connected, and closes all runs.
    async fn shut_down(&self) {
        let runs: Vec<_> = std::mem::take(&mut *self.runs()).into_values().collect();
        if self.connection.is_connected() {
            let finish = async {
                futures_util::future::join_all(runs.iter().map(|run| run.finish())).await;
                let _ = self.connection.client().flush().await;
            };
            let _ = tokio::time::timeout(SHUTDOWN_GRACE, finish).await;
        }
        runs.iter().for_each(|run| run.close());
    }

    /// Tells the user when the connection to the server is lost and when it is restored.
    fn watch_connection(&self, on_event: OnWorkerEvent<'_>) {
        let mut disconnected = self.disconnected.lock().unwrap_or_else(PoisonError::into_inner);
        let hosts = &self.connection.hosts;
        match (self.connection.is_connected(), *disconnected) {
            (true, None) => {}
            (true, Some(Disconnection { reported, .. })) => {
                *disconnected = None;
                if reported {
                    let notice = format!("reconnected to the NATS server at {hosts}");
                    on_event(WorkerEvent::Notice(&notice));
                }
            }
            (false, None) => {
                *disconnected = Some(Disconnection { since: Instant::now(), reported: false });
            }
            (false, Some(Disconnection { since, reported })) => {
                if !reported && since.elapsed() > DISCONNECT_NOTICE_DELAY {
                    *disconnected = Some(Disconnection { since, reported: true });
                    let notice =
                        format!("waiting: lost the connection to the NATS server at {hosts}");
                    on_event(WorkerEvent::Notice(&notice));
                }
            }
        }
    }

    /// Starts, updates or closes a run when it is announced. Only the header of an announcement of
    /// another version is read.
    async fn handle_announcement(
        self: &Arc<Self>,
        message: async_nats::Message,
        on_event: OnWorkerEvent<'_>,
    ) {
        let header = serde_json::from_slice::<AnnouncementHeader>(&message.payload);
        let Ok(AnnouncementHeader { status, phase }) = header else { return };
        let Some(subjects) = RunSubjects::parse(&status.id) else { return };
        let known = self.runs().get(&subjects.id).cloned();
        if let Some(run) = known {
            return self.update_run(&run, &message, on_event).await;
        }
        let (own, theirs) = (&self.worker.version, printable(&status.version));
        if *own != status.version {
            let reason = format!("this worker has version {own}, the run has version {theirs}");
            if phase == "open" {
                self.refuse(&subjects.id, 0, reason, on_event).await;
            }
            return;
        }
        if let Ok(RunAnnouncement { phase: RunPhase::Open, times_created, .. }) =
            serde_json::from_slice(&message.payload)
        {
            self.start_or_refuse(subjects, message, times_created, on_event).await;
        }
    }

    /// Updates or closes a run that this worker takes part in. Announcements without a valid tag
    /// are ignored.
    async fn update_run(
        &self,
        run: &Arc<WorkerRun>,
        message: &async_nats::Message,
        on_event: OnWorkerEvent<'_>,
    ) {
        if run.key().is_none() {
            return run.announced_while_opening();
        }
        let Some(announcement) = run.read_announcement(message) else { return };
        if announcement.phase == RunPhase::Over {
            run.close();
            self.runs().remove(run.id());
        } else if announcement.excluded.contains(&self.worker.name) {
            run.abort().await;
            self.runs().remove(run.id());
            let times_created = announcement.times_created;
            self.refuse(run.id(), times_created, EXCLUDED.to_owned(), on_event).await;
        } else {
            run.announced(announcement.phase == RunPhase::Open);
        }
    }

    /// Starts a run, unless this worker has refused it before or is opening too many. Whether the
    /// announcement is authentic is seen when the run is opened.
    async fn start_or_refuse(
        self: &Arc<Self>,
        subjects: RunSubjects,
        message: async_nats::Message,
        times_created: u32,
        on_event: OnWorkerEvent<'_>,
    ) {
        let id = subjects.id.clone();
        let known_reason = {
            let mut refusals = self.refusals();
            refusals.retain(|run, refusal| *run != id || refusal.times_created == times_created);
            refusals.get(&id).map(|refusal| refusal.reason.clone())
        };
        if let Some(reason) = known_reason {
            return self.refuse(&id, times_created, reason, on_event).await;
        }
        let opening = self.runs().values().filter(|run| run.key().is_none()).count();
        if opening < MAX_OPENING {
            let run = WorkerRun::start(self, subjects, message, times_created);
            self.runs().insert(id, run);
        }
    }

    /// Sends the coordinator the reason why a run is refused; the first time, also tells the user.
    /// Does nothing if it did so within the last [`REFUSAL_INTERVAL`].
    async fn refuse(
        &self,
        id: &str,
        times_created: u32,
        reason: String,
        on_event: OnWorkerEvent<'_>,
    ) {
        let now = Instant::now();
        {
            let mut refusals = self.refusals();
            if refusals.len() >= MAX_REFUSALS && !refusals.contains_key(id) {
                return;
            }
            let new =
                RunRefusal { reason: reason.clone(), times_created, since: now, last_sent: None };
            let refusal = refusals.entry(id.to_owned()).or_insert(new);
            if refusal.last_sent.is_some_and(|sent| sent.elapsed() < REFUSAL_INTERVAL) {
                return;
            }
            if refusal.last_sent.is_none() {
                let notice = printable(&format!("run {id} is refused: {reason}"));
                on_event(WorkerEvent::Notice(&notice));
            }
            refusal.last_sent = Some(now);
        }
        let kind = WorkerMessageKind::RefusesRun(reason);
        let message = to_json(&WorkerMessage { worker: self.worker.name.clone(), kind });
        let Some(subjects) = RunSubjects::parse(id) else { return };
        let subject = subjects.worker_messages();
        let _ = self.connection.client().publish(subject, message.into()).await;
    }

    /// Records that a run could not be opened, and refuses it if there is a reason.
    pub(super) fn run_not_opened(&self, id: &str, times_created: u32, reason: Option<String>) {
        if let Some(reason) = reason.filter(|_| self.refusals().len() < MAX_REFUSALS) {
            let since = Instant::now();
            let refusal = RunRefusal { reason, times_created, since, last_sent: None };
            self.refusals().insert(id.to_owned(), refusal);
        }
        self.runs().remove(id);
    }

    /// Closes runs that are no longer announced, and removes old refusals.
    fn remove_stale(&self) {
        self.runs().retain(|_, run| {
            let is_announced = run.last_announced().elapsed() < ANNOUNCEMENT_TIMEOUT;
            let is_alive = is_announced && !run.is_closed();
            if !is_alive {
                run.close();
            }
            is_alive
        });
        self.refusals().retain(|_, refusal| refusal.since.elapsed() < REFUSAL_EXPIRY);
    }

    fn status(&self) -> WorkerStatus {
        let (jobs, jobs_per_second, busy) = self.threads.statistics();
        let mut refusals: Vec<String> = self
            .refusals()
            .iter()
            .map(|(id, refusal)| format!("run {id}: {}", refusal.reason))
            .collect();
        refusals.sort();
        WorkerStatus {
            name: self.worker.name.clone(),
            version: self.worker.version.clone(),
            threads: self.worker.threads as u32,
            busy,
            jobs,
            jobs_per_second,
            seconds: self.start.elapsed().as_secs_f64(),
            runs: self.runs().keys().cloned().collect(),
            refusals,
        }
    }
}
