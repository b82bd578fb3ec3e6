//! The connection of a coordinator for one run: its streams on the server, opened again where the
//! server lost them, chunks going out, reports and notes coming in, and the announcement of the
//! run, every second and to whoever asks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{GetStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{self, RetentionPolicy};
use async_nats::jetstream::{ErrorCode, Message};
use futures_util::{StreamExt, stream as streams};
use tokio::sync::{Mutex as AsyncMutex, mpsc};
use tokio::task::JoinSet;

use crate::Error;
use crate::access::Link;
use crate::board::Post;
use crate::news::News;
use crate::wire::{
    Announcement, CALL_RUNS, COORDINATOR, Names, RUNS, SENDER, WORKERS, encode, to_json,
};

/// A chunk whose worker is not heard of for this long goes to another.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(3);
/// Results that the coordinator did not keep within this time come again.
const KEEP_WAIT: Duration = Duration::from_secs(30);
/// What nobody took for this long is dropped: its coordinator is gone.
const AGE: Duration = Duration::from_secs(24 * 3600);
/// A message that is sent again within this time is known by its id.
const TWICE: Duration = Duration::from_secs(30);
/// Chunks and reports that may be on their way at once.
const UNDER_WAY: usize = 4096;
/// How often the run is announced.
const ANNOUNCE: Duration = Duration::from_secs(1);
/// How long after something went wrong it is tried again.
const RETRY: Duration = Duration::from_millis(200);
/// How long the streams of a run are tried to be made.
const ELECTION: Duration = Duration::from_secs(15);
/// Reports that are asked for at once, and for how long.
const BATCH: usize = 256;
const EXPIRES: Duration = Duration::from_secs(2);

/// A run on the server.
pub(crate) struct Line {
    shared: Arc<Shared>,
    posts: mpsc::Sender<Post>,
    news: mpsc::Receiver<News>,
    tasks: JoinSet<()>,
}

struct Shared {
    link: Link,
    names: Names,
    /// The order, in pieces that the server lets through.
    order: Vec<Vec<u8>>,
    replicas: usize,
    announcement: Mutex<Announcement>,
    /// Held by whoever opens the streams again.
    opening: AsyncMutex<()>,
}

impl Line {
    /// Opens the streams of a run and begins to announce it.
    pub(crate) async fn open(
        link: Link,
        names: Names,
        order: Vec<Vec<u8>>,
        replicas: usize,
        announcement: Announcement,
    ) -> Result<Self, Error> {
        let shared = Arc::new(Shared {
            link,
            names,
            order,
            replicas,
            announcement: Mutex::new(announcement),
            opening: AsyncMutex::new(()),
        });
        // Servers that have just begun elect their leader first.
        let began = Instant::now();
        while let Err(error) = shared.create().await {
            if began.elapsed() > ELECTION {
                return Err(error);
            }
            tokio::time::sleep(RETRY).await;
        }
        let (posts, to_post) = mpsc::channel(UNDER_WAY);
        let (tell, news) = mpsc::channel(UNDER_WAY);
        let mut tasks = JoinSet::new();
        let notes = shared.subscribe(shared.names.notes()).await?;
        let calls = shared.subscribe(CALL_RUNS.to_owned()).await?;
        tasks.spawn(post(Arc::clone(&shared), to_post, tell.clone()));
        tasks.spawn(receive(Arc::clone(&shared), tell.clone()));
        tasks.spawn(listen(notes, tell));
        tasks.spawn(announce(Arc::clone(&shared), calls));
        Ok(Line { shared, posts, news, tasks })
    }

    /// Hands a chunk out. Waits while too many are on their way.
    pub(crate) async fn post(&self, post: Post) {
        // The task ends with the line only.
        let _ = self.posts.send(post).await;
    }

    /// What happened next, if anything does within this time.
    pub(crate) async fn news(&mut self, patience: Duration) -> Option<News> {
        tokio::time::timeout(patience, self.news.recv()).await.ok().flatten()
    }

    /// Changes what is announced, and announces it at once where it matters.
    pub(crate) async fn announce(&self, change: impl FnOnce(&mut Announcement), now: bool) {
        change(&mut self.shared.announcement());
        if now {
            self.shared.announce_once().await;
        }
    }

    /// Takes the run off the server.
    pub(crate) async fn close(mut self) {
        self.tasks.shutdown().await;
        self.shared.announce_once().await;
        let names = &self.shared.names;
        for stream in [names.work_stream(), names.result_stream()] {
            // What cannot be deleted grows old by itself.
            let _ = self.shared.link.stream.delete_stream(stream).await;
        }
        let _ = self.shared.link.client.flush().await;
    }
}

impl Shared {
    fn announcement(&self) -> std::sync::MutexGuard<'_, Announcement> {
        self.announcement.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn announce_once(&self) {
        let mut announcement = self.announcement().clone();
        // Who did how much is told to those who ask, not to thousands every second.
        announcement.status.by_worker.clear();
        let text = to_json(&announcement);
        // The next one comes in a second.
        let _ = self.link.client.publish(RUNS, text.into()).await;
    }

    async fn subscribe(&self, subject: String) -> Result<async_nats::Subscriber, Error> {
        let subscribed = self.link.client.subscribe(subject).await;
        subscribed.map_err(|error| Error::server("listen")(error.into()))
    }

