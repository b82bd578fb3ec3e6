//! `GET /api/reproductions`: the published works that can be repeated. `POST /api/runs` with the kind
//! `reproduction` repeats one; its report is that of the run.

use axum::Json;
use ludion_runs::studies::reproduction::{WorkDescription, describe_works};
use serde::Serialize;

/// The answer of `GET /api/reproductions`.
#[derive(Serialize)]
pub(super) struct ReproductionsResponse {
    works: Vec<WorkDescription>,
}

/// Serves `GET /api/reproductions`.
pub(super) async fn works() -> Json<ReproductionsResponse> {
    Json(ReproductionsResponse { works: describe_works() })
}
