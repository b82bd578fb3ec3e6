//! Pulls messages of a JetStream consumer in batches. All batches arrive in one inbox that stays
//! open, so that no message is lost that the server sends just when a request expires.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::BatchConfig;
use async_nats::jetstream::{Context, Message};
use async_nats::{StatusCode, Subject, Subscriber};
use futures_util::StreamExt;

/// Time after which the server ends a request.
const REQUEST_EXPIRY: Duration = Duration::from_secs(2);
/// Additional time to wait for the server's message that a request has expired.
const EXPIRY_MARGIN: Duration = Duration::from_secs(1);

/// JetStream pull consumer with its own inbox.
pub(crate) struct MessagePuller {
    context: Context,
    consumer: PullConsumer,
    inbox: Subject,
    messages: Subscriber,
    /// Number of messages that the current request can still bring.
    pending: usize,
    /// Time at which the current request is given up.
    deadline: Instant,
}

impl MessagePuller {
    /// Subscribes to a new inbox for the messages of a consumer.
    pub(crate) async fn open(
        context: &Context,
        stream: String,
        consumer: &str,
    ) -> Result<Self, async_nats::Error> {
        let consumer = context.get_consumer_from_stream(consumer, stream).await?;
        let inbox = Subject::from(context.client().new_inbox());
        let messages = context.client().subscribe(inbox.clone()).await?;
        let context = context.clone();
        let deadline = Instant::now();
        Ok(MessagePuller { context, consumer, inbox, messages, pending: 0, deadline })
    }

    /// Requests up to `count` messages.
    pub(crate) async fn request(&mut self, count: usize) -> Result<(), async_nats::Error> {
        let expires = Some(REQUEST_EXPIRY);
        let config = BatchConfig { batch: count, expires, ..BatchConfig::default() };
        self.consumer.request_batch(config, self.inbox.clone()).await?;
        self.pending = count;
        self.deadline = Instant::now() + REQUEST_EXPIRY + EXPIRY_MARGIN;
        Ok(())
    }

    /// Returns the next message, or `None` when the request is complete or has expired.
    pub(crate) async fn next(&mut self) -> Result<Option<Message>, async_nats::Error> {
        if self.pending == 0 {
            return Ok(None);
        }
        let deadline = tokio::time::Instant::from_std(self.deadline);
        let Ok(message) = tokio::time::timeout_at(deadline, self.messages.next()).await else {
            return Err("the server does not answer".into());
        };
        let message = message.ok_or("the connection is closed")?;
        match message.status.unwrap_or(StatusCode::OK) {
            StatusCode::OK => {
                self.pending -= 1;
                Ok(Some(Message { message, context: self.context.clone() }))
            }
            StatusCode::TIMEOUT | StatusCode::NOT_FOUND => {
                self.pending = 0;
                Ok(None)
            }
            status => Err(format!("{status}: {}", message.description.unwrap_or_default()).into()),
        }
    }
}
