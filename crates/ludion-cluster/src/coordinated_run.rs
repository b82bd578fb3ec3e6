//! A run that is conducted, from the first chunk to the last result: what happens is taken in, who
//! does no good is sent away, and what got lost is handed out again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion_runs::RunError;
use ludion_runs::cluster::{JobSpec, ResultReceiver};
use ludion_runs::plural;

use crate::Coordinator;
use crate::chunk_scheduler::{ChunkScheduler, ChunkToSend, RefusedJob};
use crate::events::RunEvent;
use crate::rate_meter::RateMeter;
use crate::run_channel::RunChannel;
use crate::wire::{ChunkReport, RunAnnouncement, RunPhase, WorkerMessage, WorkerMessageKind};

/// How often chunks that are late are looked for.
const LOOK: Duration = Duration::from_millis(500);
/// How long news are waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How long nothing may be heard of a run that stops before nothing is under way any more.
const QUIET: Duration = Duration::from_millis(1500);
/// After this time without a worker somebody is told.
const NO_WORKER_WARNING: Duration = Duration::from_secs(3);
/// Where nothing was heard for this long, the server is asked whether chunks got lost.
const SILENCE: Duration = Duration::from_secs(1);
/// A worker that says nothing of a chunk for this long does not hold it.
const HOLDS: Duration = Duration::from_secs(4);
/// How often somebody may refuse a job that others do.
const BLAME: u32 = 3;
/// How often it is asked whether anybody is left to do a job that was refused.
const DOUBT: Duration = Duration::from_secs(2);

/// A run that is conducted.
pub(crate) struct CoordinatedRun<'a> {
    coordinator: &'a Coordinator,
    pub(crate) line: RunChannel,
    board: ChunkScheduler,
    stop: &'a AtomicBool,
    receiver: &'a mut dyn ResultReceiver,
    total: u64,
    /// Jobs done before.
    before: u64,
    /// Chunks that could not be handed out yet.
    outbox: VecDeque<ChunkToSend>,
    /// Workers whose answers are dropped.
    barred: BTreeSet<String>,
    /// How many jobs of others a worker has refused.
    blame: BTreeMap<String, u32>,
    /// Who said last to work at a chunk, and when.
    holders: BTreeMap<u64, (String, Instant)>,
    by_worker: BTreeMap<String, u64>,
    meter: RateMeter,
    heard: Instant,
    /// Whether the server had nothing of the run when it was last asked.
    drained: bool,
    doubted: Instant,
    /// Whether the intake wants nothing more.
    ended: bool,
}

impl<'a> CoordinatedRun<'a> {
    pub(crate) fn new(
        coordinator: &'a Coordinator,
        line: RunChannel,
        order: &JobSpec,
        stop: &'a AtomicBool,
        receiver: &'a mut dyn ResultReceiver,
    ) -> Self {
        let now = Instant::now();
        let missing = order.jobs.saturating_sub(order.done);
        CoordinatedRun {
            coordinator,
            line,
            board: ChunkScheduler::new(coordinator.options.chunk, missing, now),
            stop,
            receiver,
            total: order.jobs,
            before: order.done,
            outbox: VecDeque::new(),
            barred: BTreeSet::new(),
            blame: BTreeMap::new(),
            holders: BTreeMap::new(),
            by_worker: BTreeMap::new(),
            meter: RateMeter::new(now),
            heard: now,
            drained: false,
            doubted: now,
            ended: false,
        }
    }

    /// Has the jobs done, until the intake wants no more or somebody asks to stop.
    pub(crate) fn run(
        &mut self,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
    ) -> Result<(), RunError> {
        let (began, mut looked, mut lonely) = (Instant::now(), Instant::now(), true);
        while !self.ended {
            if self.stop.load(Ordering::Relaxed) {
                return self.finish();
            }
            while self.post()
                && let Some(post) = self.board.next(jobs, Instant::now())
            {
                self.outbox.push_back(post);
            }
            if self.board.is_empty() {
                return Ok(());
            }
            self.hear(POLL_INTERVAL)?;
            if looked.elapsed() > LOOK {
                looked = Instant::now();
                self.look()?;
            }
            if lonely && began.elapsed() > NO_WORKER_WARNING {
                lonely = false;
                self.look_for_workers();
            }
        }
        Ok(())
    }

    /// Hands out what can be; says whether that is all. It never waits: whoever waits for a server
    /// hears nobody who wants to stop.
    fn post(&mut self) -> bool {
        while let Some(post) = self.outbox.pop_front() {
            if let Err(post) = self.line.post(post) {
                self.outbox.push_front(post);
                return false;
            }
        }
        true
    }

