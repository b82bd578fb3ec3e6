//! What a connected worker does until it is stopped: it listens for runs, opens those it can do,
//! says of the others why not, answers roll calls, and says when the server goes away.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use ludion_runs::cluster::WorkerStatus;

use super::thread_pool::WorkerThreads;
use super::worker_run::WorkerRun;
use super::{OnWorkerEvent, POLL_INTERVAL, Worker, WorkerEvent};
use crate::ClusterError;
use crate::access::Connection;
use crate::wire::{
    AnnouncementHead, CALL_RUNS, CALL_WORKERS, RUNS, RunAnnouncement, RunNames, RunPhase,
    WorkerMessage, WorkerMessageKind, to_json,
};

/// A run that is not announced for this long is over: its coordinator is gone.
const FORGOTTEN: Duration = Duration::from_secs(15);
/// A run that was refused is looked at again after this time.
const RECONSIDER: Duration = Duration::from_secs(30);
/// How long a server may be away before it is said.
const AWAY: Duration = Duration::from_secs(1);
/// How often a refusal is repeated to the coordinator.
const REPEAT: Duration = Duration::from_secs(5);
/// How long jobs that are under way have when it is stopped.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(20);

/// What all parts of a worker share.
pub(super) struct Dispatcher {
    pub(super) worker: Worker,
    pub(super) link: Connection,
    pub(super) bench: WorkerThreads,
    began: Instant,
    /// By which its messages are told from those of another worker of the same name.
    mark: String,
    /// How many shifts were begun.
    begun: AtomicU64,
    /// Since when the server is away, and whether that was said.
    away: Mutex<Option<(Instant, bool)>>,
    shifts: Mutex<BTreeMap<String, Arc<WorkerRun>>>,
    /// Why runs were refused, since when, and when that was last said.
    refusals: Mutex<BTreeMap<String, RunRefusal>>,
}

struct RunRefusal {
    why: String,
    /// How often the run had been opened then: what was missing may be there now.
    opened: u32,
    since: Instant,
    said: Option<Instant>,
}

impl Dispatcher {
    /// A worker with its connection; `mark` tells it from others of the same name.
    pub(super) fn new(worker: Worker, link: Connection, mark: String) -> Self {
        Dispatcher {
            bench: WorkerThreads::default(),
            link,
            began: Instant::now(),
            mark,
            begun: AtomicU64::new(0),
            away: Mutex::default(),
            shifts: Mutex::default(),
            refusals: Mutex::default(),
            worker,
        }
    }

    fn shifts(&self) -> MutexGuard<'_, BTreeMap<String, Arc<WorkerRun>>> {
        self.shifts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refusals(&self) -> MutexGuard<'_, BTreeMap<String, RunRefusal>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// By which the reports of a new shift are told from all others.
    pub(super) fn mark(&self) -> String {
        format!("{}.{}", self.mark, self.begun.fetch_add(1, Ordering::Relaxed))
    }

    /// Listens until somebody asks to stop.
    pub(super) async fn attend(
        self: &Arc<Self>,
        stop: &AtomicBool,
        tell: OnWorkerEvent<'_>,
    ) -> Result<(), ClusterError> {
        let failed = ClusterError::server("listen");
        let client = &self.link.client;
        let inbox = client.new_inbox();
        let subscribe = |subject: String| client.subscribe(subject);
        let mut runs = subscribe(RUNS.to_owned()).await.map_err(|e| failed(e.into()))?;
        let mut answers = subscribe(inbox.clone()).await.map_err(|e| failed(e.into()))?;
        let mut calls = subscribe(CALL_WORKERS.to_owned()).await.map_err(|e| failed(e.into()))?;
        let _ = client.publish_with_reply(CALL_RUNS, inbox, "".into()).await;
        let mut tick = tokio::time::interval(POLL_INTERVAL);
        while !stop.load(Ordering::Relaxed) {
            tokio::select! {
                _ = tick.tick() => {
                    self.tidy();
                    self.look_for_server(tell);
                }
                Some(message) = runs.next() => self.hear(&message.payload, tell).await,
                Some(message) = answers.next() => self.hear(&message.payload, tell).await,
                Some(call) = calls.next() => if let Some(reply) = call.reply {
                    let _ = client.publish(reply, to_json(&self.status()).into()).await;
                },
            }
        }
        self.part().await;
        Ok(())
    }

    /// Finishes what is under way. Without a server nobody would hear of it.
    async fn part(&self) {
        let shifts: Vec<_> = std::mem::take(&mut *self.shifts()).into_values().collect();
        if self.link.is_up() {
            let farewells = shifts.iter().map(|shift| shift.leave());
            let farewells = async {
                futures_util::future::join_all(farewells).await;
                let _ = self.link.client.flush().await;
            };
            let _ = tokio::time::timeout(SHUTDOWN_GRACE, farewells).await;
        }
        shifts.iter().for_each(|shift| shift.close());
    }

