//! `GET /api/about`: version, limits and size of the store, and the OpenAPI document.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Serialize;

use super::error::LabError;
use super::{LabLimits, SharedLabState};

/// The answer of `GET /api/about`.
#[derive(Serialize)]
pub(super) struct AboutResponse {
    version: &'static str,
    /// Whether requests may start external bots.
    bots: bool,
    /// Number of runs in the store.
    runs: u64,
    limits: LabLimits,
}

/// Serves `GET /api/about`.
pub(super) async fn about(
    State(lab): State<SharedLabState>,
) -> Result<Json<AboutResponse>, LabError> {
    let answer = lab.with_store(|lab, store| {
        let (bots, limits) = (lab.allow_bots, lab.limits);
        let runs = store.count_runs()?;
        Ok(AboutResponse { version: env!("CARGO_PKG_VERSION"), bots, runs, limits })
    });
    Ok(Json(answer.await?))
}

/// Serves `GET /api/openapi.json`.
pub(super) async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], OPENAPI)
}

/// The OpenAPI document, embedded in the program.
pub(super) const OPENAPI: &str = include_str!("openapi.json");
