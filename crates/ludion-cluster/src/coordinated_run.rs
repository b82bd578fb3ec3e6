//! The main loop of a coordinator for one run, from the first chunk to the last result: it hands
//! out chunks, passes results on, excludes misbehaving workers, and hands out lost chunks again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion_runs::RunError;
use ludion_runs::cluster::{JobSpec, ResultReceiver};
use ludion_runs::plural;

use crate::Coordinator;
use crate::chunk_scheduler::{ChunkScheduler, FailureAction};
use crate::rate_meter::RateMeter;
use crate::residual_watch::ResidualWatch;
use crate::run_channel::{RunChannel, RunEvent};
use crate::wire::{JobChunk, ResultBatch, RunAnnouncement, RunPhase, printable};

/// Interval of the search for overdue and lost chunks.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Time to wait for an event before the stop flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Time without a new result after which a run that is being stopped ends.
const STOP_TIMEOUT: Duration = Duration::from_millis(1000);
/// Time without a result after which the user is warned that no worker is running.
const NO_WORKER_WARNING: Duration = Duration::from_secs(3);
/// Time without an event after which the server is asked whether chunks are lost.
const LOST_CHUNK_TIMEOUT: Duration = Duration::from_secs(1);
/// Time without a heartbeat after which a worker is assumed not to hold a chunk any more.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(4);
/// Number of jobs failed by a worker, but completed by others, at which the worker is excluded.
const MAX_BLAMED_FAILURES: u32 = 3;
/// Interval at which the coordinator checks whether all workers have failed the same job.
const FAILURE_CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// Number of refusals of workers that are shown to the user.
const MAX_SHOWN_REFUSALS: usize = 200;
/// Minimum time between two uploads of the attachments.
const UPLOAD_INTERVAL: Duration = Duration::from_secs(5);
/// Maximum time that a run takes to end after it was stopped.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// State of a run on the coordinator.
pub(crate) struct CoordinatedRun<'a> {
    coordinator: &'a Coordinator,
    channel: RunChannel,
    scheduler: ChunkScheduler,
    stop: &'a AtomicBool,
    receiver: &'a mut dyn ResultReceiver,
    total_jobs: u64,
    /// Number of jobs that were done in earlier sessions of the run.
    done_before: u64,
    /// Chunks that could not be sent yet.
    outbox: VecDeque<JobChunk>,
    /// Names of the workers whose results are dropped.
    excluded: BTreeSet<String>,
    /// For each worker, the number of jobs that it failed and others completed.
    blamed_failures: BTreeMap<String, u32>,
    /// For each chunk, the worker that last sent a heartbeat for it, and when.
    heartbeats: BTreeMap<u64, (String, Instant)>,
    jobs_by_worker: BTreeMap<String, u64>,
    completed_jobs: RateMeter,
    residuals: ResidualWatch,
    /// Whether further job sets are compared together with this one.
    is_in_series: bool,
    last_event: Instant,
    /// Whether the queues on the server were empty when they were last checked.
    drained: bool,
    last_failure_check: Instant,
    /// Refusals of workers that were shown to the user, as pairs of name and reason.
    refusals: BTreeSet<(String, String)>,
    /// When the attachments were last uploaded again.
    last_upload: Option<Instant>,
    /// Whether the receiver wants no more results.
    receiver_finished: bool,
}

impl<'a> CoordinatedRun<'a> {
    pub(crate) fn new(
        coordinator: &'a Coordinator,
        channel: RunChannel,
        spec: &JobSpec,
        residuals: ResidualWatch,
        stop: &'a AtomicBool,
        receiver: &'a mut dyn ResultReceiver,
    ) -> Self {
        let now = Instant::now();
        let missing = spec.jobs.saturating_sub(spec.done);
        CoordinatedRun {
            coordinator,
            channel,
            scheduler: ChunkScheduler::new(coordinator.options.chunk_time, missing, now),
            stop,
            receiver,
            total_jobs: spec.jobs,
            done_before: spec.done,
            outbox: VecDeque::new(),
            excluded: BTreeSet::new(),
            blamed_failures: BTreeMap::new(),
            heartbeats: BTreeMap::new(),
            jobs_by_worker: BTreeMap::new(),
            completed_jobs: RateMeter::new(now),
            residuals,
            is_in_series: spec.series.is_some(),
            last_event: now,
            drained: false,
            last_failure_check: now,
            refusals: BTreeSet::new(),
            last_upload: None,
            receiver_finished: false,
        }
    }

