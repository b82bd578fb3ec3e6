//! The progress of a run as server-sent events. A client that disconnects does not stop the run.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use serde_json::Value;
use tokio::sync::watch;

use super::paths::RunPath;
use super::progress::RunProgress;
use crate::lab::SharedLabState;
use crate::lab::error::LabError;
use crate::lab::stream::{EventSender, event_channel};

/// Time after which a stream without news checks whether its client is still connected.
const POLL_INTERVAL: Duration = Duration::from_secs(10);

/// Serves `GET /api/runs/{run}/live`. Events: `standing` with the progress whenever it changes, and
/// `end` with the last one. The figures of the report are included only when they have changed.
pub(crate) async fn live(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<impl IntoResponse, LabError> {
    let (events, response) = event_channel();
    if let Some(live) = lab.run_manager.find(id) {
        tokio::spawn(forward(events, live.subscribe()));
        return Ok(response);
    }
    let phase = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        Ok(lab.run_manager.phase(&store, &store.any_run(id)?))
    });
    events.finish("end", &RunProgress::new(id, phase.await?));
    Ok(response)
}

/// Sends the progress of a run until the run is over or the client disconnects.
async fn forward(events: EventSender, mut progress: watch::Receiver<RunProgress>) {
    let mut sent: Option<Arc<Value>> = None;
    loop {
        let mut now = progress.borrow_and_update().clone();
        if now.phase.is_over() {
            return events.finish("end", &now);
        }
        let is_sent =
            |figures: &Arc<Value>| sent.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, figures));
        let figures = now.figures.take_if(|figures| is_sent(figures)).or(now.figures.clone());
        if events.try_send("standing", &now) {
            sent = figures;
        }
        while let Err(_elapsed) = tokio::time::timeout(POLL_INTERVAL, progress.changed()).await {
            if events.is_closed() {
                return;
            }
        }
        if events.is_closed() {
            return;
        }
    }
}
