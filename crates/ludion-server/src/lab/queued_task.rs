//! Long work in its turn: at most so many at once, the others wait; all as server-sent events.
//! Whatever it tells on the way a slow client may miss, so its last word has to hold the whole.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::IntoResponse;
use serde_json::Value;

use super::SharedLabState;
use super::choose::its_turn;
use super::error::LabError;
use super::stream::{EventSender, news};

/// The last of the news: its name and what it says.
pub(super) type FinalEvent = (&'static str, Value);

/// A piece of work that is under way.
pub(super) struct QueuedTask<'a> {
    pub(super) teller: &'a EventSender,
    began: Instant,
    time: Duration,
}

impl QueuedTask<'_> {
    /// Whether nobody waits for it any more, or its time is up.
    pub(super) fn is_over(&self) -> bool {
        self.teller.is_alone() || self.began.elapsed() >= self.time
    }

    /// How long it has been its turn.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// Events: `waiting` until it is its turn, what the work tells, and what it comes to.
pub(super) fn in_turn(
    running: SharedLabState,
    work: impl FnOnce(&QueuedTask<'_>) -> FinalEvent + Send + 'static,
) -> Result<impl IntoResponse, LabError> {
    let place_in_queue =
        Arc::clone(&running.waiting).try_acquire_owned().map_err(|_| LabError::Busy)?;
    let (teller, answer) = news();
    tokio::spawn(async move {
        let Some(turn) = its_turn(&running, &teller).await else { return };
        let time = running.limits.time;
        tokio::task::spawn_blocking(move || {
            let (name, data) = work(&QueuedTask { teller: &teller, began: Instant::now(), time });
            drop((place_in_queue, turn));
            teller.end(name, &data);
        });
    });
    Ok(answer)
}

/// An error as the last of the news.
pub(super) fn failed(sentence: impl ToString) -> FinalEvent {
    ("error", serde_json::json!({ "error": sentence.to_string() }))
}

/// An answer as the last of the news.
pub(super) fn told(name: &'static str, answer: &impl serde::Serialize) -> FinalEvent {
    serde_json::to_value(answer).map_or_else(failed, |data| (name, data))
}
