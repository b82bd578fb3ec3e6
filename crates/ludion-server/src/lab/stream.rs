//! Server-sent events to one client, with a flag that tells the sender when the client has gone.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc::{OwnedPermit, Receiver, Sender, channel};

/// Events that may wait to be sent; a client that reads slowly misses further ones.
const MAX_PENDING: usize = 4;

/// Sends events to the client.
pub(crate) struct EventSender {
    events: Sender<Event>,
    /// Reserved room for the last event, so that sending it never waits.
    last: OwnedPermit<Event>,
    closed: Arc<AtomicBool>,
}

/// The events as the response streams them. Dropped when the client has gone.
pub(crate) struct EventStream {
    events: Receiver<Event>,
    closed: Arc<AtomicBool>,
}

/// Returns a sender and the response that streams its events.
pub(crate) fn event_channel() -> (EventSender, Sse<impl Stream<Item = Result<Event, axum::Error>>>)
{
    let (events, receiver) = channel(MAX_PENDING + 1);
    let last = events.clone().try_reserve_owned().expect("a new channel has room");
    let closed = Arc::new(AtomicBool::new(false));
    let stream = EventStream { events: receiver, closed: Arc::clone(&closed) };
    (EventSender { events, last, closed }, Sse::new(stream).keep_alive(KeepAlive::default()))
}

impl EventSender {
    /// Whether the client has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Sends an event unless too many wait already; returns whether it was sent.
    pub(crate) fn try_send(&self, name: &str, data: &impl Serialize) -> bool {
        let (Ok(room), Ok(event)) = (self.events.try_reserve(), event(name, data)) else {
            return false;
        };
        room.send(event);
        true
    }

    /// Sends the last event, for which there is always room.
    pub(crate) fn finish(self, name: &str, data: &impl Serialize) {
        if let Ok(event) = event(name, data) {
            self.finish_with(event);
        }
    }

    /// Sends the last event, for which there is always room.
    pub(crate) fn finish_with(self, event: Event) {
        self.last.send(event);
    }
}

/// An event with its data as JSON.
pub(super) fn event(name: &str, data: &impl Serialize) -> Result<Event, axum::Error> {
    Event::default().event(name).json_data(data)
}

impl Stream for EventStream {
    type Item = Result<Event, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(cx).map(|event| event.map(Ok))
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}