    /// Makes the streams, their consumers and the order. What is there already stays.
    async fn create(&self) -> Result<(), Error> {
        let names = &self.names;
        let failed = Error::server("make a stream");
        let queue = |name: String, subjects: Vec<String>| stream::Config {
            name,
            subjects,
            retention: RetentionPolicy::WorkQueue,
            max_age: AGE,
            duplicate_window: TWICE,
            num_replicas: self.replicas,
            ..stream::Config::default()
        };
        let work = queue(names.work_stream(), vec![names.work(), names.order("*")]);
        let results = queue(names.result_stream(), vec![names.results()]);
        let stream = &self.link.stream;
        let work = stream.get_or_create_stream(work).await.map_err(|e| failed(e.into()))?;
        let results = stream.get_or_create_stream(results).await.map_err(|e| failed(e.into()))?;
        let consumer = |name: &str, subject, ack_wait| pull::Config {
            durable_name: Some(name.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            filter_subject: subject,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        let workers = consumer(WORKERS, names.work(), ACK_WAIT);
        work.get_or_create_consumer(WORKERS, workers).await.map_err(|e| failed(e.into()))?;
        let keeper = consumer(COORDINATOR, names.results(), KEEP_WAIT);
        results.get_or_create_consumer(COORDINATOR, keeper).await.map_err(|e| failed(e.into()))?;
        for (number, piece) in self.order.iter().enumerate() {
            let subject = names.order(&number.to_string());
            let sent = stream.publish(subject, piece.clone().into()).await;
            let sent = sent.map_err(|e| failed(e.into()))?;
            sent.await.map_err(|e| failed(e.into()))?;
        }
        Ok(())
    }

    /// Opens the run again if the server has lost it; says whether it had.
    async fn reopen(&self) -> bool {
        let _alone = self.opening.lock().await;
        for name in [self.names.work_stream(), self.names.result_stream()] {
            let Err(error) = self.link.stream.get_stream(name).await else { continue };
            let gone = matches!(error.kind(), GetStreamErrorKind::JetStream(said)
                if said.error_code() == ErrorCode::STREAM_NOT_FOUND);
            return gone && self.create().await.is_ok();
        }
        false
    }

    /// Hands a chunk to the server, as often as it takes.
    async fn deliver(&self, post: Post, tell: &mpsc::Sender<News>) {
        let id = format!("{}.{}", post.chunk.number, post.time);
        let chunk = encode(&post.chunk);
        loop {
            let message = PublishMessage::build().payload(chunk.clone().into()).message_id(&id);
            let sent = match self.link.stream.send_publish(self.names.work(), message).await {
                Ok(sent) => sent.await,
                Err(error) => Err(error),
            };
            let Err(error) = sent else { return };
            if error.kind() == PublishErrorKind::StreamNotFound && self.reopen().await {
                let _ = tell.send(News::Reopened).await;
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

/// Hands chunks out.
async fn post(shared: Arc<Shared>, posts: mpsc::Receiver<Post>, tell: mpsc::Sender<News>) {
    let posts = streams::unfold(posts, |mut posts| async { Some((posts.recv().await?, posts)) });
    posts.for_each_concurrent(UNDER_WAY, |post| shared.deliver(post, &tell)).await;
}

/// Takes reports in. Where none came, the server may have lost the run.
async fn receive(shared: Arc<Shared>, tell: mpsc::Sender<News>) {
    loop {
        if receive_some(&shared, &tell).await {
            continue;
        }
        if shared.reopen().await {
            let _ = tell.send(News::Reopened).await;
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Takes reports in as long as some come; says whether any did.
async fn receive_some(shared: &Shared, tell: &mpsc::Sender<News>) -> bool {
    let stream = shared.names.result_stream();
    let consumer: Result<PullConsumer, _> =
        shared.link.stream.get_consumer_from_stream(COORDINATOR, stream).await;
    let Ok(consumer) = consumer else { return false };
    let mut all = 0_u64;
    loop {
        let before = all;
        let batch = consumer.batch().max_messages(BATCH).expires(EXPIRES).messages().await;
        let Ok(mut batch) = batch else { return all > 0 };
        while let Some(message) = batch.next().await {
            let Ok(message) = message else { return all > 0 };
            all += 1;
            if tell.send(report(message)).await.is_err() {
                return false;
            }
        }
        if all == before {
            return false;
        }
    }
}

fn report(message: Message) -> News {
    let (message, acker) = message.split();
    let sender = message.headers.as_ref().and_then(|headers| headers.get(SENDER));
    let worker = sender.map_or("somebody without a name", |name| name.as_str()).to_owned();
    News::Report {
        worker,
        report: postcard::from_bytes(&message.payload).ok(),
        acker: Box::new(acker),
    }
}

/// Hears what workers say.
async fn listen(mut notes: async_nats::Subscriber, tell: mpsc::Sender<News>) {
    while let Some(message) = notes.next().await {
        if let Ok(note) = serde_json::from_slice(&message.payload)
            && tell.send(News::Note(note)).await.is_err()
        {
            return;
        }
    }
}

/// Says every second, and to whoever asks, what is under way.
async fn announce(shared: Arc<Shared>, mut calls: async_nats::Subscriber) {
    let mut tick = tokio::time::interval(ANNOUNCE);
    loop {
        tokio::select! {
            _ = tick.tick() => shared.announce_once().await,
            Some(call) = calls.next() => if let Some(reply) = call.reply {
                let text = to_json(&*shared.announcement());
                let _ = shared.link.client.publish(reply, text.into()).await;
            },
        }
    }
}
