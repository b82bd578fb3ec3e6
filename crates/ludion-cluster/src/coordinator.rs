//! Conducts runs on many machines: opens the run on the server, hands its jobs out in chunks, and
//! gives the results to whoever keeps them. From outside it is a [`Crew`] like any other, and
//! blocks as threads do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use ludion_runs::crew::{Crew, Intake, Order, RunStatus, Status, WorkerStatus};
use ludion_runs::plural;

use crate::access::Link;
use crate::board::{Board, Post, Refused};
use crate::engine::Engine;
use crate::line::Line;
use crate::meter::Meter;
use crate::news::News;
use crate::wire::{
    Announcement, CALL_RUNS, CALL_WORKERS, Names, Note, Phase, Report, Says, WrittenOrder, encode,
};
use crate::{Access, Address, Error, sweep, things};

/// Told what a person should know: who refuses, who is slow, who was sent away.
pub type Remark = Box<dyn Fn(&str) + Send + Sync>;

/// How runs are conducted.
#[derive(Clone, Debug)]
pub struct Options {
    /// The version of this program: workers of another one do nothing for it.
    pub version: String,
    /// Servers that keep a copy of every chunk and every result.
    pub replicas: usize,
    /// How long a chunk of jobs should take; nothing: one job each.
    pub chunk: Duration,
}

impl Options {
    /// Those of a program of this version.
    #[must_use]
    pub fn new(version: &str) -> Self {
        Options { version: version.to_owned(), replicas: 1, chunk: Duration::from_millis(100) }
    }
}

/// Conducts runs on many machines.
pub struct Coordinator {
    engine: Engine,
    link: Link,
    options: Options,
    remark: Remark,
    /// What was remarked already: somebody who refuses does so every few seconds.
    said: Mutex<BTreeSet<String>>,
}

/// How long the first answer to a roll call is waited for, the next one, and all of them.
const FIRST: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_millis(300);
const CALL: Duration = Duration::from_secs(3);
/// The most sentences that are said.
const MOST_SAID: usize = 1000;
/// How often chunks that are late are looked for.
const LOOK: Duration = Duration::from_millis(500);
/// How long news are waited for.
const WINK: Duration = Duration::from_millis(100);
/// How long nothing may be heard of a run that stops before nothing is under way any more.
const QUIET: Duration = Duration::from_millis(1500);
/// After this time without a worker somebody is told.
const LONELY: Duration = Duration::from_secs(3);
/// Headers and the rest of a message have this much room.
const MARGIN: usize = 4096;

impl Coordinator {
    /// Connects to the server.
    ///
    /// # Errors
    /// When nobody answers there, or lets us in.
    pub fn connect(
        address: &Address,
        access: &Access,
        options: Options,
        remark: Remark,
    ) -> Result<Self, Error> {
        let engine = Engine::start()?;
        let link = engine.block_on(Link::open(address, access, "ludion coordinator", false))?;
        engine.spawn(sweep::sweep(link.clone()));
        Ok(Coordinator { engine, link, options, remark, said: Mutex::default() })
    }

    /// Says something that was not said before.
    fn remark(&self, sentence: &str) {
        let mut said = self.said.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if said.len() < MOST_SAID && said.insert(sentence.to_owned()) {
            (self.remark)(sentence);
        }
    }

    fn open(&self, order: &Order) -> Result<Line, Error> {
        let names = Names::draw()
            .map_err(|error| Error::File(format!("no name could be drawn: {error}")))?;
        self.engine.block_on(async {
            let labels =
                things::send(&self.link.stream, self.options.replicas, &order.things).await?;
            let (kind, spec) = (order.kind.clone(), order.spec.clone());
            let written = encode(&WrittenOrder { kind, spec, things: labels });
            let most = self.link.client.max_payload().saturating_sub(MARGIN).max(1);
            let pieces: Vec<Vec<u8>> = written.chunks(most).map(<[u8]>::to_vec).collect();
            let announcement = Announcement {
                status: RunStatus {
                    id: names.id.clone(),
                    kind: order.kind.clone(),
                    about: order.about.clone(),
                    version: self.options.version.clone(),
                    done: order.done,
                    jobs: order.jobs,
                    jobs_per_second: 0.0,
                    seconds_left: None,
                    by_worker: Vec::new(),
                },
                pieces: pieces.len() as u32,
                barred: Vec::new(),
                phase: Phase::Open,
            };
            Line::open(self.link.clone(), names, pieces, self.options.replicas, announcement).await
        })
    }

