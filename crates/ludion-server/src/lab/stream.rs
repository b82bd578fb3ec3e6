//! Long work whose news go to one client as server-sent events, and which is told to stop when
//! the client is gone.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc::{OwnedPermit, Receiver, Sender, channel};

/// News that are on their way at most; a client that reads slowly misses some.
const PENDING: usize = 4;

/// Where work tells its news.
pub(crate) struct EventSender {
    events: Sender<Event>,
    /// The place that is kept for the last word, so that it waits for nobody.
    last: OwnedPermit<Event>,
    gone: Arc<AtomicBool>,
}

/// The news as the client hears them. Dropped when the client is gone.
pub(crate) struct EventStream {
    events: Receiver<Event>,
    gone: Arc<AtomicBool>,
}

/// Both ends.
pub(crate) fn news() -> (EventSender, Sse<impl Stream<Item = Result<Event, axum::Error>>>) {
    let (events, receiver) = channel(PENDING + 1);
    let last = events.clone().try_reserve_owned().expect("a new channel has room");
    let gone = Arc::new(AtomicBool::new(false));
    let news = EventStream { events: receiver, gone: Arc::clone(&gone) };
    (EventSender { events, last, gone }, Sse::new(news).keep_alive(KeepAlive::default()))
}

impl EventSender {
    /// Whether nobody listens any more.
    pub(crate) fn is_alone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Tells something that may be missed: the next news replace it. Says whether it is on its
    /// way.
    pub(crate) fn mention(&self, name: &str, data: &impl Serialize) -> bool {
        let (Ok(place), Some(event)) = (self.events.try_reserve(), event(name, data)) else {
            return false;
        };
        place.send(event);
        true
    }

    /// Tells the last word, which is heard by whoever still listens. Nothing waits for a client
    /// that reads slowly.
    pub(crate) fn end(self, name: &str, data: &impl Serialize) {
        if let Some(event) = event(name, data) {
            self.last.send(event);
        }
    }
}

fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    Event::default().event(name).json_data(data).ok()
}

impl Stream for EventStream {
    type Item = Result<Event, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(cx).map(|event| event.map(Ok))
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}
