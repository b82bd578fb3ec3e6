//! One run: what it is, how far it has come, and its figures.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use ludion_runs::study::Findings;
use ludion_runs::{RunError, RunFigures, RunPicture};
use ludion_store::{RunPlan, RunState as Kept, Store, StoredRun};
use serde::Serialize;
use serde_json::Value;

use super::list::RunSummary;
use super::paths::RunPath;
use crate::lab::error::LabError;
use crate::lab::{LabState, SharedLabState};

/// A run with all that is known of it.
#[derive(Serialize)]
pub(crate) struct RunResponse {
    #[serde(flatten)]
    listed: RunSummary,
    /// Everything needed to do it again.
    plan: RunPlan,
    /// What came of it so far, as the command line writes it for machines.
    figures: Value,
    /// What kind of picture there is of it.
    picture: Option<&'static str>,
    /// Why there are no figures.
    error: Option<String>,
}

pub(crate) async fn details(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RunResponse>, LabError> {
    let details = running.off(move |running| {
        let store = running.open_store()?;
        let run = store.any_run(id)?;
        let listed = RunSummary::of(&running.desk, &store, &run);
        let (found, error) = match found(running, &store, &run) {
            Ok(found) => (found, None),
            Err(error) => {
                let nothing = Findings { figures: Value::Null, picture: None };
                (Arc::new(nothing), Some(error.to_string()))
            }
        };
        let picture = found.picture.as_ref().map(|picture| match picture {
            RunPicture::Chart(_) => "chart",
            RunPicture::Heat(_) => "heat",
            RunPicture::Panels { .. } => "panels",
        });
        Ok(RunResponse { listed, plan: run.plan, figures: found.figures.clone(), picture, error })
    });
    Ok(Json(details.await?))
}

/// What is known of a run: by whoever conducts it here, else by the store.
pub(super) fn found(
    running: &LabState,
    store: &Store,
    run: &StoredRun<RunPlan>,
) -> Result<Arc<Findings>, RunError> {
    if let Some(found) = running.desk.find(run.id).and_then(|live| live.found()) {
        return Ok(Arc::new(found));
    }
    if run.state == Kept::Finished {
        return running.desk.finished.of(run.id, || stored(running, store, run));
    }
    stored(running, store, run).map(Arc::new)
}

/// What the store knows of a run.
fn stored(
    running: &LabState,
    store: &Store,
    run: &StoredRun<RunPlan>,
) -> Result<Findings, RunError> {
    match &run.plan {
        RunPlan::Study(study) => {
            let kind = running.desk.kind_of(&study.kind)?;
            (kind.found)(store, &store.study(run.id)?)
        }
        RunPlan::Games(_) => {
            let figures = RunFigures::stored(&running.registry, store, &store.run(run.id)?)?;
            let picture = figures.picture();
            let figures = serde_json::to_value(figures)
                .map_err(|error| RunError::Failed(format!("the answer is no JSON: {error}")))?;
            Ok(Findings { figures, picture })
        }
    }
}