    /// Says so where the server went away, and when it is back.
    fn look_for_server(&self, tell: OnWorkerEvent<'_>) {
        let mut away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
        let place = &self.link.place;
        match (self.link.is_up(), *away) {
            (true, None) => {}
            (true, Some((_, said))) => {
                *away = None;
                if said {
                    tell(WorkerEvent::Remark(&format!("the NATS server at {place} is back")));
                }
            }
            (false, None) => *away = Some((Instant::now(), false)),
            (false, Some((since, said))) => {
                if !said && since.elapsed() > AWAY {
                    *away = Some((since, true));
                    tell(WorkerEvent::Remark(&format!(
                        "waiting: the NATS server at {place} went away"
                    )));
                }
            }
        }
    }

    /// A coordinator said something. What another version says may read differently.
    async fn hear(self: &Arc<Self>, payload: &[u8], tell: OnWorkerEvent<'_>) {
        let Ok(head) = serde_json::from_slice::<AnnouncementHead>(payload) else { return };
        let (ours, theirs) = (&self.worker.version, &head.status.version);
        if ours != theirs {
            let why = format!("it is of version {ours}, and the run of version {theirs}");
            if head.phase == "open" {
                self.refuse(&head.status.id, 0, why, tell).await;
            }
            return;
        }
        let Ok(announcement) = serde_json::from_slice::<RunAnnouncement>(payload) else { return };
        let id = &announcement.status.id;
        let known = self.shifts().get(id).cloned();
        match (known, announcement.phase) {
            (Some(shift), RunPhase::Over) => {
                shift.close();
                self.shifts().remove(id);
            }
            (Some(shift), _) if announcement.barred.contains(&self.worker.name) => {
                shift.break_off().await;
                self.shifts().remove(id);
                self.consider(&announcement, tell).await;
            }
            (Some(shift), phase) => shift.seen(phase == RunPhase::Open),
            (None, RunPhase::Open) => self.consider(&announcement, tell).await,
            (None, _) => {}
        }
    }

    /// Opens a run, unless there is a reason not to.
    async fn consider(self: &Arc<Self>, announcement: &RunAnnouncement, tell: OnWorkerEvent<'_>) {
        let (id, opened) = (&announcement.status.id, announcement.opened);
        if announcement.barred.contains(&self.worker.name) {
            let why = "the coordinator has sent it away; it says why".to_owned();
            return self.refuse(id, opened, why, tell).await;
        }
        let known = {
            let mut refusals = self.refusals();
            refusals.retain(|run, refusal| run != id || refusal.opened == opened);
            refusals.get(id).map(|refusal| refusal.why.clone())
        };
        if let Some(why) = known {
            return self.refuse(id, opened, why, tell).await;
        }
        let shift = WorkerRun::begin(self, RunNames::of(id), announcement);
        self.shifts().insert(id.clone(), shift);
    }

    /// Says to the coordinator why its run is refused, now and then.
    async fn refuse(&self, id: &str, opened: u32, why: String, tell: OnWorkerEvent<'_>) {
        let now = Instant::now();
        {
            let mut refusals = self.refusals();
            let fresh = RunRefusal { why: why.clone(), opened, since: now, said: None };
            let refusal = refusals.entry(id.to_owned()).or_insert(fresh);
            if refusal.said.is_some_and(|said| said.elapsed() < REPEAT) {
                return;
            }
            if refusal.said.is_none() {
                tell(WorkerEvent::Remark(&format!("run {id} is refused: {why}")));
            }
            refusal.said = Some(now);
        }
        let note = WorkerMessage {
            worker: self.worker.name.clone(),
            says: WorkerMessageKind::Refuses(why),
        };
        let notes = RunNames::of(id).notes();
        let _ = self.link.client.publish(notes, to_json(&note).into()).await;
    }

    /// A shift could not begin.
    pub(super) fn failed(&self, id: &str, opened: u32, why: String) {
        let refusal = RunRefusal { why, opened, since: Instant::now(), said: None };
        self.refusals().insert(id.to_owned(), refusal);
        self.shifts().remove(id);
    }

    /// Closes runs whose coordinators are gone, and forgets old refusals.
    fn tidy(&self) {
        self.shifts().retain(|_, shift| {
            let here = shift.last_seen().elapsed() < FORGOTTEN && !shift.is_closed();
            if !here {
                shift.close();
            }
            here
        });
        self.refusals().retain(|_, refusal| refusal.since.elapsed() < RECONSIDER);
    }

    fn status(&self) -> WorkerStatus {
        let (jobs, jobs_per_second, busy) = self.bench.figures();
        let mut refusals: Vec<String> = self
            .refusals()
            .iter()
            .map(|(id, refusal)| format!("run {id}: {}", refusal.why))
            .collect();
        refusals.sort();
        WorkerStatus {
            name: self.worker.name.clone(),
            version: self.worker.version.clone(),
            threads: self.worker.threads as u32,
            busy,
            jobs,
            jobs_per_second,
            seconds: self.began.elapsed().as_secs_f64(),
            runs: self.shifts().keys().cloned().collect(),
            refusals,
        }
    }
}
