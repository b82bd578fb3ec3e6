//! One run with its plan, its progress and its report.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use ludion_runs::studies::RunReport;
use ludion_runs::{RunError, RunPicture, present_any_run, run_verdict};
use ludion_store::{RunPlan, RunState, Store, StoredRun};
use serde::Serialize;
use serde_json::Value;

use super::list::RunSummary;
use super::paths::RunPath;
use crate::lab::error::LabError;
use crate::lab::{LabState, SharedLabState};

/// A run with its plan and report.
#[derive(Serialize)]
pub(crate) struct RunResponse {
    #[serde(flatten)]
    summary: RunSummary,
    /// Everything needed to repeat the run.
    plan: RunPlan,
    /// The report so far, as the command line writes it with `--json`.
    figures: Value,
    /// The kind of the run's picture (`chart`, `heat` or `panels`), if it has one.
    picture: Option<&'static str>,
    /// Why the report could not be computed; `None` if it could.
    error: Option<String>,
}

/// Serves `GET /api/runs/{run}`.
pub(crate) async fn details(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RunResponse>, LabError> {
    let details = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        let run = present_any_run(&lab.full_registry, store.any_run(id)?);
        let mut summary = RunSummary::new(lab, &store, &run);
        summary.annotation = store.annotation(id)?;
        let (findings, error) = match findings(lab, &store, &run) {
            Ok(findings) => (findings, None),
            Err(error) => {
                let nothing = RunReport { figures: Value::Null, picture: None, table: None };
                (Arc::new(nothing), Some(error.to_string()))
            }
        };
        let picture = findings.picture.as_ref().map(|picture| match picture {
            RunPicture::Chart(_) => "chart",
            RunPicture::Heat(_) => "heat",
            RunPicture::Panels { .. } => "panels",
        });
        let figures = findings.figures.clone();
        summary.result = run_verdict(run.plan.kind(), &figures);
        Ok(RunResponse { summary, plan: run.plan, figures, picture, error })
    });
    Ok(Json(details.await?))
}

/// Returns the report of a run: the latest one if the run is in progress in this program, else one
/// computed from the store.
pub(super) fn findings(
    lab: &LabState,
    store: &Store,
    run: &StoredRun<RunPlan>,
) -> Result<Arc<RunReport>, RunError> {
    if let Some(findings) = lab.run_manager.find(run.id).and_then(|live| live.findings()) {
        return Ok(Arc::new(findings));
    }
    let stored = || lab.run_manager.kinds.findings(&lab.registry, store, run);
    if run.state == RunState::Finished {
        return lab.run_manager.finished.get_or_make(run.id, stored);
    }
    stored().map(Arc::new)
}