    /// Runs the jobs on the workers until all are done, the receiver wants no more results, or the
    /// stop flag is set.
    pub(crate) fn run(
        &mut self,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
    ) -> Result<(), RunError> {
        let (start, mut last_check) = (Instant::now(), Instant::now());
        let mut checked_for_workers = false;
        while !self.receiver_finished {
            if self.stop.load(Ordering::Relaxed) {
                return self.finish();
            }
            while self.flush_outbox()
                && let Some(send) = self.scheduler.next_chunk(jobs, Instant::now())
            {
                self.outbox.push_back(send);
            }
            if self.scheduler.is_empty() {
                return Ok(());
            }
            self.handle_event(POLL_INTERVAL)?;
            if last_check.elapsed() > CHECK_INTERVAL {
                last_check = Instant::now();
                self.check()?;
            }
            if !checked_for_workers && start.elapsed() > NO_WORKER_WARNING {
                checked_for_workers = true;
                self.warn_without_workers();
            }
        }
        Ok(())
    }

    /// Sends the chunks in the outbox and returns whether it is empty. It never waits for the
    /// server, so that the stop flag is noticed.
    fn flush_outbox(&mut self) -> bool {
        while let Some(send) = self.outbox.pop_front() {
            if let Err(send) = self.channel.send(send) {
                self.outbox.push_front(send);
                return false;
            }
        }
        true
    }

    /// Waits for the next event and handles it.
    fn handle_event(&mut self, timeout: Duration) -> Result<(), RunError> {
        let next = self.channel.next_event(timeout);
        let Some(event) = self.coordinator.runtime.block_on(next) else {
            return Ok(());
        };
        match event {
            RunEvent::Forged => {
                self.coordinator.notify(
                    "messages that no program of this run sent are dropped; give the NATS server \
                     a password if others can reach it",
                );
                return Ok(());
            }
            RunEvent::Refusal { worker, reason } => {
                self.refused(&worker, &reason);
                return Ok(());
            }
            _ => {}
        }
        self.last_event = Instant::now();
        self.drained = false;
        match event {
            RunEvent::Forged | RunEvent::Refusal { .. } => {}
            RunEvent::Results { worker, batch, acker } => {
                self.receive(&worker, batch)?;
                // If the acknowledgement is lost, the results are redelivered and dropped as
                // duplicates.
                let acknowledged =
                    async { tokio::time::timeout(POLL_INTERVAL, acker.ack()).await.is_ok() };
                let _ = self.coordinator.runtime.block_on(acknowledged);
            }
            RunEvent::StillRunning { worker, chunk } => {
                self.scheduler.worker_is_alive(&worker, self.last_event);
                if self.scheduler.is_outstanding(chunk) {
                    self.heartbeats.insert(chunk, (worker, self.last_event));
                }
            }
            RunEvent::AttachmentDamaged { worker } => self.upload_again(&worker),
            RunEvent::StreamsRecreated => {
                self.coordinator
                    .notify("the server had lost the run; its streams were created again");
                self.outbox.extend(self.scheduler.resend_all(Duration::ZERO, self.last_event));
            }
        }
        Ok(())
    }

    /// Tells the user that a worker does not take part. Anyone can send this, so nothing else
    /// follows from it, and only the first refusals are shown.
    fn refused(&mut self, worker: &str, reason: &str) {
        let is_active = self.jobs_by_worker.contains_key(worker);
        let refusal = (worker.to_owned(), printable(reason));
        if !is_active
            && !self.excluded.contains(worker)
            && self.refusals.len() < MAX_SHOWN_REFUSALS
            && self.refusals.insert(refusal)
        {
            self.coordinator.notify(&format!("worker {worker} does not take part: {reason}"));
        }
    }

    /// Uploads the attachments again, because a worker found one missing or damaged on the server.
    fn upload_again(&mut self, worker: &str) {
        if self.last_upload.is_some_and(|last| last.elapsed() < UPLOAD_INTERVAL) {
            return;
        }
        self.last_upload = Some(Instant::now());
        let uploaded = self.coordinator.runtime.block_on(self.channel.upload_again());
        self.coordinator.notify(&match uploaded {
            Ok(()) => format!(
                "worker {worker} found a model or data file damaged on the server; all were sent \
                 again"
            ),
            Err(error) => format!("the models and data files cannot be sent again: {error}"),
        });
    }

    /// Passes the results of a worker to the receiver. Excludes the worker if they are invalid.
    fn receive(&mut self, worker: &str, batch: Option<ResultBatch>) -> Result<(), RunError> {
        let Some(batch) = batch else {
            self.exclude(worker, "its result message does not parse");
            return Ok(());
        };
        if self.excluded.contains(worker) {
            self.resend_chunks_of(&batch);
            return Ok(());
        }
        let results = batch.chunks.iter().flat_map(|chunk| &chunk.results);
        let mut new: Vec<(u64, &[u8])> = results
            .filter_map(|(job, outcome)| Some((*job, outcome.as_deref().ok()?)))
            .filter(|(job, _)| self.scheduler.is_job_outstanding(*job))
            .collect();
        // A job that occurs twice in one message is counted once.
        new.sort_by_key(|&(job, _)| job);
        new.dedup_by_key(|&mut (job, _)| job);
        match self.receiver.receive(&new) {
            Ok(flow) => {
                self.receiver_finished |= flow.is_break();
                self.residuals.add(worker, self.receiver.classes());
            }
            Err(reason) => {
                self.exclude(worker, &reason);
                self.resend_chunks_of(&batch);
                return Ok(());
            }
        }
        self.record_results(worker, &batch, &new);
        for (job, outcome) in batch.chunks.iter().flat_map(|chunk| &chunk.results) {
            if let Err(message) = outcome {
                self.handle_failure(worker, *job, message)?;
            }
        }
        Ok(())
    }

