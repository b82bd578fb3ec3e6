//! Publishes messages to a stream with an id, by which the server drops a message that is sent
//! twice. A message that is dropped although it was sent once had the id of another, which a client
//! may have used on purpose: it is sent again with a random id.

use async_nats::HeaderMap;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;

use crate::connection::Connection;
use crate::wire::RunSubjects;

/// A message for a stream.
pub(crate) struct StoredMessage {
    pub(crate) subject: String,
    pub(crate) headers: HeaderMap,
    pub(crate) payload: Vec<u8>,
}

/// Id of a message, and whether the message may have been sent with it before.
pub(crate) struct MessageId {
    text: String,
    used: bool,
}

impl MessageId {
    pub(crate) fn new(text: String) -> Self {
        MessageId { text, used: false }
    }
}

impl StoredMessage {
    /// Publishes the message and waits until the server has stored it. The error is `None` if the id
    /// was used by another message; then `id` has a new one, and publishing again may succeed.
    pub(crate) async fn publish(
        &self,
        connection: &Connection,
        id: &mut MessageId,
    ) -> Result<(), Option<PublishErrorKind>> {
        let message = PublishMessage::build()
            .headers(self.headers.clone())
            .payload(self.payload.clone().into())
            .message_id(&id.text);
        let sent_before = std::mem::replace(&mut id.used, true);
        let published = connection.jetstream().send_publish(self.subject.clone(), message).await;
        let stored = match published {
            Ok(stored) => stored.await,
            Err(error) => Err(error),
        };
        let stored = stored.map_err(|error| Some(error.kind()))?;
        if !stored.duplicate || sent_before {
            return Ok(());
        }
        if let Ok(random) = RunSubjects::random() {
            *id = MessageId::new(random.id);
        }
        Err(None)
    }
}
