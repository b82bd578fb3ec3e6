//! A program that does jobs for whoever asks: it listens for runs, opens those it can do, says of
//! the others why not, and shares its threads between them.
//!
//! `shift` is one run as this worker sees it, from the order to the last report; `bench` is where
//! the threads are.

mod bench;
mod shift;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use ludion_runs::away::Labour;
use ludion_runs::crew::WorkerStatus;

use crate::access::Link;
use crate::engine::Engine;
use crate::wire::{Announcement, CALL_RUNS, CALL_WORKERS, Names, Note, Phase, RUNS, Says, to_json};
use crate::{Access, Address, Error};
use bench::Bench;
use shift::Shift;

/// Work that was handed to a worker.
pub struct Handed<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// The work, written down as its kind does.
    pub spec: &'a [u8],
    /// The files of models and data, by the names that the spec has for them.
    pub things: HashMap<String, PathBuf>,
}

/// Opens work that was handed over, or says in a sentence why not.
pub type Opener = Box<dyn Fn(Handed<'_>) -> Result<Arc<dyn Labour>, String> + Send + Sync>;

/// A program that does jobs.
pub struct Worker {
    /// What it is called; no two of a cluster should have the same name.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// Threads that do jobs.
    pub threads: usize,
    /// Where models and data are kept.
    pub folder: PathBuf,
    /// How it opens work.
    pub opener: Opener,
}

/// A run that is not announced for this long is over: its coordinator is gone.
const FORGOTTEN: Duration = Duration::from_secs(15);
/// A run that was refused is looked at again after this time.
const RECONSIDER: Duration = Duration::from_secs(30);
/// How often a refusal is repeated to the coordinator.
const REPEAT: Duration = Duration::from_secs(5);
/// How often this program looks whether somebody stopped it.
const WINK: Duration = Duration::from_millis(100);
/// How long jobs that are under way have when it is stopped.
const FAREWELL: Duration = Duration::from_secs(20);

/// What all parts of a worker share.
struct Staff {
    worker: Worker,
    link: Link,
    bench: Bench,
    began: Instant,
    /// By which its messages are told from those of another worker of the same name.
    mark: String,
    shifts: Mutex<BTreeMap<String, Arc<Shift>>>,
    /// Why runs were refused, since when, and when that was last said.
    refusals: Mutex<BTreeMap<String, Refusal>>,
}

struct Refusal {
    why: String,
    since: Instant,
    said: Option<Instant>,
}

impl Worker {
    /// Does jobs until somebody asks to stop; what is under way then is finished. A server that is
    /// not there yet, or not any more, is waited for.
    ///
    /// # Errors
    /// When the address or the credentials cannot be used.
    pub fn run(
        self,
        address: &Address,
        access: &Access,
        stop: &AtomicBool,
        remark: &(dyn Fn(&str) + Sync),
    ) -> Result<(), Error> {
        let engine = Engine::start()?;
        let mark = Names::draw()
            .map_err(|error| Error::File(format!("no name could be drawn: {error}")))?
            .id;
        let link = engine.block_on(Link::open(address, access, &self.name, true))?;
        let staff = Arc::new(Staff {
            bench: Bench::default(),
            link,
            began: Instant::now(),
            mark,
            shifts: Mutex::default(),
            refusals: Mutex::default(),
            worker: self,
        });
        std::thread::scope(|scope| {
            for _ in 0..staff.worker.threads.max(1) {
                scope.spawn(|| staff.bench.work());
            }
            let done = engine.block_on(staff.attend(stop, remark));
            staff.bench.close();
            done
        })
    }
}

impl Staff {
    fn shifts(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Shift>>> {
        self.shifts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refusals(&self) -> MutexGuard<'_, BTreeMap<String, Refusal>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens until somebody asks to stop.
    async fn attend(
        self: &Arc<Self>,
        stop: &AtomicBool,
        remark: &(dyn Fn(&str) + Sync),
    ) -> Result<(), Error> {
        let failed = Error::server("listen");
        let client = &self.link.client;
        let inbox = client.new_inbox();
        let subscribe = |subject: String| client.subscribe(subject);
        let mut runs = subscribe(RUNS.to_owned()).await.map_err(|e| failed(e.into()))?;
        let mut answers = subscribe(inbox.clone()).await.map_err(|e| failed(e.into()))?;
        let mut calls = subscribe(CALL_WORKERS.to_owned()).await.map_err(|e| failed(e.into()))?;
        let _ = client.publish_with_reply(CALL_RUNS, inbox, "".into()).await;
        let mut tick = tokio::time::interval(WINK);
        while !stop.load(Ordering::Relaxed) {
            tokio::select! {
                _ = tick.tick() => self.tidy(),
                Some(message) = runs.next() => self.hear(&message.payload, remark).await,
                Some(message) = answers.next() => self.hear(&message.payload, remark).await,
                Some(call) = calls.next() => if let Some(reply) = call.reply {
                    let _ = client.publish(reply, to_json(&self.status()).into()).await;
                },
            }
        }
        let shifts: Vec<_> = std::mem::take(&mut *self.shifts()).into_values().collect();
        let farewells = shifts.iter().map(|shift| shift.leave());
        let _ = tokio::time::timeout(FAREWELL, futures_util::future::join_all(farewells)).await;
        let _ = client.flush().await;
        Ok(())
    }

    /// A coordinator said something.
    async fn hear(self: &Arc<Self>, payload: &[u8], remark: &(dyn Fn(&str) + Sync)) {
        let Ok(announcement) = serde_json::from_slice::<Announcement>(payload) else { return };
        let id = announcement.status.id.clone();
        let known = self.shifts().get(&id).cloned();
        match (known, announcement.phase) {
            (Some(shift), Phase::Over) => {
                shift.close();
                self.shifts().remove(&id);
            }
            (Some(shift), _) if announcement.barred.contains(&self.worker.name) => {
                shift.close();
                self.shifts().remove(&id);
                let why = "the coordinator does not understand its answers";
                self.refuse(&announcement, why.to_owned(), remark).await;
            }
            (Some(shift), phase) => shift.seen(phase == Phase::Open),
            (None, Phase::Open) => self.consider(announcement, remark).await,
            (None, _) => {}
        }
    }

    /// Opens a run, unless there is a reason not to.
    async fn consider(
        self: &Arc<Self>,
        announcement: Announcement,
        remark: &(dyn Fn(&str) + Sync),
    ) {
        let id = announcement.status.id.clone();
        let known = self.refusals().get(&id).map(|refusal| refusal.why.clone());
        let (ours, theirs) = (&self.worker.version, &announcement.status.version);
        let why = match known {
            Some(why) => Some(why),
            None if announcement.barred.contains(&self.worker.name) => {
                Some("the coordinator does not understand its answers".to_owned())
            }
            None if ours != theirs => {
                Some(format!("it is of version {ours}, and the run of version {theirs}"))
            }
            None => None,
        };
        if let Some(why) = why {
            return self.refuse(&announcement, why, remark).await;
        }
        let shift = Shift::begin(self, Names::of(&id), announcement.pieces);
        self.shifts().insert(id, shift);
    }

    /// Says to the coordinator why its run is refused, now and then.
    async fn refuse(
        &self,
        announcement: &Announcement,
        why: String,
        remark: &(dyn Fn(&str) + Sync),
    ) {
        let (id, now) = (&announcement.status.id, Instant::now());
        {
            let mut refusals = self.refusals();
            let fresh = Refusal { why: why.clone(), since: now, said: None };
            let refusal = refusals.entry(id.clone()).or_insert(fresh);
            if refusal.said.is_some_and(|said| said.elapsed() < REPEAT) {
                return;
            }
            if refusal.said.is_none() {
                remark(&format!("run {id} is refused: {why}"));
            }
            refusal.said = Some(now);
        }
        let note = Note { worker: self.worker.name.clone(), says: Says::Refuses(why) };
        let notes = Names::of(id).notes();
        let _ = self.link.client.publish(notes, to_json(&note).into()).await;
    }

    /// A shift could not begin.
    fn failed(&self, id: &str, why: String) {
        let refusal = Refusal { why, since: Instant::now(), said: None };
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
