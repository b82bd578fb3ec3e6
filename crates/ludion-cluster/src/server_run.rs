//! A run on the server: a stream that keeps its order, a queue of chunks and one of results, and the
//! models and data that its jobs need. All of it is made again where the server lost it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{
    CreateStreamError, CreateStreamErrorKind, GetStreamErrorKind, PublishErrorKind,
};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use ludion_runs::cluster::Attachment;
use tokio::sync::{Mutex as AsyncMutex, mpsc};

use crate::access::Connection;
use crate::chunk_scheduler::ChunkToSend;
use crate::events::RunEvent;
use crate::wire::{COORDINATOR, RUNS, RunAnnouncement, RunNames, WORKERS, encode, to_json};
use crate::{ClusterError, attachments};

/// A chunk whose worker is not heard of for this long goes to another.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(3);
/// Results that the coordinator did not keep within this time come again.
const KEEP_WAIT: Duration = Duration::from_secs(30);
/// A message that is sent again within this time is known by its id.
const TWICE: Duration = Duration::from_secs(30);
/// How long after something went wrong it is tried again.
pub(crate) const RETRY: Duration = Duration::from_millis(200);

/// What a run is made of on the server.
pub(crate) struct RunLayout {
    pub(crate) names: RunNames,
    /// By which the leavings of another coordinator of the same run are known.
    pub(crate) print: String,
    /// The order, in pieces that the server lets through.
    pub(crate) order: Vec<Vec<u8>>,
    /// What the order needs.
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) replicas: usize,
    /// What nobody took for this long is dropped: its coordinator is gone.
    pub(crate) age: Duration,
}

/// A run with the connection to its server.
pub(crate) struct ServerRun {
    pub(crate) link: Connection,
    pub(crate) plan: RunLayout,
    announcement: Mutex<RunAnnouncement>,
    /// Held by whoever opens the run again.
    alone: AsyncMutex<()>,
}

impl ServerRun {
    pub(crate) fn new(link: Connection, plan: RunLayout, announcement: RunAnnouncement) -> Self {
        ServerRun { link, plan, announcement: Mutex::new(announcement), alone: AsyncMutex::new(()) }
    }

    pub(crate) fn announcement(&self) -> MutexGuard<'_, RunAnnouncement> {
        self.announcement.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn announce_once(&self) {
        let mut announcement = self.announcement().clone();
        // Who did how much is told to those who ask, not to thousands every second.
        announcement.status.by_worker.clear();
        let text = to_json(&announcement);
        // The next one comes in a second.
        let _ = self.link.client.publish(RUNS, text.into()).await;
    }

    pub(crate) async fn subscribe(
        &self,
        subject: String,
    ) -> Result<async_nats::Subscriber, ClusterError> {
        let subscribed = self.link.client.subscribe(subject).await;
        subscribed.map_err(|error| ClusterError::server("listen")(error.into()))
    }

    /// Makes all that a run needs on the server. What is there already stays.
    pub(crate) async fn create(&self) -> Result<(), ClusterError> {
        let RunLayout { names, attachments, replicas, .. } = &self.plan;
        attachments::send(&self.link.stream, *replicas, attachments).await?;
        let failed = ClusterError::server("make a stream");
        let stream = &self.link.stream;
        let made = stream.get_or_create_stream(self.order_config()).await;
        made.map_err(|error| self.refused(error))?;
        let work = self.queue(names.work_stream(), names.work());
        let work = stream.get_or_create_stream(work).await.map_err(|e| self.refused(e))?;
        let results = self.queue(names.result_stream(), names.results());
        let results = stream.get_or_create_stream(results).await.map_err(|e| self.refused(e))?;
        let workers = consumer(WORKERS, ACK_WAIT);
        work.get_or_create_consumer(WORKERS, workers).await.map_err(|e| failed(e.into()))?;
        let keeper = consumer(COORDINATOR, KEEP_WAIT);
        results.get_or_create_consumer(COORDINATOR, keeper).await.map_err(|e| failed(e.into()))?;
        for (number, piece) in self.plan.order.iter().enumerate() {
            let subject = names.order(&number.to_string());
            let sent = stream.publish(subject, piece.clone().into()).await;
            let sent = sent.map_err(|e| failed(e.into()))?;
            sent.await.map_err(|e| failed(e.into()))?;
        }
        self.announcement().opened += 1;
        Ok(())
    }

