//! Messages of one run at its coordinator. Background tasks send chunks, receive results and worker
//! messages, and announce the run. The coordinator communicates with them through channels, so that
//! it never waits for the server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::message::Acker;
use futures_util::{StreamExt, stream};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::JoinSet;

use crate::ClusterError;
use crate::connection_watch::LastingSubscription;
use crate::message_puller::MessagePuller;
use crate::run_key::TaggedMessage;
use crate::run_streams::{RETRY_DELAY, RunStreams};
use crate::wire::{
    COORDINATOR_CONSUMER, JobChunk, LIST_RUNS_SUBJECT, ResultBatch, RunAnnouncement, WORKER_HEADER,
    WorkerMessage, WorkerMessageKind, header, is_authentic, is_reply_subject,
};
use crate::worker::check_worker_name;

/// Maximum number of chunks, and of events, that are in transit at once.
const MAX_IN_TRANSIT: usize = 4096;
/// Interval at which the run is announced.
const ANNOUNCE_INTERVAL: Duration = Duration::from_secs(1);
/// Time for which the creation of the streams is retried: servers that have just started, or lost one
/// of them, must first elect a leader.
const CREATE_TIMEOUT: Duration = Duration::from_secs(60);
/// Number of result messages requested at once.
const BATCH_SIZE: usize = 256;
/// Time that the removal of the streams may take when a run ends.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Event of a run that its coordinator handles.
pub(crate) enum RunEvent {
    /// A worker sent results.
    Results {
        /// Name of the worker.
        worker: String,
        /// The results, or `None` if the message does not parse.
        batch: Option<ResultBatch>,
        /// Handle that acknowledges the message, once the results are stored.
        acker: Box<Acker>,
    },
    /// A worker still runs a chunk.
    StillRunning {
        /// Name of the worker.
        worker: String,
        /// Number of the chunk.
        chunk: u64,
    },
    /// A worker found an attachment missing or damaged on the server.
    AttachmentDamaged {
        /// Name of the worker.
        worker: String,
    },
    /// A worker does not take part in the run. Such a worker may be unable to read the key of the
    /// run, so this is not authenticated.
    Refusal {
        /// Name of the worker.
        worker: String,
        /// Why it does not take part.
        reason: String,
    },
    /// A message had no valid tag and was dropped.
    Forged,
    /// The server had lost the streams. They exist again, but their messages are lost.
    StreamsRecreated,
}

/// Connection of the coordinator to the background tasks of one run.
pub(crate) struct RunChannel {
    streams: Arc<RunStreams>,
    chunks: mpsc::Sender<JobChunk>,
    events: mpsc::Receiver<RunEvent>,
    tasks: JoinSet<()>,
}

