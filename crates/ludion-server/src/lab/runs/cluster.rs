//! `GET /api/cluster`: workers and runs of the cluster.

use axum::Json;
use axum::extract::State;
use ludion_runs::cluster::ClusterStatus;
use serde::Serialize;

use crate::lab::SharedLabState;
use crate::lab::error::LabError;

/// Status of the cluster; empty where the laboratory has none.
#[derive(Serialize)]
pub(crate) struct ClusterResponse {
    cluster: Option<ClusterStatus>,
}

pub(crate) async fn cluster(
    State(running): State<SharedLabState>,
) -> Result<Json<ClusterResponse>, LabError> {
    let asked = running.off(|running| {
        let Some(cluster) = &running.cluster else { return Ok(ClusterResponse { cluster: None }) };
        let status = cluster.status().map_err(|error| LabError::Away(error.to_string()))?;
        Ok(ClusterResponse { cluster: Some(status) })
    });
    Ok(Json(asked.await?))
}
