//! What this laboratory is: its version, its limits, how much it keeps, and its interface.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Serialize;

use super::reply::Refusal;
use super::{Limits, Shared};

#[derive(Serialize)]
pub(super) struct About {
    version: &'static str,
    /// Whether programs of somebody's own may play here.
    bots: bool,
    /// Runs that the store keeps.
    runs: u64,
    limits: Limits,
}

pub(super) async fn about(State(running): State<Shared>) -> Result<Json<About>, Refusal> {
    let answer = running.with_store(|running, store| {
        let (bots, limits) = (running.allow_bots, running.limits);
        let runs = store.count_runs()?;
        Ok(About { version: env!("CARGO_PKG_VERSION"), bots, runs, limits })
    });
    Ok(Json(answer.await?))
}

/// The interface, as OpenAPI says it.
pub(super) async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], OPENAPI)
}

pub(super) const OPENAPI: &str = include_str!("openapi.json");
