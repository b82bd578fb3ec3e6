//! The public API of a coordinator: it connects to the server, opens the streams of a run, and asks
//! workers and other coordinators for their status. It implements [`Cluster`] and blocks the
//! calling thread until a run is over, like an executor on threads. The loop of a run is in
//! `coordinated_run`.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use ludion_runs::cluster::{
    Cluster, ClusterStatus, JobSpec, ResultReceiver, RunStatus, WorkerStatus,
};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::connection::Connection;
use crate::coordinated_run::CoordinatedRun;
use crate::residual_watch::{ResidualWatch, SeriesWatches};
use crate::run_channel::RunChannel;
use crate::run_key::RunKey;
use crate::run_streams::{RunStreams, RunStreamsConfig};
use crate::runtime::AsyncRuntime;
use crate::wire::{
    LIST_RUNS_SUBJECT, LIST_WORKERS_SUBJECT, RunAnnouncement, RunOrder, RunPhase, RunSubjects,
    WireJobSpec, encode, printable,
};
use crate::{ClusterError, Credentials, ServerAddress, attachments, cleanup};

/// Callback for messages to the user, such as "worker a is excluded: …".
pub type OnNotice = Box<dyn Fn(&str) + Send + Sync>;

/// Options of a coordinator.
#[derive(Clone, Debug)]
pub struct CoordinatorOptions {
    /// Version of this program. Workers of another version refuse its runs.
    pub version: String,
    /// Number of servers that keep a copy of every chunk and every result.
    pub replicas: usize,
    /// Time that a chunk of jobs should take; zero means one job per chunk.
    pub chunk_time: Duration,
    /// Age at which the server drops chunks and results that were not consumed.
    pub max_age: Duration,
}

impl CoordinatorOptions {
    /// Returns the default options of a program of this version.
    #[must_use]
    pub fn new(version: &str) -> Self {
        CoordinatorOptions {
            version: version.to_owned(),
            replicas: 1,
            chunk_time: Duration::from_millis(100),
            max_age: Duration::from_secs(24 * 3600),
        }
    }
}

/// Hands out the jobs of runs to workers, through a NATS server, and collects the results.
pub struct Coordinator {
    pub(crate) runtime: AsyncRuntime,
    connection: Connection,
    pub(crate) options: CoordinatorOptions,
    on_notice: OnNotice,
    /// Notices already given, so that none is given twice: workers repeat a refusal every few
    /// seconds.
    notices: Mutex<BTreeSet<String>>,
    /// The comparisons of workers in the series of job sets, for the next job set of each series.
    residual_watches: Mutex<SeriesWatches>,
}

/// Name of the connection, as the server lists it.
const CLIENT_NAME: &str = "ludion coordinator";
/// Time that a status request waits for the first response.
const FIRST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(1);
/// Time that a status request waits for each further response.
const NEXT_RESPONSE_TIMEOUT: Duration = Duration::from_millis(300);
/// Time that a status request waits for all responses together.
const STATUS_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum number of responses that a status request reads.
const MAX_RESPONSES: usize = 1 << 16;
/// Maximum number of different notices given to the user.
const MAX_NOTICES: usize = 1000;
/// Number of bytes of a message that are reserved for headers.
const HEADER_SIZE: usize = 4096;

impl Coordinator {
    /// Connects to a running server.
    ///
    /// # Errors
    /// When the server does not answer, denies access, or has no JetStream.
    pub fn connect(
        address: &ServerAddress,
        credentials: &Credentials,
        options: CoordinatorOptions,
        on_notice: OnNotice,
    ) -> Result<Self, ClusterError> {
        Self::new(Connection::open(address, credentials, CLIENT_NAME), options, on_notice)
    }

    /// Connects in the background to a server that need not run yet. Until it does, requests
    /// return an error.
    ///
    /// # Errors
    /// When the address or the credentials are not usable.
    pub fn connect_in_background(
        address: &ServerAddress,
        credentials: &Credentials,
        options: CoordinatorOptions,
        on_notice: OnNotice,
    ) -> Result<Self, ClusterError> {
        let connection = Connection::open_in_background(address, credentials, CLIENT_NAME);
        Self::new(connection, options, on_notice)
    }

    fn new(
        connection: impl Future<Output = Result<Connection, ClusterError>>,
        options: CoordinatorOptions,
        on_notice: OnNotice,
    ) -> Result<Self, ClusterError> {
        let runtime = AsyncRuntime::start()?;
        let connection = runtime.block_on(connection)?;
        Ok(Coordinator {
            runtime,
            connection,
            options,
            on_notice,
            notices: Mutex::default(),
            residual_watches: Mutex::default(),
        })
    }

    /// Passes a message to the user, unless it was passed before.
    pub(crate) fn notify(&self, message: &str) {
        let message = &printable(message);
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if notices.len() < MAX_NOTICES && notices.insert(message.to_owned()) {
            (self.on_notice)(message);
        }
    }

