//! Long work in its turn: at most so many at once, the others wait; all as server-sent events.
//! Whatever it tells on the way a slow client may miss, so its last word has to hold the whole.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::IntoResponse;
use serde_json::Value;

use super::Shared;
use super::choose::its_turn;
use super::reply::Refusal;
use super::stream::{Teller, news};

/// The last of the news: its name and what it says.
pub(super) type Last = (&'static str, Value);

/// A piece of work that is under way.
pub(super) struct Turn<'a> {
    pub(super) teller: &'a Teller,
    began: Instant,
    time: Duration,
}

impl Turn<'_> {
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
    running: Shared,
    work: impl FnOnce(&Turn<'_>) -> Last + Send + 'static,
) -> Result<impl IntoResponse, Refusal> {
    let place_in_queue =
        Arc::clone(&running.waiting).try_acquire_owned().map_err(|_| Refusal::Busy)?;
    let (teller, answer) = news();
    tokio::spawn(async move {
        let Some(turn) = its_turn(&running, &teller).await else { return };
        let time = running.limits.time;
        tokio::task::spawn_blocking(move || {
            let (name, data) = work(&Turn { teller: &teller, began: Instant::now(), time });
            drop((place_in_queue, turn));
            teller.end(name, &data);
        });
    });
    Ok(answer)
}

/// An error as the last of the news.
pub(super) fn failed(sentence: impl ToString) -> Last {
    ("error", serde_json::json!({ "error": sentence.to_string() }))
}

/// An answer as the last of the news.
pub(super) fn told(name: &'static str, answer: &impl serde::Serialize) -> Last {
    serde_json::to_value(answer).map_or_else(failed, |data| (name, data))
}