impl RunChannel {
    /// Creates the streams of a run and starts the background tasks.
    pub(crate) async fn open(streams: RunStreams) -> Result<Self, ClusterError> {
        let streams = Arc::new(streams);
        let start = Instant::now();
        while let Err(error) = streams.create().await {
            let permanent = matches!(error, ClusterError::TooManyReplicas { .. });
            if start.elapsed() > CREATE_TIMEOUT || permanent {
                return Err(error);
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
        let (chunks, chunks_to_send) = mpsc::channel(MAX_IN_TRANSIT);
        let (event_sender, events) = mpsc::channel(MAX_IN_TRANSIT);
        let mut tasks = JoinSet::new();
        let connection = &streams.connection;
        let messages = connection.subscribe(streams.config.subjects.worker_messages()).await?;
        let requests = connection.subscribe(LIST_RUNS_SUBJECT.to_owned()).await?;
        tasks.spawn(send_chunks(Arc::clone(&streams), chunks_to_send, event_sender.clone()));
        tasks.spawn(receive_results(Arc::clone(&streams), event_sender.clone()));
        tasks.spawn(receive_messages(Arc::clone(&streams), messages, event_sender));
        tasks.spawn(announce(Arc::clone(&streams), requests));
        Ok(RunChannel { streams, chunks, events, tasks })
    }

    /// Returns the id of the run in the cluster.
    pub(crate) fn id(&self) -> &str {
        &self.streams.config.subjects.id
    }

    /// Queues a chunk to be sent, or returns it as an error if too many chunks are in transit.
    pub(crate) fn send(&self, chunk: JobChunk) -> Result<(), JobChunk> {
        match self.chunks.try_send(chunk) {
            Err(TrySendError::Full(chunk)) => Err(chunk),
            // The task lives as long as this channel, so `Closed` does not occur.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
        }
    }

    /// Waits for the next event; returns `None` after `timeout`.
    pub(crate) async fn next_event(&mut self, timeout: Duration) -> Option<RunEvent> {
        tokio::time::timeout(timeout, self.events.recv()).await.ok().flatten()
    }

    /// Returns whether no chunk and no result is in transit, on the server or on a worker.
    pub(crate) async fn is_drained(&self) -> bool {
        let all_sent = self.chunks.capacity() == self.chunks.max_capacity();
        all_sent && self.events.is_empty() && self.streams.is_drained().await.unwrap_or(false)
    }

    /// Returns a message to the user if the connection had to be opened anew.
    pub(crate) fn replaced_notice(&self) -> Option<String> {
        let connection = &self.streams.connection;
        (connection.times_replaced() > 0).then(|| {
            format!(
                "a damaged message ended the connection to the NATS server at {}; it was opened \
                 again",
                connection.hosts
            )
        })
    }

    /// Changes the announcement, and publishes it at once if `publish_now`.
    pub(crate) async fn announce(
        &self,
        change: impl FnOnce(&mut RunAnnouncement),
        publish_now: bool,
    ) {
        change(&mut self.streams.announcement());
        if publish_now {
            self.streams.publish_announcement().await;
        }
    }

    /// Uploads the attachments again, and announces it, so that workers fetch them again.
    pub(crate) async fn upload_again(&self) -> Result<(), ClusterError> {
        self.streams.upload_again().await?;
        self.streams.publish_announcement().await;
        Ok(())
    }

    /// Stops the tasks and deletes the streams, if the server is connected.
    pub(crate) async fn close(mut self) {
        self.tasks.shutdown().await;
        if !self.streams.connection.is_connected() {
            return;
        }
        let close = async {
            self.streams.publish_announcement().await;
            self.streams.delete().await;
            let _ = self.streams.connection.client().flush().await;
        };
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, close).await;
    }
}

/// Task that sends the queued chunks to the server.
async fn send_chunks(
    streams: Arc<RunStreams>,
    chunks: mpsc::Receiver<JobChunk>,
    events: mpsc::Sender<RunEvent>,
) {
    let chunks =
        stream::unfold(chunks, |mut chunks| async { Some((chunks.recv().await?, chunks)) });
    chunks.for_each_concurrent(MAX_IN_TRANSIT, |chunk| streams.send_chunk(chunk, &events)).await;
}

/// Task that receives results. After an error it checks whether the server has lost the streams.
async fn receive_results(streams: Arc<RunStreams>, events: mpsc::Sender<RunEvent>) {
    loop {
        // The error itself does not matter: receiving is retried.
        let _ = receive_until_error(&streams, &events).await;
        if streams.recreate_if_lost().await {
            let _ = events.send(RunEvent::StreamsRecreated).await;
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

async fn receive_until_error(
    streams: &RunStreams,
    events: &mpsc::Sender<RunEvent>,
) -> Result<(), async_nats::Error> {
    let stream = streams.config.subjects.result_stream();
    let jetstream = &streams.connection.jetstream();
    let mut puller = MessagePuller::open(jetstream, stream, COORDINATOR_CONSUMER).await?;
    loop {
        puller.request(BATCH_SIZE).await?;
        let mut received_any = false;
        while let Some(message) = puller.next().await? {
            received_any = true;
            receive_result(streams, message, events).await?;
        }
        if !received_any && streams.recreate_if_lost().await {
            events.send(RunEvent::StreamsRecreated).await?;
        }
    }
}

/// Passes on a result message. One without a valid tag is acknowledged and dropped.
async fn receive_result(
    streams: &RunStreams,
    message: Message,
    events: &mpsc::Sender<RunEvent>,
) -> Result<(), async_nats::Error> {
    let (message, acker) = message.split();
    let worker = header(&message, WORKER_HEADER).unwrap_or_default();
    let key = &streams.config.key;
    if !is_authentic(key, TaggedMessage::Results, worker, &message)
        || check_worker_name(worker).is_err()
    {
        acker.ack().await?;
        // Whether the coordinator learns of it does not matter: others will follow.
        let _ = events.try_send(RunEvent::Forged);
        return Ok(());
    }
    let (worker, batch) = (worker.to_owned(), ResultBatch::decode(&message.payload));
    Ok(events.send(RunEvent::Results { worker, batch, acker: Box::new(acker) }).await?)
}

/// Task that receives the messages of workers other than results.
async fn receive_messages(
    streams: Arc<RunStreams>,
    mut messages: LastingSubscription,
    events: mpsc::Sender<RunEvent>,
) {
    loop {
        let message = messages.next().await;
        let Ok(WorkerMessage { worker, kind }) = serde_json::from_slice(&message.payload) else {
            continue;
        };
        if check_worker_name(&worker).is_err() {
            continue;
        }
        let tagged = is_authentic(&streams.config.key, TaggedMessage::Note, &worker, &message);
        let event = match kind {
            WorkerMessageKind::RefusesRun(reason) => RunEvent::Refusal { worker, reason },
            _ if !tagged => RunEvent::Forged,
            WorkerMessageKind::StillRunning(chunk) => RunEvent::StillRunning { worker, chunk },
            WorkerMessageKind::AttachmentDamaged(_) => RunEvent::AttachmentDamaged { worker },
        };
        // Heartbeats are repeated and refusals too, so a full channel loses nothing.
        let _ = events.try_send(event);
    }
}

/// Task that announces the run every second and responds to status requests.
async fn announce(streams: Arc<RunStreams>, mut requests: LastingSubscription) {
    let mut tick = tokio::time::interval(ANNOUNCE_INTERVAL);
    loop {
        tokio::select! {
            _ = tick.tick() => streams.publish_announcement().await,
            request = requests.next() => {
                let reply = request.reply.filter(|subject| is_reply_subject(subject));
                if let Some(reply) = reply {
                    let announcement = streams.announcement().clone();
                    streams.send_announcement(reply, &announcement).await;
                }
            }
        }
    }
}