    /// Records accepted results. Counts a failure against every worker that failed one of these
    /// jobs before, and excludes workers with too many.
    fn record_results(&mut self, worker: &str, batch: &ResultBatch, new: &[(u64, &[u8])]) {
        let now = Instant::now();
        self.scheduler.worker_reported(worker, batch.threads, now);
        for chunk in &batch.chunks {
            self.scheduler.record_job_time(chunk.results.len(), chunk.seconds);
        }
        let mut blamed = BTreeMap::new();
        for &(job, _) in new {
            if let Some(failures) = self.scheduler.complete(job, now) {
                let others = failures.workers.into_iter().filter(|name| name != worker);
                blamed.extend(others.map(|name| (name, failures.message.clone())));
            }
        }
        self.completed_jobs.count(new.len() as u64, now);
        *self.jobs_by_worker.entry(worker.to_owned()).or_default() += new.len() as u64;
        for (name, message) in blamed {
            let failures = self.blamed_failures.entry(name.clone()).or_default();
            *failures += 1;
            if *failures >= MAX_BLAMED_FAILURES {
                self.exclude(&name, &format!("it fails jobs that others complete: {message}"));
            }
        }
    }

    fn handle_failure(&mut self, worker: &str, job: u64, message: &str) -> Result<(), RunError> {
        match self.scheduler.fail(job, worker, message, Instant::now()) {
            FailureAction::AlreadyDone | FailureAction::RetryLater => {}
            FailureAction::Retry(send) => {
                self.coordinator.notify(&format!("worker {worker} failed job {job}: {message}"));
                self.outbox.push_back(send);
            }
            FailureAction::GiveUp => return Err(job_failed(job, worker, message)),
        }
        Ok(())
    }

    /// Fails the run if every worker that takes part has failed the same job.
    fn check_failures(&mut self) -> Result<(), RunError> {
        if self.last_failure_check.elapsed() < FAILURE_CHECK_INTERVAL
            || self.scheduler.repeatedly_failed().next().is_none()
        {
            return Ok(());
        }
        self.last_failure_check = Instant::now();
        let Ok(workers) = self.coordinator.workers() else { return Ok(()) };
        let active: BTreeSet<String> = workers
            .into_iter()
            .filter(|worker| worker.runs.iter().any(|run| run == self.channel.id()))
            .map(|worker| worker.name)
            .filter(|name| !self.excluded.contains(name))
            .collect();
        let all_failed =
            |workers: &BTreeSet<String>| !active.is_empty() && active.is_subset(workers);
        match self.scheduler.repeatedly_failed().find(|(_, failed)| all_failed(&failed.workers)) {
            Some((job, failures)) => {
                let worker = failures.workers.first().map_or("", String::as_str);
                Err(job_failed(job, worker, &failures.message))
            }
            None => Ok(()),
        }
    }

    /// Excludes a worker from the run and hands out again the chunks it may have acknowledged.
    fn exclude(&mut self, worker: &str, reason: &str) {
        if !self.excluded.insert(worker.to_owned()) {
            return;
        }
        self.scheduler.remove_worker(worker);
        self.coordinator.notify(&format!("worker {worker} is excluded: {reason}"));
        let excluded: Vec<String> = self.excluded.iter().cloned().collect();
        let change = |announcement: &mut RunAnnouncement| announcement.excluded = excluded;
        self.coordinator.runtime.block_on(self.channel.announce(change, true));
        let turnaround = self.scheduler.turnaround();
        self.outbox.extend(self.scheduler.resend_all(turnaround, Instant::now()));
    }

    /// Hands out again the chunks of a result message that is rejected. Their worker has
    /// acknowledged them, so the server does not redeliver them.
    fn resend_chunks_of(&mut self, batch: &ResultBatch) {
        let chunks = batch.chunks.iter();
        let resent = chunks.filter_map(|chunk| self.scheduler.resend(chunk.chunk, self.last_event));
        self.outbox.extend(resent);
    }

