//! The streams of one run on the server: a stream with the job specification, a work queue of
//! chunks and a queue of results. They are created when the run starts, created again if the server
//! loses them, and deleted when the run ends.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Subject;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{
    CreateStreamError, CreateStreamErrorKind, GetStreamErrorKind, PublishErrorKind,
};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use ludion_runs::cluster::Attachment;
use tokio::sync::{Mutex as AsyncMutex, mpsc};

use crate::ClusterError;
use crate::attachments::{self, Upload};
use crate::connection::Connection;
use crate::run_channel::RunEvent;
use crate::run_key::{RunKey, TaggedMessage};
use crate::stored_message::{MessageId, StoredMessage};
use crate::wire::{
    COORDINATOR_CONSUMER, JobChunk, RUNS_SUBJECT, RunAnnouncement, RunSubjects, WORKERS_CONSUMER,
    encode, tagged, to_json,
};

/// Time without a heartbeat after which the server redelivers a chunk to another worker.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(3);
/// Time after which the server redelivers results that the coordinator has not acknowledged.
const RESULT_ACK_WAIT: Duration = Duration::from_secs(30);
/// Time for which the server remembers the ids of messages, to drop those that are sent twice.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(30);
/// Delay before a failed request to the server is retried.
pub(crate) const RETRY_DELAY: Duration = Duration::from_millis(200);

/// Names, content and limits of the streams of a run.
pub(crate) struct RunStreamsConfig {
    pub(crate) subjects: RunSubjects,
    /// Key of the tags of all messages of the run.
    pub(crate) key: RunKey,
    /// Hash of the job specification, stored as the description of the streams. It is the same for
    /// every coordinator of the same specification.
    pub(crate) fingerprint: String,
    /// The order of the run, split into messages of a size that the server accepts.
    pub(crate) spec_parts: Vec<Vec<u8>>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) replicas: usize,
    /// Age at which the server drops chunks and results that were not consumed.
    pub(crate) max_age: Duration,
}

/// The streams of a run, with the connection to their server and the announcement of the run.
pub(crate) struct RunStreams {
    pub(crate) connection: Connection,
    pub(crate) config: RunStreamsConfig,
    announcement: Mutex<RunAnnouncement>,
    /// Random prefix of the ids of chunk messages.
    id_prefix: String,
    /// Lock that is held while the streams are checked and created again.
    recreating: AsyncMutex<()>,
}

impl RunStreams {
    pub(crate) fn new(
        connection: Connection,
        config: RunStreamsConfig,
        announcement: RunAnnouncement,
        id_prefix: String,
    ) -> Self {
        let announcement = Mutex::new(announcement);
        let recreating = AsyncMutex::new(());
        RunStreams { connection, config, announcement, id_prefix, recreating }
    }

    pub(crate) fn announcement(&self) -> MutexGuard<'_, RunAnnouncement> {
        self.announcement.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes the announcement of the run once.
    pub(crate) async fn publish_announcement(&self) {
        let mut announcement = self.announcement().clone();
        // What is known of each worker is only part of status responses, because every worker
        // receives every announcement.
        announcement.status.by_worker.clear();
        announcement.status.residuals.clear();
        // A lost announcement does not matter: the next one follows within a second.
        self.send_announcement(RUNS_SUBJECT.into(), &announcement).await;
    }

    /// Sends an announcement of the run, with its tag, to a subject.
    pub(crate) async fn send_announcement(&self, subject: Subject, announcement: &RunAnnouncement) {
        let text = to_json(announcement);
        let headers = tagged(&self.config.key, TaggedMessage::Announcement, "", &text);
        let client = &self.connection.client();
        let _ = client.publish_with_headers(subject, headers, text.into()).await;
    }

    /// Uploads the attachments, creates the streams that do not exist, and stores the job
    /// specification.
    pub(crate) async fn create(&self) -> Result<(), ClusterError> {
        let RunStreamsConfig { subjects, attachments, replicas, .. } = &self.config;
        let jetstream = &self.connection.jetstream();
        attachments::upload(jetstream, *replicas, attachments, Upload::Missing).await?;
        let failed = ClusterError::server("create a stream");
        self.store_order().await?;
        let work = self.queue_config(subjects.work_stream(), subjects.work());
        let work = jetstream.get_or_create_stream(work).await;
        let work = work.map_err(|error| self.create_error(error))?;
        let results = self.queue_config(subjects.result_stream(), subjects.results());
        let results = jetstream.get_or_create_stream(results).await;
        let results = results.map_err(|error| self.create_error(error))?;
        let workers = consumer_config(WORKERS_CONSUMER, ACK_WAIT);
        work.get_or_create_consumer(WORKERS_CONSUMER, workers)
            .await
            .map_err(|e| failed(e.into()))?;
        let coordinator = consumer_config(COORDINATOR_CONSUMER, RESULT_ACK_WAIT);
        let created = results.get_or_create_consumer(COORDINATOR_CONSUMER, coordinator).await;
        created.map_err(|e| failed(e.into()))?;
        self.announcement().times_created += 1;
        Ok(())
    }

    /// Uploads the attachments, even those that the server has, and lets workers retry the run.
    pub(crate) async fn upload_again(&self) -> Result<(), ClusterError> {
        let RunStreamsConfig { attachments, replicas, .. } = &self.config;
        let jetstream = &self.connection.jetstream();
        attachments::upload(jetstream, *replicas, attachments, Upload::All).await?;
        self.announcement().times_created += 1;
        Ok(())
    }

