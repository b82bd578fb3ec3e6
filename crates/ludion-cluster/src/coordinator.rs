//! Conducts runs on many machines: opens the run on the server, hands its jobs out in chunks, and
//! gives the results to whoever keeps them. From outside it is a [`Cluster`] like any other, and
//! blocks as threads do.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use ludion_runs::cluster::{
    Cluster, ClusterStatus, JobSpec, ResultReceiver, RunStatus, WorkerStatus,
};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::access::Connection;
use crate::coordinated_run::CoordinatedRun;
use crate::run_channel::RunChannel;
use crate::runtime::AsyncRuntime;
use crate::server_run::{RunLayout, ServerRun};
use crate::wire::{
    CALL_RUNS, CALL_WORKERS, RunAnnouncement, RunNames, RunPhase, WireJobSpec, encode,
};
use crate::{ClusterError, Credentials, ServerAddress, attachments, sweep};

/// Told what a person should know: who refuses, who is slow, who was sent away.
pub type OnRemark = Box<dyn Fn(&str) + Send + Sync>;

/// How runs are conducted.
#[derive(Clone, Debug)]
pub struct CoordinatorOptions {
    /// The version of this program: workers of another one do nothing for it.
    pub version: String,
    /// Servers that keep a copy of every chunk and every result.
    pub replicas: usize,
    /// How long a chunk of jobs should take; nothing: one job each.
    pub chunk: Duration,
    /// Chunks and results that nobody took for this long are dropped by the server.
    pub age: Duration,
}

impl CoordinatorOptions {
    /// Those of a program of this version.
    #[must_use]
    pub fn new(version: &str) -> Self {
        CoordinatorOptions {
            version: version.to_owned(),
            replicas: 1,
            chunk: Duration::from_millis(100),
            age: Duration::from_secs(24 * 3600),
        }
    }
}

/// Conducts runs on many machines.
pub struct Coordinator {
    pub(crate) engine: AsyncRuntime,
    link: Connection,
    pub(crate) options: CoordinatorOptions,
    remark: OnRemark,
    /// What was remarked already: somebody who refuses does so every few seconds.
    said: Mutex<BTreeSet<String>>,
}

/// What it is called among the connections of the server.
const NAME: &str = "ludion coordinator";
/// How long the first answer to a roll call is waited for, the next one, and all of them.
const FIRST: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_millis(300);
const CALL: Duration = Duration::from_secs(3);
/// The most sentences that are said.
const MAX_SAID: usize = 1000;
/// Headers and the rest of a message have this much room.
const MARGIN: usize = 4096;

impl Coordinator {
    /// Connects to the server.
    ///
    /// # Errors
    /// When nobody answers there, or lets us in, or it cannot keep anything.
    pub fn connect(
        address: &ServerAddress,
        access: &Credentials,
        options: CoordinatorOptions,
        remark: OnRemark,
    ) -> Result<Self, ClusterError> {
        Self::linked(Connection::open(address, access, NAME), options, remark)
    }

    /// Connects to a server that need not be there yet; until it is, whoever asks it is told so.
    ///
    /// # Errors
    /// When the address or the credentials cannot be used.
    pub fn expect(
        address: &ServerAddress,
        access: &Credentials,
        options: CoordinatorOptions,
        remark: OnRemark,
    ) -> Result<Self, ClusterError> {
        Self::linked(Connection::expect(address, access, NAME), options, remark)
    }

    fn linked(
        link: impl Future<Output = Result<Connection, ClusterError>>,
        options: CoordinatorOptions,
        remark: OnRemark,
    ) -> Result<Self, ClusterError> {
        let engine = AsyncRuntime::start()?;
        let link = engine.block_on(link)?;
        Ok(Coordinator { engine, link, options, remark, said: Mutex::default() })
    }

    /// Says something that was not said before.
    pub(crate) fn remark(&self, sentence: &str) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() < MAX_SAID && said.insert(sentence.to_owned()) {
            (self.remark)(sentence);
        }
    }

    fn open(&self, order: &JobSpec) -> Result<RunChannel, ClusterError> {
        let names = RunNames::draw()
            .map_err(|error| ClusterError::File(format!("no name could be drawn: {error}")))?;
        let JobSpec { kind, about, jobs, done, spec, attachments } = order;
        let labels = attachments::labels(attachments);
        let written =
            encode(&WireJobSpec { kind: kind.clone(), spec: spec.clone(), attachments: labels });
        let most = self.link.client.max_payload().saturating_sub(MARGIN).max(1);
        let pieces: Vec<Vec<u8>> = written.chunks(most).map(<[u8]>::to_vec).collect();
        let announcement = RunAnnouncement {
            status: RunStatus {
                id: names.id.clone(),
                kind: kind.clone(),
                about: about.clone(),
                version: self.options.version.clone(),
                done: *done,
                jobs: *jobs,
                jobs_per_second: 0.0,
                seconds_left: None,
                by_worker: Vec::new(),
            },
            pieces: pieces.len() as u32,
            opened: 0,
            barred: Vec::new(),
            phase: RunPhase::Open,
        };
        let plan = RunLayout {
            names,
            print: print(&written),
            order: pieces,
            attachments: attachments.clone(),
            replicas: self.options.replicas,
            age: self.options.age,
        };
        self.engine.spawn(sweep::sweep(self.link.clone(), plan.print.clone()));
        self.engine.block_on(RunChannel::open(ServerRun::new(
            self.link.clone(),
            plan,
            announcement,
        )))
    }

    /// Who is there.
    pub(crate) fn workers(&self) -> Result<Vec<WorkerStatus>, ClusterError> {
        self.engine.block_on(self.call(CALL_WORKERS))
    }

    /// Asks all of one kind how they are.
    async fn call<T: DeserializeOwned>(
        &self,
        subject: &'static str,
    ) -> Result<Vec<T>, ClusterError> {
        if !self.link.is_up() {
            let (place, why) = (self.link.place.clone(), "there is no connection".to_owned());
            return Err(ClusterError::Unreachable { place, why });
        }
        let failed = ClusterError::server("ask who is there");
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

/// By which the streams of a run are known, whoever conducts it.
fn print(order: &[u8]) -> String {
    let hash = Sha256::digest(order);
    let digits: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("ludion order {digits}")
}

impl Cluster for Coordinator {
    fn execute(
        &self,
        order: &JobSpec,
        jobs: &mut (dyn Iterator<Item = u64> + Send),
        stop: &AtomicBool,
        receiver: &mut dyn ResultReceiver,
    ) -> Result<(), ludion_runs::RunError> {
        let mut conduct = CoordinatedRun::new(self, self.open(order)?, order, stop, receiver);
        let done = conduct.run(jobs);
        let line = conduct.line;
        self.engine.block_on(async {
            line.announce(|announcement| announcement.phase = RunPhase::Over, false).await;
            line.close().await;
        });
        done
    }

    fn status(&self) -> Result<ClusterStatus, ludion_runs::RunError> {
        let (workers, runs) = self.engine.block_on(async {
            tokio::join!(
                self.call::<WorkerStatus>(CALL_WORKERS),
                self.call::<RunAnnouncement>(CALL_RUNS)
            )
        });
        let (mut workers, runs) = (workers?, runs?);
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        let mut runs: Vec<RunStatus> = runs.into_iter().map(|run| run.status).collect();
        runs.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(ClusterStatus { workers, runs })
    }
}
