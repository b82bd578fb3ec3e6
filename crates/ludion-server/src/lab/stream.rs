//! Server-sent events to one client, with a flag that is set when the client disconnects.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc::{OwnedPermit, Receiver, Sender, channel};

/// Maximum number of events that wait to be sent; further ones are dropped, so a slow client misses
/// them.
const MAX_PENDING: usize = 4;

/// Sends events to one client.
pub(crate) struct EventSender {
    events: Sender<Event>,
    /// Reserved room for the last event, so that sending it never waits.
    last: OwnedPermit<Event>,
    /// Set when the client has disconnected.
    closed: Arc<AtomicBool>,
}

/// The events as the response streams them. Dropped when the client disconnects.
pub(crate) struct EventStream {
    events: Receiver<Event>,
    closed: Arc<AtomicBool>,
}

/// Returns a sender of events and the response that streams them.
pub(crate) fn event_channel() -> (EventSender, Sse<impl Stream<Item = Result<Event, axum::Error>>>)
{
    let (events, receiver) = channel(MAX_PENDING + 1);
    let last = events.clone().try_reserve_owned().expect("a new channel has room");
    let closed = Arc::new(AtomicBool::new(false));
    let stream = EventStream { events: receiver, closed: Arc::clone(&closed) };
    (EventSender { events, last, closed }, Sse::new(stream).keep_alive(KeepAlive::default()))
}

impl EventSender {
    /// Returns whether the client has disconnected.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Sends an event without blocking; returns `false` if it was dropped because too many events
    /// wait.
    pub(crate) fn try_send(&self, name: &str, data: &impl Serialize) -> bool {
        let (Ok(room), Ok(event)) = (self.events.try_reserve(), event(name, data)) else {
            return false;
        };
        room.send(event);
        true
    }

    /// Sends an event and closes the stream. There is always room for this last event.
    pub(crate) fn finish(self, name: &str, data: &impl Serialize) {
        if let Ok(event) = event(name, data) {
            self.finish_with(event);
        }
    }

    /// Sends an event that is already made and closes the stream.
    pub(crate) fn finish_with(self, event: Event) {
        self.last.send(event);
    }
}

/// Makes an event with its data as JSON.
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