    /// Periodic check: hands out delayed, overdue and lost chunks again, and announces the
    /// progress.
    fn check(&mut self) -> Result<(), RunError> {
        self.check_failures()?;
        if let Some(notice) = self.channel.replaced_notice() {
            self.coordinator.notify(&notice);
        }
        let now = Instant::now();
        self.outbox.extend(self.scheduler.take_delayed());
        self.resend_overdue(now);
        self.resend_lost(now);
        self.scheduler.remove_silent_workers(now);
        let (total, done) = (self.total_jobs, self.done_before + self.completed_jobs.total);
        let rate = self.completed_jobs.rate(now);
        let seconds_left = (rate > 0.0).then(|| total.saturating_sub(done) as f64 / rate);
        let by_worker: Vec<(String, u64)> =
            self.jobs_by_worker.iter().map(|(name, jobs)| (name.clone(), *jobs)).collect();
        let notices = self.residuals.look(now);
        notices.iter().for_each(|notice| self.coordinator.notify(notice));
        let residuals = self.residuals.shown();
        let change = |announcement: &mut RunAnnouncement| {
            let status = &mut announcement.status;
            (status.done, status.jobs_per_second) = (done, rate);
            status.seconds_left = seconds_left;
            status.by_worker = by_worker;
            status.residuals = residuals;
        };
        self.coordinator.runtime.block_on(self.channel.announce(change, false));
        Ok(())
    }

    /// Hands out overdue chunks again.
    fn resend_overdue(&mut self, now: Instant) {
        let is_recent =
            |(_, time): &(String, Instant)| now.duration_since(*time) < HEARTBEAT_TIMEOUT;
        self.heartbeats.retain(|&chunk, _| self.scheduler.is_outstanding(chunk));
        let has_heartbeat = |chunk| self.heartbeats.get(&chunk).is_some_and(is_recent);
        for send in self.scheduler.resend_overdue(has_heartbeat, now) {
            if let Some((worker, _)) = self.heartbeats.get(&send.number) {
                self.coordinator.notify(&format!(
                    "worker {worker} is slow; its chunk is handed out to others as well"
                ));
            }
            self.outbox.push_back(send);
        }
    }

    /// Hands out again the chunks that workers acknowledged without sending results. If the queues
    /// on the server are empty in two successive checks, these are all outstanding chunks.
    fn resend_lost(&mut self, now: Instant) {
        let silent = now.duration_since(self.last_event) >= LOST_CHUNK_TIMEOUT;
        if !silent || !self.outbox.is_empty() {
            return;
        }
        let drained_before = self.drained;
        self.drained = self.coordinator.runtime.block_on(self.channel.is_drained());
        if drained_before && self.drained {
            self.drained = false;
            let lost = self.scheduler.resend_all(LOST_CHUNK_TIMEOUT, now);
            let chunks = plural(lost.len() as u64, "chunk");
            self.coordinator
                .notify(&format!("handing out again {chunks} acknowledged without results"));
            self.outbox.extend(lost);
        }
    }

    /// Warns the user if no worker of this version is running.
    fn warn_without_workers(&self) {
        if self.completed_jobs.total > 0 {
            return;
        }
        let workers = self.coordinator.workers().unwrap_or_default();
        let version = &self.coordinator.options.version;
        if workers.iter().any(|worker| worker.version == *version) {
            return;
        }
        self.coordinator.notify(&format!(
            "no worker of version {version} among {}; start one with: ludion worker --nats URL",
            plural(workers.len() as u64, "worker")
        ));
    }

    /// Ends the run: names workers whose results differ from the others', and returns what outlasts it.
    pub(crate) fn close(mut self) -> (RunChannel, ResidualWatch) {
        let now = Instant::now();
        let notices =
            if self.is_in_series { self.residuals.look(now) } else { self.residuals.last_look() };
        notices.iter().for_each(|notice| self.coordinator.notify(notice));
        (self.channel, self.residuals)
    }

    /// Lets the workers interrupt their jobs, and receives the results that they have.
    fn finish(&mut self) -> Result<(), RunError> {
        let change = |announcement: &mut RunAnnouncement| announcement.phase = RunPhase::Stopping;
        let announced = self.channel.announce(change, true);
        let announced = async { tokio::time::timeout(POLL_INTERVAL, announced).await.is_ok() };
        let _ = self.coordinator.runtime.block_on(announced);
        let (began, mut last_result) = (Instant::now(), Instant::now());
        while last_result.elapsed() < STOP_TIMEOUT
            && began.elapsed() < STOP_LIMIT
            && !self.scheduler.is_empty()
            && !self.receiver_finished
        {
            let results = self.completed_jobs.total;
            self.handle_event(POLL_INTERVAL)?;
            if self.completed_jobs.total > results {
                last_result = Instant::now();
            }
        }
        Ok(())
    }
}

fn job_failed(job: u64, worker: &str, message: &str) -> RunError {
    let message = printable(message);
    RunError::Failed(format!("no worker can run job {job}; worker {worker} failed: {message}"))
}
