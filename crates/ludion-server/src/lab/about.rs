//! `GET /api/about`: version, limits and size of the store, and the OpenAPI document.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Serialize;

use super::error::LabError;
use super::{LabLimits, SharedLabState};

#[derive(Serialize)]
pub(super) struct AboutResponse {
    version: &'static str,
    /// Whether external bots may play.
    bots: bool,
    /// Number of runs in the store.
    runs: u64,
    limits: LabLimits,
}

pub(super) async fn about(
    State(running): State<SharedLabState>,
) -> Result<Json<AboutResponse>, LabError> {
    let answer = running.with_store(|running, store| {
        let (bots, limits) = (running.allow_bots, running.limits);
        let runs = store.count_runs()?;
        Ok(AboutResponse { version: env!("CARGO_PKG_VERSION"), bots, runs, limits })
    });
    Ok(Json(answer.await?))
}

/// Returns the OpenAPI document.
pub(super) async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], OPENAPI)
}

pub(super) const OPENAPI: &str = include_str!("openapi.json");
