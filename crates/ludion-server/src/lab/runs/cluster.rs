//! `GET /api/cluster`: the workers of the cluster, and the runs whose jobs they execute.

use axum::Json;
use axum::extract::State;
use ludion_runs::cluster::ClusterStatus;
use serde::Serialize;

use crate::lab::SharedLabState;
use crate::lab::error::LabError;

/// The answer of `GET /api/cluster`: the status of the cluster, or `null` if the laboratory has
/// none.
#[derive(Serialize)]
pub(crate) struct ClusterResponse {
    cluster: Option<ClusterStatus>,
}

pub(crate) async fn cluster(
    State(lab): State<SharedLabState>,
) -> Result<Json<ClusterResponse>, LabError> {
    let asked = lab.blocking(|lab| {
        let Some(cluster) = &lab.cluster else { return Ok(ClusterResponse { cluster: None }) };
        let status =
            cluster.status().map_err(|error| LabError::ClusterUnavailable(error.to_string()))?;
        Ok(ClusterResponse { cluster: Some(status) })
    });
    Ok(Json(asked.await?))
}