    /// Creates the stream with the order of the run, if it does not exist, and stores the order. Then
    /// the stream is full: the server accepts no further message.
    async fn store_order(&self) -> Result<(), ClusterError> {
        let failed = ClusterError::server("create a stream");
        let jetstream = &self.connection.jetstream();
        let created = jetstream.get_or_create_stream(self.spec_stream_config()).await;
        let stored =
            created.map_err(|error| self.create_error(error))?.cached_info().state.messages;
        for (index, part) in self.config.spec_parts.iter().enumerate().skip(stored as usize) {
            let subject = self.config.subjects.spec_part(&index.to_string());
            let published = jetstream.publish(subject, part.clone().into()).await;
            let published = published.map_err(|e| failed(e.into()))?;
            let published = published.await.map_err(|e| failed(e.into()))?;
            if published.sequence != index as u64 + 1 {
                // Another client has published to the new stream: begin again.
                let _ = jetstream.delete_stream(self.config.subjects.spec_stream()).await;
                return Err(failed("another client has published to it".into()));
            }
        }
        Ok(())
    }

    /// Returns the configuration of the stream with the order of the run. It has no maximum age:
    /// workers that start late need the order as well. It is full with the parts of the order, so
    /// that no client can change it.
    fn spec_stream_config(&self) -> Config {
        Config {
            name: self.config.subjects.spec_stream(),
            description: Some(self.config.fingerprint.clone()),
            subjects: vec![self.config.subjects.spec_part("*")],
            max_messages: self.config.spec_parts.len() as i64,
            discard: DiscardPolicy::New,
            deny_delete: true,
            deny_purge: true,
            num_replicas: self.config.replicas,
            ..Config::default()
        }
    }

    /// Returns the configuration of a queue of chunks or results.
    fn queue_config(&self, name: String, subject: String) -> Config {
        Config {
            name,
            description: Some(self.config.fingerprint.clone()),
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            max_age: self.config.max_age,
            duplicate_window: DUPLICATE_WINDOW.min(self.config.max_age),
            num_replicas: self.config.replicas,
            ..Config::default()
        }
    }

    fn create_error(&self, error: CreateStreamError) -> ClusterError {
        match error.kind() {
            CreateStreamErrorKind::JetStream(cause)
                if cause.error_code() == ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED =>
            {
                let hosts = self.connection.hosts.clone();
                ClusterError::TooManyReplicas { hosts, replicas: self.config.replicas }
            }
            _ => ClusterError::server("create a stream")(error.into()),
        }
    }

    /// Creates the streams again if the server has lost one of them; returns whether they were
    /// recreated.
    pub(crate) async fn recreate_if_lost(&self) -> bool {
        let _guard = self.recreating.lock().await;
        for name in self.stream_names() {
            let Err(error) = self.connection.jetstream().get_stream(name).await else { continue };
            let lost = matches!(error.kind(), GetStreamErrorKind::JetStream(cause)
                if cause.error_code() == ErrorCode::STREAM_NOT_FOUND);
            return lost && self.create().await.is_ok();
        }
        false
    }

    /// Returns whether the queues of chunks and results are empty and nothing delivered from them
    /// awaits acknowledgement.
    pub(crate) async fn is_drained(&self) -> Result<bool, async_nats::Error> {
        let subjects = &self.config.subjects;
        let queues = [
            (WORKERS_CONSUMER, subjects.work_stream()),
            (COORDINATOR_CONSUMER, subjects.result_stream()),
        ];
        for (name, stream) in queues {
            let consumer: PullConsumer =
                self.connection.jetstream().get_consumer_from_stream(name, stream).await?;
            let info = consumer.cached_info();
            if info.num_pending > 0 || info.num_ack_pending > 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sends a chunk to the work queue, and retries until the server has stored it. If the streams
    /// are lost, creates them again and sends [`RunEvent::StreamsRecreated`] to `events`.
    pub(crate) async fn send_chunk(&self, chunk: JobChunk, events: &mpsc::Sender<RunEvent>) {
        let payload = encode(&chunk);
        let headers = tagged(&self.config.key, TaggedMessage::Chunk, "", &payload);
        let message = StoredMessage { subject: self.config.subjects.work(), headers, payload };
        let first_id = format!("{}.{}.{}", self.id_prefix, chunk.number, chunk.attempt);
        let mut id = MessageId::new(first_id);
        while let Err(error) = message.publish(&self.connection, &mut id).await {
            let lost = error == Some(PublishErrorKind::StreamNotFound);
            if lost && self.recreate_if_lost().await {
                let _ = events.send(RunEvent::StreamsRecreated).await;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    /// Deletes the streams.
    pub(crate) async fn delete(&self) {
        for stream in self.stream_names() {
            // A stream that remains after an error is deleted by the next coordinator.
            let _ = self.connection.jetstream().delete_stream(stream).await;
        }
    }

    fn stream_names(&self) -> [String; 3] {
        let subjects = &self.config.subjects;
        [subjects.spec_stream(), subjects.work_stream(), subjects.result_stream()]
    }
}

fn consumer_config(name: &str, ack_wait: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(name.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_ack_pending: -1,
        ..pull::Config::default()
    }
}
