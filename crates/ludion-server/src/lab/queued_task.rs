//! Long tasks of requests as server-sent events: a limited number runs at once, and the others wait
//! in a queue of limited length. A slow client may miss events on the way, so the last event has to
//! hold the whole result.

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
use super::{LabState, SharedLabState};

/// How often a task that waits checks whether its client is still connected.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The last event of a task.
pub(super) type FinalEvent = Event;

/// A task that runs.
pub(super) struct QueuedTask<'a> {
    pub(super) events: &'a EventSender,
    began: Instant,
    time: Duration,
}

impl QueuedTask<'_> {
    /// Whether the task should end: the client has gone or the time is over.
    pub(super) fn is_over(&self) -> bool {
        self.events.is_closed() || self.is_timed_out()
    }

    /// Whether the laboratory's time limit is over.
    pub(super) fn is_timed_out(&self) -> bool {
        self.elapsed() >= self.time
    }

    /// How long the task has run.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// A place among the tasks that run or wait; free again when dropped.
pub(super) struct QueueSlot(
    #[expect(dead_code, reason = "given back when dropped")] OwnedSemaphorePermit,
);

impl QueueSlot {
    /// Takes a place, or refuses one task more than may wait.
    pub(super) fn reserve(lab: &LabState) -> Result<Self, LabError> {
        let permit = Arc::clone(&lab.waiting).try_acquire_owned();
        permit.map(QueueSlot).map_err(|_| LabError::Busy)
    }

    /// Runs a task once one more may run. Events: `waiting` while it may not, those of the task,
    /// and its last event.
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
                let last = task(&QueuedTask { events: &events, began: Instant::now(), time });
                // Free before the client hears the end and sends its next request.
                drop((self, permit));
                events.finish_with(last);
            });
        });
        response
    }
}

/// Runs a task that needs no preparation.
pub(super) fn run_queued(
    lab: SharedLabState,
    task: impl FnOnce(&QueuedTask<'_>) -> FinalEvent + Send + 'static,
) -> Result<impl IntoResponse, LabError> {
    Ok(QueueSlot::reserve(&lab)?.run(lab, task))
}

/// Waits until one more task may run; `None` when the client goes before.
async fn permit_to_run(lab: &LabState, events: &EventSender) -> Option<OwnedSemaphorePermit> {
    if let Ok(permit) = Arc::clone(&lab.thinking).try_acquire_owned() {
        return Some(permit);
    }
    events.try_send("waiting", &json!({}));
    // One future for the whole wait keeps its place in the line.
    let mut permit = pin!(Arc::clone(&lab.thinking).acquire_owned());
    while !events.is_closed() {
        if let Ok(permit) = tokio::time::timeout(POLL_INTERVAL, permit.as_mut()).await {
            return permit.ok();
        }
    }
    None
}

/// The event `error` with a sentence.
pub(super) fn error_event(sentence: impl ToString) -> FinalEvent {
    event("error", &json!({ "error": sentence.to_string() })).expect("a sentence is JSON")
}

/// An event with the result of a task.
pub(super) fn result_event(name: &'static str, result: &impl Serialize) -> FinalEvent {
    event(name, result).unwrap_or_else(error_event)
}