    /// The order is there as long as the run lasts, for workers that come late.
    fn order_config(&self) -> Config {
        Config {
            name: self.plan.names.order_stream(),
            description: Some(self.plan.print.clone()),
            subjects: vec![self.plan.names.order("*")],
            max_messages_per_subject: 1,
            num_replicas: self.plan.replicas,
            ..Config::default()
        }
    }

    fn queue(&self, name: String, subject: String) -> Config {
        Config {
            name,
            description: Some(self.plan.print.clone()),
            subjects: vec![subject],
            retention: RetentionPolicy::WorkQueue,
            max_age: self.plan.age,
            duplicate_window: TWICE.min(self.plan.age),
            num_replicas: self.plan.replicas,
            ..Config::default()
        }
    }

    fn refused(&self, error: CreateStreamError) -> ClusterError {
        match error.kind() {
            CreateStreamErrorKind::JetStream(said)
                if said.error_code() == ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED =>
            {
                ClusterError::Replicas { place: self.link.place.clone(), asked: self.plan.replicas }
            }
            _ => ClusterError::server("make a stream")(error.into()),
        }
    }

    /// Opens the run again if the server has lost it; says whether it had.
    pub(crate) async fn reopen(&self) -> bool {
        let _alone = self.alone.lock().await;
        let names = &self.plan.names;
        for name in [names.order_stream(), names.work_stream(), names.result_stream()] {
            let Err(error) = self.link.stream.get_stream(name).await else { continue };
            let gone = matches!(error.kind(), GetStreamErrorKind::JetStream(said)
                if said.error_code() == ErrorCode::STREAM_NOT_FOUND);
            return gone && self.create().await.is_ok();
        }
        false
    }

    /// Whether nothing waits at the server, and nobody holds anything: neither chunks nor results.
    pub(crate) async fn is_drained(&self) -> Result<bool, async_nats::Error> {
        let names = &self.plan.names;
        let queues = [(WORKERS, names.work_stream()), (COORDINATOR, names.result_stream())];
        for (name, stream) in queues {
            let consumer: PullConsumer =
                self.link.stream.get_consumer_from_stream(name, stream).await?;
            let info = consumer.cached_info();
            if info.num_pending > 0 || info.num_ack_pending > 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Hands a chunk to the server, as often as it takes.
    pub(crate) async fn deliver(&self, post: ChunkToSend, tell: &mpsc::Sender<RunEvent>) {
        let id = format!("{}.{}", post.chunk.number, post.time);
        let (work, chunk) = (self.plan.names.work(), encode(&post.chunk));
        loop {
            let message = PublishMessage::build().payload(chunk.clone().into()).message_id(&id);
            let sent = match self.link.stream.send_publish(work.clone(), message).await {
                Ok(sent) => sent.await,
                Err(error) => Err(error),
            };
            let Err(error) = sent else { return };
            if error.kind() == PublishErrorKind::StreamNotFound && self.reopen().await {
                let _ = tell.send(RunEvent::Reopened).await;
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Takes the run off the server.
    pub(crate) async fn remove(&self) {
        let names = &self.plan.names;
        for stream in [names.order_stream(), names.work_stream(), names.result_stream()] {
            // What cannot be deleted is swept up by the next coordinator.
            let _ = self.link.stream.delete_stream(stream).await;
        }
    }
}

fn consumer(name: &str, ack_wait: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(name.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_ack_pending: -1,
        ..pull::Config::default()
    }
}
