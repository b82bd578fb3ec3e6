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

/// How often a silent stream checks whether its client is still connected.
const POLL_INTERVAL: Duration = Duration::from_secs(10);

/// Events: `standing` from time to time, `end` in the end. Figures are sent when they changed.
pub(crate) async fn live(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<impl IntoResponse, LabError> {
    let (events, response) = event_channel();
    if let Some(live) = lab.desk.find(id) {
        tokio::spawn(forward(events, live.listen()));
        return Ok(response);
    }
    let phase = lab.off(move |lab| {
        let store = lab.open_store()?;
        Ok(lab.desk.phase(&store, &store.any_run(id)?))
    });
    events.finish("end", &RunProgress::new(id, phase.await?));
    Ok(response)
}

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