    /// Takes in what happened, and says whether anything did.
    fn hear(&mut self, patience: Duration) -> Result<bool, RunError> {
        let Some(news) = self.coordinator.engine.block_on(self.line.news(patience)) else {
            return Ok(false);
        };
        self.heard = Instant::now();
        self.drained = false;
        match news {
            RunEvent::Report { worker, report, acker } => {
                self.report(&worker, report)?;
                // One that is lost brings the same results again, which are dropped by number.
                let acked =
                    async { tokio::time::timeout(POLL_INTERVAL, acker.ack()).await.is_ok() };
                let _ = self.coordinator.engine.block_on(acked);
            }
            RunEvent::Note(WorkerMessage { worker, says: WorkerMessageKind::Refuses(why) }) => {
                self.board.part(&worker);
                if !self.barred.contains(&worker) {
                    self.coordinator.remark(&format!("worker {worker} does not help: {why}"));
                }
            }
            RunEvent::Note(WorkerMessage { worker, says: WorkerMessageKind::Holds(chunk) }) => {
                self.board.hear(&worker, self.heard);
                self.holders.insert(chunk, (worker, self.heard));
            }
            RunEvent::Reopened => {
                self.coordinator.remark("the server had lost the run; it was opened again");
                self.outbox.extend(self.board.all_again(Duration::ZERO, self.heard));
            }
        }
        Ok(true)
    }

    /// Takes the results of a worker in, or sends it away.
    fn report(&mut self, worker: &str, report: Option<ChunkReport>) -> Result<(), RunError> {
        let Some(report) = report else {
            self.bar(worker, "it sent something that is no report");
            return Ok(());
        };
        if self.barred.contains(worker) {
            self.hand_out_again(&report);
            return Ok(());
        }
        let results = report.parts.iter().flat_map(|part| &part.results);
        let mut fresh: Vec<(u64, &[u8])> = results
            .filter_map(|(job, done)| Some((*job, done.as_deref().ok()?)))
            .filter(|(job, _)| self.board.wants(*job))
            .collect();
        // A job that stands twice in one report counts once.
        fresh.sort_by_key(|&(job, _)| job);
        fresh.dedup_by_key(|&mut (job, _)| job);
        match self.receiver.receive(&fresh) {
            Ok(flow) => self.ended |= flow.is_break(),
            Err(why) => {
                self.bar(worker, &why);
                self.hand_out_again(&report);
                return Ok(());
            }
        }
        self.count(worker, &report, &fresh);
        for (job, done) in report.parts.iter().flat_map(|part| &part.results) {
            if let Err(why) = done {
                self.refused(worker, *job, why)?;
            }
        }
        Ok(())
    }

    /// Results were kept.
    fn count(&mut self, worker: &str, report: &ChunkReport, fresh: &[(u64, &[u8])]) {
        let now = Instant::now();
        self.board.meet(worker, report.threads, now);
        for part in &report.parts {
            self.board.measure(part.results.len(), part.seconds);
        }
        let mut blamed = BTreeMap::new();
        for &(job, _) in fresh {
            if let Some(refusals) = self.board.done(job, now) {
                let others = refusals.by.into_iter().filter(|name| name != worker);
                blamed.extend(others.map(|name| (name, refusals.why.clone())));
            }
        }
        self.meter.count(fresh.len() as u64, now);
        *self.by_worker.entry(worker.to_owned()).or_default() += fresh.len() as u64;
        for (name, why) in blamed {
            let blame = self.blame.entry(name.clone()).or_default();
            *blame += 1;
            if *blame >= BLAME {
                self.bar(&name, &format!("it refuses jobs that others do; it said: {why}"));
            }
        }
    }

    fn refused(&mut self, worker: &str, job: u64, why: &str) -> Result<(), RunError> {
        match self.board.refused(job, worker, why, Instant::now()) {
            RefusedJob::Elsewhere | RefusedJob::Later => {}
            RefusedJob::Again(post) => {
                self.coordinator.remark(&format!("worker {worker} could not do job {job}: {why}"));
                self.outbox.push_back(post);
            }
            RefusedJob::Hopeless => return Err(hopeless(job, worker, why)),
        }
        Ok(())
    }

    /// Ends the run where everybody who is there has refused a job.
    fn doubt(&mut self) -> Result<(), RunError> {
        if self.doubted.elapsed() < DOUBT || self.board.doubtful().next().is_none() {
            return Ok(());
        }
        self.doubted = Instant::now();
        let Ok(workers) = self.coordinator.workers() else { return Ok(()) };
        let able: BTreeSet<String> = workers
            .into_iter()
            .filter(|worker| worker.runs.iter().any(|run| run == self.line.id()))
            .map(|worker| worker.name)
            .filter(|name| !self.barred.contains(name))
            .collect();
        let all = |by: &BTreeSet<String>| !able.is_empty() && able.is_subset(by);
        match self.board.doubtful().find(|(_, refusals)| all(&refusals.by)) {
            Some((job, refusals)) => {
                let worker = refusals.by.first().map_or("", String::as_str);
                Err(hopeless(job, worker, &refusals.why))
            }
            None => Ok(()),
        }
    }