    fn residual_watches(&self) -> MutexGuard<'_, SeriesWatches> {
        self.residual_watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates the streams of a new run and starts to announce it.
    fn open_run(&self, spec: &JobSpec) -> Result<RunChannel, ClusterError> {
        let no_random = |error| ClusterError::Local(format!("no random id for the run: {error}"));
        let subjects = RunSubjects::random().map_err(no_random)?;
        let id_prefix = RunSubjects::random().map_err(no_random)?.id;
        let key = RunKey::random().map_err(no_random)?;
        let JobSpec { kind, about, jobs, done, spec, attachments, series: _ } = spec;
        let wire_spec = WireJobSpec {
            kind: kind.clone(),
            spec: spec.clone(),
            attachments: attachments::describe(attachments),
        };
        let fingerprint = fingerprint(&encode(&wire_spec));
        let encoded = encode(&RunOrder { key: key.clone(), jobs: *jobs, spec: wire_spec });
        let max_size = self.connection.client().max_payload().saturating_sub(HEADER_SIZE).max(1);
        let spec_parts: Vec<Vec<u8>> = encoded.chunks(max_size).map(<[u8]>::to_vec).collect();
        let announcement = RunAnnouncement {
            status: RunStatus {
                id: subjects.id.clone(),
                kind: kind.clone(),
                about: about.clone(),
                version: self.options.version.clone(),
                done: *done,
                jobs: *jobs,
                jobs_per_second: 0.0,
                seconds_left: None,
                by_worker: Vec::new(),
                residuals: Vec::new(),
            },
            spec_parts: spec_parts.len() as u32,
            times_created: 0,
            excluded: Vec::new(),
            phase: RunPhase::Open,
        };
        let config = RunStreamsConfig {
            subjects,
            key,
            fingerprint,
            spec_parts,
            attachments: attachments.clone(),
            replicas: self.options.replicas,
            max_age: self.options.max_age,
        };
        self.runtime.spawn(cleanup::delete_abandoned_streams(
            self.connection.clone(),
            config.fingerprint.clone(),
        ));
        let streams = RunStreams::new(self.connection.clone(), config, announcement, id_prefix);
        self.runtime.block_on(RunChannel::open(streams))
    }

    /// Returns the status of all workers that respond.
    pub(crate) fn workers(&self) -> Result<Vec<WorkerStatus>, ClusterError> {
        self.runtime.block_on(self.request_status(LIST_WORKERS_SUBJECT))
    }

    /// Sends a status request to all listeners of a subject and collects their responses.
    async fn request_status<T: DeserializeOwned>(
        &self,
        subject: &'static str,
    ) -> Result<Vec<T>, ClusterError> {
        if !self.connection.is_connected() {
            let hosts = self.connection.hosts.clone();
            let reason = "there is no connection".to_owned();
            return Err(ClusterError::Unreachable { hosts, reason });
        }
        let failed = ClusterError::server("pass on a status request");
        let client = &self.connection.client();
        let inbox = client.new_inbox();
        let mut responses =
            client.subscribe(inbox.clone()).await.map_err(|error| failed(error.into()))?;
        let sent = client.publish_with_reply(subject, inbox, "".into()).await;
        sent.map_err(|error| failed(error.into()))?;
        let (mut received, end) = (Vec::new(), Instant::now() + STATUS_TIMEOUT);
        while Instant::now() < end && received.len() < MAX_RESPONSES {
            let timeout =
                if received.is_empty() { FIRST_RESPONSE_TIMEOUT } else { NEXT_RESPONSE_TIMEOUT };
            let Ok(Some(response)) = tokio::time::timeout(timeout, responses.next()).await else {
                break;
            };
            received.extend(serde_json::from_slice(&response.payload));
        }
        Ok(received)
    }
}

/// Returns a hash of a job specification, by which its streams are recognised even if another
/// coordinator created them.
fn fingerprint(encoded_spec: &[u8]) -> String {
    let hash = Sha256::digest(encoded_spec);
    let digits: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("ludion order {digits}")
}

fn make_worker_printable(worker: &mut WorkerStatus) {
    let texts = [&mut worker.name, &mut worker.version].into_iter();
    let texts = texts.chain(&mut worker.runs).chain(&mut worker.refusals);
    texts.for_each(|text| *text = printable(text));
}

fn make_run_printable(run: &mut RunStatus) {
    let texts = [&mut run.id, &mut run.kind, &mut run.about, &mut run.version].into_iter();
    let texts = texts.chain(run.by_worker.iter_mut().map(|(name, _)| name));
    let texts = texts.chain(run.residuals.iter_mut().map(|residual| &mut residual.worker));
    texts.for_each(|text| *text = printable(text));
}

impl Cluster for Coordinator {
    fn execute(
        &self,
        spec: &JobSpec,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        receiver: &mut dyn ResultReceiver,
    ) -> Result<(), ludion_runs::RunError> {
        let channel = self.open_run(spec)?;
        let series = spec.series.as_deref();
        let watch = series.and_then(|series| self.residual_watches().take(series));
        let watch = watch.unwrap_or_else(|| ResidualWatch::new(Instant::now()));
        let mut run = CoordinatedRun::new(self, channel, spec, watch, stop, receiver);
        let result = run.run(jobs);
        let (channel, watch) = run.close();
        if let Some(series) = series {
            self.residual_watches().put(series, watch);
        }
        self.runtime.block_on(async {
            channel.announce(|announcement| announcement.phase = RunPhase::Over, false).await;
            channel.close().await;
        });
        result
    }

    fn status(&self) -> Result<ClusterStatus, ludion_runs::RunError> {
        let (workers, runs) = self.runtime.block_on(async {
            tokio::join!(
                self.request_status::<WorkerStatus>(LIST_WORKERS_SUBJECT),
                self.request_status::<RunAnnouncement>(LIST_RUNS_SUBJECT)
            )
        });
        let (mut workers, runs) = (workers?, runs?);
        workers.iter_mut().for_each(make_worker_printable);
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        let mut runs: Vec<RunStatus> = runs.into_iter().map(|run| run.status).collect();
        runs.iter_mut().for_each(make_run_printable);
        runs.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(ClusterStatus { workers, runs })
    }
}
