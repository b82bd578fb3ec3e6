//! The connection of a coordinator for one run: chunks going out, reports and notes coming in, and
//! the announcement of the run, every second and to whoever asks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use futures_util::{StreamExt, stream as streams};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::JoinSet;

use crate::ClusterError;
use crate::chunk_scheduler::ChunkToSend;
use crate::events::RunEvent;
use crate::pull::MessagePuller;
use crate::server_run::{RETRY, ServerRun};
use crate::wire::{CALL_RUNS, COORDINATOR, RunAnnouncement, SENDER, to_json};

/// Chunks and reports that may be on their way at once.
const UNDER_WAY: usize = 4096;
/// How often the run is announced.
const ANNOUNCE: Duration = Duration::from_secs(1);
/// How long the streams of a run are tried to be made.
const ELECTION: Duration = Duration::from_secs(15);
/// Reports that are asked for at once.
const BATCH: usize = 256;
/// How long a run has to be taken off a server.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// A run on the server.
pub(crate) struct RunChannel {
    opening: Arc<ServerRun>,
    posts: mpsc::Sender<ChunkToSend>,
    news: mpsc::Receiver<RunEvent>,
    tasks: JoinSet<()>,
}

impl RunChannel {
    /// Opens the streams of a run and begins to announce it.
    pub(crate) async fn open(opening: ServerRun) -> Result<Self, ClusterError> {
        let opening = Arc::new(opening);
        // Servers that have just begun elect their leader first.
        let began = Instant::now();
        while let Err(error) = opening.create().await {
            if began.elapsed() > ELECTION || matches!(error, ClusterError::Replicas { .. }) {
                return Err(error);
            }
            tokio::time::sleep(RETRY).await;
        }
        let (posts, to_post) = mpsc::channel(UNDER_WAY);
        let (tell, news) = mpsc::channel(UNDER_WAY);
        let mut tasks = JoinSet::new();
        let notes = opening.subscribe(opening.plan.names.notes()).await?;
        let calls = opening.subscribe(CALL_RUNS.to_owned()).await?;
        tasks.spawn(post(Arc::clone(&opening), to_post, tell.clone()));
        tasks.spawn(receive(Arc::clone(&opening), tell.clone()));
        tasks.spawn(listen(notes, tell));
        tasks.spawn(announce(Arc::clone(&opening), calls));
        Ok(RunChannel { opening, posts, news, tasks })
    }

    /// What the run is called among the machines.
    pub(crate) fn id(&self) -> &str {
        &self.opening.plan.names.id
    }

    /// Hands a chunk out, or gives it back where too many are on their way.
    pub(crate) fn post(&self, post: ChunkToSend) -> Result<(), ChunkToSend> {
        match self.posts.try_send(post) {
            Err(TrySendError::Full(post)) => Err(post),
            // The task ends with the line only.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
        }
    }

    /// What happened next, if anything does within this time.
    pub(crate) async fn news(&mut self, patience: Duration) -> Option<RunEvent> {
        tokio::time::timeout(patience, self.news.recv()).await.ok().flatten()
    }

    /// Whether the server has nothing of the run any more, and nobody holds anything.
    pub(crate) async fn is_drained(&self) -> bool {
        let all_posted = self.posts.capacity() == self.posts.max_capacity();
        all_posted && self.news.is_empty() && self.opening.is_drained().await.unwrap_or(false)
    }

    /// Changes what is announced, and announces it at once where it matters.
    pub(crate) async fn announce(&self, change: impl FnOnce(&mut RunAnnouncement), now: bool) {
        change(&mut self.opening.announcement());
        if now {
            self.opening.announce_once().await;
        }
    }

    /// Takes the run off the server, if one is there.
    pub(crate) async fn close(mut self) {
        self.tasks.shutdown().await;
        if !self.opening.link.is_up() {
            return;
        }
        let farewell = async {
            self.opening.announce_once().await;
            self.opening.remove().await;
            let _ = self.opening.link.client.flush().await;
        };
        let _ = tokio::time::timeout(SHUTDOWN_GRACE, farewell).await;
    }
}

/// Hands chunks out.
async fn post(
    opening: Arc<ServerRun>,
    posts: mpsc::Receiver<ChunkToSend>,
    tell: mpsc::Sender<RunEvent>,
) {
    let posts = streams::unfold(posts, |mut posts| async { Some((posts.recv().await?, posts)) });
    posts.for_each_concurrent(UNDER_WAY, |post| opening.deliver(post, &tell)).await;
}

/// Takes reports in. Where none came, the server may have lost the run.
async fn receive(opening: Arc<ServerRun>, tell: mpsc::Sender<RunEvent>) {
    loop {
        // What went wrong is of no interest: it is tried again.
        let _ = receive_some(&opening, &tell).await;
        if opening.reopen().await {
            let _ = tell.send(RunEvent::Reopened).await;
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Takes reports in as long as some come.
async fn receive_some(
    opening: &ServerRun,
    tell: &mpsc::Sender<RunEvent>,
) -> Result<(), async_nats::Error> {
    let stream = opening.plan.names.result_stream();
    let mut pull = MessagePuller::open(&opening.link.stream, stream, COORDINATOR).await?;
    loop {
        pull.ask(BATCH).await?;
        let mut any = false;
        while let Some(message) = pull.next().await? {
            any = true;
            tell.send(report(message)).await?;
        }
        if !any && opening.reopen().await {
            tell.send(RunEvent::Reopened).await?;
        }
    }
}

fn report(message: Message) -> RunEvent {
    let (message, acker) = message.split();
    let sender = message.headers.as_ref().and_then(|headers| headers.get(SENDER));
    let worker = sender.map_or("somebody without a name", |name| name.as_str()).to_owned();
    RunEvent::Report {
        worker,
        report: postcard::from_bytes(&message.payload).ok(),
        acker: Box::new(acker),
    }
}

/// Hears what workers say.
async fn listen(mut notes: async_nats::Subscriber, tell: mpsc::Sender<RunEvent>) {
    while let Some(message) = notes.next().await {
        if let Ok(note) = serde_json::from_slice(&message.payload)
            && tell.send(RunEvent::Note(note)).await.is_err()
        {
            return;
        }
    }
}

/// Says every second, and to whoever asks, what is under way.
async fn announce(opening: Arc<ServerRun>, mut calls: async_nats::Subscriber) {
    let mut tick = tokio::time::interval(ANNOUNCE);
    loop {
        tokio::select! {
            _ = tick.tick() => opening.announce_once().await,
            Some(call) = calls.next() => if let Some(reply) = call.reply {
                let text = to_json(&*opening.announcement());
                let _ = opening.link.client.publish(reply, text.into()).await;
            },
        }
    }
}
