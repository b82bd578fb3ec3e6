//! `GET /api/runs/{run}/repetition`: compares a run with the run that it repeats, move by move.

use axum::Json;
use axum::extract::State;
use ludion_runs::{RunComparison, compare_runs};
use ludion_store::{RunId, StoreError};
use serde::Serialize;

use super::paths::RunPath;
use crate::lab::SharedLabState;
use crate::lab::error::LabError;

/// A run compared with the run that it repeats.
#[derive(Serialize)]
pub(crate) struct RepetitionResponse {
    run: RunId,
    /// The run that is repeated; `None` if the run repeats none.
    original: Option<RunId>,
    /// What the comparison found; `None` if the original was deleted.
    comparison: Option<RunComparison>,
}

/// Serves `GET /api/runs/{run}/repetition`.
pub(crate) async fn repetition(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<RepetitionResponse>, LabError> {
    let compared = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        store.any_run(id)?;
        let original = store.annotation(id)?.repeat_of;
        let comparison = match original {
            Some(original) => match store.any_run(original) {
                Ok(_) => Some(compare_runs(&store, original, id)?),
                Err(StoreError::NoRun { .. }) => None,
                Err(error) => return Err(error.into()),
            },
            None => None,
        };
        Ok(RepetitionResponse { run: id, original, comparison })
    });
    Ok(Json(compared.await?))
}
