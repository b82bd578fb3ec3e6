//! Long tasks of requests as server-sent events: a limited number runs at once, and the others wait
//! in a queue of limited length. A slow client may miss intermediate events, so the last event of a
//! task has to contain the whole result.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::IntoResponse;
use axum::response::sse::Event;
use serde::Serialize;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::error::LabError;
use super::stream::{EventSender, event, event_channel};
use super::{LabState, SharedLabState, priority};

/// How often a task that waits checks whether its client is still connected.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The last event of a task.
pub(super) type FinalEvent = Event;

/// A task in progress: where its events go, and when it has to end.
pub(super) struct QueuedTask<'a> {
    pub(super) events: &'a EventSender,
    began: Instant,
    /// The laboratory's time limit for a task.
    time: Duration,
}

impl QueuedTask<'_> {
    /// Returns whether the task has to end: the client has disconnected or the time limit is
    /// reached.
    pub(super) fn is_over(&self) -> bool {
        self.events.is_closed() || self.is_timed_out()
    }

    /// Returns whether the laboratory's time limit is reached.
    pub(super) fn is_timed_out(&self) -> bool {
        self.elapsed() >= self.time
    }

    /// Returns how long the task has run, time in the queue not included.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// The right of one task to run or to wait in the queue; dropping it frees the place.
pub(super) struct QueueSlot(
    #[expect(dead_code, reason = "given back when dropped")] OwnedSemaphorePermit,
);

impl QueueSlot {
    /// Takes a place in the queue; returns [`LabError::Busy`] if it is full.
    pub(super) fn reserve(lab: &LabState) -> Result<Self, LabError> {
        let permit = Arc::clone(&lab.queue_permits).try_acquire_owned();
        permit.map(QueueSlot).map_err(|_| LabError::Busy)
    }

    /// Runs a task as soon as fewer tasks than the limit run, and returns the response that streams
    /// its events: `waiting` if it has to wait, then those of the task.
    pub(super) fn run(
        self,
        lab: SharedLabState,
        task: impl FnOnce(&QueuedTask<'_>) -> FinalEvent + Send + 'static,
    ) -> impl IntoResponse {
        let (events, response) = event_channel();
        tokio::spawn(async move {
            let Some(permit) = permit_to_run(&lab, &events).await else { return };
            let time = lab.limits.time;
            tokio::task::spawn_blocking(move || {
                if events.is_closed() {
                    return;
                }
                let began = Instant::now();
                let last =
                    priority::run_lowered(|| task(&QueuedTask { events: &events, began, time }));
                // The place is freed before the last event, so that the client's next request finds
                // it free.
                drop((self, permit));
                events.finish_with(last);
            });
        });
        response
    }
}

/// Takes a place in the queue and runs a task; returns [`LabError::Busy`] if the queue is full.
pub(super) fn run_queued(
    lab: SharedLabState,
    task: impl FnOnce(&QueuedTask<'_>) -> FinalEvent + Send + 'static,
) -> Result<impl IntoResponse, LabError> {
    Ok(QueueSlot::reserve(&lab)?.run(lab, task))
}

/// Waits until fewer tasks than the limit run; returns `None` if the client disconnects before
/// that.
async fn permit_to_run(lab: &LabState, events: &EventSender) -> Option<OwnedSemaphorePermit> {
    if let Ok(permit) = Arc::clone(&lab.search_permits).try_acquire_owned() {
        return Some(permit);
    }
    events.try_send("waiting", &json!({}));
    // The same future is polled during the whole wait: a new one would go to the end of the queue.
    let mut permit = pin!(Arc::clone(&lab.search_permits).acquire_owned());
    while !events.is_closed() {
        if let Ok(permit) = tokio::time::timeout(POLL_INTERVAL, permit.as_mut()).await {
            return permit.ok();
        }
    }
    None
}

/// Returns the event `error` with a sentence.
pub(super) fn error_event(sentence: impl ToString) -> FinalEvent {
    event("error", &json!({ "error": sentence.to_string() })).expect("a sentence is JSON")
}

/// Returns the event of a task's result, or the event `error` if the result cannot be serialized.
pub(super) fn result_event(name: &'static str, result: &impl Serialize) -> FinalEvent {
    event(name, result).unwrap_or_else(error_event)
}
