//! Messages of a consumer, a few at a time. All of them come to one inbox that stays open, so that
//! none is lost which the server sends just when a request for it ends.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::BatchConfig;
use async_nats::jetstream::{Context, Message};
use async_nats::{StatusCode, Subject, Subscriber};
use futures_util::StreamExt;

/// How long a request waits at the server.
const EXPIRES: Duration = Duration::from_secs(2);
/// How much later than that its end is believed in without a word of the server.
const GRACE: Duration = Duration::from_secs(1);

/// A consumer with its inbox.
pub(crate) struct MessagePuller {
    context: Context,
    consumer: PullConsumer,
    inbox: Subject,
    messages: Subscriber,
    /// Messages that the request under way may still bring, and until when.
    due: usize,
    until: Instant,
}

impl MessagePuller {
    pub(crate) async fn open(
        context: &Context,
        stream: String,
        consumer: &str,
    ) -> Result<Self, async_nats::Error> {
        let consumer = context.get_consumer_from_stream(consumer, stream).await?;
        let inbox = Subject::from(context.client().new_inbox());
        let messages = context.client().subscribe(inbox.clone()).await?;
        let context = context.clone();
        Ok(MessagePuller { context, consumer, inbox, messages, due: 0, until: Instant::now() })
    }

    /// Asks for so many messages.
    pub(crate) async fn ask(&mut self, count: usize) -> Result<(), async_nats::Error> {
        let config = BatchConfig { batch: count, expires: Some(EXPIRES), ..BatchConfig::default() };
        self.consumer.request_batch(config, self.inbox.clone()).await?;
        (self.due, self.until) = (count, Instant::now() + EXPIRES + GRACE);
        Ok(())
    }

    /// The next message; nothing when the request has brought all it can.
    pub(crate) async fn next(&mut self) -> Result<Option<Message>, async_nats::Error> {
        if self.due == 0 {
            return Ok(None);
        }
        let until = tokio::time::Instant::from_std(self.until);
        let Ok(message) = tokio::time::timeout_at(until, self.messages.next()).await else {
            return Err("the server does not answer".into());
        };
        let message = message.ok_or("the connection is closed")?;
        match message.status.unwrap_or(StatusCode::OK) {
            StatusCode::OK => {
                self.due -= 1;
                Ok(Some(Message { message, context: self.context.clone() }))
            }
            StatusCode::TIMEOUT | StatusCode::NOT_FOUND => {
                self.due = 0;
                Ok(None)
            }
            status => Err(format!("{status}: {}", message.description.unwrap_or_default()).into()),
        }
    }
}
