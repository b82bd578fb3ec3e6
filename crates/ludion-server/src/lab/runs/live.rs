//! The news of a run, to whoever looks; looking away stops nothing.

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
use crate::lab::stream::{EventSender, news};

/// How soon it is seen that nobody listens, where there are no news.
const PATIENCE: Duration = Duration::from_secs(10);

/// Events: `standing` now and then, `end` in the end. Figures are told when they changed.
pub(crate) async fn live(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<impl IntoResponse, LabError> {
    let (teller, answer) = news();
    if let Some(live) = running.desk.find(id) {
        tokio::spawn(pass_on(teller, live.listen()));
        return Ok(answer);
    }
    let phase = running.off(move |running| {
        let store = running.open_store()?;
        Ok(running.desk.phase(&store, &store.any_run(id)?))
    });
    teller.end("end", &RunProgress::new(id, phase.await?));
    Ok(answer)
}

async fn pass_on(teller: EventSender, mut news: watch::Receiver<RunProgress>) {
    let mut told: Option<Arc<Value>> = None;
    loop {
        let mut now = news.borrow_and_update().clone();
        if now.phase.is_over() {
            return teller.end("end", &now);
        }
        let is_known =
            |figures: &Arc<Value>| told.as_ref().is_some_and(|t| Arc::ptr_eq(t, figures));
        let figures = now.figures.take_if(|figures| is_known(figures)).or(now.figures.clone());
        if teller.mention("standing", &now) {
            told = figures;
        }
        while let Err(_silence) = tokio::time::timeout(PATIENCE, news.changed()).await {
            if teller.is_alone() {
                return;
            }
        }
        if teller.is_alone() {
            return;
        }
    }
}