    /// Asks all of one kind how they are.
    async fn call<T: serde::de::DeserializeOwned>(
        &self,
        subject: &'static str,
    ) -> Result<Vec<T>, Error> {
        let failed = Error::server("ask who is there");
        let client = &self.link.client;
        let inbox = client.new_inbox();
        let mut answers =
            client.subscribe(inbox.clone()).await.map_err(|error| failed(error.into()))?;
        let asked = client.publish_with_reply(subject, inbox, "".into()).await;
        asked.map_err(|error| failed(error.into()))?;
        let (mut heard, end) = (Vec::new(), Instant::now() + CALL);
        while Instant::now() < end {
            let patience = if heard.is_empty() { FIRST } else { SILENCE };
            let Ok(Some(answer)) = tokio::time::timeout(patience, answers.next()).await else {
                break;
            };
            heard.extend(serde_json::from_slice(&answer.payload));
        }
        Ok(heard)
    }
}

impl Crew for Coordinator {
    fn execute(
        &self,
        order: &Order,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        intake: &mut dyn Intake,
    ) -> Result<(), ludion_runs::Error> {
        let line = self.open(order)?;
        let now = Instant::now();
        let mut conduct = Conduct {
            coordinator: self,
            line,
            board: Board::new(self.options.chunk, order.jobs.saturating_sub(order.done), now),
            intake,
            total: order.jobs,
            before: order.done,
            barred: Vec::new(),
            holders: BTreeMap::new(),
            by_worker: BTreeMap::new(),
            meter: Meter::new(now),
            ended: false,
        };
        let done = conduct.run(jobs, stop);
        let Conduct { line, .. } = conduct;
        self.engine.block_on(async {
            line.announce(|announcement| announcement.phase = Phase::Over, false).await;
            line.close().await;
        });
        done
    }

    fn status(&self) -> Result<Status, ludion_runs::Error> {
        let (workers, runs) = self.engine.block_on(async {
            tokio::join!(
                self.call::<WorkerStatus>(CALL_WORKERS),
                self.call::<Announcement>(CALL_RUNS)
            )
        });
        let (mut workers, runs) = (workers?, runs?);
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        let mut runs: Vec<RunStatus> = runs.into_iter().map(|run| run.status).collect();
        runs.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(Status { workers, runs })
    }
}

/// A run that is conducted.
struct Conduct<'a> {
    coordinator: &'a Coordinator,
    line: Line,
    board: Board,
    intake: &'a mut dyn Intake,
    total: u64,
    /// Jobs done before.
    before: u64,
    /// Workers whose answers are dropped.
    barred: Vec<String>,
    /// Who said last to work at a chunk.
    holders: BTreeMap<u64, String>,
    by_worker: BTreeMap<String, u64>,
    meter: Meter,
    /// Whether the intake wants nothing more.
    ended: bool,
}