    /// Trusts a worker no more. What it had acknowledged nobody has any longer.
    fn bar(&mut self, worker: &str, why: &str) {
        if !self.barred.insert(worker.to_owned()) {
            return;
        }
        self.board.part(worker);
        self.coordinator.remark(&format!("worker {worker} is sent away: {why}"));
        let barred: Vec<String> = self.barred.iter().cloned().collect();
        let change = |announcement: &mut RunAnnouncement| announcement.barred = barred;
        self.coordinator.engine.block_on(self.line.announce(change, true));
        self.outbox.extend(self.board.all_again(self.board.turnaround(), Instant::now()));
    }

    /// Hands the chunks of a report out again: its worker has acknowledged them.
    fn hand_out_again(&mut self, report: &ChunkReport) {
        let again = report.parts.iter().filter_map(|part| self.board.again(part.chunk, self.heard));
        self.outbox.extend(again);
    }

    /// Hands out again what is late or lost, and says how far the run is.
    fn look(&mut self) -> Result<(), RunError> {
        self.doubt()?;
        let now = Instant::now();
        self.outbox.extend(self.board.later());
        self.hand_out_late(now);
        self.hand_out_lost(now);
        self.board.forget(now);
        let (total, done) = (self.total, self.before + self.meter.total);
        let rate = self.meter.rate(now);
        let left = (rate > 0.0).then(|| total.saturating_sub(done) as f64 / rate);
        let by_worker: Vec<(String, u64)> =
            self.by_worker.iter().map(|(name, jobs)| (name.clone(), *jobs)).collect();
        let change = |announcement: &mut RunAnnouncement| {
            let status = &mut announcement.status;
            (status.done, status.jobs_per_second, status.seconds_left) = (done, rate, left);
            status.by_worker = by_worker;
        };
        self.coordinator.engine.block_on(self.line.announce(change, false));
        Ok(())
    }

    /// Hands out again what takes much longer than it should.
    fn hand_out_late(&mut self, now: Instant) {
        let fresh = |(_, said): &(String, Instant)| now.duration_since(*said) < HOLDS;
        self.holders.retain(|&chunk, _| self.board.is_open(chunk));
        let late = self.board.overdue(|chunk| self.holders.get(&chunk).is_some_and(fresh), now);
        for post in late {
            if let Some((worker, _)) = self.holders.get(&post.chunk.number) {
                self.coordinator
                    .remark(&format!("worker {worker} is slow; others do what it has as well"));
            }
            self.outbox.push_back(post);
        }
    }

    /// Hands out again what somebody has acknowledged and nobody answers for: the server has
    /// nothing any more, neither now nor when it was last asked.
    fn hand_out_lost(&mut self, now: Instant) {
        if now.duration_since(self.heard) < SILENCE || !self.outbox.is_empty() {
            return;
        }
        let before = self.drained;
        self.drained = self.coordinator.engine.block_on(self.line.is_drained());
        if before && self.drained {
            self.drained = false;
            let lost = self.board.all_again(SILENCE, now);
            let chunks = plural(lost.len() as u64, "chunk");
            self.coordinator.remark(&format!(
                "{chunks} of jobs somebody took and did not answer for; others do them"
            ));
            self.outbox.extend(lost);
        }
    }

    /// Says so where nobody is there to do anything.
    fn look_for_workers(&self) {
        if self.meter.total > 0 {
            return;
        }
        let workers = self.coordinator.workers().unwrap_or_default();
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
    fn finish(&mut self) -> Result<(), RunError> {
        let change = |announcement: &mut RunAnnouncement| announcement.phase = RunPhase::Stopping;
        let announced = self.line.announce(change, true);
        let announced = async { tokio::time::timeout(POLL_INTERVAL, announced).await.is_ok() };
        let _ = self.coordinator.engine.block_on(announced);
        let mut heard = Instant::now();
        while heard.elapsed() < QUIET && !self.board.is_empty() && !self.ended {
            if self.hear(POLL_INTERVAL)? {
                heard = Instant::now();
            }
        }
        Ok(())
    }
}

fn hopeless(job: u64, worker: &str, why: &str) -> RunError {
    RunError::Failed(format!("nobody can do job {job}; worker {worker} said: {why}"))
}