impl Conduct<'_> {
    fn run(
        &mut self,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
    ) -> Result<(), ludion_runs::Error> {
        let (began, mut looked, mut lonely) = (Instant::now(), Instant::now(), true);
        while !self.ended {
            if stop.load(Ordering::Relaxed) {
                return self.finish();
            }
            while let Some(post) = self.board.next(jobs, Instant::now()) {
                self.post(post);
            }
            if self.board.is_empty() {
                return Ok(());
            }
            self.hear(WINK)?;
            if looked.elapsed() > LOOK {
                looked = Instant::now();
                self.look();
            }
            if lonely && began.elapsed() > LONELY {
                lonely = false;
                self.look_for_workers();
            }
        }
        Ok(())
    }

    fn post(&self, post: Post) {
        self.coordinator.engine.block_on(self.line.post(post));
    }

    /// Takes in what happened, and says whether anything did.
    fn hear(&mut self, patience: Duration) -> Result<bool, ludion_runs::Error> {
        match self.coordinator.engine.block_on(self.line.news(patience)) {
            None => return Ok(false),
            Some(News::Report { worker, report, acker }) => {
                self.report(&worker, report)?;
                // One that is lost brings the same results again, which are dropped by number.
                let _ = self.coordinator.engine.block_on(acker.ack());
            }
            Some(News::Note(Note { worker, says: Says::Refuses(why) })) => {
                self.board.part(&worker);
                self.coordinator.remark(&format!("worker {worker} does not help: {why}"));
            }
            Some(News::Note(Note { worker, says: Says::Holds { chunk, .. } })) => {
                self.holders.insert(chunk, worker);
            }
            Some(News::Reopened) => {
                self.coordinator.remark("the server had lost the run; it was opened again");
                for post in self.board.all_again(Instant::now()) {
                    self.post(post);
                }
            }
        }
        Ok(true)
    }

    /// Takes the results of a worker in, or sends it away.
    fn report(&mut self, worker: &str, report: Option<Report>) -> Result<(), ludion_runs::Error> {
        let Some(report) = report else {
            self.bar(worker, "it sent something that is no report");
            return Ok(());
        };
        if self.barred.iter().any(|barred| barred == worker) {
            self.hand_out_again(&report);
            return Ok(());
        }
        self.board.meet(worker, report.threads);
        let (mut fresh, mut refused) = (Vec::new(), Vec::new());
        for part in &report.parts {
            self.board.measure(part.results.len(), part.seconds);
            for (job, done) in &part.results {
                match done {
                    Ok(bytes) if self.board.wants(*job) => fresh.push((*job, &bytes[..])),
                    Ok(_) => {}
                    Err(why) => refused.push((*job, why)),
                }
            }
        }
        // A job that stands twice in one report counts once.
        fresh.sort_by_key(|&(job, _)| job);
        fresh.dedup_by_key(|&mut (job, _)| job);
        match self.intake.take(&fresh) {
            Ok(flow) => self.ended |= flow.is_break(),
            Err(why) => {
                self.bar(worker, &why);
                self.hand_out_again(&report);
                return Ok(());
            }
        }
        let now = Instant::now();
        for &(job, _) in &fresh {
            self.board.done(job, now);
        }
        self.meter.count(fresh.len() as u64, now);
        *self.by_worker.entry(worker.to_owned()).or_default() += fresh.len() as u64;
        for (job, why) in refused {
            self.refused(worker, job, why)?;
        }
        Ok(())
    }

    fn refused(&mut self, worker: &str, job: u64, why: &str) -> Result<(), ludion_runs::Error> {
        match self.board.refused(job, Instant::now()) {
            Refused::Elsewhere => {}
            Refused::Again(post) => {
                self.coordinator.remark(&format!("worker {worker} could not do job {job}: {why}"));
                self.post(post);
            }
            Refused::Hopeless => {
                return Err(ludion_runs::Error::Failed(format!(
                    "nobody can do job {job}; worker {worker} said: {why}"
                )));
            }
        }
        Ok(())
    }

    /// Trusts a worker no more.
    fn bar(&mut self, worker: &str, why: &str) {
        if self.barred.iter().any(|barred| barred == worker) {
            return;
        }
        self.barred.push(worker.to_owned());
        self.board.part(worker);
        self.coordinator.remark(&format!("worker {worker} is sent away: {why}"));
        let barred = self.barred.clone();
        let change = |announcement: &mut Announcement| announcement.barred = barred;
        self.coordinator.engine.block_on(self.line.announce(change, true));
    }

    /// Hands the chunks of a report out again: its worker has acknowledged them.
    fn hand_out_again(&mut self, report: &Report) {
        for part in &report.parts {
            if let Some(post) = self.board.again(part.chunk, Instant::now()) {
                self.post(post);
            }
        }
    }

    /// Hands out again what is late, and says how far the run is.
    fn look(&mut self) {
        let now = Instant::now();
        for post in self.board.overdue(now) {
            if let Some(worker) = self.holders.get(&post.chunk.number) {
                self.coordinator
                    .remark(&format!("worker {worker} is slow; others do what it has as well"));
            }
            self.post(post);
        }
        self.holders.retain(|&chunk, _| self.board.is_open(chunk));
        let (total, done) = (self.total, self.before + self.meter.total);
        let rate = self.meter.rate(now);
        let left = (rate > 0.0).then(|| total.saturating_sub(done) as f64 / rate);
        let by_worker: Vec<(String, u64)> =
            self.by_worker.iter().map(|(name, jobs)| (name.clone(), *jobs)).collect();
        let change = |announcement: &mut Announcement| {
            let status = &mut announcement.status;
            (status.done, status.jobs_per_second, status.seconds_left) = (done, rate, left);
            status.by_worker = by_worker;
        };
        self.coordinator.engine.block_on(self.line.announce(change, false));
    }

    /// Says so where nobody is there to do anything.
    fn look_for_workers(&self) {
        if self.meter.total > 0 {
            return;
        }
        let asked = self.coordinator.call::<WorkerStatus>(CALL_WORKERS);
        let workers = self.coordinator.engine.block_on(asked).unwrap_or_default();
        let version = &self.coordinator.options.version;
        let ours = workers.iter().filter(|worker| worker.version == *version).count();
        if ours == 0 {
            self.coordinator.remark(&format!(
                "no worker of version {version} is there, of {}; start one with: ludion worker \
                 --nats URL",
                plural(workers.len() as u64, "worker")
            ));
        }
    }

    /// Lets workers finish what they are at, and takes it in.
    fn finish(&mut self) -> Result<(), ludion_runs::Error> {
        let change = |announcement: &mut Announcement| announcement.phase = Phase::Stopping;
        self.coordinator.engine.block_on(self.line.announce(change, true));
        let mut heard = Instant::now();
        while heard.elapsed() < QUIET && !self.board.is_empty() && !self.ended {
            if self.hear(WINK)? {
                heard = Instant::now();
            }
        }
        Ok(())
    }
}
